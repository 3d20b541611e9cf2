"""Which set every unit goes to: joint cells where items stand alone, whole units by search and proof elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.annotations.listing import plural
from affectcheck.partitions.cells import divide
from affectcheck.partitions.joint_units import joint_of_units
from affectcheck.partitions.problem import Problem
from affectcheck.partitions.solution import Solution
from affectcheck.partitions.solving import SHORTLIST, Found, is_shared, solve

if TYPE_CHECKING:
    from affectcheck.partitions.options import PartitionOptions
    from affectcheck.partitions.strata import Strata
    from affectcheck.partitions.units import Units

_SINGLE: Final = 200  # from so many units on, units of one item each are divided as joint cells
_FEW: Final = 3  # with fewer units a set, the second best is another thing altogether: seeds choose among equals
_EQUAL: Final = 1e-9


def assign(strata: Strata, units: Units, options: PartitionOptions, fixed: np.ndarray | None = None) -> Solution:
    """Set of each item.

    Every unit goes to one set. What comes first is that no set is empty, and that every set has every value that at
    least as many units hold as there are sets; then the mean deviation of all values and the size; then joint cells (a
    value of a label by one of every group) that as many units hold: that no set lacks them, and their mean deviation.
    Joint cells decide between assignments of equal deviation; where the optimum is not proven, also between those within
    2 % or 0.01 percentage points of the best found, unless the tolerance is smaller.

    Args:
        strata: of a table sorted by item.
        units: what must stay together.
        options: the protocol and its budget.
        fixed: (n,) set that an item must be in; -1 where it is free. Items of one unit agree.
    """
    if units.count == strata.height and units.count > _SINGLE:
        return divide(strata, options, fixed)
    problem = Problem(
        strata.counts(units.codes, units.count),
        np.array(options.ratios),
        None if fixed is None else _settled(units, fixed),
        joint_of_units(strata, units, len(options.ratios)),
    )
    tolerance = options.tolerance_pp / 100 if problem.units >= _FEW * problem.sets else 0.0
    found = solve(problem, options, tolerance)
    chosen = found.shortlist[options.seed % len(found.shortlist)]
    assignment = np.array(chosen.assignment)
    proven = found.proven and chosen.cost <= found.bound + _EQUAL
    notes = (*found.notes, *_lacking(found, problem.lacking(assignment), units, (strata, options)))
    if problem.fixed is not None and (problem.fixed >= 0).any():
        notes = tuple(f"among those that move nothing that is kept: {note}" for note in notes)
    notes = (*notes, *_choice(found, chosen.cost, problem, options))
    return Solution(assignment[units.codes], chosen.cost, found.bound, proven, found.reproducible, notes)


def _settled(units: Units, fixed: np.ndarray) -> np.ndarray:
    """(S,) set that each unit must be in; -1 where none of its items is kept anywhere."""
    settled = np.full(units.count, -1)
    np.maximum.at(settled, units.codes, fixed)
    return settled


def _choice(found: Found, cost: float, problem: Problem, options: PartitionOptions) -> list[str]:
    """Which of several near-optimal assignments this one is."""
    several = len(found.shortlist)
    if not is_shared(problem):
        return []
    notes = []
    if cost > found.best + _EQUAL:
        number = options.seed % several + 1
        notes.append(f"the seed takes number {number} of {several}, with {100 * cost:.3f} percentage points")
    if several == 1:
        notes.append("no other assignment within the tolerance was found: every seed gives this one")
    elif several < SHORTLIST:
        notes.append(f"assignments within the tolerance: {several}; seeds repeat after so many")
    return notes


def _lacking(found: Found, lacking: np.ndarray, units: Units, asked: tuple[Strata, PartitionOptions]) -> list[str]:
    """What sets lack although enough units hold it, and whether that is known to be unavoidable."""
    if not lacking.any():
        return []
    strata, options = asked
    names = [*(f"{column} = {value}" for column, value in strata.values), "any item"]
    told = [f"{names[value]} in {options.names[place]}" for place, value in np.argwhere(lacking)]
    known = "no assignment has fewer" if len(told) <= found.least_gaps else "none with fewer was found"
    return [f"{plural(len(told), 'gap')} although enough {units.noun} hold the value: {', '.join(told)}; {known}"]
