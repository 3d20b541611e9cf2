"""Smallest value among those tallies that a resample holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FIRST = 16  # a resample holds one of the 16 smallest of many clusters with probability 1 - e**-16


def first_present(values: NDArray[np.float64], present: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Minimum over the first axis, for each result among the entries present in it.

    Entries are sorted once and looked at from the smallest, so that the cost does not grow with their number.

    Args:
        values: (S, ...).
        present: (B, S).

    Returns:
        (B, ...); inf where nothing is present.

    Example:
        >>> first_present(np.array([3.0, 1.0, 2.0]), np.array([[True, False, True], [False, False, False]])).tolist()
        [2.0, inf]
    """
    flat = values.reshape(values.shape[0], -1)
    order = np.argsort(flat, axis=0, kind="stable")
    found = np.full((present.shape[0], flat.shape[1]), np.inf)
    for column in range(flat.shape[1]):
        _scan(found[:, column], flat[:, column], order[:, column], present)
    return found.reshape(present.shape[0], *values.shape[1:])


def _scan(found: NDArray[np.float64], values: NDArray[Any], order: NDArray[np.intp], present: NDArray[Any]) -> None:
    waiting = np.arange(present.shape[0])
    start, width = 0, _FIRST
    while waiting.size and start < order.size:
        block = order[start : start + width]
        hit = present[np.ix_(waiting, block)]
        has = hit.any(axis=1)
        found[waiting[has]] = values[block[hit[has].argmax(axis=1)]]
        waiting = waiting[~has]
        start, width = start + width, width * 2
