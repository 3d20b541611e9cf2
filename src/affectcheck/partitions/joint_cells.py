"""Joint cells: how many items of each label by age by gender by race are in each set.

A cell is one label and one value of every group. Labels of action units are multi-label: a unit's cells hold the items
in which it is present, so that an item may be in several cells or in none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from affectcheck.partitions.fragments import PRESENT, Fragments, present_codes
from affectcheck.schemes import UnitScheme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.partitions.strata import Column, Strata

_OWN: Final = ("cell", "items", "units", "splittable")


def joint_of(strata: Strata, table: AnnotationTable, fragments: Fragments, names: Sequence[str]) -> pl.DataFrame:
    """Every joint cell that holds an item, by set.

    Args:
        strata: of the table.
        table: says which columns are groups and which action units.
        fragments: units by set.
        names: of the sets.

    Returns:
        ``cell`` (its values with × between), one column an attribute (null where the cell is not of this target),
        one column of counts a set (called after it; ``<set> (set)`` where that name is taken), ``items``, ``units``
        and ``splittable`` (at least as many units hold it as there are sets). Empty where there are fewer than two
        attributes.
    """
    groups = [column for column in strata.columns if column.name in table.groups]
    labels = [column for column in strata.columns if column.name not in table.groups]
    attributes = [*_label_names(labels, table), *(column.name for column in groups)]
    shown = [f"{name} (set)" if name in (*attributes, *_OWN) else name for name in names]
    if len(attributes) < 2:
        return pl.DataFrame(schema=_schema(attributes, shown))
    by_group = _crossed(groups, strata.height)
    frames = [_cells(label, table, groups, (by_group, fragments, shown)) for label in labels]
    if not labels:
        frames = [_cells(None, table, groups, (by_group, fragments, shown))]
    return pl.concat([frame.select(*_schema(attributes, shown)) for frame in _filled(frames, attributes)])


def set_columns(joint: pl.DataFrame, number: int) -> list[str]:
    """The columns that count the items of each of so many sets."""
    return joint.columns[-3 - number : -3]


def lacking(joint: pl.DataFrame, number: int) -> pl.DataFrame:
    """The cells that one of so many sets lacks although as many units hold them, largest first."""
    empty = pl.any_horizontal(pl.col(name) == 0 for name in set_columns(joint, number))
    return joint.filter(pl.col("splittable") & empty).sort("items", "cell", descending=[True, False])


def _label_names(labels: Sequence[Column], table: AnnotationTable) -> list[str]:
    return list(dict.fromkeys(_unit_target(label.name, table) or label.name for label in labels))


def _unit_target(column: str, table: AnnotationTable) -> str:
    """The target of an action unit, under whose name it stands; empty for other labels."""
    targets = (target for target in table.targets.values() if isinstance(target.scheme, UnitScheme))
    return next((target.name for target in targets if column in target.columns), "")


def _schema(attributes: Sequence[str], sets: Sequence[str]) -> dict[str, Any]:
    return {
        "cell": pl.String,
        **dict.fromkeys(attributes, pl.String),
        **dict.fromkeys(sets, pl.Int64),
        "items": pl.Int64,
        "units": pl.Int64,
        "splittable": pl.Boolean,
    }


def _filled(frames: Sequence[pl.DataFrame], attributes: Sequence[str]) -> list[pl.DataFrame]:
    return [
        frame.with_columns(
            pl.lit(None, dtype=pl.String).alias(name) for name in attributes if name not in frame.columns
        )
        for frame in frames
    ]


def _crossed(groups: Sequence[Column], height: int) -> tuple[np.ndarray, np.ndarray]:
    """Code of each item's joint group value, and the (cells, groups) codes that each stands for."""
    codes = np.zeros(height, dtype=np.int64)
    members = np.zeros((1, 0), dtype=np.int64)
    for column in groups:
        width = len(column.values)
        codes, old = present_codes(codes * width + column.codes, len(members) * width)
        members = np.concatenate([members[old // width], (old % width)[:, None]], axis=1)
    return codes, members


def _cells(
    label: Column | None,
    table: AnnotationTable,
    groups: Sequence[Column],
    rest: tuple[tuple[np.ndarray, np.ndarray], Fragments, Sequence[str]],
) -> pl.DataFrame:
    """The cells of one label column by all groups."""
    (codes, members), fragments, shown = rest
    values, of_label = _label_codes(label, table)
    kept = of_label >= 0 if label is not None else np.ones(len(codes), dtype=bool)
    width = len(members)
    cell = (of_label[kept] if label is not None else 0) * width + codes[kept]
    dense, old = present_codes(cell, max(1, len(values)) * width)
    counts = _by_set(dense, len(old), fragments, kept)
    units = _units(dense, len(old), fragments, kept) if not fragments.alone else counts.sum(axis=1)
    columns: dict[str, Any] = {}
    if label is not None:
        columns[_unit_target(label.name, table) or label.name] = np.array(values, dtype=object)[old // width].tolist()
    for place, column in enumerate(groups):
        columns[column.name] = np.array(column.values, dtype=object)[members[old % width, place]].tolist()
    frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))
    sets = [pl.Series(name, counts[:, place]) for place, name in enumerate(shown)]
    return frame.with_columns(
        pl.concat_str(pl.all(), separator=" × ").alias("cell"),
        *sets,
        pl.Series("items", counts.sum(axis=1)),
        pl.Series("units", units),
        pl.Series("splittable", units >= fragments.number),
    )


def _label_codes(label: Column | None, table: AnnotationTable) -> tuple[tuple[str, ...], np.ndarray]:
    """Values of a label and (n,) codes; of an action unit, its name and 0 where it is present, else -1."""
    if label is None:
        return (), np.zeros(0, dtype=np.int64)
    if not _unit_target(label.name, table):
        return label.values, label.codes
    present = label.values.index(PRESENT) if PRESENT in label.values else len(label.values)
    return (label.name,), np.where(label.codes == present, 0, -1)


def _by_set(cell: np.ndarray, size: int, fragments: Fragments, kept: np.ndarray) -> np.ndarray:
    """(cells, K) items."""
    sets = fragments.sets[fragments.codes[kept]]
    flat = np.bincount(cell * fragments.number + sets, minlength=size * fragments.number)
    return flat.reshape(size, fragments.number).astype(np.int64)


def _units(cell: np.ndarray, size: int, fragments: Fragments, kept: np.ndarray) -> np.ndarray:
    """(cells,) units that hold an item of each."""
    unit = fragments.unit[fragments.codes[kept]]
    number = int(fragments.unit.max()) + 1
    _, pairs = present_codes(unit * size + cell, number * size)
    return np.bincount(pairs % size, minlength=size).astype(np.int64)
