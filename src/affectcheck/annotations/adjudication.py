"""Disagreements of raters as a list for somebody to decide, and the decisions merged with what the raters agreed on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.annotations.frames import as_polars
from affectcheck.annotations.labels import category_column
from affectcheck.annotations.listing import (
    name_list,
    plural,
    rows_by_value,
    rows_in_whole,
    rows_of,
    suggestion,
    value_lines,
)
from affectcheck.annotations.plain import blank_to_null, text_column
from affectcheck.annotations.settling import ADJUDICATED, NO_VOTES, UNDECIDED, UNKNOWN
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import CategoryScheme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.annotations.settling import Settled

#: Columns of the list; ``decision`` is to be filled in.
COLUMNS: Final = ("item", "attribute", "votes", "raters", "reason", "agreement", "decision")
#: Raters of an item that are told by name.
_NAMED: Final = 20
_ITEMS: Final = ("item", "file")


def disagreements(settled: Sequence[Settled]) -> pl.DataFrame:
    """What the raters could not settle, item by item, with an empty column for the decision.

    Args:
        settled: labels by a rule, of each thing that was rated.

    Returns:
        ``item``, ``attribute`` (what was rated), ``votes``, ``raters`` (who said what, where they have names),
        ``reason``, ``agreement`` (share of the most voted label) and ``decision``.

    Example:
        >>> from affectcheck.annotations import read_ratings, settle
        >>> table = {"item": ["a", "a"], "rater": ["r1", "r2"], "label": ["sad", "joy"]}
        >>> disagreements([settle(read_ratings(table))]).row(0)
        ('a', 'expression', 'joy 1, sad 1', 'r1 sad, r2 joy', 'tie', 0.5, None)
    """
    return pl.concat([_disagreements(one) for one in settled])


def _disagreements(settled: Settled) -> pl.DataFrame:
    rows = np.flatnonzero(settled.disputed)
    ratings, parts = settled.ratings, settled.ratings.parts
    votes = ratings.votes[rows]
    told = [_listed((parts[c], int(one[c])) for c in np.argsort(-one, kind="stable") if one[c]) for one in votes]
    share = votes.max(axis=1, initial=0) / np.maximum(ratings.numbers[rows], 1)
    return pl.DataFrame(
        {
            "item": ratings.items.gather(rows),
            "attribute": [settled.name] * rows.size,
            "votes": told,
            "raters": _who(settled, rows),
            "reason": [str(how).removeprefix(UNDECIDED) for how in settled.how[rows]],
            "agreement": share,
            "decision": [None] * rows.size,
        },
        schema=dict.fromkeys(COLUMNS, pl.String) | {"agreement": pl.Float64},
    )


def _listed(pairs: object) -> str:
    return ", ".join(f"{name} {value}" for name, value in pairs)  # type: ignore[attr-defined]  # pairs of any kind


def _who(settled: Settled, rows: np.ndarray) -> list[str | None]:
    """Who said what of each of these items; nothing where raters have no names."""
    ratings = settled.ratings
    if not ratings.named:
        return [None] * rows.size
    order = np.lexsort((ratings.rater, ratings.item))
    starts = np.concatenate([[0], np.cumsum(ratings.numbers)])
    found: list[str | None] = []
    for row in rows:
        mine = order[starts[row] : starts[row + 1]]
        said = _listed((ratings.raters[ratings.rater[k]], ratings.parts[ratings.values[k]]) for k in mine[:_NAMED])
        found.append(said + (f" and {mine.size - _NAMED} more" if mine.size > _NAMED else ""))
    return found


def adjudicate(settled: Settled, decisions: object, *, where: str = "") -> Settled:
    """Labels by a rule, with those that somebody decided.

    A decision stands over a majority, and is counted where it does; over a unanimous vote it is refused, since a slip
    of the row is more likely than a second thought.

    Args:
        settled: labels by a rule.
        decisions: a table with ``item`` and ``decision``, such as the filled-in list of disagreements; with
            ``attribute`` where several things were rated. Empty decisions are none.
        where: the file, for messages.

    Raises:
        UnknownNameError: a column is missing, or a decision is no label of the scheme; all are listed with their rows.
        InputError: an item that was not rated, two decisions for one item, or one against a unanimous vote.

    Example:
        >>> from affectcheck.annotations import read_ratings, settle
        >>> table = {"item": ["a", "a"], "rater": ["r1", "r2"], "label": ["sad", "joy"]}
        >>> done = adjudicate(settle(read_ratings(table)), {"item": ["a"], "decision": ["joy"]})
        >>> done.frame.select("expression", "how").row(0)
        ('joy', 'adjudicated')
    """
    given = _read(as_polars(decisions, where=where), settled, where)
    with rows_in_whole(given.rows):
        places, codes = _places(given, settled, where), _codes(given, settled, where)
        _require_once(given, codes, where)
        _require_not_against_all(given, places, codes, settled, where)
    new, how = settled.codes.copy(), settled.how.copy()
    kept = new[places] == codes
    against = (new[places] != UNKNOWN) & ~kept
    new[places], how[places[~kept]] = codes, ADJUDICATED
    scheme = settled.ratings.target.scheme
    assert isinstance(scheme, CategoryScheme)
    none = [scheme.labels.index(scheme.resolve(name)) for name in settled.settling.abstentions]
    new = np.where(np.isin(new, none), UNKNOWN, new)
    told = [f"{plural(int((~kept).sum()), 'label')} by decision"]
    told += [f"{plural(int(against.sum()), 'decision')} against a majority"] if against.any() else []
    told += [f"{plural(given.empty, 'row')} without a decision"] if given.empty else []
    return replace(settled, codes=new, how=how, told=(*settled.told, *told))


def require_attributes(decisions: object, names: Sequence[str], *, where: str = "") -> None:
    """Raise before decisions are merged if some are about nothing that was rated.

    Args:
        decisions: the table, with or without a column ``attribute``.
        names: what was rated.
        where: the file, for messages.

    Raises:
        UnknownNameError: attributes that are none of the names; all are listed with their rows.
    """
    frame = as_polars(decisions, where=where)
    if "attribute" not in frame.columns or "decision" not in frame.columns:
        return
    attribute = text_column(frame.get_column("attribute"), where).fill_null("")
    decided = blank_to_null(text_column(frame.get_column("decision"), where)).is_not_null()
    strange = decided & ~attribute.is_in(list(names))
    if strange.any():
        raise UnknownNameError(
            f"{plural(int(strange.sum()), 'decision')} about what was not rated:"
            f"{value_lines(rows_by_value(attribute, strange), names)}",
            where=where,
            expected=f"in the column 'attribute': {', '.join(names)}",
            cause="a spelling mistake, or the list of another table",
        )


@dataclass(frozen=True)
class _Decisions:
    """Decisions about one thing that was rated.

    Attributes:
        items: keys.
        text: what was decided.
        rows: row of each in the whole file.
        empty: rows without a decision.
    """

    items: pl.Series
    text: pl.Series
    rows: list[int]
    empty: int


def _read(frame: pl.DataFrame, settled: Settled, where: str) -> _Decisions:
    key = next((name for name in _ITEMS if name in frame.columns), "item")
    for name in (key, "decision"):
        if name not in frame.columns:
            raise UnknownNameError.of("column of decisions", name, frame.columns, where=where)
    items = text_column(frame.get_column(key), where)
    text = blank_to_null(text_column(frame.get_column("decision"), where))
    mine = pl.Series([True]).new_from_index(0, frame.height)
    if "attribute" in frame.columns:
        mine = (text_column(frame.get_column("attribute"), where) == settled.name).fill_null(value=False)
    kept = mine & text.is_not_null()
    nameless = rows_of(kept & items.is_null())
    if nameless:
        raise InputError(f"a decision without an item in row {nameless[0]}", where=where, expected="the item's key")
    rows = kept.arg_true().to_list()
    return _Decisions(items.filter(kept), text.filter(kept), rows, int((mine & text.is_null()).sum()))


def _places(given: _Decisions, settled: Settled, where: str) -> np.ndarray:
    known = {key: place for place, key in enumerate(settled.ratings.items.to_list())}
    strange = [key for key in given.items if key not in known]
    if strange:
        raise InputError(
            f"{plural(len(strange), 'decision')} for items that were not rated: {name_list(strange, shown=5)}"
            f"{suggestion(strange[0], list(known)[:5000])}",
            where=where,
            expected=f"keys such as {name_list(list(known)[:3])}",
            cause="decisions about another table",
        )
    return np.array([known[key] for key in given.items], np.int64)


def _codes(given: _Decisions, settled: Settled, where: str) -> np.ndarray:
    scheme = settled.ratings.target.scheme
    assert isinstance(scheme, CategoryScheme)
    column = category_column(given.text.alias("decision"), scheme, (), where)
    return column.to_physical().cast(pl.Int64).to_numpy()


def _require_once(given: _Decisions, codes: np.ndarray, where: str) -> None:
    pairs = pl.DataFrame([given.items.alias("item"), pl.Series("code", codes)]).unique()
    twice = pairs.filter(pl.col("item").is_duplicated()).get_column("item").unique().sort()
    if len(twice):
        raise InputError(
            f"other decisions for one item: {name_list(twice, shown=5)}", where=where, expected="one decision an item"
        )


def _require_not_against_all(
    given: _Decisions, places: np.ndarray, codes: np.ndarray, settled: Settled, where: str
) -> None:
    votes, numbers = settled.ratings.votes[places], settled.ratings.numbers[places]
    winner = votes.argmax(axis=1)
    against = (votes.max(axis=1, initial=0) == numbers) & (numbers > 1) & (winner != codes)
    if not against.any():
        return
    parts = settled.ratings.parts
    told = {
        f"{given.items[k]}: decided {parts[codes[k]]}, all {numbers[k]} raters say {parts[winner[k]]}": [
            given.rows[k] + 1
        ]
        for k in np.flatnonzero(against).tolist()
    }
    raise InputError(
        f"{plural(int(against.sum()), 'decision')} against a unanimous vote of {settled.name!r}:{value_lines(told)}",
        where=where,
        expected="decisions about disagreements",
        cause="a decision in the wrong row; a unanimous vote that is wrong is changed among the ratings",
    )


def with_model(settled: Settled, labels: object, *, where: str = "") -> Settled:
    """Labels by a rule, with those of a model for items that nobody rated.

    Paper 1 (section II-A) annotates the images that its two annotators did not see by a model of those that they did.
    Items on which raters disagree get no label from a model. Those that it labels stand last.

    Args:
        settled: labels by a rule.
        labels: a table with ``item`` and a column that is called after what is rated, or ``prediction``.
        where: the file, for messages.

    Raises:
        UnknownNameError: a column is missing, or a label is not of the scheme.
        InputError: an item is labelled twice.
    """
    frame = as_polars(labels, where=where)
    key = next((name for name in _ITEMS if name in frame.columns), "item")
    name = next((name for name in (settled.name, "prediction") if name in frame.columns), settled.name)
    for wanted in (key, name):
        if wanted not in frame.columns:
            raise UnknownNameError.of("column of a model's labels", wanted, frame.columns, where=where)
    items = text_column(frame.get_column(key), where).alias("item")
    if items.is_duplicated().any() or items.null_count():
        twice = items.filter(items.is_duplicated() | items.is_null()).unique(maintain_order=True)
        raise InputError(
            f"items without a key or with two labels of a model: {name_list(map(str, twice), shown=5)}",
            where=where,
            expected="one label an item",
        )
    column = category_column(frame.get_column(name), settled.scheme, (), where).cast(pl.String).alias("label")
    rated = settled.ratings.items.filter(pl.Series(settled.how != NO_VOTES))
    further = pl.DataFrame([items, column]).drop_nulls().filter(~pl.col("item").is_in(rated.implode()))
    told = f"{plural(further.height, 'item')} that nobody rated: labelled by a model"
    kept = ~settled.ratings.items.is_in(further.get_column("item").implode()).to_numpy()
    ratings = settled.ratings.of_items(settled.ratings.items.filter(pl.Series(kept)))
    done = replace(settled, ratings=ratings, codes=settled.codes[kept], how=settled.how[kept])
    return replace(done, further=further, told=(*settled.told, told))


def merged(settled: Sequence[Settled]) -> pl.DataFrame:
    """The gold table of one or several things that were rated.

    Returns:
        One thing: ``item``, the label, ``votes``, ``agreement``, ``how``, ``<name>_provenance``. Several: ``item``, and
        for each the label under its name and ``<name>_votes``, ``<name>_agreement``, ``<name>_how``,
        ``<name>_provenance``; items in order of first appearance.
    """
    if len(settled) == 1:
        return settled[0].frame
    whole = pl.concat([one.frame.select("item") for one in settled]).unique(maintain_order=True)
    for one in settled:
        named = one.frame.rename({name: f"{one.name}_{name}" for name in ("votes", "agreement", "how")})
        whole = whole.join(named, on="item", how="left", maintain_order="left")
    return whole
