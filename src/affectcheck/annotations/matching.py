"""Which prediction belongs to which item: by key, one to one, with every fault of the keys told at once.

An inner join would score what happens to match and hide the rest, the last of two rows would win in silence. Here
the strict rule refuses any fault, and each leniency is named by whoever wants it, and counted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import polars as pl

from affectcheck.annotations.listing import name_list, plural, quoted, row_text
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

Rule: TypeAlias = Literal["reject", "missing wrong", "leave out"]
Leniency: TypeAlias = Literal["identical duplicates", "surrounding blanks"]

RULES: Final[tuple[Rule, ...]] = ("reject", "missing wrong", "leave out")
LENIENCIES: Final[tuple[Leniency, ...]] = ("identical duplicates", "surrounding blanks")


#: Missing and strange keys that are looked at for what may have gone wrong with all.
_LOOKED_AT: Final = 100_000


@dataclass(frozen=True)
class Match:
    """Pairs of rows, and the keys that made none.

    Attributes:
        pairs: ``item``, ``truth_row`` and ``prediction_row`` (rows from 0, in the order of the truth). Under
            "missing wrong" an item without a prediction is there with a null ``prediction_row``.
        conflicting: keys that occur more than once with different predictions, which no rule forgives.
        identical: keys that occur more than once with one and the same prediction.
        missing: items without a prediction.
        extra: keys that belong to no item.
        blanks: keys with surrounding blanks, as they are written.
    """

    pairs: pl.DataFrame
    conflicting: Sequence[str] = ()
    identical: Sequence[str] = ()
    missing: Sequence[str] = ()
    extra: Sequence[str] = ()
    blanks: Sequence[str] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """One sentence a fault that occurred."""
        sentences = (
            (self.conflicting, "occurs more than once with different predictions", "key"),
            (self.identical, "occurs more than once with the same prediction", "key"),
            (self.missing, "has no prediction", "item"),
            (self.extra, "belongs to no item", "key"),
            (self.blanks, "has surrounding blanks", "key"),
        )
        return tuple(_sentence(keys, verb, noun) for keys, verb, noun in sentences if keys)


def match(
    truth_items: pl.Series | Sequence[str],
    prediction: pl.DataFrame | pl.Series | Sequence[str],
    *,
    rule: Rule = "reject",
    forgive: Collection[Leniency] = (),
    where: str = "",
) -> Match:
    """Pair predictions with items by key.

    Args:
        truth_items: the keys of the items, each once.
        prediction: the keys predicted; as a table, the column ``item`` with columns that tell identical duplicates
            from conflicting ones.
        rule: what a missing prediction or a stranger's key means: "reject" refuses both, "missing wrong" keeps the
            item without a prediction, "leave out" leaves the item out. The lenient rules leave strangers out.
        forgive: "identical duplicates" keeps the first of equal rows, "surrounding blanks" trims keys.
        where: stands in front of the error, such as the path of the predictions.

    Raises:
        InputError: a fault that is not forgiven; one message names every fault of every kind.
        UnknownNameError: no such rule or leniency.

    Example:
        >>> match(["a", "b"], ["b", "c"], rule="missing wrong").pairs.rows()
        [('a', 0, None), ('b', 1, 0)]
    """
    _check_words(rule, forgive)
    truth = pl.Series("item", truth_items, dtype=pl.String)
    if truth.is_duplicated().any():
        raise InputError(
            f"items that occur more than once: {name_list(truth.filter(truth.is_duplicated()).unique().sort())}",
            where=where,
            expected="one row an item in the truth",
        )
    found = _find(truth, _with_keys(prediction, where))
    refused = _refused(found, rule, forgive)
    if refused.notes:
        raise refusal(refused, len(truth), where)
    if found.missing and len(found.missing) == len(truth):
        raise refusal(Match(found.pairs, missing=found.missing, extra=found.extra), len(truth), where)
    return found if rule != "leave out" else _without_missing(found)


def _check_words(rule: str, forgive: Collection[str]) -> None:
    if rule not in RULES:
        raise UnknownNameError.of("rule for missing predictions", rule, RULES)
    for leniency in forgive:
        if leniency not in LENIENCIES:
            raise UnknownNameError.of("leniency", leniency, LENIENCIES)


def _with_keys(prediction: pl.DataFrame | pl.Series | Sequence[str], where: str) -> pl.DataFrame:
    table = prediction if isinstance(prediction, pl.DataFrame) else pl.DataFrame({"item": prediction})
    if "item" not in table.columns:
        raise UnknownNameError.of("column", "item", table.columns, where=where)
    table = table.with_columns(pl.col("item").cast(pl.String))
    empty = table.get_column("item").is_null()
    if empty.any():
        raise InputError(
            f"no item key in {row_text([row + 1 for row in empty.arg_true()])}",
            where=where,
            expected="a key in every row",
        )
    return table.with_columns(key=pl.col("item").str.strip_chars()).with_row_index("prediction_row")


def _find(truth: pl.Series, table: pl.DataFrame) -> Match:
    if len(truth) == table.height and (truth == table["item"]).all() and (truth == table["key"]).all():
        row = table.get_column("prediction_row")  # key by key as the truth has them, which knows each once
        return Match(pl.DataFrame([truth, row.alias("truth_row"), row]))
    values = [column for column in table.columns if column not in ("item", "key", "prediction_row")]
    distinct = pl.struct(values).n_unique() if values else pl.lit(1)
    # Only keys that repeat are looked at closer: a table of millions mostly has none.
    twice = table.filter(pl.col("key").is_duplicated())
    repeated = twice.group_by("key", maintain_order=True).agg(distinct.alias("distinct"))
    once = table.unique("key", keep="first", maintain_order=True) if twice.height else table
    keys = once.select("key", "prediction_row")
    pairs = pl.DataFrame({"item": truth}).with_row_index("truth_row")
    pairs = pairs.join(keys, left_on="item", right_on="key", how="left", maintain_order="left")
    pairs = pairs.select("item", "truth_row", "prediction_row")
    return Match(
        pairs,
        conflicting=tuple(repeated.filter(pl.col("distinct") > 1)["key"]),
        identical=tuple(repeated.filter(pl.col("distinct") == 1)["key"]),
        missing=tuple(pairs.filter(pl.col("prediction_row").is_null())["item"]),
        extra=tuple(keys.filter(~pl.col("key").is_in(truth.implode()))["key"]),
        blanks=tuple(table.filter(pl.col("item") != pl.col("key"))["item"]),
    )


def _refused(found: Match, rule: Rule, forgive: Collection[Leniency]) -> Match:
    strict = rule == "reject"
    return Match(
        found.pairs,
        conflicting=found.conflicting,
        identical=() if "identical duplicates" in forgive else found.identical,
        missing=found.missing if strict else (),
        extra=found.extra if strict else (),
        blanks=() if "surrounding blanks" in forgive else found.blanks,
    )


def _without_missing(found: Match) -> Match:
    kept = found.pairs.filter(pl.col("prediction_row").is_not_null())
    return Match(kept, found.conflicting, found.identical, found.missing, found.extra, found.blanks)


#: What is added of missing predictions, which whoever scores may let pass by a rule.
TO_STATE: Final = "; whether they count as wrong or are left out is yours to state"


def refusal(refused: Match, items: int, where: str) -> InputError:
    """The error that tells every fault of the keys at once.

    Args:
        refused: the faults, each by its keys.
        items: of the truth.
        where: stands in front of it.
    """
    told = "".join(f"\n  {note}" for note in refused.notes)
    cause = _likely(refused.missing, refused.extra)
    if not cause and len(refused.missing) == items:
        cause = "predictions of another partition or data set, or a column of empty cells"
    if not cause and len(refused.notes) == 1:
        cause = next((told for keys, told in _causes(refused) if keys), "")
    return InputError(
        f"the predictions do not fit the {plural(items, 'item')} of the table:{told}",
        where=where,
        expected="one prediction for every item, under the item's own key",
        cause=cause,
        code=next(code for keys, code in _codes(refused) if keys),
    )


def _codes(refused: Match) -> tuple[tuple[Sequence[str], str], ...]:
    """The fault by which a refusal is named, the gravest first."""
    return (
        (refused.conflicting or refused.identical, "E_REPEATED_KEYS"),
        (refused.missing, "E_MISSING_ITEMS"),
        (refused.extra, "E_UNKNOWN_KEYS"),
        (refused.blanks, "E_BLANKS_IN_KEYS"),
    )


def _causes(refused: Match) -> tuple[tuple[Sequence[str], str], ...]:
    return (
        (refused.conflicting, "two runs written into one file"),
        (refused.identical, "two runs written into one file"),
        (refused.blanks, "cells with blanks around the key; take them away"),
        (refused.extra, "predictions of another part of the data"),
        (
            refused.missing,
            f"a run that stopped early, or empty cells{TO_STATE}",
        ),
    )


def _sentence(keys: Sequence[str], verb: str, noun: str) -> str:
    if len(keys) > 1:
        verb = verb.replace("occurs", "occur").replace("has ", "have ").replace("belongs", "belong")
    return f"{plural(len(keys), noun)} {verb}: {name_list(keys)}"


def _without_extension(key: str) -> str:
    return re.sub(r"\.[A-Za-z]\w{1,4}$", "", key)


#: Ways in which keys of one item differ between files, each with its cure; the first that pairs most is told.
_DIFFERENCES: Final[tuple[tuple[str, Callable[[str], str]], ...]] = (
    ("upper and lower case differ", str.casefold),
    ("one side has a folder in front", lambda key: PurePosixPath(key).name),
    ("one side has a file name extension", _without_extension),
    ("one side has a folder and an extension", lambda key: _without_extension(PurePosixPath(key).name)),
    ("one side has backslashes", lambda key: key.replace("\\", "/")),
    ("one side has leading zeros", lambda key: key.lstrip("0")),
    ("white space, invisible characters or the writing of accents differ", fold),
)


def _likely(missing: Iterable[str], extra: Iterable[str]) -> str:
    """The difference that would pair missing and extra keys, if one does; never applied, only told."""
    lost, strangers = list(islice(missing, _LOOKED_AT)), list(islice(extra, _LOOKED_AT))
    for words, form in _DIFFERENCES:
        formed = {form(key): key for key in strangers}
        hit = next(((key, formed[form(key)]) for key in lost if form(key) in formed), None)
        if hit:
            return f"{words}: the item is {quoted(hit[0])}, the prediction {quoted(hit[1])}"
    return ""
