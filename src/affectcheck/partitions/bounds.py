"""A bound without a programme: what each stratum alone cannot get under, whatever is done with all others.

The units that hold most of a stratum are put in every set in turn; what the others hold is taken for sand that fills
any gap. A value that one subject holds, or a subject who holds most items, is known exactly in that way. The bounds of
the strata add up, as the deviation that is minimised is their mean.
"""

from __future__ import annotations

from math import comb, fsum
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from affectcheck.partitions.problem import Problem

_MOST_WAYS: Final = 60_000
_ROUND_OFF: Final = 1e-9


def stratum_bound(problem: Problem, *, covered: bool) -> float:
    """No assignment has a lower mean deviation, as a fraction.

    Args:
        problem: what is assigned.
        covered: only of assignments that put every stratum that enough units hold in every set.
    """
    lows = [_least(problem, column, covered=covered) for column in range(problem.counts.shape[1])]
    return max(0.0, fsum(lows) / (len(lows) * problem.sets) - _ROUND_OFF)


def _least(problem: Problem, column: int, *, covered: bool) -> float:
    """Least summed deviation of one stratum."""
    counts = problem.counts[:, column]
    kept = problem.settled >= 0
    settled = np.zeros(problem.sets)
    np.add.at(settled, problem.settled[kept], counts[kept])
    sizes, numbers = np.unique(counts[(problem.settled < 0) & (counts > 0)], return_counts=True)
    ways, placed = settled[None, :], 0
    for size, number in zip(sizes[::-1], numbers[::-1], strict=True):
        if len(ways) * comb(int(number) + problem.sets - 1, problem.sets - 1) > _MOST_WAYS:
            break
        ways = (ways[:, None, :] + size * _dealt(int(number), problem.sets)).reshape(-1, problem.sets)
        placed += int(number)
    total = counts.sum()
    if placed == numbers.sum():
        full = (ways > 0).all(axis=1)
        ways = ways[full] if covered and problem.splittable[column] and full.any() else ways
        return float(np.abs(ways / total - problem.ratios).sum(axis=1).min())
    return 2 * float(np.maximum(ways / total - problem.ratios, 0).sum(axis=1).min())


def _dealt(number: int, sets: int) -> np.ndarray:
    """(W, K) all ways to deal so many alike units."""
    if sets == 1:
        return np.array([[number]])
    rest = [_dealt(number - first, sets - 1) for first in range(number + 1)]
    return np.concatenate([np.insert(block, 0, first, axis=1) for first, block in enumerate(rest)])
