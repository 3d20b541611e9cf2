"""Items held as they are, with the cell of each: what a sample is made of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.errors import InputError
from affectcheck.tallies.columns import Pairs, require_finite
from affectcheck.tallies.probabilities import require_presence
from affectcheck.tallies.tally import whole_numbers

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

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

    def moved(self, start: int) -> Lot:
        """Every cell counted from a start."""
        return replace(self, cell=self.cell + start)

    def within(self, inside: int) -> Lot:
        """Every cell by its inner cell alone, of so many."""
        return replace(self, cell=self.cell % inside)

    def times(self, weight: Floats) -> Lot:
        """The items counted so many times more, without those that no longer count."""
        together = weight if self.weight is None else weight * self.weight
        return replace(self, weight=together).kept(together > 0.0)


def known(truth: NDArray[Any]) -> NDArray[np.bool_]:
    """(n,) whether the truth is known."""
    return np.asarray(truth >= 0 if truth.dtype.kind in "iub" else ~np.isnan(truth))


def real_items(truth: ArrayLike, score: ArrayLike) -> Pairs:
    """Items of dimensions, checked.

    Raises:
        InputError: shapes differ, a prediction is NaN or infinite, a truth is infinite.
    """
    pairs = Pairs.of(truth, score)
    real = pairs.truth if pairs.truth.dtype.kind == "f" else pairs.truth.astype(np.float64)
    for d in range(pairs.dimensions):
        require_finite(np.where(np.isnan(real[:, d]), 0.0, real[:, d]), "truth", 0, d)
        require_finite(pairs.prediction[:, d], "prediction", 0, d)
    return Pairs(real, pairs.prediction)


def unit_items(truth: ArrayLike, score: ArrayLike) -> Pairs:
    """Items of units, checked.

    Raises:
        InputError: shapes differ, a truth code is none of 1, 0, -1, or a score is NaN.
    """
    pairs = Pairs.of(whole_numbers(truth, "truth codes"), score)
    for unit in range(pairs.dimensions):
        require_presence(pairs.truth[:, unit], 0, unit)
        unknown = np.isnan(pairs.prediction[:, unit])
        if unknown.any():
            raise InputError(
                f"the score of unit {unit} is NaN",
                where=f"row {int(unknown.argmax())}",
                expected="a score for each declared unit",
                cause="a model that abstains or diverges; leaving such items out would reward it",
            )
    return pairs
