"""Better divisions of joint cells, by single items and by pairs of them, until neither gains."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.partitions.rounding import NEVER, PARTS, Prices, facts_of
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from affectcheck.partitions.options import Budget
    from affectcheck.partitions.rounding import Cells, Ledger

_SWEEPS: Final = (
    40,
    1200,
)  # times that all single shifts are priced: at least, where there are many cells, and at most
_WORK: Final = 3_200_000_000  # prices that these sweeps may look up in between
_BATCH: Final = (256, 16)  # shifts of one sweep that are looked at again and made: so many, or every so manieth
_POOLS: Final = 200  # sets of shifts of which all pairs are priced, at most
_POOL: Final = 720  # shifts in one of them
_STALE: Final = 6  # so many of them without gain end the search
_REFUSED: Final = 100  # pairs of one pool that turn out to gain nothing, at most


#: What it costs that a label and groups taken together are off, or missing in a set, next to what single values cost.
#: First these are brought about, then the values are repaired as far as can be without undoing them; tried out on
#: databases of action units, where a single stage leaves four times as many missing.
#: Each takes its share of the work that is left when its turn comes.
_STAGES: Final = (
    (Prices(together=64, lacking=512), 0.3),
    (Prices(together=8, lacking=16), 0.15),
    (Prices(together=2, lacking=2), 1.0),
)
_DETOURS: Final = 8  # tries to leave a division that single shifts and pairs of them do not better, at most


def polish(ledger: Ledger, budget: Budget, seed: int) -> bool:
    """Shift items while that gains.

    Args:
        ledger: where items are; changed in place.
        budget: how much work may be spent.
        seed: of the shifts that are looked at by chance.

    Returns:
        Whether a clock ended it.
    """
    allowance = Allowance.of(ledger.cells, budget)
    for prices, share in _STAGES if ledger.cells.crossed else _STAGES[-1:]:
        stage = replace(ledger, cells=replace(ledger.cells, prices=prices))
        Search(stage, allowance.part(share), seed).run()
    for number in range(_DETOURS):
        if allowance.is_spent() or not _detour(stage, allowance, seed + number):
            break
    return allowance.late


def _detour(ledger: Ledger, allowance: Allowance, seed: int) -> bool:
    """Stress the values that are off, then all alike, and keep what is better; whether any was off."""
    off = facts_of(ledger).off
    before, amounts, inside = ledger.total(), ledger.amounts.copy(), ledger.inside.copy()
    for stressed in (off, ()) if off else ():
        cells = replace(ledger.cells, stressed=stressed)
        Search(replace(ledger, cells=cells), allowance.part(1.0), seed).run()
    if ledger.total() >= before:
        ledger.amounts[:], ledger.inside[:] = amounts, inside
    return bool(off)


@dataclass(eq=False)
class Allowance:
    """What a search may still spend. It is counted, so that no clock has a say, unless asked.

    Attributes:
        pools, sweeps: that are left.
        until: of the clock, if it is to end the search; None for no clock.
        whole: what this is a part of, and spends from; None for the whole.
        late: whether the clock ended a search.
    """

    pools: int
    sweeps: int
    until: float | None
    whole: Allowance | None = None
    late: bool = False

    @classmethod
    def of(cls, cells: Cells, budget: Budget) -> Allowance:
        """By the size of the problem."""
        fewest, most = _SWEEPS
        sweeps = min(max(_WORK // (2 * cells.codes.size * cells.sets), fewest), most)
        until = None if budget.seconds is None else time.monotonic() + budget.seconds
        return cls(max(1, round(_POOLS * budget.effort)), max(1, round(sweeps * budget.effort)), until)

    def part(self, share: float) -> Allowance:
        """A part, for one search."""
        return Allowance(max(1, round(share * self.pools)), max(1, round(share * self.sweeps)), self.until, self)

    def spend(self, *, pools: int = 0, sweeps: int = 0) -> None:
        """Count some work."""
        self.pools -= pools
        self.sweeps -= sweeps
        if self.whole is not None:
            self.whole.spend(pools=pools, sweeps=sweeps)

    def is_spent(self) -> bool:
        """Whether the search must end."""
        if self.until is not None and time.monotonic() > self.until:
            self.late = True
            if self.whole is not None:
                self.whole.late = True
        return self.late or self.pools <= 0 or self.sweeps <= 0


@dataclass(frozen=True, eq=False)
class Search:
    """A search by single shifts and pairs of them.

    Attributes:
        ledger: where items are; changed in place.
        allowance: ends it.
        seed: of the shifts that are looked at by chance.
    """

    ledger: Ledger
    allowance: Allowance
    seed: int

    @property
    def cells(self) -> Cells:
        """What is divided."""
        return self.ledger.cells

    @cached_property
    def ways(self) -> np.ndarray:
        """(K (K - 1), 2) sets that an item can leave and enter."""
        sets = self.cells.sets
        return np.array([(source, goal) for source in range(sets) for goal in range(sets) if source != goal])

    def run(self) -> None:
        """Take what gains until nothing does, or the budget is spent."""
        draw = rng(self.seed, "partition pool")
        stale = 0
        prices = self._singles()
        while stale < _STALE and not self.allowance.is_spent():
            self.allowance.spend(pools=1)
            stale = 0 if _Pool.drawn(self, prices, draw).improve() else stale + 1
            prices = self._singles() if not stale else prices

    def prices(self) -> np.ndarray:
        """(C, ways) change by one item of a cell going that way."""
        self.allowance.spend(sweeps=1)
        ledger, codes = self.ledger, self.cells.by_place
        leave, enter = (np.stack([row[codes].sum(axis=0) for row in ledger.prices(step)], axis=1) for step in (-1, 1))
        leave[ledger.amounts <= self.cells.given] = NEVER
        return np.asarray(leave[:, self.ways[:, 0]] + enter[:, self.ways[:, 1]])

    def price(self, cell: int, way: int) -> int:
        """The same of one cell and way, if an item can go."""
        source, goal = self.ways[way]
        codes = self.cells.codes[cell]
        return int(self.ledger.price(codes, source, -1) + self.ledger.price(codes, goal, 1))

    def _singles(self) -> np.ndarray:
        """Make the best single shifts, looked at again one after the other; (C, ways) prices at the end."""
        most = max(_BATCH[0], len(self.cells.counts) // _BATCH[1])
        while True:
            prices = self.prices()
            way = prices.argmin(axis=1)
            best = prices[np.arange(len(way)), way]
            gaining = np.flatnonzero(best < 0)
            if not len(gaining) or self.allowance.is_spent():
                return prices
            for cell in gaining[np.argsort(best[gaining], kind="stable")[:most]].tolist():
                if self.price(cell, way[cell]) < 0:
                    self.ledger.shift(cell, *self.ways[way[cell]])


@dataclass(frozen=True, eq=False)
class _Pool:
    """Shifts of which all pairs are looked at.

    Attributes:
        search: whose shifts.
        cells, ways: (P,) cell and way of each.
    """

    search: Search
    cells: np.ndarray
    ways: np.ndarray

    @classmethod
    def drawn(cls, search: Search, prices: np.ndarray, draw: np.random.Generator) -> _Pool:
        """The cheapest shifts of every way, and as many by chance."""
        half = max(2, _POOL // (2 * len(search.ways)))
        cells, ways = [], []
        for way in range(len(search.ways)):
            able = np.flatnonzero(prices[:, way] < NEVER // 2)
            cheapest = able[np.argsort(prices[able, way], kind="stable")[:half]]
            chance = able[(draw.random(half) * len(able)).astype(np.int64)] if len(able) else able
            cells.append(np.unique(np.concatenate([cheapest, chance])))
            ways.append(np.full(len(cells[-1]), way))
        return cls(search, np.concatenate(cells), np.concatenate(ways))

    def improve(self) -> bool:
        """Make the best pair of shifts while one gains; whether any did."""
        if not len(self.cells):
            return False
        between = self._between()
        gained = False
        refused = 0
        while refused < _REFUSED:
            prices = self._prices()
            change = prices[:, None] + prices + between
            one, other = divmod(int(change.argmin()), len(prices))
            if change[one, other] >= 0:
                break
            if self._made(one, other):
                gained = True
            else:
                refused += 1
                between[one, other] = between[other, one] = NEVER
        return gained

    def _made(self, *pair: int) -> bool:
        """Make shifts if they gain together; what they do to each other beyond squares shows only now."""
        total, search = 0, self.search
        for place in pair:
            total += search.price(self.cells[place], self.ways[place])
            search.ledger.shift(self.cells[place], *search.ways[self.ways[place]])
        if total < 0:
            return True
        for place in pair:
            search.ledger.shift(self.cells[place], *search.ways[self.ways[place]][::-1])
        return False

    def _prices(self) -> np.ndarray:
        """(P,) change by each shift."""
        search, ledger = self.search, self.search.ledger
        source, goal = search.ways[self.ways].T
        codes = search.cells.codes[self.cells]
        price = ledger.price(codes, source[:, None], -1) + ledger.price(codes, goal[:, None], 1)
        able = ledger.amounts[self.cells, source] > search.cells.given[self.cells, source]
        return np.where(able, price, NEVER)

    def _between(self) -> np.ndarray:
        """(P, P) what two shifts change beyond the sum of both, as they meet in values and sets."""
        cells, ways = self.search.cells, self.search.ways
        codes = np.minimum(cells.codes[self.cells], cells.values)
        inside = np.zeros((len(self.cells), cells.values + 1))
        inside[np.arange(len(self.cells))[:, None], codes] = 1
        inside = inside[:, :-1]
        # whole numbers below 2**53: exact in any order
        shared = ((inside * cells.weight[: cells.values]) @ inside.T).astype(np.int64)
        step = (ways[:, 1:] == np.arange(cells.sets)).astype(np.int64) - (ways[:, :1] == np.arange(cells.sets))
        meet = (step @ step.T)[self.ways[:, None], self.ways]
        between = 2 * PARTS * PARTS * shared * meet
        between[self.cells[:, None] == self.cells] = NEVER
        return np.asarray(between)
