"""One descent: moves and swaps of units that make an assignment better, until none does.

Nothing is computed anew by a step but what it changes. All figures are in sums of shares, not in means: a sum is exact
(see ``problem``), a mean is not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from affectcheck.partitions.clock import Effort
    from affectcheck.partitions.problem import Problem

BLOCK: Final = 1_000  # pairs of which the best is taken
_ALL_PAIRS: Final = 20_000  # up to so many, every pair is looked at before a descent ends; beyond, as many drawn ones


@dataclass(eq=False)
class State:
    """An assignment and what a step needs to know of it.

    Attributes:
        problem: what is assigned.
        assignment: (S,) set of each unit.
        deviation: (K, V + 1) share of each stratum in each set, less the target.
        cover: (K, splittable) units that hold it.
        summed: (K,) summed |deviation|.
        bare: (K,) splittable strata that the set lacks.
    """

    problem: Problem
    assignment: np.ndarray
    deviation: np.ndarray
    cover: np.ndarray
    summed: np.ndarray
    bare: np.ndarray

    @classmethod
    def of(cls, problem: Problem, assignment: np.ndarray) -> State:
        """The state of an assignment."""
        inside = problem.inside(assignment)
        deviation = inside @ problem.shares - problem.targets[:, None]
        cover = inside @ problem.holds
        bare = (cover == 0).sum(axis=1)
        return cls(problem, assignment.copy(), deviation, cover, np.abs(deviation).sum(axis=1), bare)

    def copy(self) -> State:
        """The same, to be changed."""
        arrays = ("assignment", "deviation", "cover", "summed", "bare")
        return replace(self, **{name: getattr(self, name).copy() for name in arrays})

    @property
    def price(self) -> float:
        """Of a stratum that a set lacks: above any change of the deviations."""
        return 2.0 * self.deviation.size

    @property
    def total(self) -> float:
        """Summed deviation, and the price of what sets lack."""
        return float(self.summed.sum() + self.price * self.bare.sum())

    def put(self, unit: int, place: int) -> None:
        """Move a unit to a set."""
        source = int(self.assignment[unit])
        shares, holds = self.problem.shares[unit], self.problem.holds[unit]
        self.deviation[source] -= shares
        self.deviation[place] += shares
        self.cover[source] -= holds
        self.cover[place] += holds
        self.assignment[unit] = place
        for changed in (source, place):
            self.summed[changed] = np.abs(self.deviation[changed]).sum()
            self.bare[changed] = (self.cover[changed] == 0).sum()

    def swap(self, one: int, other: int) -> None:
        """Exchange two units."""
        here, there = int(self.assignment[one]), int(self.assignment[other])
        self.put(one, there)
        self.put(other, here)

    def moves(self) -> np.ndarray:
        """(F, K) change of the total by moving a free unit to a set; infinite where it already is."""
        free = self.problem.free
        shares, holds, own = self.problem.shares[free], self.problem.holds[free], self.assignment[free]
        leave = np.abs(self.deviation[own] - shares).sum(axis=1) - self.summed[own]
        enter = np.stack([np.abs(row + shares).sum(axis=1) for row in self.deviation], axis=1) - self.summed
        lost = ((self.cover == 1).astype(np.float64)[own] * holds).sum(axis=1)
        gained = holds @ (self.cover == 0).T.astype(np.float64)
        change = leave[:, None] + enter + self.price * (lost[:, None] - gained)
        change[np.arange(len(free)), own] = np.inf
        return np.asarray(change)

    def swaps(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """(P,) change of the total by exchanging two units of different sets."""
        shares = self.problem.shares
        here, there = self.assignment[one], self.assignment[other]
        gain = shares[other]
        gain -= shares[one]
        after = self.deviation[here]
        after += gain
        np.abs(after, out=after)
        beyond = self.deviation[there]
        beyond -= gain
        np.abs(beyond, out=beyond)
        after += beyond
        # a product with ones is the fastest sum, and as exact as any other
        change = after @ np.ones(after.shape[1]) - self.summed[here] - self.summed[there]
        # only a stratum that a set holds once, or not at all, can be lost or won by one exchange
        risky = (self.cover <= 1).any(axis=0)
        if risky.any():
            cover, holds = self.cover[:, risky], self.problem.holds[:, risky]
            gain = holds[other] - holds[one]
            lacking = (cover[here] == -gain).sum(axis=1) + (cover[there] == gain).sum(axis=1)
            change += self.price * (lacking - self.bare[here] - self.bare[there])
        return np.asarray(change)


def descend(state: State, draw: np.random.Generator, effort: Effort) -> None:
    """Take steps until none of those looked at gains, or the effort is spent.

    Args:
        state: changed in place.
        draw: of the order in which pairs are looked at.
        effort: what a look costs, and how much may be spent.
    """
    pairs = _Pairs(state.problem.free, draw)
    while state.bare.any() and _best_move(state, effort):
        pass
    idle = 0
    while not effort.spent:
        one, other = pairs.next()
        idle += len(one)
        apart = state.assignment[one] != state.assignment[other]
        if _best_swap(state, one[apart], other[apart], effort) or (idle >= pairs.enough and _best_move(state, effort)):
            idle = 0
        elif idle >= pairs.enough:
            return


def _best_swap(state: State, one: np.ndarray, other: np.ndarray, effort: Effort) -> bool:
    """Exchange the two units of the pair that gains most, if any does."""
    if not len(one):
        return False
    effort.spend(len(one) * state.deviation.shape[1])
    change = state.swaps(one, other)
    best = int(change.argmin())
    if not change[best] < 0:
        return False
    state.swap(int(one[best]), int(other[best]))
    return True


def _best_move(state: State, effort: Effort) -> bool:
    """Make the move that gains most, if any does."""
    if not len(state.problem.free):
        return False
    effort.spend(len(state.problem.free) * state.deviation.size)
    change = state.moves()
    unit, place = np.unravel_index(int(change.argmin()), change.shape)
    if not change[unit, place] < 0:
        return False
    state.put(int(state.problem.free[unit]), int(place))
    return True


class _Pairs:
    """Pairs of free units, a block at a time: all of them in a drawn order, again and again, or drawn ones."""

    def __init__(self, free: np.ndarray, draw: np.random.Generator) -> None:
        self._free, self._draw, self._at = free, draw, 0
        number = len(free) * (len(free) - 1) // 2
        self.enough = min(number, _ALL_PAIRS)
        self._order = draw.permutation(number) if number <= _ALL_PAIRS else None

    def next(self) -> tuple[np.ndarray, np.ndarray]:
        """Both units of each pair of the next block."""
        if self._order is None:
            one, other = self._draw.integers(len(self._free), size=(2, BLOCK))
            return self._free[one], self._free[other]
        block = self._order[self._at : self._at + BLOCK]
        self._at = self._at + BLOCK if self._at + BLOCK < len(self._order) else 0
        one, other = _unranked(block)
        return self._free[one], self._free[other]


def _unranked(rank: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The pairs (one < other) of numbers 0, 1, 2, 3: (0, 1), (0, 2), (1, 2), (0, 3)."""
    other = ((1 + np.sqrt(8.0 * rank + 1)) / 2).astype(np.int64)
    return rank - other * (other - 1) // 2, other
