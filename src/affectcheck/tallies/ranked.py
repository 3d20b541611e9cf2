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

#: Weights of items held at a time while a statistic is computed: 0.4 MB, which stay in cache.
ENTRIES = 50_000
_MOST_PATTERNS = 64


class Ranking(Protocol):
    """A statistic of the ranks of some items: what is sorted is sorted once, whatever the weights."""

    @property
    def orders(self) -> tuple[NDArray[np.intp], ...]:
        """Orders of the items in which their weights are wanted; an order may hold some of them only."""

    def values(self, weights: Sequence[Floats]) -> Floats:
        """(k,) the statistic under k weightings, NaN where it is undefined.

        Args:
            weights: for each order (k, its length): how often each item counts.
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
        ranking = prepare(self.truth, self.score)
        return Prepared(self, ranking, tuple(self.row[order] for order in ranking.orders))


@dataclass(frozen=True, eq=False)
class Prepared:
    """A statistic of the items of one cell."""

    column: Column
    ranking: Ranking
    rows: tuple[NDArray[np.intp], ...]

    def values(self, table: Floats | None) -> Floats:
        """(k,) the statistic.

        Args:
            table: (k, rows) weights; None where each item counts once, k being 1.
        """
        weights = []
        for order, row in zip(self.ranking.orders, self.rows, strict=True):
            found = np.ones((1, order.size)) if table is None else table.take(row, axis=1)
            weights.append(found if self.column.weight is None else found * self.column.weight[order])
        return self.ranking.values(weights)


def running(weights: Floats) -> Floats:
    """(k, n + 1) sums of the first 0 … n items under each of k weightings.

    Example:
        >>> running(np.array([[1.0, 2.0]])).tolist()
        [[0.0, 1.0, 3.0]]
    """
    total = np.zeros((weights.shape[0], weights.shape[1] + 1))
    np.cumsum(weights, axis=1, out=total[:, 1:])
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


def reweighted(
    lots: Sequence[Lot], mixes: Sequence[NDArray[Any]], shape: tuple[int, int], part: int, prepare: Prepare
) -> Floats:
    """A statistic of one unit or dimension under many weightings, in bounded memory.

    Args:
        lots: the items.
        mixes: for each lot the weights (L, S) of its first-axis cells.
        shape: L, and the number of cells inside each first-axis cell.
        part: which unit or dimension.
        prepare: the statistic.

    Returns:
        Values of that shape, NaN in a cell without items.
    """
    values = np.full(shape, np.nan)
    for some, rows in _patterns(mixes):
        firsts = [mixes[k].shape[1] for k in some]
        prepared = [column.prepared(prepare) for column in columns([lots[k] for k in some], part, shape[1], firsts)]
        width = max(1, ENTRIES // max((one.column.truth.size for one in prepared), default=1))
        for start in range(0, rows.size if prepared else 0, width):
            block = rows[start : start + width]
            table = np.concatenate([mixes[k][block] for k in some], axis=1).astype(np.float64)
            for one in prepared:
                values[block, one.column.slot] = one.values(table)
    return values


def _patterns(mixes: Sequence[NDArray[Any]]) -> Iterator[tuple[list[int], NDArray[np.intp]]]:
    """Lots that weigh anything together, and the weightings in which they do.

    Groups whose items lie in lots of their own are ranked each by itself, not all of them for every group.
    """
    if not mixes:
        return
    present = np.stack([mix.any(axis=1) for mix in mixes], axis=1)
    found, which = np.unique(present, axis=0, return_inverse=True)
    if len(found) > _MOST_PATTERNS:
        yield list(range(len(mixes))), np.arange(len(present))
        return
    for number, pattern in enumerate(found):
        if pattern.any():
            yield np.flatnonzero(pattern).tolist(), np.flatnonzero(which.ravel() == number)
