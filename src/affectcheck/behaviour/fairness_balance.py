"""Sets of equal truth in every group."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from affectcheck.evaluation.balance import balance_classes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from affectcheck.evaluation.balance import Pool


def equal_classes(pool: Pool, classes: int) -> NDArray[np.int64]:
    """Places of a set in which every group has the same number of items of every class, sorted.

    Where no number of items is stated, each group gives of every class what the poorest has. Where one is, so many
    items of the smallest group are drawn, whatever their class, and every other group gives as many of each class, as
    the published results have it. A class of which a group has fewer is cut in all groups.

    Example:
        >>> from affectcheck.evaluation.balance import Pool
        >>> pool = Pool(list("abcdef"), np.array([0, 1, 0, 0, 1, 1]), np.array([0, 0, 1, 1, 1, 1]), 2, 0, limit=1)
        >>> len(equal_classes(pool, 2))
        2
    """
    if pool.limit is None:
        return balance_classes(pool, classes)
    shuffled = [pool.shuffled(group) for group in range(pool.n_groups)]
    smallest = min(range(pool.n_groups), key=lambda group: len(shuffled[group]))
    shuffled[smallest] = shuffled[smallest][: pool.limit]
    counts = [np.bincount(pool.truth[places].astype(np.int64), minlength=classes) for places in shuffled]
    share = np.min(counts, axis=0)
    chosen = [places[pool.truth[places] == code][: share[code]] for places in shuffled for code in range(classes)]
    return np.sort(np.concatenate(chosen))


def first_of_each(pool: Pool) -> NDArray[np.int64]:
    """Places of at most so many items of each group, drawn by their keys, sorted.

    Example:
        >>> from affectcheck.evaluation.balance import Pool
        >>> pool = Pool(list("abc"), np.zeros(3), np.array([0, 0, 1]), 2, seed=0, limit=1)
        >>> len(first_of_each(pool))
        2
    """
    return np.sort(np.concatenate([pool.shuffled(group)[: pool.limit] for group in range(pool.n_groups)]))
