"""Strata: the values of labels and groups that every set should hold in equal shares."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.errors import UnknownNameError
from affectcheck.partitions.fragments import PRESENT, present_codes
from affectcheck.schemes import MISSING, CategoryScheme, DimensionScheme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.partitions.options import PartitionOptions
    from affectcheck.schemes import Target

#: Paper 1, section II-B: regions of 0.2 by 0.2 on the range [-1, 1], so ten a dimension; other ranges are scaled.
BINS: Final = 10
_PLANE: Final = ("valence", "arousal")
_ROUND_OFF: Final = 1e-9  # (-0.8 + 1) / 0.2 is a little below 1, but -0.8 belongs to the upper region


@dataclass(frozen=True, eq=False)
class Column:
    """One column of strata.

    Attributes:
        name: of the label or group column.
        values: those that occur, in order; a missing value is a stratum of its own, at the end.
        codes: (n,) index of each item's value; -1 where it has none that counts (a unit that is absent).
        group: whether it is a group column, not a label.
    """

    name: str
    values: tuple[str, ...]
    codes: np.ndarray
    group: bool = False


@dataclass(frozen=True, eq=False)
class Strata:
    """All columns of strata of a table sorted by item.

    Attributes:
        columns: the columns.
        height: number of items.
    """

    columns: tuple[Column, ...]
    height: int

    @property
    def values(self) -> tuple[tuple[str, str], ...]:
        """Column and value of every stratum, in order."""
        return tuple((column.name, value) for column in self.columns for value in column.values)

    def counts(self, codes: np.ndarray, size: int) -> np.ndarray:
        """Items of every stratum by an index of the items, such as the set or the unit.

        Args:
            codes: (n,) index of each item.
            size: number of indices.

        Returns:
            (size, V + 1) int64; the last column counts all items.
        """
        blocks = []
        for column in self.columns:
            width = len(column.values)
            has = column.codes >= 0
            flat = codes[has] * width + column.codes[has]
            blocks.append(np.bincount(flat, minlength=size * width).reshape(size, width))
        blocks.append(np.bincount(codes, minlength=size)[:, None])
        return np.concatenate(blocks, axis=1).astype(np.int64)

    def members(self, rows: np.ndarray) -> np.ndarray:
        """(rows, V + 1) 1 where an item lies in a stratum; the last column, the size, has every item."""
        blocks = [column.codes[rows][:, None] == np.arange(len(column.values)) for column in self.columns]
        return np.concatenate([*blocks, np.ones((len(rows), 1), dtype=bool)], axis=1).astype(np.int64)

    @cached_property
    def cells(self) -> np.ndarray:
        """(n,) index of the joint cell of each item: items of one cell agree in every column.

        Cells are numbered by their first item, so that no name has a say in their order.
        """
        codes = np.zeros(self.height, dtype=np.int64)
        for column in self.columns:
            width = len(column.values) + 1
            codes, _ = present_codes(codes * width + column.codes + 1, (int(codes.max()) + 1) * width)
        _, first, codes = np.unique(codes, return_index=True, return_inverse=True)
        return np.asarray(np.argsort(np.argsort(first))[codes.reshape(-1)], dtype=np.int64)

    @cached_property
    def first(self) -> np.ndarray:
        """(C,) row of the first item of each joint cell."""
        return np.unique(self.cells, return_index=True)[1]

    def select(self, names: Sequence[str]) -> Strata:
        """The strata of some columns, whose joint cells are those of these alone.

        Raises:
            UnknownNameError: no such column.
        """
        found = {column.name: column for column in self.columns}
        for name in names:
            if name not in found:
                raise UnknownNameError.of("column of strata", name, list(found))
        return Strata(tuple(found[name] for name in names), self.height)

    def cell_values(self) -> pl.DataFrame:
        """What every joint cell stands for: a row a cell, a column a column; null where it has no value that counts."""
        columns = {
            column.name: [column.values[code] if code >= 0 else None for code in column.codes[self.first]]
            for column in self.columns
        }
        return pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))

    def cell_texts(self) -> tuple[str, ...]:
        """Every joint cell in words, such as ``expression = fear × AU4 × sex = female``; ``all`` without columns."""
        texts = [
            " × ".join(
                column.name if value == PRESENT else f"{column.name} = {value}"
                for column, value in zip(self.columns, row, strict=True)
                if value is not None
            )
            for row in self.cell_values().iter_rows()
        ]
        return tuple(text or "none" for text in texts) if self.columns else ("all",)


def strata_of(table: AnnotationTable, options: PartitionOptions) -> Strata:
    """The strata that the options ask for.

    Args:
        table: sorted by item.
        options: which targets and groups.

    Raises:
        UnknownNameError: a target or group that the table does not have.
    """
    columns: list[Column] = []
    for target in balanced_targets(table, options):
        columns.extend(_label_columns(table.frame, target))
    names = table.groups if options.groups is None else options.groups
    groups = [_text_column(table.frame.get_column(table.require_group(name))) for name in names]
    columns.extend(replace(column, group=True) for column in groups)
    return Strata(tuple(column for column in columns if column.values), table.height)


def balanced_targets(table: AnnotationTable, options: PartitionOptions) -> list[Target]:
    """The targets whose labels are balanced.

    Raises:
        UnknownNameError: a target that the table does not have.
    """
    if options.targets is None:
        return [table.target()] if table.targets else []
    return [table.target(name) for name in options.targets]


def _label_columns(frame: pl.DataFrame, target: Target) -> list[Column]:
    scheme = target.scheme
    if isinstance(scheme, CategoryScheme):
        return [_text_column(frame.get_column(target.name), order=scheme.labels)]
    if isinstance(scheme, DimensionScheme):
        return _region_columns(frame, scheme)
    return [_unit_column(frame.get_column(unit)) for unit in scheme.units]


def _text_column(series: pl.Series, order: tuple[str, ...] = ()) -> Column:
    texts = series.cast(pl.String)
    known = set(texts.drop_nulls().unique())
    values = [value for value in order if value in known] or sorted(known)
    index = {value: code for code, value in enumerate(values)}
    return _with_missing(series.name, values, np.array([index.get(text, -1) for text in texts], dtype=np.int64))


def _with_missing(name: str, values: list[str], codes: np.ndarray) -> Column:
    missing = codes < 0
    if not missing.any():
        return Column(name, tuple(values), codes)
    label = MISSING if MISSING not in values else f"{MISSING} (null)"
    return Column(name, (*values, label), np.where(missing, len(values), codes))


def _unit_column(series: pl.Series) -> Column:
    """Presence counts, and not knowing; absence is what remains of the size."""
    present = (series == 1).fill_null(value=False).to_numpy()
    unknown = series.is_null().to_numpy()
    values = ([PRESENT] if present.any() else []) + ([MISSING] if unknown.any() else [])
    codes = np.full(len(series), -1, dtype=np.int64)
    codes[present] = 0
    codes[unknown] = len(values) - 1
    return Column(series.name, tuple(values), codes)


def _region_columns(frame: pl.DataFrame, scheme: DimensionScheme) -> list[Column]:
    plane = _PLANE if set(_PLANE) <= set(scheme.dimensions) else ()
    columns = [_regions(frame, scheme, plane)] if plane else []
    columns.extend(_regions(frame, scheme, (name,)) for name in scheme.dimensions if name not in plane)
    return columns


def _regions(frame: pl.DataFrame, scheme: DimensionScheme, names: tuple[str, ...]) -> Column:
    """Regions of one dimension or of a plane; an item with an unknown dimension is in none of them."""
    width = (scheme.high - scheme.low) / BINS
    flat = np.zeros(frame.height, dtype=np.int64)
    known = np.ones(frame.height, dtype=bool)
    for name in names:
        series = frame.get_column(name)
        known &= series.is_not_null().to_numpy()
        steps = (series.fill_null(scheme.low).to_numpy() - scheme.low) / width
        flat = flat * BINS + np.clip(np.floor(steps + _ROUND_OFF), 0, BINS - 1).astype(np.int64)
    found = np.unique(flat[known])
    texts = [_region_text(int(code), scheme, len(names)) for code in found]
    codes = np.where(known, np.searchsorted(found, flat) if len(found) else 0, -1)
    return _with_missing(" × ".join(names), texts, codes)


def _region_text(code: int, scheme: DimensionScheme, depth: int) -> str:
    edges = np.linspace(scheme.low, scheme.high, BINS + 1)
    steps = [code // BINS**place % BINS for place in reversed(range(depth))]
    ends = ["]" if step == BINS - 1 else ")" for step in steps]
    return " × ".join(f"[{edges[step]:.6g}, {edges[step + 1]:.6g}{end}" for step, end in zip(steps, ends, strict=True))
