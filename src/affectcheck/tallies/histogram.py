"""Histograms of real truth and prediction on the declared range."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from affectcheck.errors import InputError
from affectcheck.tallies.columns import Pairs
from affectcheck.tallies.tally import Cells, Tally

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class Range:
    """Equal bins on a closed range: left-closed, and the last one closed on both sides.

    Attributes:
        low, high: the declared range.
        bins: their number.
    """

    low: float = 0.0
    high: float = 1.0
    bins: int = 10

    def __post_init__(self) -> None:
        """A range has a positive width and at least one bin."""
        if not self.low < self.high or self.bins < 1:
            raise InputError(f"{self.bins} bins on [{self.low}, {self.high}]", expected="low < high and bins >= 1")

    @property
    def edges(self) -> NDArray[np.float64]:
        """(bins + 1,) edges, each the float nearest to the exact fraction.

        Example:
            >>> Range(0.0, 1.0, 10).edges[3] == 0.3, Range(-1.0, 1.0, 10).edges[3] == -0.4
            (np.True_, np.True_)
        """
        low, high = Fraction(str(self.low)), Fraction(str(self.high))
        return np.asarray([float(low + (high - low) * k / self.bins) for k in range(self.bins + 1)])

    def bin_of(self, values: NDArray[Any]) -> NDArray[np.intp]:
        """Bin of each value, compared in float64; what lies outside goes to the nearest bin.

        Example:
            >>> Range(0.0, 1.0, 10).bin_of(np.array([-0.01, 0.0, 0.3, 0.95, 1.0, 1.02])).tolist()
            [0, 0, 3, 9, 9, 9]
        """
        edges = self.edges
        scaled = (values - self.low) * (self.bins / (self.high - self.low))
        guess = np.clip(scaled, 0, self.bins - 1).astype(np.intp)
        # The product may round across an edge, by one bin at most: the edges themselves decide.
        guess -= (guess > 0) & (values < edges[guess])
        guess += (guess < self.bins - 1) & (values >= edges[guess + 1])
        return guess


@dataclass(frozen=True, eq=False)
class Histogram(Tally):
    """Counts of truth and of prediction by bin, one histogram of each per dimension.

    Attributes:
        truth: (..., D, bins) items by bin of the truth.
        prediction: (..., D, bins) items by bin of the prediction.
        outside_truth: (..., D) items whose truth lies outside the range and was counted in the outermost bin.
        outside_prediction: the same of the prediction.
        range: the bins.
    """

    truth: NDArray[Any]
    prediction: NDArray[Any]
    outside_truth: NDArray[Any]
    outside_prediction: NDArray[Any]
    range: Range = field(default_factory=Range)

    TRAILING: ClassVar[Mapping[str, int]] = {"truth": 2, "prediction": 2, "outside_truth": 1, "outside_prediction": 1}

    @classmethod
    def zero(cls, dimensions: int, shape: tuple[int, ...] = (), on: Range | None = None) -> Histogram:
        """No items: the identity of ``+``.

        Example:
            >>> Histogram.zero(dimensions=1).truth.sum()
            np.int64(0)
        """
        bins = on or Range()
        empty, outside = np.zeros((*shape, dimensions, bins.bins), np.int64), np.zeros((*shape, dimensions), np.int64)
        return cls(empty, empty.copy(), outside, outside.copy(), bins)

    @classmethod
    def of(
        cls,
        truth: ArrayLike,
        prediction: ArrayLike,
        *,
        on: Range | None = None,
        cells: ArrayLike | None = None,
        n_cells: int | tuple[int, ...] | None = None,
    ) -> Histogram:
        """Count items by bin.

        Args:
            truth: (n, D); NaN where a dimension's truth is unknown, which leaves the item out of both histograms.
            prediction: (n, D), finite.
            on: the bins; default 10 on [0, 1].
            cells: (n,) code of the cell that each item belongs to, from 0.
            n_cells: number of cells, or the leading shape that the codes ravel; default the highest code + 1.

        Returns:
            Counts (..., D, bins) with the leading shape of the cells.

        Raises:
            InputError: shapes differ, a prediction is NaN or infinite, a truth is infinite.

        Example:
            >>> tally = Histogram.of([0.0, 0.05, 1.0], [0.5, 0.5, 1.02])
            >>> tally.truth[0].tolist(), tally.outside_prediction.tolist()
            ([2, 0, 0, 0, 0, 0, 0, 0, 0, 1], [1])
        """
        bins = on or Range()
        pairs = Pairs.of(truth, prediction)
        where = Cells.of(cells, n_cells, pairs.items)
        columns = [_column(pairs, d, where, bins) for d in range(pairs.dimensions)]
        counts = np.stack([column.reshape(*where.shape, 2, -1) for column in columns], axis=-3)
        inside, outside = counts[..., : bins.bins], counts[..., bins.bins]
        return cls(
            truth=np.ascontiguousarray(inside[..., 0, :]),
            prediction=np.ascontiguousarray(inside[..., 1, :]),
            outside_truth=np.ascontiguousarray(outside[..., 0]),
            outside_prediction=np.ascontiguousarray(outside[..., 1]),
            range=bins,
        )

    @property
    def dimensions(self) -> int:
        """D, the number of dimensions."""
        return int(self.truth.shape[-2])

    @property
    def options(self) -> tuple[str, ...]:
        """The bins and the range that they divide, for signatures."""
        return (f"bins={self.range.bins}", f"range={self.range.low:.12g}/{self.range.high:.12g}")

    @property
    def support(self) -> NDArray[Any]:
        """(..., D) items whose truth is known."""
        return np.asarray(self.truth.sum(axis=-1))

    def __add__(self, other: Histogram) -> Histogram:
        """Counts of both; leading axes broadcast.

        Raises:
            InputError: the two have other bins or numbers of dimensions.
        """
        if self.range != other.range or self.dimensions != other.dimensions:
            raise InputError(
                f"histograms of {self.dimensions} dimensions on {self.range} and of {other.dimensions} on {other.range}",
                expected="one declared scheme and one set of bins",
            )
        return self._map2(other)

    def _map2(self, other: Histogram) -> Histogram:
        return Histogram(
            self.truth + other.truth,
            self.prediction + other.prediction,
            self.outside_truth + other.outside_truth,
            self.outside_prediction + other.outside_prediction,
            self.range,
        )

    def pooled(self, axis: int = 0) -> Histogram:
        """Sum over one leading axis."""
        return self._summed(axis)

    def weighted(self, weights: ArrayLike) -> Histogram:
        """Weights @ counts.

        Args:
            weights: (B, S), S the length of the first leading axis.

        Returns:
            float64 counts with first leading axis B.

        Example:
            >>> tally = Histogram.of([0.1, 0.9], [0.1, 0.1], cells=[0, 1])
            >>> tally.weighted([[2, 1]]).truth[0, 0, [1, 9]].tolist()
            [2.0, 1.0]
        """
        return self._mixed(weights)


def _column(pairs: Pairs, dimension: int, where: Cells, bins: Range) -> NDArray[np.int64]:
    """(cells, 2, bins + 1) counts of one dimension: truth and prediction, and outside the range in the last column."""
    width = bins.bins + 1
    totals = np.zeros(where.size * 2 * width, np.int64)
    for part in pairs.read(dimension, where):
        start = np.zeros(part.truth.size, np.intp) if part.codes is None else part.codes * (2 * width)
        for side, values in enumerate((part.truth, part.prediction)):
            place = start + side * width
            outside = (values < bins.low) | (values > bins.high)
            totals += np.bincount(place + bins.bin_of(values), minlength=totals.size)
            totals += np.bincount(place[outside] + bins.bins, minlength=totals.size)
    return totals.reshape(where.size, 2, width)
