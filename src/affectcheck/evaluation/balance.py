"""Groups of equal truth: drawn without replacement, keyed by item, so that neither order nor process matters.

The published procedure takes 1000 items of the smallest group and looks for their like in every other group. Here
each group gives, of every class, as many items as the poorest group has; or, for dimensions, the smallest group is
matched by the nearest value that is left. Nothing is drawn twice and every item can be drawn.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.seeds import entropy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Pool:
    """What groups are drawn from.

    Attributes:
        items: (n,) keys, which order the draws.
        truth: (n,) codes or values.
        groups: (n,) group codes from 0.
        n_groups: number of groups.
        seed: the run's seed.
        limit: most items a group may give; None for all.
    """

    items: Sequence[str]
    truth: NDArray[np.generic]
    groups: NDArray[np.int64]
    n_groups: int
    seed: int
    limit: int | None = None

    def shuffled(self, group: int) -> Places:
        """Places of a group's items, in an order drawn from the seed and the keys."""
        places: list[int] = np.flatnonzero(self.groups == group).tolist()
        places.sort(key=lambda place: entropy(self.seed, "balance", self.items[place]))
        return np.array(places, np.int64)


def balance_classes(pool: Pool, classes: int) -> Places:
    """Places of a set in which every group has the same number of items of every class, sorted.

    Example:
        >>> pool = Pool(list("abcd"), np.array([0, 0, 0, 1]), np.array([0, 1, 1, 1]), 2, seed=0)
        >>> len(balance_classes(pool, 2))
        2
    """
    shuffled = [pool.shuffled(group) for group in range(pool.n_groups)]
    counts = np.array([np.bincount(pool.truth[places].astype(np.int64), minlength=classes) for places in shuffled])
    share = _capped(counts.min(axis=0), pool.limit)
    chosen = [places[pool.truth[places] == c][: share[c]] for places in shuffled for c in range(classes)]
    return np.sort(np.concatenate(chosen))


def balance_values(pool: Pool) -> Places:
    """Places of a set in which every item of the smallest group has its nearest counterpart in each other group.

    Ties go to the smaller value. The items of the smallest group choose in an order drawn from the seed.

    Example:
        >>> pool = Pool(list("abcd"), np.array([0.5, 0.1, 0.4, 0.6]), np.array([0, 1, 1, 1]), 2, seed=0)
        >>> balance_values(pool).tolist()
        [0, 2]
    """
    shuffled = [pool.shuffled(group) for group in range(pool.n_groups)]
    smallest = min(range(pool.n_groups), key=lambda group: len(shuffled[group]))
    wanted = shuffled[smallest][: pool.limit]
    chosen = [wanted]
    for group, places in enumerate(shuffled):
        if group != smallest:
            chosen.append(_nearest(pool.truth, wanted, places))
    return np.sort(np.concatenate(chosen))


def _capped(counts: Places, limit: int | None) -> Places:
    """At most ``limit`` items in all, each class by its share, largest remainders first."""
    total = int(counts.sum())
    if limit is None or total <= limit:
        return counts
    exact = counts * limit / total
    kept = np.floor(exact).astype(np.int64)
    rest = limit - int(kept.sum())
    kept[np.argsort(kept - exact, kind="stable")[:rest]] += 1
    return kept


def _nearest(truth: NDArray[np.generic], wanted: Places, places: Places) -> Places:
    """For each wanted place in turn, the place of the nearest remaining value."""
    order = places[np.argsort(truth[places], kind="stable")].tolist()
    values = truth[order].tolist()
    found = []
    for value in truth[wanted].tolist():
        right = bisect_left(values, value)
        left = right - 1
        nearer_left = right == len(values) or (left >= 0 and value - values[left] <= values[right] - value)
        pick = bisect_left(values, values[left]) if nearer_left else right
        found.append(order.pop(pick))
        values.pop(pick)
    return np.array(found, np.int64)
