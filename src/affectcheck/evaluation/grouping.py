"""Groups and clusters of the scored items: codes for the tallies, and who is excluded, counted and named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.annotations.listing import plural
from affectcheck.errors import InputError
from affectcheck.evaluation.options import CROSS
from affectcheck.schemes import MISSING, UNKNOWN_GROUPS, fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.evaluation.options import ClusterUnit

EXCLUDED: Final = -1
#: Stands between the values of a crossed group, as in ``female*20-29``.
JOIN: Final = "*"
_PLURAL: Final[dict[ClusterUnit, str]] = {"subject": "subjects", "media": "media files", "item": "items"}


@dataclass(frozen=True, eq=False)
class Attribute:
    """One way to divide the items into groups.

    Attributes:
        name: such as ``sex`` or ``sex*age``.
        groups: names of the groups that have items, sorted.
        codes: (n,) place of each item's group; ``EXCLUDED`` where it has none.
        excluded: value that names no group (``missing`` for an empty cell) to number of items.
        small: crossed groups below the minimum support, with their items; shown, but in no disparity.
        minimum_support: that of crossed groups; 0 for a plain attribute, whose groups all count.
    """

    name: str
    groups: tuple[str, ...]
    codes: np.ndarray
    excluded: Mapping[str, int]
    small: Mapping[str, int]
    minimum_support: int = 0

    @property
    def told(self) -> str:
        """The excluded values as they stand in a signature, zero included: ``missing=2,unsure=1``."""
        return ",".join(f"{value}={count}" for value, count in self.excluded.items())

    @property
    def counts(self) -> np.ndarray:
        """(groups,) items of each group."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.groups))


def attribute(table: AnnotationTable, frame: pl.DataFrame, name: str, minimum_support: int) -> Attribute:
    """Divide the rows of a frame by one attribute, or by several that are crossed.

    Args:
        table: says which columns are groups.
        frame: the scored rows.
        name: a group column, or several joined by ``*``.
        minimum_support: of a crossed group.

    Raises:
        UnknownNameError: a name is no group column.
    """
    names = [table.require_group(piece.strip()) for piece in name.split(CROSS)]
    if len(set(names)) < len(names):
        raise InputError(f"attribute {name!r} crosses a column with itself", expected="different columns")
    columns = [frame.get_column(column).cast(pl.String).fill_null(MISSING) for column in names]
    unknown = [column.map_elements(_is_unknown, return_dtype=pl.Boolean) for column in columns]
    crossed = pl.select(pl.concat_str(columns, separator=JOIN).alias("group")).to_series()
    outside = pl.select(pl.any_horizontal(unknown).alias("outside")).to_series()
    groups = tuple(crossed.filter(~outside).unique().sort())
    places = {group: code for code, group in enumerate(groups)}
    codes = np.full(frame.height, EXCLUDED, np.int64)
    kept = (~outside).to_numpy()
    codes[kept] = [places[group] for group in crossed.filter(~outside)]
    excluded = {MISSING: 0} | _count(crossed.filter(outside))
    counts = np.bincount(codes[kept], minlength=len(groups))
    limit = minimum_support if len(names) > 1 else 0
    small = {group: int(n) for group, n in zip(groups, counts, strict=True) if n < limit}
    return Attribute(name, groups, codes, excluded, small, limit)


def _count(values: pl.Series) -> dict[str, int]:
    """Items by value, the missing ones of a crossing under the value that names them."""
    counted: dict[str, int] = {}
    for value, count in values.value_counts(name="items").sort(values.name).iter_rows():
        counted[value] = int(count)
    return counted


def _is_unknown(value: str) -> bool:
    return fold(value) in UNKNOWN_GROUPS


@dataclass(frozen=True, eq=False)
class Clusters:
    """What is resampled as a whole.

    Attributes:
        unit: ``subject``, ``media`` or ``item``.
        codes: (n,) cluster of each item, from 0.
        size: number of clusters.
        note: why the unit is not the one that was asked for, or what else to know.
    """

    unit: ClusterUnit
    codes: np.ndarray
    size: int
    note: str = ""

    def __str__(self) -> str:
        """As it stands in a signature."""
        return f"{self.unit} {self.size}"

    def among(self, attribute: Attribute, groups: Sequence[int]) -> str:
        """As it stands in the signature of a score over some groups alone: with the clusters that have items there."""
        inside = np.isin(attribute.codes, groups)
        return f"{self.unit} {int(np.count_nonzero(np.bincount(self.codes[inside], minlength=1)))}"


def clusters(frame: pl.DataFrame, wanted: ClusterUnit) -> Clusters:
    """Clusters of the wanted unit, or of the next that the table has: subject, media, item."""
    units: tuple[ClusterUnit, ...] = ("subject", "media", "item")
    for unit in units[units.index(wanted) :]:
        column = frame.get_column(unit) if unit in frame.columns else None
        if column is None or column.null_count() == frame.height:
            continue
        note = "" if unit == wanted else f"the table names no {wanted}, so {_PLURAL[unit]} are resampled"
        if column.null_count():
            unknown = f"{plural(column.null_count(), 'item')} without a {unit}: each its own cluster"
            note = "; ".join(filter(None, (note, unknown)))
            # A key can hold no null character, so the key of an item never is the name of a subject.
            column = column.fill_null("\0" + frame.get_column("item"))
        codes = column.rank("dense").cast(pl.Int64).to_numpy() - 1
        return Clusters(unit, codes, int(codes.max()) + 1 if len(codes) else 0, note)
    raise AssertionError("every table has items")
