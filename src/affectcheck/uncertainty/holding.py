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
    cells = tally.cells
    size = tally.labels * (tally.labels + 1)
    each = Confusion.of_cells(np.eye(size, dtype=np.int64).reshape(size, tally.labels, tally.labels + 1))
    known = ~np.isnan(statistic(each))
    return np.asarray(cells.reshape(*cells.shape[:-2], size) @ known.astype(np.int64), np.int64)
