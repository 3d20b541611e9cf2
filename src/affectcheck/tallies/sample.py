"""Items kept for statistics of ranks, which no sums can give."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.errors import InputError
from affectcheck.tallies.lots import Lot, known, real_items, unit_items
from affectcheck.tallies.mixing import compact, everywhere, mixed, product, side_by_side
from affectcheck.tallies.ranked import Prepare, columns, reweighted
from affectcheck.tallies.tally import Cells, Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from affectcheck.tallies.columns import Pairs

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Sample(Tally):
    """Truth and score of every item, for each of P units or dimensions.

    A statistic of ranks is a function of the items themselves, so they are held, once: pooling and indexing rename
    cells, resampling keeps weights of cells beside them. Unlike any other tally it grows with the items.

    Attributes:
        lots: the items. In a plain sample their cells ravel the leading shape.
        lead: the leading axes that are cells, or weightings of cells.
        rest: further leading axes of a weighted sample, inside each weighting.
        parts: P.
        mixes: of a weighted sample, for each lot the weights (L, S) of its S first-axis cells in the L cells of
            ``lead``; None in a plain one.
    """

    lots: tuple[Lot, ...]
    lead: tuple[int, ...]
    rest: tuple[int, ...]
    parts: int
    mixes: tuple[NDArray[Any], ...] | None = None

    @classmethod
    def zero(cls, parts: int, shape: tuple[int, ...] = ()) -> Sample:
        """No items: the identity of ``+``.

        Example:
            >>> Sample.zero(parts=2).support.tolist()
            [0, 0]
        """
        return cls((), tuple(shape), (), parts)

    @classmethod
    def of(
        cls,
        truth: ArrayLike,
        score: ArrayLike,
        *,
        cells: ArrayLike | None = None,
        n_cells: int | tuple[int, ...] | None = None,
    ) -> Sample:
        """Items of dimensions.

        Args:
            truth: (n, D) NaN where a dimension's truth is unknown. (n,) means D = 1.
            score: (n, D) the prediction, finite.
            cells: (n,) code of the cell (group, cluster) that each item belongs to, from 0.
            n_cells: number of cells, or the leading shape that the codes ravel; default the highest code + 1.

        Returns:
            A sample with the leading shape of the cells.

        Raises:
            InputError: shapes differ, a prediction is NaN or infinite, a truth is infinite.

        Example:
            >>> Sample.of([0.1, 0.2, float("nan")], [0.3, 0.1, 0.2], cells=[0, 1, 1]).support.tolist()
            [[1], [1]]
        """
        pairs = real_items(truth, score)
        return cls._of_items(pairs, Cells.of(cells, n_cells, pairs.items))

    @classmethod
    def of_units(
        cls,
        truth: ArrayLike,
        score: ArrayLike,
        *,
        cells: ArrayLike | None = None,
        n_cells: int | tuple[int, ...] | None = None,
    ) -> Sample:
        """Items of units.

        Args:
            truth: (n, M) or (n,) 1 present, 0 absent, -1 unknown, which leaves the item out of that unit alone.
            score: (n, M) or (n,) higher where the unit is thought present, of any kind; infinite ones rank too.
            cells: as for ``of``.
            n_cells: as for ``of``.

        Returns:
            A sample with the leading shape of the cells.

        Raises:
            InputError: shapes differ, a truth code is none of the three, or a score is NaN; the message names the row.

        Example:
            >>> Sample.of_units([[1, 0], [-1, 1]], [[0.9, 0.2], [0.5, 0.7]]).support.tolist()
            [1, 2]
        """
        pairs = unit_items(truth, score)
        return cls._of_items(pairs, Cells.of(cells, n_cells, pairs.items))

    @classmethod
    def _of_items(cls, pairs: Pairs, where: Cells) -> Sample:
        codes = np.zeros(pairs.items, np.intp) if where.codes is None else where.codes.astype(np.intp)
        lots = (Lot(pairs.truth, pairs.prediction, codes),) if codes.size else ()
        return cls(lots, where.shape, (), pairs.dimensions)

    @property
    def shape(self) -> tuple[int, ...]:
        """Lengths of the leading axes."""
        return (*self.lead, *self.rest)

    @property
    def support(self) -> NDArray[Any]:
        """(..., P) items whose truth is known."""
        return self.counted(known)

    def counted(self, test: Callable[[NDArray[Any]], NDArray[np.bool_]]) -> NDArray[Any]:
        """(..., P) items whose truth passes a test, such as being 1."""
        cells, inside = math.prod(self.lead), math.prod(self.rest)
        total: Any = np.zeros((cells, inside * self.parts), np.int64)
        for number, lot in enumerate(self.lots):
            if self.mixes is None:
                total = total + lot.total(cells, test)
                continue
            mix = self.mixes[number]
            base = lot.total(mix.shape[1] * inside, test).reshape(mix.shape[1], -1)
            total = total + mixed(mix, base.astype(np.float64))
        return np.asarray(total).reshape(*self.shape, self.parts)

    def each(self, prepare: Prepare) -> Floats:
        """A statistic of every unit or dimension in every cell.

        Args:
            prepare: truth and score (n,) of some items of known truth to the statistic, ready for their weights.

        Returns:
            (..., P) values; NaN in a cell without items.
        """
        values = np.full((*self.shape, self.parts), np.nan)
        for part in range(self.parts):
            if self.mixes is None:
                for column in columns(self.lots, part):
                    values.reshape(-1, self.parts)[column.slot, part] = column.prepared(prepare).values(None)[0]
            else:
                found = reweighted(self.lots, self.mixes, (math.prod(self.lead), math.prod(self.rest)), part, prepare)
                values[..., part] = found.reshape(self.shape)
        return values

    def __add__(self, other: Sample) -> Sample:
        """The items of both; leading axes broadcast.

        Raises:
            InputError: the two have other numbers of units or dimensions.
        """
        if self.parts != other.parts:
            raise InputError(f"items of {self.parts} and of {other.parts} parts", expected="one declared scheme")
        first, second = (one._broadcast(np.broadcast_shapes(self.shape, other.shape)) for one in (self, other))
        if not first.lots or not second.lots:
            return first if first.lots else second
        if (first.mixes is None) != (second.mixes is None) or first.lead != second.lead:
            first, second = first._plain(), second._plain()
        lots = (*first.lots, *second.lots)
        if first.mixes is None or second.mixes is None:
            return replace(first, lots=lots)
        return replace(first, lots=lots, mixes=(*first.mixes, *second.mixes))

    def pooled(self, axis: int = 0) -> Sample:
        """Put the items along one leading axis together."""
        axis = self._leading_axis(axis)
        if self.mixes is not None and axis < len(self.lead):
            lead = self.lead[:axis] + self.lead[axis + 1 :]
            mixes = tuple(
                compact(mix.reshape(*self.lead, -1).sum(axis=axis, dtype=np.float64).reshape(math.prod(lead), -1))
                for mix in self.mixes
            )
            return replace(self, lead=lead, mixes=mixes)._settled()
        shape = self.lead if self.mixes is None else self.rest
        axis -= 0 if self.mixes is None else len(self.lead)
        left = shape[:axis] + shape[axis + 1 :]
        together = np.expand_dims(np.arange(math.prod(left)).reshape(left), axis)
        table = np.broadcast_to(together, shape).ravel()
        if self.mixes is None:
            return replace(self, lots=tuple(lot.recoded(table) for lot in self.lots), lead=left)
        lots = [
            lot.recoded(everywhere(table, mix.shape[1], math.prod(left)))
            for lot, mix in zip(self.lots, self.mixes, strict=True)
        ]
        return replace(self, lots=tuple(lots), rest=left)

    def weighted(self, weights: ArrayLike) -> Sample:
        """Keep weights of the cells along the first leading axis beside the items.

        Args:
            weights: (B, S), S the length of the first leading axis.

        Returns:
            A sample with first leading axis B.

        Example:
            >>> Sample.of([0.1, 0.2], [0.3, 0.1], cells=[0, 1]).weighted([[2, 0], [1, 1]]).support.tolist()
            [[2.0], [2.0]]
        """
        matrix = self._weights(weights)
        first, others = self.shape[0], self.shape[1:]
        if self.mixes is None:
            mix = compact(matrix)
            return replace(self, lead=matrix.shape[:1], rest=others, mixes=(mix,) * len(self.lots))
        lead = (matrix.shape[0], *self.lead[1:])
        mixes = tuple(
            compact((matrix @ mix.reshape(first, -1).astype(np.float64)).reshape(math.prod(lead), -1))
            for mix in self.mixes
        )
        return replace(self, lead=lead, mixes=mixes)

    def joined(self, others: Sequence[Sample]) -> Sample:
        """The samples one after the other along the first leading axis."""
        given, alike = (self, *others), (self.lead[1:], self.rest)
        if any(one.mixes is None or (one.lead[1:], one.rest) != alike for one in given):
            given = tuple(one._plain() for one in given)
        starts = np.cumsum([0, *(math.prod(one.lead) for one in given)]).tolist()
        lead = (sum(one.shape[0] for one in given), *given[0].lead[1:])
        if given[0].mixes is None:
            moved = [lot.moved(start) for one, start in zip(given, starts, strict=False) for lot in one.lots]
            return Sample(tuple(moved), lead, (), self.parts)
        lots, weights = side_by_side([(one.lots, one.mixes or ()) for one in given], starts)
        return replace(self, lots=lots, lead=lead, mixes=weights)

    def __getitem__(self, key: Any) -> Sample:
        """Index the leading axes."""
        return self._taken(np.arange(math.prod(self.shape)).reshape(self.shape)[key])

    def reshape(self, *shape: int) -> Sample:
        """The same items with leading axes of other lengths."""
        return self._taken(np.arange(math.prod(self.shape)).reshape(shape))

    def _taken(self, taken: NDArray[np.intp]) -> Sample:
        """The cells of these numbers, in this shape."""
        cells, inside = math.prod(self.lead), math.prod(self.rest)
        if self.mixes is None:
            lots = tuple(lot.spread(taken.ravel(), cells) for lot in self.lots)
            return Sample(tuple(lot for lot in lots if lot.items), taken.shape, (), self.parts)
        if not taken.size:
            return Sample((), taken.shape, (), self.parts)
        found = product(taken, inside)
        if found is None:
            return self._plain()._taken(taken)
        mixes = tuple(mix[found[0].ravel()] for mix in self.mixes)
        return replace(self, lead=found[0].shape, mixes=mixes)._inside(found[1])._settled()

    def _inside(self, taken: NDArray[np.intp]) -> Sample:
        """Of a weighted sample, these cells inside each weighting, in this shape."""
        inside = math.prod(self.rest)
        if np.array_equal(taken.ravel(), np.arange(inside)):
            return replace(self, rest=taken.shape)
        lots = [
            lot.spread(everywhere(taken.ravel(), mix.shape[1], inside), mix.shape[1] * inside)
            for lot, mix in zip(self.lots, self.mixes or (), strict=True)
        ]
        return replace(self, lots=tuple(lots), rest=taken.shape)

    def _settled(self) -> Sample:
        """A weighted sample that has one weighting left as a plain one, whose items have those weights."""
        if self.mixes is None or self.lead:
            return self
        return replace(self, lead=(1,))._plain()._taken(np.arange(math.prod(self.rest)).reshape(self.rest))

    def _plain(self) -> Sample:
        """The same as a plain sample, in which items are repeated for every weighting that holds them."""
        if self.mixes is None:
            return self
        cells, inside = math.prod(self.lead), math.prod(self.rest)
        lots = []
        for lot, mix in zip(self.lots, self.mixes, strict=True):
            row = lot.cell // inside
            for cell in range(cells):
                held = lot.times(mix[cell].astype(np.float64)[row])
                lots.append(held.within(inside).moved(cell * inside))
        return Sample(tuple(lot for lot in lots if lot.items), self.shape, (), self.parts)

    def _broadcast(self, shape: tuple[int, ...]) -> Sample:
        cells = np.arange(math.prod(self.shape)).reshape(self.shape)
        return self if shape == self.shape else self._taken(np.broadcast_to(cells, shape))
