"""The mixed-integer programme that assigns units to sets, for HiGHS as SciPy brings it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from affectcheck.partitions.clock import Clock
    from affectcheck.partitions.problem import Problem

BARE: Final = 2.0  # price of one uncovered stratum, above any gain in the mean deviation


@dataclass(frozen=True, eq=False)
class Kinds:
    """Units that a programme need not tell apart.

    Attributes:
        first: (G,) one unit of each kind.
        numbers: (G,) units of each kind.
        member: (S,) kind of each unit.
        rows: (G, ...) what the units of a kind have in common, their set (-1 if free) last.
    """

    first: np.ndarray
    numbers: np.ndarray
    member: np.ndarray
    rows: np.ndarray

    @classmethod
    def of(cls, problem: Problem, values: np.ndarray) -> Kinds:
        """Kinds of units that agree in these values and are free, or in the same set."""
        rows, first, member, numbers = np.unique(
            np.column_stack([values, problem.settled]),
            axis=0,
            return_index=True,
            return_inverse=True,
            return_counts=True,
        )
        return cls(first, numbers, member.reshape(-1), rows)

    def spread(self, amounts: np.ndarray) -> np.ndarray:
        """Units of each kind to sets, in order, by the amounts."""
        assignment = np.zeros(len(self.member), dtype=np.int64)
        for kind, row in enumerate(amounts):
            assignment[self.member == kind] = np.repeat(np.arange(len(row)), row)
        return assignment


@dataclass(frozen=True, eq=False)
class Answer:
    """Of a programme: an assignment, if it found one; what none is below; and whether it is the best."""

    assignment: np.ndarray | None
    bound: float
    optimal: bool


@dataclass(frozen=True, eq=False)
class Programme:
    """Variables: amount of each kind in each set; deviation of each stratum in each set; uncovered strata.

    Attributes:
        problem: what is assigned.
        kinds: of its units.
        held: (S, B) whether a unit holds a stratum that every set should have.
        shares: (S, W) shares of the strata that are balanced; None for none.
    """

    problem: Problem
    kinds: Kinds
    held: np.ndarray
    shares: np.ndarray | None

    def solve(self, nodes: int, clock: Clock) -> Answer:
        """As far as nodes and time reach."""
        from scipy.optimize import milp  # noqa: PLC0415  # SciPy is loaded where it is needed only

        limits: dict[str, Any] = {"node_limit": nodes, "mip_rel_gap": 0.0}
        if clock.left is not None:
            limits["time_limit"] = clock.left
        result = milp(**self._arguments(), options=limits)
        clock.late  # noqa: B018  # it notes that it ended the programme
        bound = 0.0 if result.mip_dual_bound is None else float(result.mip_dual_bound)
        if result.x is None:
            return Answer(None, bound, optimal=False)
        sets = self.problem.sets
        amounts = np.rint(result.x[: len(self.kinds.first) * sets]).astype(np.int64).reshape(-1, sets)
        return Answer(self.kinds.spread(amounts), bound, optimal=bool(result.status == 0))

    def _arguments(self) -> dict[str, Any]:
        from scipy.optimize import Bounds, LinearConstraint  # noqa: PLC0415
        from scipy.sparse import bmat, csr_array, eye_array, kron  # noqa: PLC0415

        sets, first = self.problem.sets, self.kinds.first
        shares = np.zeros((len(first), 0)) if self.shares is None else self.shares[first]
        width, barred = shares.shape[1], self.held.shape[1]
        cells, bare = width * sets, barred * sets
        inside = kron(csr_array(shares.T), eye_array(sets), format="csr")  # share of each stratum in each set
        covered = kron(csr_array(self.held[first].astype(np.float64).T), eye_array(sets), format="csr")
        whole = kron(eye_array(len(first)), np.ones((1, sets)), format="csr")
        blocks = [
            [whole, csr_array((len(first), cells)), csr_array((len(first), bare))],
            [inside, eye_array(cells), csr_array((cells, bare))],
            [inside, -eye_array(cells), csr_array((cells, bare))],
            [covered, csr_array((bare, cells)), eye_array(bare)],
        ]
        rows = bmat([block for block in blocks if block[0].shape[0]], format="csr")
        target, free = np.tile(self.problem.ratios, width), np.full(cells, np.inf)
        low = np.concatenate([self.kinds.numbers, target, -free, np.ones(bare)])
        high = np.concatenate([self.kinds.numbers, free, target, np.full(bare, np.inf)])
        least, most = self._amounts()
        return {
            "c": np.concatenate([np.zeros(len(least)), np.full(cells, 1 / max(cells, 1)), np.full(bare, BARE)]),
            "integrality": np.concatenate([np.ones(len(least)), np.zeros(cells + bare)]),
            "bounds": Bounds(
                np.concatenate([least, np.zeros(cells + bare)]), np.concatenate([most, free, np.ones(bare)])
            ),
            "constraints": LinearConstraint(rows, low, high),
        }

    def _amounts(self) -> tuple[np.ndarray, np.ndarray]:
        """Fewest and most units of each kind in each set: kinds that must be in one are."""
        sets = self.problem.sets
        settled = self.problem.settled[self.kinds.first][:, None]
        numbers = np.repeat(self.kinds.numbers[:, None], sets, axis=1)
        here = settled == np.arange(sets)
        least, most = np.where(here, numbers, 0), np.where(here | (settled < 0), numbers, 0)
        return least.reshape(-1), most.reshape(-1)
