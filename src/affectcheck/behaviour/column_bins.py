"""The groups that a test compares: values of a column, merged and chosen, or bins of a number.

A number is an item's own, or the mean over the items of its subject.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.errors import InputError
from affectcheck.schemes import UNKNOWN_GROUPS, fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.behaviour.requirements import ColumnBins, Groups

#: Stands between the values of crossed columns.
JOIN: Final = "*"
#: Column that says what the numbers of a column were measured by, where one does.
MEASURED_BY: Final = "_measured_by"


@dataclass(frozen=True, eq=False)
class GroupedRows:
    """Items with the groups that a test compares.

    Attributes:
        frame: the rows with a String column of groups, null where an item belongs to none.
        attribute: name of that column.
        notes: what the numbers were measured by, and which items have no group, and why.
    """

    frame: pl.DataFrame
    attribute: str
    notes: tuple[str, ...] = ()


def with_groups(frame: pl.DataFrame, groups: Groups, attribute: str) -> GroupedRows:
    """Put items into the groups of a test: bins become names, merged values one name, other values null.

    Args:
        frame: the items.
        groups: columns or bins, and which values are compared.
        attribute: the column that the table has; of pairs, two of them with a star between.
    """
    if groups.bins is not None:
        return with_bins(frame, groups.bins)
    if groups.pairs and attribute not in frame.columns:
        return _crossed(frame, tuple(attribute.split(JOIN)))
    if groups.crossed:
        return _crossed(frame, (attribute, *groups.crossed))
    if not groups.merged and not groups.values:
        return GroupedRows(frame, attribute)
    column = pl.col(attribute).cast(pl.String).replace(dict(groups.merged))
    kept = pl.when(column.is_in(groups.values)).then(column) if groups.values else column
    return GroupedRows(frame.with_columns(kept.alias(attribute)), attribute)


def pairs_of(frame: pl.DataFrame, columns: Sequence[str]) -> tuple[str, ...]:
    """Every two columns whose crossing divides a group of both, such as ``gender*age``.

    Two columns that say the same in other words, such as ``sex`` and ``gender``, divide nothing.

    Example:
        >>> frame = pl.DataFrame({"gender": ["f", "f", "m"], "sex": ["w", "w", "m"], "age": ["old", "young", "old"]})
        >>> pairs_of(frame, ["gender", "sex", "age"])
        ('gender*age', 'sex*age')
    """
    found = []
    for pair in combinations(columns, 2):
        name = JOIN.join(pair)
        known = _crossed(frame.select(pair).unique(), pair).frame.drop_nulls()
        if known.height > max([known.get_column(one).n_unique() for one in pair]):
            found.append(name)
    return tuple(found)


def _crossed(frame: pl.DataFrame, columns: tuple[str, ...]) -> GroupedRows:
    """Groups by every combination of values, such as ``female*20-29``; none where one of the values is unknown."""
    name = JOIN.join(columns)
    texts = [pl.col(column).cast(pl.String) for column in columns]
    unknown = pl.any_horizontal(
        text.is_null() | text.map_elements(_is_unknown, return_dtype=pl.Boolean) for text in texts
    )
    crossed = frame.with_columns(pl.when(~unknown).then(pl.concat_str(texts, separator=JOIN)).alias(name))
    lengths = [frame.get_column(column).drop_nulls().n_unique() for column in columns]
    empty = math.prod(lengths) - crossed.get_column(name).drop_nulls().n_unique()
    return GroupedRows(crossed, name, tuple(_told(max(0, empty), f"combinations of {name} have no items")))


def _is_unknown(value: str) -> bool:
    return fold(value) in UNKNOWN_GROUPS


def with_bins(frame: pl.DataFrame, bins: ColumnBins) -> GroupedRows:
    """Put items into groups by a number.

    Values outside the valid range are dropped first. For means over subjects, subjects with too few values left are
    dropped too; their items have no group, and neither have items of unknown subject. An item without a valid value
    of its own has no group either, though its subject may have one. Bins are closed on the right.

    Args:
        frame: the items.
        bins: column, edges, names and rules.

    Raises:
        InputError: the frame lacks the column, or its subjects where means over these are wanted.
    """
    wanted = [bins.column, *(["subject"] if bins.mean_over == "subject" else [])]
    missing = [column for column in wanted if column not in frame.columns]
    if missing:
        raise InputError(f"the table has no column {missing[0]!r}", expected=f"{' and '.join(wanted)} to form groups")
    number = frame.get_column(bins.column).cast(pl.Float64, strict=False).fill_nan(None)
    low, high = bins.valid or (float("-inf"), float("inf"))
    inside = number.is_between(low, high)
    kept = pl.select(pl.when(inside).then(number)).to_series()
    value, left_out = (kept, 0) if bins.mean_over == "item" else _of_subjects(frame, kept, bins)
    attribute = f"{bins.column}_group"
    groups = _binned(value, bins).alias(attribute)
    invalid = int(inside.not_().sum())
    notes = [
        *_source(frame, bins.column),
        *_told(int(number.null_count()), f"items without a value of {bins.column} have no group"),
        *_told(invalid, f"items with {bins.column} outside {low:g} to {high:g} have no group"),
        *_told(
            left_out, f"items of subjects with fewer than {bins.minimum_items} values of {bins.column} have no group"
        ),
    ]
    return GroupedRows(frame.with_columns(groups), attribute, tuple(notes))


def _of_subjects(frame: pl.DataFrame, kept: pl.Series, bins: ColumnBins) -> tuple[pl.Series, int]:
    """The mean over each item's subject, where it has enough values; and how many items that leaves without."""
    by = frame.get_column("subject")
    rows = pl.DataFrame({"subject": by.cast(pl.String), "value": kept})
    mean, number = (getattr(pl.col("value"), name)().over("subject") for name in ("mean", "count"))
    known = pl.col("subject").is_not_null() & pl.col("value").is_not_null()
    found = rows.select(
        pl.when(known & (number >= bins.minimum_items)).then(mean).alias("value"),
        (known & (number < bins.minimum_items)).alias("few"),
    )
    return found.get_column("value"), int(found.get_column("few").sum())


def _binned(value: pl.Series, bins: ColumnBins) -> pl.Series:
    """The name of the bin of each value; null outside all of them."""
    place = pl.Series(bins.edges).search_sorted(value, side="left").cast(pl.Int64) - 1
    named = dict(enumerate(bins.names))
    return (
        pl.select(pl.when(value.is_not_null()).then(place))
        .to_series()
        .replace_strict(named, default=None, return_dtype=pl.String)
    )


def _source(frame: pl.DataFrame, column: str) -> list[str]:
    """What measured the numbers, in words."""
    stated = f"{column}{MEASURED_BY}"
    if stated not in frame.columns:
        return []
    makers = sorted(frame.get_column(stated).drop_nulls().unique().to_list())
    return [f"{column} measured by {' and '.join(makers)}"] if makers else []


def _told(number: int, what: str) -> list[str]:
    return [f"{number} {what}"] if number else []
