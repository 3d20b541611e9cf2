"""The search for balanced assignments of units to sets: descents, each from the last good assignment, kicked.

A descent ends where no move and no swap gains. A few swaps at random, and the next one ends elsewhere: where that is
better, or hardly worse, the search goes on from there. Tried out on corpora of 27 and 96 subjects: larger kicks lose
what was found, smaller ones fall back to where they came from, and never going on from worse gets stuck.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.partitions.clock import Effort
from affectcheck.partitions.descent import State, descend
from affectcheck.partitions.problem import Candidate, Problem
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from collections.abc import Iterator

_KICK: Final = 3  # swaps
_WORSE: Final = 0.03  # so much worse, at most, the search goes on from
_DESCENTS: Final = (500, 4)  # at most so many, and so many a unit
_RESTART: Final = (100, 6)  # after so many, and so many a unit, the search begins anew
_KEPT: Final = 60  # of the best


def search(problem: Problem, *, seed: int, effort: Effort | None = None) -> tuple[Candidate, ...]:
    """Local optima, best first, without repetition.

    Args:
        problem: what to assign.
        seed: of the starts and kicks.
        effort: how much may be done; the default if None.

    Returns:
        At least one candidate.
    """
    effort = effort or Effort()
    found: dict[bytes, tuple[float, np.ndarray]] = {}
    for state in _descents(problem, seed, effort):
        found.setdefault(state.assignment.tobytes(), (state.total, state.assignment.copy()))
        if len(found) > 2 * _KEPT:
            found = _best(found)
    return tuple(sorted(Candidate.of(problem, assignment) for _, assignment in _best(found).values()))


def _best(found: dict[bytes, tuple[float, np.ndarray]]) -> dict[bytes, tuple[float, np.ndarray]]:
    order = sorted(found, key=lambda key: (found[key][0], key))
    return {key: found[key] for key in order[:_KEPT]}


def _descents(problem: Problem, seed: int, effort: Effort) -> Iterator[State]:
    """Where the descents end, one after the other."""
    here: State | None = None
    free = len(problem.free)
    most = max(1, round((_DESCENTS[0] + _DESCENTS[1] * free) * effort.factor)) if free > 1 else 1
    for number in range(most):
        draw = rng(seed, "partition descent", number)
        if number % (_RESTART[0] + _RESTART[1] * free) == 0:
            here = None
        there = State.of(problem, random_assignment(problem, draw)) if here is None else _kicked(here, draw)
        descend(there, draw, effort)
        yield there
        if here is None or there.total <= here.total * (1 + _WORSE * draw.random() ** 2):
            here = there
        if effort.spent:
            return


def random_assignment(problem: Problem, draw: np.random.Generator) -> np.ndarray:
    """Free units in random order to the set that lacks most; every set gets at least one, if there are enough."""
    assignment = problem.settled.copy()
    size = problem.shares[:, -1]
    kept = problem.settled >= 0
    filled = np.zeros(problem.sets)
    np.add.at(filled, problem.settled[kept], size[kept])
    empty = np.flatnonzero(np.bincount(problem.settled[kept], minlength=problem.sets) == 0)
    for place, unit in enumerate(draw.permutation(problem.free)):
        goal = empty[place] if place < len(empty) else np.argmax(problem.targets - filled)
        assignment[unit] = goal
        filled[goal] += size[unit]
    return np.asarray(assignment, dtype=np.int64)


def _kicked(state: State, draw: np.random.Generator) -> State:
    """A few units somewhere else, by swaps, so that sizes stay near."""
    state = state.copy()
    free = state.problem.free
    for one, other in draw.integers(len(free), size=(_KICK, 2)):
        if state.assignment[free[one]] != state.assignment[free[other]]:
            state.swap(int(free[one]), int(free[other]))
    return state


def near(candidates: tuple[Candidate, ...], tolerance: float, most: int) -> Iterator[Candidate]:
    """Candidates as complete as the best one and at most so much worse, best first."""
    best = candidates[0]
    for number, candidate in enumerate(candidates):
        if number < most and candidate.uncovered == best.uncovered and candidate.cost <= best.cost + tolerance:
            yield candidate
