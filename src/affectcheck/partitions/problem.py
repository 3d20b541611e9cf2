"""Units to be assigned to sets, and what an assignment is worth.

What is minimised, in this order: empty sets; strata that a set lacks although enough units hold them; the mean, over
the sets and over every stratum and the size, of |share of the stratum that lies in the set − target share|; joint
cells (a label by all groups) that a set lacks although enough units hold them; the same mean over joint cells. The
last two only decide between assignments that are equally good, or nearly so.

Shares are rounded to multiples of a power of two so small that every sum of them is exact. So neither the order of
labels, groups and subjects, nor that of a sum, nor the machine decides a tie.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from affectcheck.seeds import entropy

_EXACT_BITS: Final = 50  # of the 53 of a double; the others are for sums of few terms
_DIGITS: Final = 12  # of a cost: beyond the rounding of shares


@dataclass(frozen=True, eq=False)
class Problem:
    """Units to be assigned to sets.

    Attributes:
        counts: (S, V + 1) items of every unit and stratum; the last column is its size.
        ratios: (K,) target shares.
        fixed: (S,) set that a unit must be in, -1 where it is free; None where all are.
        joint: (S, C) items of every unit and joint cell, of cells that at least as many units hold as there are
            sets; None where there are none.
    """

    counts: np.ndarray
    ratios: np.ndarray
    fixed: np.ndarray | None = None
    joint: np.ndarray | None = None

    @property
    def sets(self) -> int:
        """Number of sets."""
        return len(self.ratios)

    @property
    def units(self) -> int:
        """Number of units."""
        return len(self.counts)

    @cached_property
    def settled(self) -> np.ndarray:
        """(S,) set that a unit must be in, -1 where it is free."""
        return np.full(self.units, -1) if self.fixed is None else self.fixed

    @cached_property
    def free(self) -> np.ndarray:
        """(F,) units that may be in any set."""
        return np.flatnonzero(self.settled < 0)

    @cached_property
    def shares(self) -> np.ndarray:
        """(S, V + 1) share of every stratum's items that a unit holds, rounded so that sums are exact."""
        return _rounded(self.counts / self.counts.sum(axis=0), self.sets)

    @cached_property
    def targets(self) -> np.ndarray:
        """(K,) target shares, rounded as shares are."""
        return _rounded(self.ratios, self.sets, self.counts.shape[1])

    @cached_property
    def splittable(self) -> np.ndarray:
        """(V + 1,) whether at least as many units hold the stratum as there are sets."""
        return np.asarray((self.counts > 0).sum(axis=0) >= self.sets)

    @cached_property
    def holds(self) -> np.ndarray:
        """(S, splittable strata) 1 where the unit holds it; the size is among them, so no set may be empty."""
        return (self.counts[:, self.splittable] > 0).astype(np.float64)

    def cost(self, assignment: np.ndarray) -> float:
        """Mean deviation of an assignment, as a fraction."""
        return _mean_deviation(self.shares, self.targets, self.inside(assignment))

    def lacking(self, assignment: np.ndarray) -> np.ndarray:
        """(K, V + 1) whether a set lacks a splittable stratum."""
        lacks = np.zeros((self.sets, len(self.splittable)), dtype=bool)
        lacks[:, self.splittable] = self.inside(assignment) @ self.holds == 0
        return lacks

    def uncovered(self, assignment: np.ndarray) -> int:
        """How many sets lack how many splittable strata."""
        return int(self.lacking(assignment).sum())

    def joint_score(self, assignment: np.ndarray) -> tuple[int, float]:
        """How many sets lack how many joint cells that enough units hold, and the mean deviation of all these cells."""
        if self.joint is None:
            return 0, 0.0
        inside = self.inside(assignment)
        lacks = int((inside @ self.joint_holds == 0).sum())
        return lacks, round(_mean_deviation(self.joint_shares, self.joint_targets, inside), _DIGITS)

    @cached_property
    def joint_holds(self) -> np.ndarray:
        """(S, C) 1 where the unit holds the joint cell; no columns where there are none."""
        joint = np.zeros((self.units, 0)) if self.joint is None else self.joint
        return (joint > 0).astype(np.float64)

    @cached_property
    def joint_shares(self) -> np.ndarray:
        """(S, C) share of every joint cell's items that a unit holds, rounded as shares are."""
        joint = np.zeros((self.units, 0)) if self.joint is None else self.joint
        return _rounded(joint / joint.sum(axis=0), self.sets)

    @cached_property
    def joint_targets(self) -> np.ndarray:
        """(K,) target shares, rounded as those of joint cells are."""
        return _rounded(self.ratios, self.sets, self.joint_shares.shape[1])

    def inside(self, assignment: np.ndarray) -> np.ndarray:
        """(K, S) 1 where a unit is in a set."""
        return np.asarray(assignment == np.arange(self.sets)[:, None], dtype=np.float64)


def _rounded(shares: np.ndarray, sets: int, width: int = 0) -> np.ndarray:
    """Shares as multiples of a power of two so small that sums over all strata and sets stay exact."""
    width = width or shares.shape[-1]
    grain = 2.0 ** (_EXACT_BITS - int(np.ceil(np.log2(4 * sets * max(width, 1)))))
    return np.asarray(np.rint(shares * grain) / grain)


def _mean_deviation(shares: np.ndarray, targets: np.ndarray, inside: np.ndarray) -> float:
    deviation = inside @ shares - targets[:, None]
    return float(np.abs(deviation).sum() / deviation.size)


@dataclass(frozen=True, order=True)
class Candidate:
    """One assignment.

    Attributes:
        uncovered: sets that lack a splittable stratum, counted by stratum.
        cost: mean deviation, as a fraction.
        joint: sets that lack a joint cell that enough units hold, counted by cell; and the cells' mean deviation.
        lot: decides between equal ones, so that none is favoured for the order of its subjects.
        assignment: set of each unit.
    """

    uncovered: int
    cost: float
    joint: tuple[int, float]
    lot: int
    assignment: tuple[int, ...]

    @classmethod
    def of(cls, problem: Problem, assignment: np.ndarray) -> Candidate:
        """Judge an assignment."""
        places = tuple(int(place) for place in assignment)
        lot = entropy(0, "partition ties", ",".join(map(str, places)))
        cost = round(problem.cost(assignment), _DIGITS)
        return cls(problem.uncovered(assignment), cost, problem.joint_score(assignment), lot, places)
