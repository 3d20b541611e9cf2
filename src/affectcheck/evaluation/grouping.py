"""Groups and clusters of the scored items: codes for the tallies, and who is excluded, counted and named."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

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
#: Cells of a table of all crossings that is made in full; beyond, only those that occur are sorted.
LARGEST_TABLE: Final = 1 << 20
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
        weights: (n,) items that each row stands for, where rows are counted cells; None where a row is an item.
        empty: combinations of the values of crossed columns that no item has.
    """

    name: str
    groups: tuple[str, ...]
    codes: np.ndarray
    excluded: Mapping[str, int]
    small: Mapping[str, int]
    minimum_support: int = 0
    weights: np.ndarray | None = None
    empty: int = 0

    @property
    def note(self) -> str:
        """How many crossed groups are too small to be scored, and how many have no items at all; empty for none."""
        few = sum(self.small.values())
        said = [
            f"{len(self.small)} of {len(self.groups)} groups have fewer than {self.minimum_support} items "
            f"({few} in all): shown without a value, and in no disparity"
            if self.small
            else "",
            f"{plural(self.empty, 'further combination')} of values without items" if self.empty else "",
        ]
        return f"{self.name}: {'; '.join(filter(None, said))}" if any(said) else ""

    @property
    def told(self) -> str:
        """The excluded values as they stand in a signature, zero included: ``missing=2,unsure=1``."""
        return ",".join(f"{value}={count}" for value, count in self.excluded.items())

    @property
    def counts(self) -> np.ndarray:
        """(groups,) items of each group."""
        return _items(self.codes, len(self.groups), self.weights)


def _items(codes: np.ndarray, number: int, weights: np.ndarray | None) -> np.ndarray:
    """(number,) items by code; those of a negative code are left out."""
    known = codes >= 0
    counted = np.bincount(codes[known], None if weights is None else weights[known], number)
    return counted.astype(np.int64)  # whole below 2**53


def attribute(
    table: AnnotationTable, frame: pl.DataFrame, name: str, minimum_support: int, weights: np.ndarray | None = None
) -> Attribute:
    """Divide the rows of a frame by one attribute, or by several that are crossed.

    Args:
        table: says which columns are groups.
        frame: the scored rows.
        name: a group column, or several joined by ``*``.
        minimum_support: of a crossed group.
        weights: (n,) items that each row stands for; None where a row is an item.

    Raises:
        UnknownNameError: a name is no group column.
    """
    names = [table.require_group(piece.strip()) for piece in name.split(CROSS)]
    if len(set(names)) < len(names):
        raise InputError(f"attribute {name!r} crosses a column with itself", expected="different columns")
    columns = [_coded(frame.get_column(column)) for column in names]
    lengths = [len(column.values) for column in columns]
    occupied, cells = _occupied(_crossed(columns), math.prod(lengths))
    places = np.stack(np.unravel_index(occupied, lengths), axis=1)
    values = [JOIN.join(c.values[i] for c, i in zip(columns, place, strict=True)) for place in places]
    outside = [any(c.unknown[i] for c, i in zip(columns, place, strict=True)) for place in places]
    items = _items(cells, len(values), weights).tolist()
    groups = tuple(sorted({value for value, out in zip(values, outside, strict=True) if not out}))
    order = {group: code for code, group in enumerate(groups)}
    told = [EXCLUDED if out else order[value] for value, out in zip(values, outside, strict=True)]
    codes = np.array(told, np.int64)[cells]
    excluded = {MISSING: 0} | {v: n for v, n, out in sorted(zip(values, items, outside, strict=True)) if out}
    limit = minimum_support if len(names) > 1 else 0
    counts = _items(codes, len(groups), weights)
    small = {group: int(n) for group, n in zip(groups, counts, strict=True) if n < limit}
    known = [len(column.values) - sum(column.unknown) for column in columns]
    return Attribute(name, groups, codes, excluded, small, limit, weights, math.prod(known) - len(groups))


def _occupied(cells: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """The cells that hold items, in order, and which of them each item is in."""
    if size > LARGEST_TABLE:
        return np.unique(cells, return_inverse=True)
    held = np.bincount(cells, minlength=size) > 0
    return np.flatnonzero(held), (np.cumsum(held) - 1)[cells]


class _Coded(NamedTuple):
    """A group column: its values, sorted; which of them each item has; and which of them name no group."""

    values: tuple[str, ...]
    codes: np.ndarray
    unknown: tuple[bool, ...]


def _coded(column: pl.Series) -> _Coded:
    text = column.cast(pl.String).fill_null(MISSING)
    values = tuple(text.unique().sort().to_list())
    unknown = tuple(fold(value) in UNKNOWN_GROUPS for value in values)
    return _Coded(values, _places(text, values), unknown)


def _places(text: pl.Series, values: Sequence[str]) -> np.ndarray:
    """(n,) place of each text among the distinct values."""
    return text.cast(pl.Enum(values)).to_physical().cast(pl.Int64).to_numpy()


def _crossed(columns: Sequence[_Coded]) -> np.ndarray:
    """(n,) cell of each item in the table that the values of all columns span."""
    return np.ravel_multi_index(tuple(c.codes for c in columns), tuple(len(c.values) for c in columns))


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
    _present: dict[Attribute, np.ndarray] = field(default_factory=dict, init=False)

    def __str__(self) -> str:
        """As it stands in a signature."""
        return f"{self.unit} {self.size}"

    def among(self, attribute: Attribute, groups: Sequence[int]) -> str:
        """As it stands in the signature of a score over some groups alone: with the clusters that have items there."""
        if attribute not in self._present:
            self._present[attribute] = _present(self, attribute)
        held = self._present[attribute][:, list(groups)]
        return f"{self.unit} {np.count_nonzero(held if held.shape[1] == 1 else held.any(axis=1))}"


def _present(clusters: Clusters, attribute: Attribute) -> np.ndarray:
    """(S, G) whether a cluster has items in a group."""
    inside = attribute.codes != EXCLUDED
    cells = clusters.codes[inside] * len(attribute.groups) + attribute.codes[inside]
    found = np.zeros(clusters.size * len(attribute.groups), bool)
    found[cells] = True
    return found.reshape(clusters.size, -1)


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
        values = tuple(column.cast(pl.String).unique().sort().to_list())
        return Clusters(unit, _places(column.cast(pl.String), values), len(values), note)
    raise AssertionError("every table has items")
