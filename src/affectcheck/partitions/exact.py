"""Exact answers for few units: every assignment looked at, or a mixed-integer programme with a bound.

The programme (HiGHS) stops after a number of nodes, not after a time unless one was asked for, so that its answer does
not depend on the machine's load.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.partitions.clock import Clock
from affectcheck.partitions.problem import Candidate
from affectcheck.partitions.programme import BARE, Kinds, Programme
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from affectcheck.partitions.problem import Problem

MOST_ASSIGNMENTS: Final = 600_000
NODES: Final = 1_000
#: Kinds of units × sets × strata: so large a programme, for every node of the budget, is looked at at all; and one so
#: large gets all nodes. Beyond, they shrink with its square, as a node takes longer.
_LOOK: Final = 12
_WHOLE: Final = 2_500
#: Of the best found, for a small and for a larger programme: a lower bound after one node is not worth the others.
_PROMISING: Final = (0.75, 0.9)
_CHUNK: Final = 20_000
_TIED: Final = 20  # times as many equal ones as are asked for are judged by their joint cells too
_RARE: Final = 12  # units a set that hold a stratum: of more, no set is without
_BOUND_DIGITS: Final = 9


@dataclass(frozen=True)
class Proof:
    """What the programme found.

    Attributes:
        candidate: its best assignment; None if it found none within its nodes.
        bound: no assignment that covers as much as the one it was given has a lower mean deviation, as a fraction.
        proven: whether the candidate meets the bound.
    """

    candidate: Candidate | None
    bound: float
    proven: bool


def can_enumerate(problem: Problem) -> bool:
    """Whether every assignment can be looked at."""
    return bool(len(problem.free) * np.log(problem.sets) <= np.log(MOST_ASSIGNMENTS))


def enumerate_all(problem: Problem, *, most: int) -> tuple[Candidate, ...]:
    """The best assignments of all, best first; equal ones in an order that favours none.

    Args:
        problem: few free units, see ``can_enumerate``.
        most: how many to return.
    """
    total = problem.sets ** len(problem.free)
    cost, uncovered = np.empty(total), np.empty(total, dtype=np.int64)
    for start in range(0, total, _CHUNK):
        digits = _digits(np.arange(start, min(total, start + _CHUNK)), problem)
        block = slice(start, start + len(digits))
        deviation, bare = np.zeros(len(digits)), np.zeros(len(digits), dtype=np.int64)
        for place, ratio in enumerate(problem.targets):
            inside = (digits == place).astype(np.float64)
            deviation += np.abs(inside @ problem.shares - ratio).sum(axis=1)
            bare += (inside @ problem.holds == 0).sum(axis=1)
        cost[block], uncovered[block] = deviation, bare
    lot = rng(0, "partition ties").permutation(total)
    order = np.lexsort((lot, cost, uncovered))[: most * _TIED]
    return tuple(sorted(Candidate.of(problem, row) for row in _digits(order, problem)))[:most]


def _digits(numbers: np.ndarray, problem: Problem) -> np.ndarray:
    """Set of every unit for each assignment number."""
    assignments = np.tile(problem.settled, (len(numbers), 1))
    free = len(problem.free)
    assignments[:, problem.free] = numbers[:, None] // problem.sets ** np.arange(free) % problem.sets
    return np.asarray(assignments)


def prove_if_promising(
    problem: Problem, best: Candidate, *, nodes: int = NODES, clock: Clock | None = None
) -> Proof | None:
    """A first look, and all nodes only if its bound is near the best found by other means.

    Args:
        problem: what is assigned.
        best: found by other means.
        nodes: at most, for a small programme.
        clock: ends it too.

    Returns:
        What it found; None for a programme that is too large to be looked at, or no nodes.
    """
    clock = clock or Clock()
    kinds = len(Kinds.of(problem, problem.counts).rows)
    work = kinds * problem.sets * problem.counts.shape[1]
    if work > _LOOK * nodes or clock.late:
        return None
    proof = prove(problem, best, nodes=1, clock=clock)
    if proof.proven or proof.bound < _PROMISING[work > _WHOLE] * best.cost:
        return proof
    whole = prove(problem, best, nodes=max(1, int(nodes * min(1.0, (_WHOLE / work) ** 2))), clock=clock)
    return whole if whole.bound >= proof.bound else Proof(whole.candidate, proof.bound, proven=False)


def prove(problem: Problem, best: Candidate, *, nodes: int = NODES, clock: Clock | None = None) -> Proof:
    """Minimise the mean deviation exactly, as far as the nodes reach.

    Alike units are one integer variable each set, not many binary ones, so that ties cost nothing.

    Args:
        problem: what is assigned.
        best: found by other means; the bound is for assignments that cover as much.
        nodes: at most.
        clock: ends it too.
    """
    # in an order that no name has a say in: the programme's path depends on that of its rows
    order = sorted(range(problem.counts.shape[1]), key=lambda column: problem.counts[:, column].tolist())
    kinds = Kinds.of(problem, problem.counts[:, order])
    shares = problem.counts[:, order] / problem.counts[:, order].sum(axis=0)
    held = (problem.counts > 0)[:, order][:, problem.splittable[order]]
    answer = Programme(problem, kinds, held, shares).solve(nodes, clock or Clock())
    bound = round(max(0.0, answer.bound - BARE * best.uncovered), _BOUND_DIGITS)
    if answer.assignment is None:
        return Proof(None, bound, proven=False)
    return Proof(Candidate.of(problem, answer.assignment), bound, proven=answer.optimal)


def cover(problem: Problem, *, nodes: int = NODES, clock: Clock | None = None) -> tuple[np.ndarray | None, int]:
    """Whether every set can have all that enough units hold: an assignment that lacks as little as possible.

    Only strata that few units hold are looked at, and the search sees to the others.

    Returns:
        The assignment (None if none was found), and how many sets must lack how many strata in any.
    """
    holds = problem.counts > 0
    rare = problem.splittable & (holds.sum(axis=0) <= _RARE * problem.sets)
    held = holds[:, sorted(np.flatnonzero(rare), key=lambda column: holds[:, column].tolist())]
    answer = Programme(problem, Kinds.of(problem, held), held, None).solve(nodes, clock or Clock())
    return answer.assignment, int(np.ceil(max(0.0, answer.bound) / BARE - 1e-6))
