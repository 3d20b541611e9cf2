"""Exact answers for few units: every assignment looked at, or a mixed-integer programme with a bound.

The programme (HiGHS) stops after a number of nodes, never after a time, so that its answer does not depend on the
machine's load.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.partitions.search import Candidate
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from affectcheck.partitions.search import Problem

MOST_ASSIGNMENTS: Final = 600_000
MOST_UNITS: Final = 40  # for the programme
NODES: Final = 1_000
_PROMISING: Final = 0.75  # of the best found: a lower bound after the first node is not worth the others
_CHUNK: Final = 20_000
_BARE: Final = 1.0  # price of one uncovered stratum, above any gain in the mean deviation


@dataclass(frozen=True)
class Proof:
    """What the programme found.

    Attributes:
        candidate: its best assignment; None if it found none within its nodes.
        bound: no assignment that covers as much has a lower mean deviation, as a fraction.
        proven: whether the candidate meets the bound.
    """

    candidate: Candidate | None
    bound: float
    proven: bool


def can_enumerate(problem: Problem) -> bool:
    """Whether every assignment can be looked at."""
    return bool(problem.units * np.log(problem.sets) <= np.log(MOST_ASSIGNMENTS))


def enumerate_all(problem: Problem, *, most: int) -> tuple[Candidate, ...]:
    """The best assignments of all, best first; equal ones in an order that favours none.

    Args:
        problem: few units, see ``can_enumerate``.
        most: how many to return.
    """
    total = problem.sets**problem.units
    cost, uncovered = np.empty(total), np.empty(total, dtype=np.int64)
    for start in range(0, total, _CHUNK):
        digits = _digits(np.arange(start, min(total, start + _CHUNK)), problem)
        block = slice(start, start + len(digits))
        deviation, bare = np.zeros(len(digits)), np.zeros(len(digits), dtype=np.int64)
        for place, ratio in enumerate(problem.ratios):
            inside = (digits == place).astype(np.float64)
            deviation += np.abs(inside @ problem.shares - ratio).sum(axis=1)
            bare += (inside @ problem.holds == 0).sum(axis=1)
        cost[block], uncovered[block] = deviation / (problem.sets * problem.shares.shape[1]), bare
    lot = rng(0, "partition ties").permutation(total)
    order = np.lexsort((lot, np.round(cost, 12), uncovered))[:most]
    return tuple(Candidate.of(problem, row) for row in _digits(order, problem))


def _digits(numbers: np.ndarray, problem: Problem) -> np.ndarray:
    """Set of every unit for each assignment number."""
    return np.asarray(numbers[:, None] // problem.sets ** np.arange(problem.units) % problem.sets)


def prove_if_promising(problem: Problem, best: Candidate) -> Proof:
    """A first look, and all nodes only if its bound is near the best found by other means."""
    proof = prove(problem, nodes=1)
    if proof.proven or proof.bound < _PROMISING * best.cost:
        return proof
    return prove(problem)


def prove(problem: Problem, *, nodes: int = NODES) -> Proof:
    """Minimise the mean deviation exactly, as far as the nodes reach.

    Alike units are one integer variable each set, not many binary ones, so that ties cost nothing.
    """
    from scipy.optimize import milp  # noqa: PLC0415  # SciPy is loaded where it is needed only

    kinds, member, numbers = np.unique(problem.counts, axis=0, return_inverse=True, return_counts=True)
    programme = _programme(problem, kinds, numbers)
    result = milp(**programme, options={"node_limit": nodes, "mip_rel_gap": 0.0})
    # the price of uncovered strata is part of the objective: what remains is the deviation
    if result.x is None:
        return Proof(None, 0.0, proven=False)
    amounts = np.rint(result.x[: len(kinds) * problem.sets]).astype(np.int64).reshape(len(kinds), problem.sets)
    candidate = Candidate.of(problem, _spread(amounts, member.reshape(-1)))
    bound = max(0.0, float(result.mip_dual_bound) - _BARE * candidate.uncovered)
    return Proof(candidate, bound, proven=bool(result.status == 0))


def _programme(problem: Problem, kinds: np.ndarray, numbers: np.ndarray) -> dict[str, Any]:
    """Variables: amount of each kind in each set; deviation of each stratum in each set; uncovered strata."""
    from scipy.optimize import Bounds, LinearConstraint  # noqa: PLC0415
    from scipy.sparse import bmat, csr_array, eye_array, kron  # noqa: PLC0415

    sets, width = problem.sets, problem.counts.shape[1]
    shares = csr_array(kinds / problem.counts.sum(axis=0))
    held = csr_array((kinds[:, problem.splittable] > 0).astype(np.float64))
    cells, bare = width * sets, held.shape[1] * sets
    inside = kron(shares.T, eye_array(sets), format="csr")  # share of each stratum in each set
    cover = kron(held.T, eye_array(sets), format="csr")
    whole = kron(eye_array(len(kinds)), np.ones((1, sets)), format="csr")
    target = np.tile(problem.ratios, width)
    rows = bmat(
        [
            [whole, None, None],
            [inside, eye_array(cells), None],
            [inside, -eye_array(cells), None],
            [cover, None, eye_array(bare)],
        ],
        format="csr",
    )
    free = np.full(cells, np.inf)
    low = np.concatenate([numbers, target, -free, np.ones(bare)])
    high = np.concatenate([numbers, free, target, np.full(bare, np.inf)])
    amounts = len(kinds) * sets
    return {
        "c": np.concatenate([np.zeros(amounts), np.full(cells, 1 / cells), np.full(bare, _BARE)]),
        "integrality": np.concatenate([np.ones(amounts), np.zeros(cells + bare)]),
        "bounds": Bounds(0, np.concatenate([np.repeat(numbers, sets), free, np.ones(bare)])),
        "constraints": LinearConstraint(rows, low, high),
    }


def _spread(amounts: np.ndarray, member: np.ndarray) -> np.ndarray:
    """Units of each kind to sets, in order, by the amounts."""
    assignment = np.zeros(len(member), dtype=np.int64)
    for kind, row in enumerate(amounts):
        assignment[member == kind] = np.repeat(np.arange(len(row)), row)
    return assignment
