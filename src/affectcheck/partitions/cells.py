"""Items without subjects: controlled rounding of joint cells, then repair of the marginals.

A joint cell holds the items that agree in every label and group. Its share of each set is rounded down or up;
what the rounding leaves is dealt out so that every single label and group comes as near as it can to its target,
and a cell with at least as many items as there are sets is in every set.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.partitions.solution import Solution
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from affectcheck.partitions.options import PartitionOptions
    from affectcheck.partitions.strata import Strata

_GAIN: Final = 1e-12
_MOST_REPAIRS: Final = 3_000
_MOST_LOOKS: Final = 100
_LOOK_AHEAD: Final = 60  # first steps tried in a repair of two steps
_WORK: Final = 9_000_000_000  # products that repairs of two steps may spend; counted, not timed


@dataclass(frozen=True, eq=False)
class Cells:
    """Joint cells to be divided.

    Attributes:
        counts: (C,) items of each cell.
        members: (C, V + 1) whether a cell lies in a stratum; the last column, the size, has every cell.
        ratios: (K,) target shares.
    """

    counts: np.ndarray
    members: np.ndarray
    ratios: np.ndarray


def divide(strata: Strata, options: PartitionOptions, fixed: np.ndarray | None = None) -> Solution:
    """Set of each item, for items that stand alone.

    Args:
        strata: of a table sorted by item.
        options: the protocol and its budget.
        fixed: (n,) set that an item must be in; -1 where it is free.
    """
    del fixed
    _, first = np.unique(strata.cells, return_index=True)
    ratios = np.array(options.ratios)
    return Solution(divide_items(strata.cells, strata.members(first), ratios, options.seed), 0.0)


def divide_items(cell_of: np.ndarray, strata_of_cell: np.ndarray, ratios: np.ndarray, seed: int) -> np.ndarray:
    """Set of each item.

    Args:
        cell_of: (n,) joint cell of each item.
        strata_of_cell: (C, V + 1) whether a cell lies in a stratum.
        ratios: (K,) target shares.
        seed: which items of a cell go where; how many do not depend on it.

    Returns:
        (n,) index of the set.
    """
    cells = Cells(np.bincount(cell_of), strata_of_cell.astype(np.float64), ratios)
    amounts = amounts_of(cells)
    lot = rng(seed, "partition items").permutation(len(cell_of))
    order = np.lexsort((lot, cell_of))
    assignment = np.empty(len(cell_of), dtype=np.int64)
    places = np.tile(np.arange(len(ratios)), len(amounts))
    assignment[order] = np.repeat(places, amounts.reshape(-1))
    return assignment


def amounts_of(cells: Cells) -> np.ndarray:
    """(C, K) items of each cell in each set."""
    low, high = _bounds(cells)
    amounts = _deal(cells, low.copy(), high)
    # the mean deviation alone is content with one stratum far off; the square, weighted by size, is not
    for power in (2, 1, 2):
        amounts = _repair(cells, amounts, (low, high), power)
    return amounts


def _bounds(cells: Cells) -> tuple[np.ndarray, np.ndarray]:
    """Fewest and most items of each cell in each set: rounded down and up, but one where there are enough.

    Large cells may give or take one item more, to make up for the small ones that are in every set.
    """
    exact = cells.counts[:, None] * cells.ratios
    low = np.floor(exact + 1e-9).astype(np.int64)
    low[cells.counts >= len(cells.ratios)] = np.maximum(low[cells.counts >= len(cells.ratios)], 1)
    low, exact = np.where(low > 1, low - 1, low), exact + 1
    rows = np.arange(len(low))
    while (over := low.sum(axis=1) > cells.counts).any():
        low[rows[over], low[over].argmax(axis=1)] -= 1
    return low, np.maximum(np.ceil(exact - 1e-9).astype(np.int64), low)


def _deviation(cells: Cells, amounts: np.ndarray) -> np.ndarray:
    """(K, V + 1) share of each stratum in each set, less its target."""
    totals = cells.members.T @ cells.counts
    return np.asarray((amounts.T @ cells.members) / totals - cells.ratios[:, None])


def _deal(cells: Cells, amounts: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Give every item that is left to the set where it helps the strata of its cell most."""
    share = 1.0 / (cells.members.T @ cells.counts)
    deviation = _deviation(cells, amounts)
    left = cells.counts - amounts.sum(axis=1)
    for cell in np.flatnonzero(left):
        step = cells.members[cell] * share
        for _ in range(left[cell]):
            change = (np.abs(deviation + step) - np.abs(deviation)).sum(axis=1)
            change[amounts[cell] >= high[cell]] += 1e3  # only if every set is full
            place = int(change.argmin())
            amounts[cell, place] += 1
            deviation[place] += step
    return amounts


@dataclass(frozen=True)
class _Shift:
    """One item of a cell from one set to another, and the change of the summed deviation."""

    cell: int
    source: int
    goal: int
    change: float


def _repair(cells: Cells, amounts: np.ndarray, bounds: tuple[np.ndarray, np.ndarray], power: int) -> np.ndarray:
    """Shift single items between sets, one or two at a time, while that lowers the deviations, to this power."""
    gain = _GAIN if power == 1 else _GAIN * 1e-3
    sets = len(cells.ratios)
    looks = int(np.clip(_WORK // (cells.members.size * sets**2 * _LOOK_AHEAD), 1, _MOST_LOOKS))
    for _ in range(_MOST_REPAIRS):
        prices = _prices(cells, amounts, bounds, power)
        steps = [_cheapest(prices, 1)[0]]
        if steps[0].change > -gain and looks:
            looks -= 1
            steps = _best_pair(cells, amounts, bounds, power)
        if sum(step.change for step in steps) > -gain:
            break
        for step in steps:
            amounts[step.cell, step.source] -= 1
            amounts[step.cell, step.goal] += 1
    return amounts


def _prices(cells: Cells, amounts: np.ndarray, bounds: tuple[np.ndarray, np.ndarray], power: int) -> np.ndarray:
    """(C, K, K) change of the summed deviation by a shift; infinite where it is not allowed."""
    low, high = bounds
    allowed = (amounts > low)[:, :, None] & (amounts < high)[:, None, :]
    deviation = _deviation(cells, amounts)
    totals = cells.members.T @ cells.counts
    weight = (totals / totals.max()) ** (power - 1)
    now = np.abs(deviation) ** power
    leave = (np.abs(deviation - 1.0 / totals) ** power - now) * weight
    enter = (np.abs(deviation + 1.0 / totals) ** power - now) * weight
    prices = (cells.members @ leave.T)[:, :, None] + (cells.members @ enter.T)[:, None, :]
    same = np.eye(len(deviation), dtype=bool)
    return np.where(allowed & ~same, prices, np.inf)


def _cheapest(prices: np.ndarray, most: int) -> list[_Shift]:
    flat = prices.reshape(-1)
    most = min(most, len(flat))
    found = np.argpartition(flat, most - 1)[:most]
    found = found[np.lexsort((found, flat[found]))]
    places = np.stack(np.unravel_index(found, prices.shape), axis=1)
    return [_Shift(int(c), int(a), int(b), float(prices[c, a, b])) for c, a, b in places]


def _best_pair(cells: Cells, amounts: np.ndarray, bounds: tuple[np.ndarray, np.ndarray], power: int) -> list[_Shift]:
    """The best of: one of the cheapest shifts, then the cheapest after it."""
    cheapest = _cheapest(_prices(cells, amounts, bounds, power), _LOOK_AHEAD)
    best, total = cheapest[:1], cheapest[0].change
    for first in cheapest:
        if not np.isfinite(first.change):
            break
        after = amounts.copy()
        after[first.cell, first.source] -= 1
        after[first.cell, first.goal] += 1
        second = _cheapest(_prices(cells, after, bounds, power), 1)[0]
        if first.change + second.change < total:
            best, total = [first, second], first.change + second.change
    return best
