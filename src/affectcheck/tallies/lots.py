"""Items held as they are, with the cell of each: what a sample is made of."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Lot:
    """Some items, never changed once they are in a sample.

    Attributes:
        truth: (n, P) of a real type, NaN where unknown; or of whole numbers, negative where unknown.
        score: (n, P) of a real type.
        cell: (n,) cell of each item, from 0.
        weight: (n,) how often each item counts; None where each counts once.
    """

    truth: NDArray[Any]
    score: NDArray[Any]
    cell: NDArray[np.intp]
    weight: Floats | None = None

    @property
    def items(self) -> int:
        """Number of items, n."""
        return int(self.cell.size)

    def column(self, part: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.intp], Floats | None]:
        """Truth, score, cell and weight of one part, of the items whose truth is known."""
        truth = self.truth[:, part]
        rows = known(truth)
        return truth[rows], self.score[rows, part], self.cell[rows], None if self.weight is None else self.weight[rows]

    def total(self, cells: int, test: Callable[[NDArray[Any]], NDArray[np.bool_]]) -> NDArray[Any]:
        """(cells, P) weight of the items whose truth passes a test; int64 where each counts once."""
        found = []
        for part in range(self.truth.shape[1]):
            hit = test(self.truth[:, part])
            weights = None if self.weight is None else self.weight[hit]
            found.append(np.bincount(self.cell[hit], weights, minlength=cells))
        return np.stack(found, axis=-1) if found else np.zeros((cells, 0), np.int64)

    def kept(self, rows: NDArray[Any]) -> Lot:
        """Some of the items, by mask or by number."""
        weight = None if self.weight is None else self.weight[rows]
        return Lot(self.truth[rows], self.score[rows], self.cell[rows], weight)

    def recoded(self, table: NDArray[np.intp]) -> Lot:
        """Every cell renamed; an item whose cell becomes negative is left out."""
        cell = table[self.cell]
        stays = cell >= 0
        if stays.all():
            return replace(self, cell=cell)
        return replace(self.kept(stays), cell=cell[stays])

    def spread(self, taken: NDArray[np.intp], cells: int) -> Lot:
        """The items of the cells that are taken, one after the other; a cell may be taken often.

        Args:
            taken: (k,) cells, of which number i becomes cell i.
            cells: number of cells there are.
        """
        often = np.bincount(taken, minlength=cells)
        if not often.size or often.max() <= 1:
            table = np.full(cells, -1, np.intp)
            table[taken] = np.arange(taken.size)
            return self.recoded(table)
        order = np.argsort(taken, kind="stable")
        first = np.concatenate([[0], np.cumsum(often)])
        copies = often[self.cell]
        rows = np.repeat(np.arange(self.items), copies)
        number = np.arange(rows.size) - np.repeat(np.cumsum(copies) - copies, copies)
        return replace(self.kept(rows), cell=order[first[self.cell[rows]] + number])

    def times(self, weight: Floats) -> Lot:
        """The items counted so many times more, without those that no longer count."""
        together = weight if self.weight is None else weight * self.weight
        return replace(self, weight=together).kept(together > 0.0)


def known(truth: NDArray[Any]) -> NDArray[np.bool_]:
    """(n,) whether the truth is known."""
    return np.asarray(truth >= 0 if truth.dtype.kind in "iub" else ~np.isnan(truth))


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
