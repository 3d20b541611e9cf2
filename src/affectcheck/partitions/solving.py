"""From a problem to a short list of assignments, and how good the best of them is known to be."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.digest import digest_array, digest_bytes
from affectcheck.partitions.bounds import stratum_bound
from affectcheck.partitions.clock import Clock, Effort
from affectcheck.partitions.descent import State, descend
from affectcheck.partitions.exact import can_enumerate, cover, enumerate_all, prove_if_promising
from affectcheck.partitions.joint_units import polish
from affectcheck.partitions.problem import Candidate, Problem
from affectcheck.partitions.search import near, search
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from affectcheck.partitions.options import Budget, PartitionOptions

SHORTLIST: Final = 20  # near-optimal assignments that seeds choose from
_SHARED: Final = 130  # up to so many units, all seeds choose from one search; beyond, each has its own
_EQUAL: Final = 1e-9
#: What joint cells may cost where the optimum is not known: a share of the mean deviation, or so much, if that is more.
_JOINT_SHARE: Final = 0.02
_JOINT_LEAST: Final = 1e-4


@dataclass(frozen=True)
class Found:
    """What a search and a proof came to.

    Attributes:
        shortlist: near-optimal assignments: first those whose mean deviation is as good as the best, or so near that
            joint cells may decide, in the order of these; then the others, best first.
        best: least mean deviation found, as a fraction.
        bound: no assignment that covers as much has a lower mean deviation, as a fraction.
        proven: whether the best one meets it.
        reproducible: False if a clock ended the search.
        least_gaps: so many gaps of values that enough units hold are in every assignment.
        notes: how it was found.
    """

    shortlist: tuple[Candidate, ...]
    best: float
    bound: float
    proven: bool
    reproducible: bool = True
    least_gaps: int = 0
    notes: tuple[str, ...] = ()


def is_shared(problem: Problem) -> bool:
    """Whether all seeds choose from one search."""
    return problem.units <= _SHARED


def solve(problem: Problem, options: PartitionOptions, tolerance: float) -> Found:
    """Assignments to choose from.

    Args:
        problem: what to assign.
        options: the seed and the budget.
        tolerance: how much worse than the best one may be, as a fraction.
    """
    if not is_shared(problem):
        return _solve(problem, options.seed, options.budget, tolerance)
    if options.budget.seconds is not None:  # what a clock ended is not remembered
        return _solve(problem, 0, options.budget, tolerance)
    return _remembered(_Key(problem, options.budget, tolerance))


@dataclass(frozen=True, eq=False)
class _Key:
    """A problem that is known by its content."""

    problem: Problem
    budget: Budget
    tolerance: float

    def _content(self) -> str:
        problem = self.problem
        joint = np.zeros((0, 0)) if problem.joint is None else problem.joint
        arrays = (problem.counts, problem.ratios, problem.settled, joint)
        return digest_bytes(*map(digest_array, arrays), repr(self.budget), repr(self.tolerance))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())


@lru_cache(maxsize=16)
def _remembered(key: _Key) -> Found:
    """Seeds of one table choose from the same."""
    return _solve(key.problem, 0, key.budget, key.tolerance)


def _solve(problem: Problem, seed: int, budget: Budget, tolerance: float) -> Found:
    if can_enumerate(problem):
        candidates = enumerate_all(problem, most=SHORTLIST)
        best = candidates[0]
        told = f"every assignment was looked at: the best, {_pp(best.cost)}, is the optimum"
        listed = tuple(near(candidates, tolerance, SHORTLIST))
        return Found(listed, best.cost, best.cost, True, True, best.uncovered, (told,))
    clock = Clock(budget.seconds)
    found = set(search(problem, seed=seed, effort=Effort(budget.effort, clock)))
    least = _close_gaps(problem, found, budget, clock)
    best = min(found)
    bound = stratum_bound(problem, covered=not best.uncovered)
    proof = prove_if_promising(problem, best, nodes=budget.nodes, clock=clock)
    if proof is not None:
        found |= {proof.candidate} if proof.candidate is not None else set()
        bound = max(bound, proof.bound)
    best = min(found)
    proven = best.cost <= bound + _EQUAL or (proof is not None and proof.proven)
    bound = best.cost if proven else min(bound, best.cost)
    most = SHORTLIST if is_shared(problem) else 1
    slack = 0.0 if proven else min(tolerance, max(_JOINT_SHARE * best.cost, _JOINT_LEAST))
    shortlist = _polished(problem, tuple(near(tuple(sorted(found)), tolerance, most)), best.cost + slack)
    notes: tuple[str, ...] = (_told(best.cost, bound, proven=proven),)
    if clock.ended:
        notes = (*notes, "the search was ended by the clock: another run may end elsewhere")
    return Found(shortlist, best.cost, bound, proven, not clock.ended, least, notes)


def _close_gaps(problem: Problem, found: set[Candidate], budget: Budget, clock: Clock) -> int:
    """Look for an assignment with fewer gaps, if there are any; and tell how many there must be."""
    best = min(found)
    if not best.uncovered or not budget.nodes:
        return 0
    assignment, least = cover(problem, nodes=budget.nodes, clock=clock)
    if assignment is not None and least < best.uncovered:
        state = State.of(problem, assignment)
        descend(state, rng(0, "partition gaps"), Effort(budget.effort, clock))
        found.add(Candidate.of(problem, state.assignment))
    return least


def _polished(problem: Problem, listed: tuple[Candidate, ...], most: float) -> tuple[Candidate, ...]:
    """The list with joint cells served as far as that deviation allows, and in their order up to there."""
    done: list[Candidate] = []
    for candidate in listed:
        better = polish(problem, candidate, most)
        done.append(candidate if better in done or better in listed else better)
    return tuple(sorted(set(done), key=lambda one: (one.uncovered, max(one.cost, most), one.joint, one)))


def _told(cost: float, bound: float, *, proven: bool) -> str:
    if proven:
        return f"best mean deviation found: {_pp(cost)}, proven optimal"
    left = f", so that at most {100 * (cost - bound):.3f} can be gained" if bound else ""
    return f"best mean deviation found: {_pp(cost)}; the optimum is at least {_pp(bound)}{left}"


def _pp(cost: float) -> str:
    return f"{100 * cost:.3f} percentage points"
