"""Statistics of ranks, prepared once for some items and computed under many weightings of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.tallies.lots import Lot

Floats: TypeAlias = NDArray[np.float64]


class Ranking(Protocol):
    """A statistic of the ranks of some items: what is sorted is sorted once, whatever the weights."""

    @property
    def orders(self) -> tuple[NDArray[np.intp], ...]:
        """Orders of the items in which their weights are wanted; an order may hold some of them only."""

    def values(self, weights: Sequence[Floats]) -> Floats:
        """(k,) the statistic under k weightings, NaN where it is undefined.

        Args:
            weights: for each order (its length, k): how often each item counts.
        """


#: Truth and score (n,) of some items, whose truth is known, to a statistic of them.
Prepare: TypeAlias = Callable[[NDArray[Any], NDArray[Any]], Ranking]


@dataclass(frozen=True, eq=False)
class Column:
    """Items of one cell, in one unit or dimension, whose truth is known.

    Attributes:
        slot: number of the cell.
        truth, score: (n,).
        row: (n,) row of a table of weights that each item belongs to.
        weight: (n,) how often each item counts beside; None where once.
    """

    slot: int
    truth: NDArray[Any]
    score: NDArray[Any]
    row: NDArray[np.intp]
    weight: Floats | None

    def prepared(self, prepare: Prepare) -> Prepared:
        """The statistic of these items, ready for their weights."""
        return Prepared(self, prepare(self.truth, self.score))


@dataclass(frozen=True, eq=False)
class Prepared:
    """A statistic of the items of one cell."""

    column: Column
    ranking: Ranking

    def values(self, table: NDArray[Any] | None) -> Floats:
        """(k,) the statistic.

        Args:
            table: (rows, k) weights; None where each item counts once, k being 1.
        """
        column, weights = self.column, []
        for order in self.ranking.orders:
            wanted = np.ones((order.size, 1)) if table is None else np.take(table, column.row[order], axis=0)
            found = wanted.astype(np.float64, copy=False)
            weights.append(found if column.weight is None else found * column.weight[order][:, None])
        return self.ranking.values(weights)


def running(weights: Floats) -> Floats:
    """(n + 1, k) sums of the first 0 … n rows.

    Example:
        >>> running(np.array([[1.0], [2.0]]))[:, 0].tolist()
        [0.0, 1.0, 3.0]
    """
    total = np.zeros((weights.shape[0] + 1, weights.shape[1]))
    np.cumsum(weights, axis=0, out=total[1:])
    return total


def columns(lots: Sequence[Lot], part: int, inside: int = 0, firsts: Sequence[int] = ()) -> Iterator[Column]:
    """The items of one unit or dimension, cell by cell, without those whose truth is unknown.

    Args:
        lots: the items.
        part: which unit or dimension.
        inside: where the first axis is reweighted: the number of cells inside each of its cells. Those are the slots
            then, and rows are the cells of the first axis, of one lot after another. 0: slots and rows are the cells.
        firsts: where the first axis is reweighted: its length in each lot.
    """
    if not lots:
        return
    found = [lot.column(part) for lot in lots]
    truth, score, cell = (np.concatenate([column[k] for column in found]) for k in range(3))
    weight = None
    if any(lot.weight is not None for lot in lots):
        weight = np.concatenate([np.ones(column[0].size) if column[3] is None else column[3] for column in found])
    row = slot = cell
    if inside:
        starts = np.cumsum([0, *firsts])[:-1]
        row = cell // inside + np.repeat(starts, [column[0].size for column in found])
        slot = cell % inside
    order = np.argsort(slot, kind="stable")
    borders = np.flatnonzero(np.diff(slot[order])) + 1
    for rows in np.split(order, borders) if order.size else ():
        chosen = None if weight is None else weight[rows]
        yield Column(int(slot[rows[0]]), truth[rows], score[rows], row[rows], chosen)
