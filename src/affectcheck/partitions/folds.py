"""Folds for cross-validation: one subject out, or whole subjects in k balanced parts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.partitions.options import PartitionOptions
from affectcheck.partitions.partition import partition
from affectcheck.partitions.units import units_of
from affectcheck.schemes import PROVENANCES

if TYPE_CHECKING:
    from affectcheck.annotations.table import AnnotationTable

SUBJECT: Final = "subject"


@dataclass(frozen=True, eq=False)
class Fold:
    """One fold.

    Attributes:
        name: the subject or value left out, or ``fold 1`` and so on.
        train: items to train on, sorted.
        test: items to test on, sorted.
    """

    name: str
    train: pl.Series
    test: pl.Series


def folds(
    table: AnnotationTable, *, by: str = SUBJECT, k: int | None = None, options: PartitionOptions | None = None
) -> tuple[Fold, ...]:
    """Folds in which every item is tested once.

    Args:
        table: what to divide.
        by: ``subject``, or another column, such as ``language``, of which each value is left out once.
        k: number of folds; None for one a subject. Only for subjects.
        options: how subjects are found, what k folds balance, and their seed; the protocol, its names and its rule
            on provenance are not used: every item is tested.

    Returns:
        The folds: by name if one value is left out each, else in order.

    Raises:
        InputError: fewer than two subjects or values, more folds than subjects, or a value that is missing.
        UnknownNameError: no such column.
    """
    options = options or PartitionOptions()
    if k is not None:
        if by != SUBJECT:
            raise InputError(f"k folds by {by!r}", expected="k with by='subject', or by a column without k")
        return _balanced(table, k, options)
    frame = table.frame.sort("item")
    groups = _subject_groups(frame, options) if by == SUBJECT else _value_groups(frame, by)
    names = sorted(groups.unique())
    if len(names) < 2:
        raise InputError(f"all items are of one {by}: {', '.join(names)}", expected=f"at least two {by}s")
    return tuple(_fold(frame, name, groups == name) for name in names)


def _balanced(table: AnnotationTable, k: int, options: PartitionOptions) -> tuple[Fold, ...]:
    if k < 2:
        raise InputError(f"{k} folds", expected="2 or more")
    names = tuple(f"fold {number}" for number in range(1, k + 1))
    protocol = "-".join([repr(100 / k)] * k)
    wanted = replace(options, protocol=protocol, names=names, provenance=PROVENANCES)
    divided = partition(table, options=wanted).frame
    return tuple(_fold(divided, name, divided.get_column("part") == name) for name in names)


def _fold(frame: pl.DataFrame, name: str, tested: pl.Series) -> Fold:
    return Fold(name, frame.filter(~tested).get_column("item"), frame.filter(tested).get_column("item"))


def _subject_groups(frame: pl.DataFrame, options: PartitionOptions) -> pl.Series:
    """The name of each item's unit: its subjects', or, where there are none, its first item."""
    units = units_of(frame, options)
    texts = units.subjects or tuple(frame.get_column("item"))
    members: dict[int, list[str]] = {}
    for code, text in zip(units.codes.tolist(), texts, strict=True):
        found = members.setdefault(code, [])
        if text not in found:
            found.append(text)
    names = np.array([" + ".join(sorted(members[code])) for code in range(units.count)])
    return pl.Series(names[units.codes].tolist(), dtype=pl.String)


def _value_groups(frame: pl.DataFrame, column: str) -> pl.Series:
    if column not in frame.columns:
        raise UnknownNameError.of("column to leave out by", column, frame.columns)
    values = frame.get_column(column).cast(pl.String)
    if values.null_count():
        first = frame.filter(values.is_null()).get_column("item").head(3)
        raise InputError(f"{values.null_count()} items have no {column}", where=", ".join(first))
    return values
