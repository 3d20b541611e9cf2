"""Models that are to be compared: their scores and items, and whether they may be compared at all."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from affectcheck.annotations.listing import plural
from affectcheck.errors import InputError, SignatureMismatchError, UnknownNameError
from affectcheck.evaluation.common_labels import scored_by
from affectcheck.evaluation.deciding import GIVES, NATURAL
from affectcheck.evaluation.items import column_of
from affectcheck.predictions.steps import rule_of
from affectcheck.records import Score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.evaluation.items import ScoredItems
    from affectcheck.evaluation.result import Evaluation
    from affectcheck.models.card import Output
    from affectcheck.records import Place, RunRecord, Scored, Signature


class Key(NamedTuple):
    """What a score is of: two models' scores of one key are compared."""

    metric: str
    convention: str
    place: Place


@dataclass(frozen=True, eq=False)
class Entrant:
    """One model of a comparison.

    Attributes:
        model: its name.
        scores: its scores.
        items: the items behind them.
        run: name of its run, which tells models of one name apart; may be empty.
    """

    model: str
    scores: tuple[Scored, ...]
    items: ScoredItems
    run: str = ""

    @classmethod
    def of(cls, evaluation: Evaluation, *, run: str = "") -> Entrant:
        """From an evaluation.

        Raises:
            InputError: it holds no scores, or no items.
        """
        return cls._made(evaluation.scores, evaluation.scored_items, run)

    @classmethod
    def of_run(cls, record: RunRecord, items: ScoredItems, *, run: str = "") -> Entrant:
        """From the record of a run and its table of items.

        Raises:
            InputError: it holds no scores of these items.
        """
        return cls._made(record.scores, items, run)

    @classmethod
    def _made(cls, scores: tuple[Scored, ...], items: ScoredItems, run: str) -> Entrant:
        mine = cls("", scores, items, run).table().values()
        model = next((score.signature.model for score in mine), "")
        return cls(model, scores, items, run).require_items()

    def require_items(self) -> Entrant:
        """Itself.

        Raises:
            InputError: there are no scores, or no items, or the truth was not one label an item.
        """
        if self.items.frame.is_empty() or not self.table():
            raise InputError(
                f"{self.told} holds no scored items",
                expected="an evaluation of rows, which keeps its items",
                cause="files of two runs were mixed, or only tallies of its items were kept",
            )
        votes = next((score.signature.truth for score in self.table().values() if score.signature.truth), "")
        if votes:
            raise InputError(
                f"{self.told} was scored against {votes}, which its table of items does not hold",
                expected="runs that were scored against one label an item",
                cause="a soft truth; score again without it",
            )
        return self

    @property
    def told(self) -> str:
        """The model and its run, for messages."""
        if not self.model:
            return self.run or "the run"
        named = not self.run or f"({self.run})" in self.model
        return repr(self.model) if named else f"{self.model!r} ({self.run})"

    def table(self) -> dict[Key, Scored]:
        """Scores of the set that the items are of, by what they are of."""
        layout = self.items.layout
        wanted = (layout.data, layout.part, layout.target)
        found: dict[Key, Scored] = {}
        for score in self.scores:
            signature = score.signature
            if (signature.data, signature.part, signature.target) == wanted:
                found.setdefault(Key(score.metric, signature.convention, score.place), score)
        return found


def named_apart(entrants: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """The same with distinct names: models of one name are told apart by their runs, else by number.

    Example:
        >>> from affectcheck.evaluation.items import Layout, ScoredItems
        >>> items = ScoredItems(pl.DataFrame(), Layout())
        >>> two = named_apart([Entrant("cnn", (), items, "a"), Entrant("cnn", (), items, "b"), Entrant("svm", (), items)])
        >>> [one.model for one in two]
        ['cnn (a)', 'cnn (b)', 'svm']
    """
    often = Counter(entrant.model for entrant in entrants)
    names = [f"{e.model} ({e.run})" if often[e.model] > 1 and e.run else e.model for e in entrants]
    again = Counter(names)
    numbers: Counter[str] = Counter()
    found = []
    for entrant, name in zip(entrants, names, strict=True):
        numbers[name] += 1
        found.append(replace(entrant, model=f"{name} #{numbers[name]}" if again[name] > 1 else name))
    return tuple(found)


def shared_scores(entrants: Sequence[Entrant]) -> dict[Key, tuple[Scored, ...]]:
    """Scores that every model has, by what they are of, in the order of the first.

    Raises:
        InputError: they have no score in common.
        SignatureMismatchError: two scores differ in more than the model; the message names every field that does.
    """
    tables = [entrant.table() for entrant in entrants]
    shared = [key for key in tables[0] if all(key in table for table in tables[1:])]
    if not shared:
        listed = "; ".join(
            f"{e.told}: {', '.join(dict.fromkeys(key.metric for key in t)) or 'none of its items'}"
            for e, t in zip(entrants, tables, strict=True)
        )
        raise InputError(
            f"the runs share no score: {listed}", expected="runs that scored the same metrics of the same target"
        )
    found = {key: tuple(table[key] for table in tables) for key in shared}
    for scores in found.values():
        whole = all(isinstance(score, Score) for score in scores)
        _require_comparable(entrants, [_ruled(e, s, whole=whole) for e, s in zip(entrants, scores, strict=True)])
    return found


def _require_comparable(entrants: Sequence[Entrant], signatures: Sequence[Signature]) -> None:
    for entrant, signature in zip(entrants[1:], signatures[1:], strict=True):
        try:
            signatures[0].require_comparable(signature)
        except SignatureMismatchError as error:
            told = f"{entrants[0].told} and {entrant.told}"
            other = _other_items(entrants[0], entrant) if signatures[0].data != signature.data else ""
            cause = other or error.cause
            raise SignatureMismatchError(error.what, where=told, expected=error.expected, cause=cause) from error


def _other_items(first: Entrant, second: Entrant) -> str:
    """The first item that is not the same in two runs, in words; empty where there is none."""
    known = second.items.layout.attributes
    try:
        _in_order(first, second, [name for name in first.items.layout.attributes if name in known])
    except InputError as error:
        return error.what
    return ""


def _ruled(entrant: Entrant, score: Scored, *, whole: bool) -> Signature:
    """The signature by its rules alone; the number of items counts only where both scores are defined."""
    signature = by_rule(score.signature, entrant.items.layout.output)
    return signature if whole else signature.with_(n="")


def by_rule(signature: Signature, output: Output = "value") -> Signature:
    """A signature by its rules alone, by which two models' scores are compared.

    Two runs of one rule may find other things, which are the model's own: how its kind of score says that a unit is
    present, which labels it has beside those that are scored, the values of thresholds and steps that were chosen by a
    stated rule, and how many answers are missing where a missing one counts as wrong. One file may have two names; its
    digest decides.

    Args:
        signature: of a score.
        output: what the model gives, where it is known: its natural threshold is no rule.

    Example:
        >>> from affectcheck.records import Signature
        >>> str(by_rule(Signature("uar", missing="wrong, 2 without a prediction", data="a@3f2a", n="90")))
        'uar|missing:wrong|data:3f2a|n:90'
    """
    thresholds = signature.thresholds.partition(GIVES)[0]
    if output in NATURAL and thresholds == f"{NATURAL[output]:g}":
        thresholds = ""
    rule, _, _ = signature.missing.partition(",")
    return signature.with_(
        thresholds=thresholds,
        steps=rule_of(signature.steps),
        mapping=scored_by(signature.mapping),
        missing=rule if rule == "wrong" else signature.missing,
        data=signature.data.rpartition("@")[2],
    )


def of_both(first: Signature, second: Signature) -> Signature:
    """The first of two signatures; where the two found other things by one rule, the rule."""
    ruled = by_rule(first)
    own = [
        name for name in ("thresholds", "steps", "mapping", "missing") if getattr(first, name) != getattr(second, name)
    ]
    return first.with_(**{name: getattr(ruled, name) for name in own})


def same_items(entrants: Sequence[Entrant], attributes: Sequence[str]) -> tuple[Entrant, ...]:
    """The models with their items in one order.

    Raises:
        InputError: keys, truth, clusters or groups differ; the message names the first item that does.
    """
    first = entrants[0]
    return (first, *(_in_order(first, entrant, attributes) for entrant in entrants[1:]))


def _in_order(first: Entrant, second: Entrant, attributes: Sequence[str]) -> Entrant:
    where = f"{first.told} and {second.told}"
    one, two = first.items.layout, second.items.layout
    if (one.kind, one.parts, one.unit) != (two.kind, two.parts, two.unit):
        told = [f"{of.unit} clusters of {of.kind}: {', '.join(of.parts)}" for of in (one, two)]
        raise InputError(f"the runs scored other things: {told[0]}; {told[1]}", where=where, expected="one target")
    left, right = first.items.frame, second.items.frame
    for missing, has, lacks in ((left, first, right), (right, second, left)):
        alone = missing.join(lacks, on="item", how="anti").get_column("item")
        if len(alone):
            raise InputError(
                f"scored for {has.told} alone: {plural(len(alone), 'item')}, the first of them {alone[0]!r}",
                where=where,
                expected="the same items",
                cause="items without a prediction that were left out, or other parts of the data",
            )
    ordered = left.select("item").join(right, on="item", how="left", maintain_order="left")
    columns = {"cluster": one.unit} | dict.fromkeys(one.truth_columns, "truth")
    columns |= {column_of(name): name for name in attributes}
    for column, meaning in columns.items():
        _require_equal(left, ordered, column, meaning, where)
    return replace(second, items=replace(second.items, frame=ordered))


def _require_equal(first: pl.DataFrame, second: pl.DataFrame, column: str, told: str, where: str) -> None:
    text = [frame.get_column(column) for frame in (first, second)]
    if isinstance(text[0].dtype, pl.Enum):
        text = [series.cast(pl.String) for series in text]
    other = text[0].ne_missing(text[1])
    if other.any():
        place = int(other.arg_true()[0])
        values = " and ".join(_value(series[place]) for series in text)
        raise InputError(
            f"item {first.get_column('item')[place]!r} has the {told} {values} ({plural(int(other.sum()), 'such item')})",
            where=where,
            expected="the same items with the same truth, clusters and groups",
            cause="another version of the annotations",
        )


def _value(value: Any) -> str:
    return "none" if value is None else repr(value)


def named(entrants: Sequence[Entrant], name: str) -> int:
    """Place of the model of a name, or of the only one of a run of that name.

    Raises:
        UnknownNameError: there is none, or more than one.
    """
    for values in ([e.model for e in entrants], [e.run for e in entrants]):
        if values.count(name) == 1:
            return values.index(name)
    raise UnknownNameError.of("model of the comparison", name, [e.model for e in entrants])
