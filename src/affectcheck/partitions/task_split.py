"""The task split of the protocol (paper 1, Figures 2 and 3): each label, by age, gender and race, into the sets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.partitions.statistics import counted_columns, divide

if TYPE_CHECKING:
    import polars as pl

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.partitions.counted import Described, Division, Role
    from affectcheck.partitions.partition import Partition
    from affectcheck.partitions.strata import Column

_ORDER: Final = ("age", "gender", "sex", "race")
_PRESENT: Final = "present"


@dataclass(frozen=True)
class Level:
    """One step of the split of one label: the values of a group, and the one that is followed.

    Attributes:
        attribute: the group column.
        values: value and number of items of the label so far.
        chosen: the value that most of them have.
    """

    attribute: str
    values: tuple[tuple[str, int], ...]
    chosen: str


@dataclass(frozen=True)
class TaskSplit:
    """How the labels of one target went into the sets.

    Attributes:
        target: its name.
        role: labels of categories, units, or regions of dimensions.
        column: what is split: the label column, the target of units, or the regions' dimensions.
        division: the partition.
        rows: value and its items in each set.
        chosen: the value that most items have, whose split is followed through the groups.
        levels: the groups, in order.
        cell: items of the joint cell at the end, in each set.
        cells: joint cells that hold items.
    """

    target: str
    role: Role
    column: str
    division: Division
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    chosen: str
    levels: tuple[Level, ...]
    cell: tuple[int, ...]
    cells: int


@dataclass(frozen=True, eq=False)
class _Label:
    """A value and which items have it."""

    value: str
    mask: np.ndarray


def task_splits(table: AnnotationTable, given: pl.DataFrame | Partition, name: str = "") -> tuple[TaskSplit, ...]:
    """The task split of every target of a table.

    Args:
        table: the data.
        given: a partition, or a frame with ``item`` and ``part``.
        name: of the partition.
    """
    ordered = replace(table, frame=table.frame.sort("item"))
    divided = divide(ordered, name, given)
    columns = counted_columns(ordered)
    groups = sorted(
        (column for described, column in columns if described.role == "group"),
        key=lambda column: _ORDER.index(column.name) if column.name in _ORDER else len(_ORDER),
    )
    found = []
    for target in ordered.targets:
        own = [(described, column) for described, column in columns if described.of == target]
        labels = _labels(own)
        if labels:
            sets = np.where(divided.codes < len(divided.division.real), divided.codes, -1)
            split = _split(labels, groups, sets, len(divided.division.real))
            role, column = own[0][0].role, target if own[0][0].role == "unit" else own[0][0].name
            found.append(TaskSplit(target, role, column, divided.division, *split))
    return tuple(found)


def _labels(own: list[tuple[Described, Column]]) -> list[_Label]:
    """What a target is split by: its classes, its present units, or the regions of its first dimensions."""
    if not own:
        return []
    if own[0][0].role == "unit":
        pairs = [(column, column.values.index(_PRESENT)) for _, column in own if _PRESENT in column.values]
        return [_Label(column.name, column.codes == code) for column, code in pairs]
    column = own[0][1]
    return [_Label(value, column.codes == code) for code, value in enumerate(column.values)]


def _split(
    labels: list[_Label], groups: list[Column], sets: np.ndarray, number: int
) -> tuple[tuple[tuple[str, tuple[int, ...]], ...], str, tuple[Level, ...], tuple[int, ...], int]:
    rows = tuple((label.value, _by_set(sets[label.mask], number)) for label in labels)
    chosen = labels[int(np.argmax([sum(counts) for _, counts in rows]))]
    inside = chosen.mask & (sets >= 0)
    levels = []
    for group in groups:
        counts = np.bincount(group.codes[inside], minlength=len(group.values))
        code = int(counts.argmax())
        values = tuple((value, int(count)) for value, count in zip(group.values, counts, strict=True))
        levels.append(Level(group.name, values, group.values[code]))
        inside &= group.codes == code
    return rows, chosen.value, tuple(levels), _by_set(sets[inside], number), _cells(labels, groups, sets >= 0)


def _by_set(sets: np.ndarray, number: int) -> tuple[int, ...]:
    return tuple(int(count) for count in np.bincount(sets[sets >= 0], minlength=number))


def _cells(labels: list[_Label], groups: list[Column], placed: np.ndarray) -> int:
    """How many joint cells of a label and one value of every group hold items."""
    joint = np.stack([np.zeros(len(placed), dtype=np.int64), *(group.codes for group in groups)], axis=1)
    _, codes = np.unique(joint, axis=0, return_inverse=True)
    return sum(len(np.unique(codes.reshape(-1)[label.mask & placed])) for label in labels)
