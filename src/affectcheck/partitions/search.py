"""The search for balanced assignments of units to sets: descents by moves and swaps, from many starts.

What is minimised, in this order: empty sets; strata that a set lacks although enough units hold them; the mean,
over the sets and over every stratum and the size, of |share of the stratum that lies in the set − target share|.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.seeds import entropy, rng

if TYPE_CHECKING:
    from collections.abc import Iterator

_GAIN: Final = 1e-12  # smaller gains are round-off
_MOST_SWAPS: Final = 20_000  # looked at in one step
#: Work units (starts × units²) that the search may spend; counted, so that the result does not depend on the clock.
_BUDGET: Final = 800_000
_MOST_STARTS: Final = 600
_FEWEST_STARTS: Final = 4
#: Share of random starts; how many of the best are kicked; swaps of a kick, as a share of the units. Tried out on
#: corpora of 27 and 96 subjects: smaller kicks fall back to where they came from.
_RANDOM: Final = 0.1
_BEST: Final = 8
_KICK: Final = 0.12


@dataclass(frozen=True, eq=False)
class Problem:
    """Units to be assigned to sets.

    Attributes:
        counts: (S, V + 1) items of every unit and stratum; the last column is its size.
        ratios: (K,) target shares.
    """

    counts: np.ndarray
    ratios: np.ndarray

    @property
    def sets(self) -> int:
        """Number of sets."""
        return len(self.ratios)

    @property
    def units(self) -> int:
        """Number of units."""
        return len(self.counts)

    @cached_property
    def shares(self) -> np.ndarray:
        """(S, V + 1) share of every stratum's items that a unit holds."""
        return np.asarray(self.counts / self.counts.sum(axis=0))

    @cached_property
    def splittable(self) -> np.ndarray:
        """(V + 1,) whether at least as many units hold the stratum as there are sets."""
        return np.asarray((self.counts > 0).sum(axis=0) >= self.sets)

    @cached_property
    def holds(self) -> np.ndarray:
        """(S, splittable strata) whether the unit holds it; the size is among them, so no set may be empty."""
        return (self.counts[:, self.splittable] > 0).astype(np.int16)

    def cost(self, assignment: np.ndarray) -> float:
        """Mean deviation of an assignment, as a fraction."""
        sums = _indicator(assignment, self.sets).T @ self.shares
        return float(np.abs(sums - self.ratios[:, None]).mean())

    def uncovered(self, assignment: np.ndarray) -> int:
        """How many sets lack how many splittable strata."""
        return int((_indicator(assignment, self.sets).T @ self.holds == 0).sum())


@dataclass(frozen=True, order=True)
class Candidate:
    """One assignment.

    Attributes:
        uncovered: sets that lack a splittable stratum, counted by stratum.
        cost: mean deviation, as a fraction, rounded beyond round-off so that equal ones tie.
        lot: decides between equal ones, so that none is favoured for the order of its subjects.
        assignment: set of each unit.
    """

    uncovered: int
    cost: float
    lot: int
    assignment: tuple[int, ...]

    @classmethod
    def of(cls, problem: Problem, assignment: np.ndarray) -> Candidate:
        """Judge an assignment."""
        places = tuple(int(place) for place in assignment)
        lot = entropy(0, "partition ties", ",".join(map(str, places)))
        return cls(problem.uncovered(assignment), round(problem.cost(assignment), 12), lot, places)


def starts_for(units: int) -> int:
    """How many descents a problem of this size gets."""
    return int(np.clip(_BUDGET // max(units, 1) ** 2, _FEWEST_STARTS, _MOST_STARTS))


def search(problem: Problem, *, seed: int, starts: int) -> tuple[Candidate, ...]:
    """Local optima, best first, without repetition.

    Args:
        problem: what to assign.
        seed: of the starts and kicks.
        starts: how many descents; some from random assignments, the rest from a good one, kicked.

    Returns:
        At least one candidate.
    """
    found: set[Candidate] = set()
    for number in range(starts):
        draw = rng(seed, "partition start", number)
        if number < _RANDOM * starts:
            begin = random_assignment(problem, draw)
        else:
            best = sorted(found)[:_BEST]
            begin = _kicked(np.array(best[number % len(best)].assignment), draw)
        found.add(Candidate.of(problem, descend(problem, begin, draw)))
    return tuple(sorted(found))


def random_assignment(problem: Problem, draw: np.random.Generator) -> np.ndarray:
    """Units in random order to the set that lacks most; every set gets at least one."""
    assignment = np.zeros(problem.units, dtype=np.int64)
    filled = np.zeros(problem.sets)
    size = problem.shares[:, -1]
    for place, unit in enumerate(draw.permutation(problem.units)):
        assignment[unit] = place if place < problem.sets else int(np.argmax(problem.ratios - filled))
        filled[assignment[unit]] += size[unit]
    return assignment


def descend(problem: Problem, begin: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """Take the best move or swap until none gains."""
    assignment = begin.copy()
    while True:
        step = _best_step(problem, assignment, draw)
        if step is None:
            return assignment
        for unit, place in step:
            assignment[unit] = place


def _kicked(assignment: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """A few units somewhere else, by swaps, so that sizes stay near."""
    for _ in range(max(2, round(_KICK * len(assignment)))):
        one, other = draw.integers(len(assignment), size=2)
        assignment[one], assignment[other] = assignment[other], assignment[one]
    return assignment


def _indicator(assignment: np.ndarray, sets: int) -> np.ndarray:
    return np.asarray(assignment[:, None] == np.arange(sets), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class _State:
    """What every step of a descent needs to know."""

    problem: Problem
    assignment: np.ndarray
    deviation: np.ndarray  # (K, V + 1)
    cover: np.ndarray  # (K, splittable) units that hold it
    base: np.ndarray  # (K,) summed deviation

    @classmethod
    def of(cls, problem: Problem, assignment: np.ndarray) -> _State:
        places = _indicator(assignment, problem.sets).T
        deviation = places @ problem.shares - problem.ratios[:, None]
        cover = np.rint(places @ problem.holds).astype(np.int16)
        return cls(problem, assignment, deviation, cover, np.abs(deviation).sum(axis=1))

    def moves(self) -> np.ndarray:
        """(S, K) change by moving a unit to a set."""
        shares, holds = self.problem.shares, self.problem.holds
        own = self.assignment
        leave = np.abs(self.deviation[own] - shares).sum(axis=1) - self.base[own]
        enter = np.stack([np.abs(row + shares).sum(axis=1) for row in self.deviation], axis=1) - self.base
        lost = ((self.cover[own] == 1) & (holds == 1)).sum(axis=1)
        gained = holds @ (self.cover == 0).T.astype(np.int16)
        change = (leave[:, None] + enter) / self.deviation.size + lost[:, None] - gained
        change[np.arange(len(own)), own] = np.inf
        return np.asarray(change)

    def swaps(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """(P,) change by exchanging two units of different sets."""
        shares = self.problem.shares
        here, there = self.assignment[one], self.assignment[other]
        gain = shares[other] - shares[one]
        after = np.abs(self.deviation[here] + gain).sum(axis=1) + np.abs(self.deviation[there] - gain).sum(axis=1)
        before = self.base[here] + self.base[there]
        # only a stratum that a set holds once, or not at all, can be lost or won by one exchange
        risky = (self.cover <= 1).any(axis=0)
        cover, holds = self.cover[:, risky], self.problem.holds[:, risky]
        hold_gain = holds[other] - holds[one]
        bare = (cover[here] + hold_gain == 0).sum(axis=1) + (cover[there] - hold_gain == 0).sum(axis=1)
        bare_before = (cover == 0).sum(axis=1)
        uncovered = bare - bare_before[here] - bare_before[there]
        return np.asarray((after - before) / self.deviation.size + uncovered)


def _best_step(problem: Problem, assignment: np.ndarray, draw: np.random.Generator) -> list[tuple[int, int]] | None:
    state = _State.of(problem, assignment)
    moves = state.moves()
    unit, place = np.unravel_index(int(moves.argmin()), moves.shape)
    best, step = float(moves[unit, place]), [(int(unit), int(place))]
    one, other = _pairs(assignment, draw)
    if len(one):
        swaps = state.swaps(one, other)
        pair = int(swaps.argmin())
        if swaps[pair] < best:
            best = float(swaps[pair])
            left, right = int(one[pair]), int(other[pair])
            step = [(left, int(assignment[right])), (right, int(assignment[left]))]
    return step if best < -_GAIN else None


def _pairs(assignment: np.ndarray, draw: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of units in different sets; all of them, or a random choice where they are many."""
    units = len(assignment)
    if units * (units - 1) // 2 <= _MOST_SWAPS:
        one, other = np.triu_indices(units, 1)
    else:
        one, other = draw.integers(units, size=(2, _MOST_SWAPS))
    apart = assignment[one] != assignment[other]
    return one[apart], other[apart]


def near(candidates: tuple[Candidate, ...], tolerance: float, most: int) -> Iterator[Candidate]:
    """Candidates as complete as the best one and at most so much worse, best first."""
    best = candidates[0]
    for number, candidate in enumerate(candidates):
        if number < most and candidate.uncovered == best.uncovered and candidate.cost <= best.cost + tolerance:
            yield candidate
