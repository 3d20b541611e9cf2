"""Weights of cells that stand beside lots of items, and which cells are taken of them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from affectcheck.tallies.lots import Lot

    Floats = NDArray[np.float64]

#: Weights of cells taken into float64 at a time: 8 MB.
ENTRIES = 1_000_000


def compact(weights: NDArray[Any]) -> NDArray[Any]:
    """The same weights in one or two bytes each where they are small whole numbers.

    Example:
        >>> compact(np.array([[0.0, 2.0]])).dtype.name, compact(np.array([[0.5]])).dtype.name
        ('uint8', 'float64')
    """
    if weights.dtype.kind in "ub":
        return weights.view(np.uint8) if weights.dtype.kind == "b" else weights
    high = float(weights.max(initial=0.0))
    for kind in (np.uint8, np.uint16):
        if high <= np.iinfo(kind).max:
            small = weights.astype(kind)
            return small if np.array_equal(small, weights) else weights
    return weights


def product(taken: NDArray[np.intp], inside: int) -> tuple[NDArray[np.intp], NDArray[np.intp]] | None:
    """The outer and inner cells of which cells taken in any shape are every combination; None where they are not.

    Args:
        taken: number of each cell taken: that of its outer cell times ``inside``, plus that of its inner cell.
        inside: number of inner cells.

    Example:
        >>> outer, inner = product(np.array([[2, 3], [6, 7]]), 4)
        >>> outer.tolist(), inner.tolist()
        ([0, 1], [2, 3])
        >>> product(np.array([0, 5]), 4) is None
        True
    """
    outer, inner = taken // inside, taken % inside
    for axes in range(taken.ndim, -1, -1):
        lead, rest = taken.shape[:axes], taken.shape[axes:]
        split = (math.prod(lead), math.prod(rest))
        first, second = outer.reshape(split), inner.reshape(split)
        if (first == first[:, :1]).all() and (second == second[:1]).all():
            return first[:, 0].reshape(lead), second[0].reshape(rest)
    return None


def side_by_side(
    weighted: Sequence[tuple[tuple[Lot, ...], tuple[NDArray[Any], ...]]], starts: Sequence[int]
) -> tuple[tuple[Lot, ...], tuple[NDArray[Any], ...]]:
    """Lots and their weights, of several samples one after the other; a lot that several hold is held once.

    Args:
        weighted: for each sample its lots, and the weights (L, S) of each.
        starts: row of each sample's first weighting, and the number of all.
    """
    found: dict[int, tuple[Lot, list[NDArray[Any]]]] = {}
    for (lots, mixes), start in zip(weighted, starts[:-1], strict=True):
        for lot, mix in zip(lots, mixes, strict=True):
            _, rows = found.setdefault(id(lot), (lot, []))
            rows += [_nothing(start - sum(map(len, rows)), mix), mix]
    together = tuple(
        np.concatenate([*rows, _nothing(starts[-1] - sum(map(len, rows)), rows[0])]) for _, rows in found.values()
    )
    return tuple(lot for lot, _ in found.values()), together


def _nothing(rows: int, like: NDArray[Any]) -> NDArray[np.uint8]:
    return np.zeros((rows, like.shape[1]), np.uint8)


def everywhere(cells: NDArray[np.intp], outer: int, inside: int) -> NDArray[np.intp]:
    """Numbers of the inner cells in each of some outer cells, one outer cell after the other."""
    return np.asarray((np.arange(outer)[:, None] * inside + cells).ravel())


def mixed(mix: NDArray[Any], base: Floats) -> Floats:
    """Weights (L, S) @ base (S, k), taking few of the weights into float64 at a time."""
    rows = max(1, ENTRIES // max(mix.shape[1], 1))
    blocks = [mix[start : start + rows].astype(np.float64) @ base for start in range(0, mix.shape[0], rows)]
    return np.concatenate([base[:0], *blocks])
