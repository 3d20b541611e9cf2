"""Controlled rounding of joint cells: how many items of each cell each set gets, and what a deviation costs.

Everything is counted in whole numbers, so that no order of a sum and no processor changes what is found.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from affectcheck.seeds import rng

#: Parts that an item is counted in, where shares of items are meant.
PARTS: Final = 1024
#: Price of a value, or of a joint cell, that a set lacks; above any that deviations of a thousand items have.
BARE: Final = 1 << 50
#: Price of what is not possible.
NEVER: Final = 1 << 60
_HEAVY: Final = 64  # weight of the rarest value, and of a joint cell that is more than one item off
_STRESS: Final = 4
_ONE_BY_ONE: Final = 20_000  # items that are dealt one by one, at most; those before, in bulk
_ROUND_OFF: Final = 1e-9

Where = np.ndarray | int | slice


@dataclass(frozen=True)
class Prices:
    """What it costs, in squares of an item, that a label and groups taken together are not as they should be.

    Attributes:
        together: for every square of an item beyond the first; a single value costs up to 64.
        lacking: for a set that has none.
    """

    together: int = 64
    lacking: int = 512


@dataclass(frozen=True, eq=False)
class Cells:
    """Joint cells to be divided. A cell lies in several strata.

    Attributes:
        counts: (C,) items of each cell.
        given: (C, K) those of them whose set is settled.
        codes: (C, L) strata that a cell lies in, of V; V stands for none, where it lies in fewer than L.
        strata: V.
        values: how many of them, the first, are single values and the size, which should be as near their targets
            as can be.
        crossed: how many, next, are a label and groups taken together, which should be within one item and in every
            set where the values allow it. The rest are the cells themselves: these must be in every set.
        ratios: (K,) target shares.
        prices: of what the crossed are off.
        stressed: values that weigh several times as much, to lead a search elsewhere.
    """

    counts: np.ndarray
    given: np.ndarray
    codes: np.ndarray
    strata: int
    values: int
    crossed: int
    ratios: np.ndarray
    prices: Prices = Prices()
    stressed: tuple[int, ...] = ()

    @property
    def sets(self) -> int:
        """Number of sets."""
        return len(self.ratios)

    @cached_property
    def by_place(self) -> np.ndarray:
        """(L, C) the codes, so laid out that sums over L are fast."""
        return np.array(self.codes.T, order="C")

    @cached_property
    def totals(self) -> np.ndarray:
        """(V + 1,) items of each stratum."""
        return np.asarray(self.inside(self.counts[:, None])[0])

    @cached_property
    def target(self) -> np.ndarray:
        """(K, V + 1) parts of items that each set should have."""
        return np.asarray(np.rint(PARTS * self.ratios[:, None] * self.totals).astype(np.int64))

    @cached_property
    def weight(self) -> np.ndarray:
        """(V + 1,) weight of a stratum: a rare value's items weigh more, by the fourth root of its size.

        With equal weights what cannot be rounded well falls on any value, with weights by share always on the
        largest; tried out on databases of the published counts, where the fourth root serves both.
        """
        totals = np.maximum(self.totals, 1)
        rarest = totals[: self.values].min()
        weight = np.maximum(np.rint(_HEAVY * np.sqrt(np.sqrt(rarest / totals))).astype(np.int64), 1)
        weight[list(self.stressed)] *= _STRESS
        weight[self.values :] = _HEAVY
        weight[self.values : self.values + self.crossed] = self.prices.together
        weight[-1] = 0
        return np.asarray(weight)

    @cached_property
    def slack(self) -> np.ndarray:
        """(V + 1,) parts of items that a stratum may be off for nothing."""
        slack = np.full(len(self.totals), PARTS)
        slack[: self.values] = 0
        return slack

    @cached_property
    def bare(self) -> np.ndarray:
        """(V + 1,) price of a set that lacks a stratum, if the stratum has an item for every set."""
        bare = np.where(self.totals >= self.sets, BARE, 0)
        bare[self.values : self.values + self.crossed] //= BARE // (self.prices.lacking * PARTS * PARTS)
        bare[-1] = 0
        return bare

    def inside(self, amounts: np.ndarray) -> np.ndarray:
        """(K, V + 1) items of every stratum in every set, from (C, K) items of every cell."""
        flat = self.codes.reshape(-1)
        # exact: weights are whole numbers far below 2**53
        sums = [np.bincount(flat, np.repeat(one, self.codes.shape[1]), self.strata + 1) for one in amounts.T]
        return np.stack(sums).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Ledger:
    """Where items are now; changed in place.

    Attributes:
        cells: what is divided.
        amounts: (C, K) items of each cell in each set.
        inside: (K, V + 1) items of each stratum in each set; the last column, of no stratum, means nothing.
    """

    cells: Cells
    amounts: np.ndarray
    inside: np.ndarray

    def put(self, cell: int, place: int, items: int = 1) -> None:
        """Items of a cell into a set."""
        self.amounts[cell, place] += items
        self.inside[place, self.cells.codes[cell]] += items

    def shift(self, cell: int, source: int, goal: int) -> None:
        """One item of a cell from one set to another."""
        self.put(cell, source, -1)
        self.put(cell, goal)

    def prices(self, step: int) -> np.ndarray:
        """(K, V + 1) what one item more (step 1) or less (step -1) of a stratum changes."""
        every = (slice(None), slice(None))
        return np.asarray(self._squares(every, step) + self._bare(every, step))

    def price(self, codes: np.ndarray, place: np.ndarray | int, step: int) -> np.ndarray:
        """The same, of the strata (..., L) in their sets, summed over L."""
        return np.asarray((self._squares((place, codes), step) + self._bare((place, codes), step)).sum(axis=-1))

    def need(self, cell: int) -> np.ndarray:
        """(K,) what one item more of a cell changes in each set, whether or not it is the first of its strata."""
        return np.asarray(self._squares((slice(None), self.cells.codes[cell]), 1).sum(axis=-1))

    def total(self) -> float:
        """What all deviations cost, rounded once, so that no order shows."""
        cells = self.cells
        off = np.maximum(np.abs(PARTS * self.inside - cells.target) - cells.slack, 0).astype(np.float64)
        prices = cells.weight * off * off + cells.bare * (self.inside == 0)
        return math.fsum(prices.reshape(-1))

    def _squares(self, where: tuple[Where, Where], step: int) -> np.ndarray:
        cells = self.cells
        off = PARTS * self.inside[where] - cells.target[where]
        slack = cells.slack[where[1]]
        now = np.maximum(np.abs(off) - slack, 0)
        then = np.maximum(np.abs(off + step * PARTS) - slack, 0)
        return np.asarray(cells.weight[where[1]] * ((then - now) * (then + now)))

    def _bare(self, where: tuple[Where, Where], step: int) -> np.ndarray:
        edge = self.inside[where] == (1 if step < 0 else 0)
        return np.asarray(-step * edge * self.cells.bare[where[1]])


def deal(cells: Cells, seed: int) -> Ledger:
    """Every cell's shares rounded down; what is left, one by one to the set that lacks it most."""
    amounts = cells.given + _sure(cells)
    left = cells.counts - amounts.sum(axis=1)
    drawn = np.argsort(rng(seed, "partition cells").random(len(left)), kind="stable")
    queue = np.repeat(drawn, left[drawn])
    ledger = Ledger(cells, amounts, cells.inside(amounts))
    if len(queue) > _ONE_BY_ONE:
        bulk, queue = queue[:-_ONE_BY_ONE], queue[-_ONE_BY_ONE:]
        ledger = _in_bulk(ledger, bulk)
    # strata that a set lacks altogether are for later: here they would be served before there is need
    for cell in queue.tolist():
        ledger.put(cell, int(ledger.need(cell).argmin()))
    return ledger


def _in_bulk(ledger: Ledger, queue: np.ndarray) -> Ledger:
    """Items, in the order of a lot, to the sets by what these lack in size."""
    cells = ledger.cells
    size = cells.values - 1
    lack = np.maximum(cells.target[:, size] - PARTS * ledger.inside[:, size], 0)
    ends = np.cumsum(lack) * len(queue) // max(int(lack.sum()), 1)
    place = np.searchsorted(ends[:-1], np.arange(len(queue)), side="right")
    more = np.bincount(queue * cells.sets + place, minlength=cells.given.size).reshape(cells.given.shape)
    amounts = ledger.amounts + more
    return Ledger(cells, amounts, cells.inside(amounts))


def _sure(cells: Cells) -> np.ndarray:
    """(C, K) items that are not left to chance: shares rounded down, one where there are enough, less those given."""
    wanted = np.floor(cells.counts[:, None] * cells.ratios + _ROUND_OFF).astype(np.int64)
    enough = cells.counts >= cells.sets
    wanted[enough] = np.maximum(wanted[enough], 1)
    wanted = np.maximum(wanted - cells.given, 0)
    free = cells.counts - cells.given.sum(axis=1)
    asked = wanted.sum(axis=1)
    over = asked > free
    wanted[over] = wanted[over] * free[over, None] // asked[over, None]
    return np.asarray(wanted)


def nearest(total: int, ratios: np.ndarray, given: np.ndarray, *, covered: bool = True) -> np.ndarray:
    """Whole numbers nearest to the shares of a total, none below what is given, and none 0 if that can be.

    Args:
        total: their sum.
        ratios: the shares.
        given: the least of each.
        covered: whether 0 is avoided; else it is a number like others.

    Example:
        >>> nearest(10, np.array([0.55, 0.15, 0.3]), np.zeros(3, dtype=int)).tolist()
        [6, 1, 3]
        >>> nearest(10, np.array([0.55, 0.15, 0.3]), np.array([0, 4, 0])).tolist()
        [4, 4, 2]
        >>> nearest(3, np.array([0.9, 0.1]), np.zeros(2, dtype=int), covered=False).tolist()
        [3, 0]
    """
    low = given.astype(np.int64)
    if covered and total - low.sum() >= (low == 0).sum():
        low = np.maximum(low, 1)
    share = total * ratios
    # what is given beyond a share is missing from the others, in equal parts
    short, bound = 0.0, np.zeros(len(ratios), dtype=bool)
    while (more := ~bound & (share - short < low - _ROUND_OFF)).any():
        bound |= more
        short = float((share[~bound].sum() + low[bound].sum() - total) / max((~bound).sum(), 1))
    found = np.maximum(np.floor(share - short + _ROUND_OFF).astype(np.int64), low)
    # the price of one more only grows, so that single steps lead to the best
    while found.sum() < total:
        found[np.argmin(found - share)] += 1
    return np.asarray(found)


@dataclass(frozen=True)
class Facts:
    """Mean deviations over sets and values, as fractions.

    Attributes:
        cost: of what was found.
        bound: of every value by itself at its best, which no division is below that has every value in as many sets; nor
            any division at all where this one has not.
        off: values that are farther off than they would be by themselves.
    """

    cost: float
    bound: float
    off: tuple[int, ...] = ()


def facts_of(ledger: Ledger) -> Facts:
    """How near the values are, and could be, to their targets."""
    cells = ledger.cells
    given = cells.inside(cells.given)
    cost: list[float] = []
    bound: list[float] = []
    off: list[int] = []
    values = np.flatnonzero(cells.totals[: cells.values]).tolist()
    at_best = {value: nearest(int(cells.totals[value]), cells.ratios, given[:, value]) for value in values}
    # An item may be the last one for two values that want it in two sets: then not every value can be everywhere.
    covered = all((ledger.inside[:, value] > 0)[numbers > 0].all() for value, numbers in at_best.items())
    for value, numbers in at_best.items():
        total = int(cells.totals[value])
        counts = numbers if covered else nearest(total, cells.ratios, given[:, value], covered=False)
        best = np.abs(counts / total - cells.ratios)
        found = np.abs(ledger.inside[:, value] / total - cells.ratios)
        bound.extend(best)
        cost.extend(found)
        if math.fsum(found) > math.fsum(best) + _ROUND_OFF:
            off.append(value)
    # fsum is exact, so that the order of the strata does not show
    return Facts(math.fsum(cost) / len(cost), math.fsum(bound) / len(bound), tuple(off))
