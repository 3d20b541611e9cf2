"""Units cut by set: the table that everything about a given partition is counted from, whatever the number of items.

A unit (a subject, or an item that stands alone) of a sound partition lies in one set and is one fragment. One that
lies in two sets, which is a leak, is a fragment in each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.schemes import MISSING, UnitScheme

if TYPE_CHECKING:
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.partitions.strata import Column, Strata

PRESENT, ABSENT = "present", "absent"


def present_codes(codes: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Codes renumbered without gaps, and the old code of each new one; without sorting.

    Example:
        >>> new, old = present_codes(np.array([5, 2, 5]), 9)
        >>> new.tolist(), old.tolist()
        ([1, 0, 1], [2, 5])
    """
    if size > 16 * len(codes) + 1_000_000:
        old, new = np.unique(codes, return_inverse=True)
        return new.reshape(-1), old
    seen = np.zeros(size, dtype=bool)
    seen[codes] = True
    old = np.flatnonzero(seen)
    place = np.zeros(size, dtype=np.int64)
    place[old] = np.arange(len(old))
    return place[codes], old


@dataclass(frozen=True, eq=False)
class Fragments:
    """Which fragment every item belongs to.

    Attributes:
        codes: (n,) fragment of each item.
        unit: (F,) unit of each fragment.
        sets: (F,) set of each fragment.
        number: of sets.
        alone: whether every unit is a single item.
    """

    codes: np.ndarray
    unit: np.ndarray
    sets: np.ndarray
    number: int
    alone: bool

    @classmethod
    def of(cls, units: np.ndarray, sets: np.ndarray, number: int) -> Fragments:
        """From the unit and the set of each item.

        Args:
            units: (n,) from 0 without gaps, or of any numbers.
            sets: (n,) from 0.
            number: of sets, empty ones counted.

        Example:
            >>> found = Fragments.of(np.array([7, 7, 9]), np.array([0, 1, 1]), 2)
            >>> found.codes.tolist(), found.unit.tolist(), found.sets.tolist(), found.alone
            ([0, 1, 2], [0, 0, 1], [0, 1, 1], False)
        """
        dense, old = present_codes(units, int(units.max()) + 1)
        if len(old) == len(units):
            return cls(np.arange(len(units)), np.arange(len(units)), sets, number, alone=True)
        codes, flat = present_codes(dense * number + sets, len(old) * number)
        return cls(codes, flat // number, flat % number, number, alone=False)

    @property
    def count(self) -> int:
        """Number of fragments."""
        return len(self.sets)

    @property
    def nested(self) -> bool:
        """Whether every unit lies in one set."""
        return self.count == int(self.unit.max()) + 1

    def pooled(self, counts: np.ndarray) -> np.ndarray:
        """(K, ...) sums over the fragments of each set of (F, ...) counts."""
        return np.stack([counts[self.sets == place].sum(axis=0) for place in range(self.number)])

    @property
    def largest(self) -> np.ndarray:
        """(K,) items of the largest fragment of each set; 0 in an empty one."""
        sizes = np.bincount(self.codes, minlength=self.count)
        return np.array([sizes[self.sets == place].max(initial=0) for place in range(self.number)])

    def holders(self, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(K, V) units of each set and (V,) units of all sets that hold anything of (F, V) counts."""
        held = counts > 0
        by_set = self.pooled(held).astype(np.int64)
        if self.nested:
            return by_set, by_set.sum(axis=0)
        order = np.argsort(self.unit, kind="stable")
        starts = np.flatnonzero(np.diff(self.unit[order], prepend=-1))
        return by_set, np.logical_or.reduceat(held[order], starts, axis=0).sum(axis=0)


@dataclass(frozen=True)
class Block:
    """The values of one column among all strata.

    Attributes:
        column: its name.
        values: what is counted: the column's values; of an action unit, present and absent where it is known.
        start: place of the column's first stratum.
        kind: ``label``, ``unit``, ``region`` or ``group``.
        present, unknown: of an action unit, the place of that stratum; -1 for none.
    """

    column: str
    values: tuple[str, ...]
    start: int
    kind: str
    present: int = -1
    unknown: int = -1

    def of(self, counts: np.ndarray) -> np.ndarray:
        """(..., C) counts of the block's values from (..., V + 1) counts of all strata and the size."""
        if self.kind != "unit":
            return counts[..., self.start : self.start + len(self.values)]
        nothing = np.zeros_like(counts[..., -1])
        present = counts[..., self.present] if self.present >= 0 else nothing
        unknown = counts[..., self.unknown] if self.unknown >= 0 else nothing
        return np.stack([present, counts[..., -1] - present - unknown], axis=-1)


def blocks_of(strata: Strata, table: AnnotationTable) -> tuple[Block, ...]:
    """One block a column of strata, in their order."""
    units = {
        name for target in table.targets.values() if isinstance(target.scheme, UnitScheme) for name in target.columns
    }
    labels = {target.name for target in table.targets.values() if target.scheme.kind == "categories"}
    found, start = [], 0
    for column in strata.columns:
        if column.name in units:
            found.append(_unit(column, start))
        else:
            kind = "label" if column.name in labels else "group" if column.name in table.groups else "region"
            found.append(Block(column.name, column.values, start, kind))
        start += len(column.values)
    return tuple(found)


def _unit(column: Column, start: int) -> Block:
    places = {value: start + place for place, value in enumerate(column.values)}
    return Block(
        column.name,
        (PRESENT, ABSENT),
        start,
        "unit",
        present=places.get(PRESENT, -1),
        unknown=places.get(MISSING, -1),
    )
