"""Which set every unit goes to: joint cells where items stand alone, whole units by search and proof elsewhere."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.partitions.cells import divide
from affectcheck.partitions.exact import MOST_UNITS, can_enumerate, enumerate_all, prove_if_promising
from affectcheck.partitions.search import Candidate, Problem, near, search, starts_for
from affectcheck.partitions.solution import Solution

if TYPE_CHECKING:
    from affectcheck.partitions.options import PartitionOptions
    from affectcheck.partitions.strata import Strata
    from affectcheck.partitions.units import Units

_SHORTLIST: Final = 20  # near-optimal assignments that seeds choose from
_SINGLE: Final = 200  # from so many units on, units of one item each are divided as joint cells
_FEW: Final = 3  # with fewer units a set, the second best is another thing altogether: seeds choose among equals
_SHARED_SEARCH: Final = 130  # up to so many units, all seeds choose from one search; beyond, each has its own


def assign(strata: Strata, units: Units, options: PartitionOptions, fixed: np.ndarray | None = None) -> Solution:
    """Set of each item.

    Args:
        strata: of a table sorted by item.
        units: what must stay together.
        options: the protocol and its budget.
        fixed: (n,) set that an item must be in; -1 where it is free. Items of one unit agree.
    """
    ratios = np.array(options.ratios)
    if units.count == strata.height and units.count > _SINGLE:
        return divide(strata, options, fixed)
    del fixed
    problem = Problem(strata.counts(units.codes, units.count), ratios)
    shortlist, notes = _shortlist(problem, options)
    chosen = shortlist[options.seed % len(shortlist)]
    if len(shortlist) < _SHORTLIST and problem.units <= _SHARED_SEARCH:
        notes = (*notes, f"assignments within the tolerance: {len(shortlist)}; seeds repeat after so many")
    return Solution(np.array(chosen.assignment)[units.codes], chosen.cost, notes=notes)


def _shortlist(problem: Problem, options: PartitionOptions) -> tuple[tuple[Candidate, ...], tuple[str, ...]]:
    """Near-optimal assignments, best first: a seed takes the one of its number, counted round."""
    shared = problem.units <= _SHARED_SEARCH
    frozen = (problem.counts.tobytes(), problem.counts.shape, options.ratios)
    candidates, notes = _candidates(*frozen, seed=0 if shared else options.seed)
    most = _SHORTLIST if shared else 1
    tolerance = options.tolerance_pp / 100 if problem.units >= _FEW * problem.sets else 0.0
    return tuple(near(candidates, tolerance, most)), notes


@lru_cache(maxsize=16)
def _candidates(
    counts: bytes, shape: tuple[int, ...], ratios: tuple[float, ...], *, seed: int
) -> tuple[tuple[Candidate, ...], tuple[str, ...]]:
    """All that the search finds; remembered, as seeds of one table choose from the same."""
    problem = Problem(np.frombuffer(counts, dtype=np.int64).reshape(shape), np.array(ratios))
    if can_enumerate(problem):
        return enumerate_all(problem, most=_SHORTLIST), ("every assignment was looked at: the best is the optimum",)
    found = set(search(problem, seed=seed, starts=starts_for(problem.units)))
    if problem.units > MOST_UNITS:
        return tuple(sorted(found)), ()
    proof = prove_if_promising(problem, min(found))
    if proof.candidate is not None:
        found.add(proof.candidate)
    best = 100 * min(found).cost
    known = "proven optimal" if proof.proven else f"the optimum is at least {100 * proof.bound:.3f}"
    return tuple(sorted(found)), (f"best mean deviation found: {best:.3f} percentage points, {known}",)
