"""Clusters that say something about a class: a subject in whom it never occurs adds nothing to what is known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.tallies import Binned, Confusion, Signs, Tally, Units
from affectcheck.uncertainty.grouped import Grouped

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

#: Tallies of counts, of which a value of one class is undefined exactly where the class does not occur.
COUNTED = (Binned, Confusion, Signs, Units)

#: Numbers held at a time while single items are looked at: 32 MB.
_HELD = 4_000_000


def holding(statistic: Callable[[Any], NDArray[Any]], held: Tally | Grouped[Any]) -> NDArray[np.int64]:
    """How many clusters have a value of each class by themselves.

    Args:
        statistic: (..., parts) of a tally over its leading axes, such as the recall of each class.
        held: (S, ...) one tally a cluster, or one a group of it.

    Returns:
        (..., parts) clusters.

    Example:
        Three subjects, of whom one shows the second class: its recall rests on one.

        >>> from affectcheck.metrics import METRICS
        >>> tally = Confusion.count([0, 0, 0, 1], [0, 0, 1, 1], labels=2, cells=[0, 1, 2, 2])
        >>> holding(METRICS.get("recall").compute, tally).tolist()
        [3, 1]
    """
    if isinstance(held, Grouped):
        known = ~np.isnan(statistic(held.parts))
        return np.stack([known[held.group == g].sum(axis=0) for g in range(held.groups)]).astype(np.int64)
    return np.asarray((~np.isnan(statistic(held))).sum(axis=0), np.int64)


def items_holding(statistic: Callable[[Any], NDArray[Any]], tally: Confusion) -> NDArray[np.int64]:
    """How many items have a value of each class by themselves.

    Args:
        statistic: (..., C) of a tally over its leading axes.
        tally: (...) counts.

    Returns:
        (..., C) items.

    Example:
        Recall is about the items of a class, precision about those that are taken for it.

        >>> from affectcheck.metrics import METRICS
        >>> tally = Confusion.of_counts([[5, 1], [0, 2]])
        >>> [items_holding(METRICS.get(name).compute, tally).tolist() for name in ("recall", "precision", "f1")]
        [[6, 2], [5, 3], [6, 3]]
    """
    cells = tally.cells.reshape(*tally.shape, -1)
    size = tally.labels * (tally.labels + 1)
    there = np.flatnonzero(cells.reshape(-1, size).any(axis=0))  # of hundreds of classes most pairs never occur
    rows = max(1, _HELD // size)
    known = []
    for start in range(0, max(there.size, 1), rows):
        some = there[start : start + rows]
        each = np.zeros((some.size, size), np.int64)
        each[np.arange(some.size), some] = 1
        known.append(~np.isnan(statistic(Confusion.of_cells(each.reshape(-1, tally.labels, tally.labels + 1)))))
    return np.asarray(cells[..., there] @ np.concatenate(known).astype(np.int64), np.int64)
