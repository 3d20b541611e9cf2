"""How well a partition is balanced: every set by every value of every label and group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from affectcheck.annotations.listing import plural
from affectcheck.partitions.fragments import Fragments

if TYPE_CHECKING:
    from affectcheck.partitions.strata import Strata

#: The row that counts all items of a set stands under this column and value.
SIZE: Final = ("items", "all")


@dataclass(frozen=True)
class Rare:
    """A value that cannot be, or is not, in every set.

    Attributes:
        column, value: of the label or group.
        units: how many units (subjects) hold it.
        sets: those that lack it.
    """

    column: str
    value: str
    units: int
    sets: tuple[str, ...]

    def __str__(self) -> str:
        """One line for messages."""
        where = f", missing in {', '.join(self.sets)}" if self.sets else ""
        return f"{self.column} = {self.value}: {plural(self.units, 'unit')}{where}"


@dataclass(frozen=True, eq=False)
class Balance:
    """The balance of one partition. Shares and deviations are fractions.

    Attributes:
        frame: one row a set, column and value: ``set, column, value, count, units, share`` (of the set's items),
            ``overall`` (the same over all sets), ``allocation`` (of the value's items, in this set), ``target``,
            ``deviation`` (allocation − target).
        unsplittable: values held by fewer units than there are sets; no partition has them in every set.
        uncovered: other values that a set lacks all the same.
    """

    frame: pl.DataFrame
    unsplittable: tuple[Rare, ...] = ()
    uncovered: tuple[Rare, ...] = ()

    @property
    def cost_pp(self) -> float:
        """Mean |deviation| over sets, values and the size, in percentage points."""
        return 100 * float(np.abs(self.frame.get_column("deviation").to_numpy()).mean())

    @property
    def max_deviation(self) -> float:
        """Largest |share of a value in a set − its share of all items|, over values that every set could hold."""
        return self._largest(pl.col("share") - pl.col("overall"))

    @property
    def max_allocation_deviation(self) -> float:
        """Largest |share of a value's items in a set − target|, over values that every set could hold."""
        return self._largest(pl.col("deviation"))

    @property
    def size_deviation(self) -> float:
        """Largest |share of all items in a set − target|."""
        rows = self.frame.filter(pl.col("column") == SIZE[0], pl.col("value") == SIZE[1])
        return float(np.abs(rows.get_column("deviation").to_numpy()).max())

    def rows(self) -> list[dict[str, Any]]:
        """The frame as plain rows, as run records hold them."""
        return self.frame.to_dicts()

    def _largest(self, expression: pl.Expr) -> float:
        skipped = [f"{rare.column}\0{rare.value}" for rare in self.unsplittable]
        key = pl.concat_str("column", pl.lit("\0"), "value")
        sized = (pl.col("column") == SIZE[0]) & (pl.col("value") == SIZE[1])
        values = self.frame.filter(~key.is_in(skipped) & ~sized).select(expression.abs()).to_series()
        return float(values.max() or 0.0)  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class Assigned:
    """Items, their units and their sets.

    Attributes:
        sets: (n,) index of the set of each item.
        units: (n,) index of the unit of each item.
        names: of the sets.
        ratios: (K,) target shares.
    """

    sets: np.ndarray
    units: np.ndarray
    names: tuple[str, ...]
    ratios: tuple[float, ...]


def balance_of(strata: Strata, assigned: Assigned) -> Balance:
    """Count every value in every set.

    Args:
        strata: of a table sorted by item.
        assigned: where its items went.
    """
    sets = len(assigned.names)
    counts = strata.counts(assigned.sets, sets)
    holders, everywhere = _holders(strata, assigned, counts)
    labels = (*strata.values, SIZE)
    totals, sizes = counts.sum(axis=0), counts[:, -1]
    with np.errstate(invalid="ignore", divide="ignore"):  # an empty set is judged by its counts, not by its shares
        share = np.nan_to_num(counts / sizes[:, None])
    target = np.repeat(np.array(assigned.ratios)[:, None], len(labels), axis=1)
    frame = pl.DataFrame(
        {
            "set": np.repeat(assigned.names, len(labels)).tolist(),
            "column": [column for column, _ in labels] * sets,
            "value": [value for _, value in labels] * sets,
            "count": counts.reshape(-1),
            "units": holders.reshape(-1),
            "share": share.reshape(-1),
            "overall": np.tile(totals / totals[-1], sets),
            "allocation": (counts / totals).reshape(-1),
            "target": target.reshape(-1),
            "deviation": (counts / totals - target).reshape(-1),
        }
    )
    rare = _rare(labels, everywhere, counts, assigned.names)
    few = tuple(entry for entry in rare if entry.units < sets)
    return Balance(frame, few, tuple(entry for entry in rare if entry.units >= sets))


def _holders(strata: Strata, assigned: Assigned, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(K, V + 1) units of each set that hold each value, and (V + 1,) of all sets, where a unit counts once."""
    fragments = Fragments.of(assigned.units, assigned.sets, len(assigned.names))
    if fragments.alone:
        return counts, counts.sum(axis=0)
    return fragments.holders(strata.counts(fragments.codes, fragments.count))


def _rare(
    labels: tuple[tuple[str, str], ...], units: np.ndarray, counts: np.ndarray, names: tuple[str, ...]
) -> list[Rare]:
    """Values that too few units hold, and values that a set lacks."""
    found = []
    for place, (column, value) in enumerate(labels):
        lacking = tuple(name for name, count in zip(names, counts[:, place], strict=True) if not count)
        held = int(units[place])
        if lacking or held < len(names):
            found.append(Rare(column, value, held, lacking))
    return found
