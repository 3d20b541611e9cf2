"""Clusters that say something about a class: a subject in whom it never occurs adds nothing to what is known of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.tallies import Binned, Confusion, Signs, Tally, Units
from affectcheck.uncertainty.grouped import Grouped

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

#: Tallies of counts, of which a value of one class is undefined exactly where the class does not occur.
COUNTED = (Binned, Confusion, Signs, Units)


def holding(statistic: Callable[[Any], NDArray[Any]], point: Tally, held: Tally | Grouped[Any]) -> NDArray[np.int64]:
    """How many clusters have a say in the value of each class: one of their own, or the whole is another without them.

    Args:
        statistic: (..., parts) of a tally over its leading axes, such as the recall of each class.
        point: (...) the tally of all clusters.
        held: (S, ...) one tally a cluster, or one a group of it.

    Returns:
        (..., parts) clusters.

    Example:
        Three subjects, of whom one shows the second class: its recall rests on one.

        >>> from affectcheck.metrics import METRICS
        >>> tally = Confusion.count([0, 0, 0, 1], [0, 0, 1, 1], labels=2, cells=[0, 1, 2, 2])
        >>> holding(METRICS.get("recall").compute, tally.pooled(), tally).tolist()
        [3, 1]
    """
    if isinstance(held, Grouped):
        say = _say(statistic, point[held.group], held.parts)
        return np.stack([say[held.group == g].sum(axis=0) for g in range(held.groups)]).astype(np.int64)
    return np.asarray(_say(statistic, point, held).sum(axis=0), np.int64)


def items_holding(statistic: Callable[[Any], NDArray[Any]], tally: Confusion) -> NDArray[np.int64]:
    """How many items have a say in the value of each class.

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
    cells, lead = tally.cells, tally.shape
    size = tally.labels * (tally.labels + 1)
    single = np.eye(size).reshape(size, *[1] * len(lead), tally.labels, tally.labels + 1)
    # Of a cell that holds nothing nothing can be left out; it counts no items below.
    each = Confusion.of_cells(np.minimum(single, cells))
    say = _say(statistic, tally, each)
    often = np.moveaxis(cells.reshape(*lead, size), -1, 0)
    return np.asarray((often[..., None] * say).sum(axis=0), np.int64)


def _say(statistic: Callable[[Any], NDArray[Any]], point: Tally, each: Tally) -> NDArray[np.bool_]:
    """(S, ..., parts) whether a value exists by one tally alone, or is another without it; the counts are exact."""
    left: dict[str, Any] = {name: getattr(point, name) - getattr(each, name) for name in each.TRAILING}
    value, without = statistic(point), statistic(replace(each, **left))
    same = (without == value) | (np.isnan(without) & np.isnan(value))
    return np.asarray(~np.isnan(statistic(each)) | ~same)
