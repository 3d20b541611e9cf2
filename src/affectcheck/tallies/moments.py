"""Moments of real truth and prediction: the sufficient statistic of agreement, correlation and deviation."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from affectcheck.errors import InputError
from affectcheck.tallies.columns import Pairs
from affectcheck.tallies.present import first_present
from affectcheck.tallies.segments import moments_by_cell
from affectcheck.tallies.tally import Cells, Tally

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Moments(Tally):
    r"""Number, means, centred sums and extremes of truth t and prediction p, one of each per dimension.

    All arrays are float64 of shape (..., D). Centred sums are about each tally's own mean (that of a chunk of rows when
    counted, Chan, Golub and LeVeque's update when merged), so that values far from zero keep their variance: values of
    1e8 ± 1 lose none of it within a chunk, and some 1e-9 of it when merged, for that is how exact a mean of 1e8 can be.
    The extremes are carried because constancy is a statement about samples, not about a rounded variance.

    Attributes:
        n: items whose truth is known.
        unknown: items whose truth is NaN, which are left out of everything else.
        mean_truth: mean of t.
        mean_prediction: mean of p.
        mean_difference: mean of p - t, summed itself rather than subtracted.
        squares_truth: sum of squared deviations of t from its mean.
        squares_prediction: the same of p.
        squares_difference: the same of p - t.
        products: sum of products of both deviations.
        sum_abs: sum of abs(p - t).
        min_truth, max_truth, min_prediction, max_prediction: extremes; inf and -inf where there are no items.
    """

    n: Floats
    unknown: Floats
    mean_truth: Floats
    mean_prediction: Floats
    mean_difference: Floats
    squares_truth: Floats
    squares_prediction: Floats
    squares_difference: Floats
    products: Floats
    sum_abs: Floats
    min_truth: Floats
    max_truth: Floats
    min_prediction: Floats
    max_prediction: Floats

    TRAILING: ClassVar[Mapping[str, int]] = dict.fromkeys(
        (
            "n",
            "unknown",
            "mean_truth",
            "mean_prediction",
            "mean_difference",
            "squares_truth",
            "squares_prediction",
            "squares_difference",
            "products",
            "sum_abs",
            "min_truth",
            "max_truth",
            "min_prediction",
            "max_prediction",
        ),
        1,
    )

    @classmethod
    def zero(cls, dimensions: int, shape: tuple[int, ...] = ()) -> Moments:
        """No items: the identity of ``+``.

        Example:
            >>> Moments.zero(dimensions=2).n.tolist()
            [0.0, 0.0]
        """
        full = (*shape, dimensions)
        extremes = {"min_truth": np.inf, "max_truth": -np.inf, "min_prediction": np.inf, "max_prediction": -np.inf}
        return cls(**{f.name: np.full(full, extremes.get(f.name, 0.0)) for f in fields(cls)})

    @classmethod
    def of(
        cls,
        truth: ArrayLike,
        prediction: ArrayLike,
        *,
        cells: ArrayLike | None = None,
        n_cells: int | tuple[int, ...] | None = None,
    ) -> Moments:
        """Tally items, accumulating in float64 whatever the input's type.

        Args:
            truth: (n, D) in the unit of the scheme; NaN where a dimension's truth is unknown. (n,) means D = 1.
            prediction: (n, D), finite.
            cells: (n,) code of the cell (group, cluster) that each item belongs to, from 0.
            n_cells: number of cells, or the leading shape that the codes ravel; default the highest code + 1.

        Returns:
            Moments (..., D) with the leading shape of the cells.

        Raises:
            InputError: shapes differ, a prediction is NaN or infinite, a truth is infinite.

        Example:
            >>> tally = Moments.of([0.0, 1.0, 2.0], [0.0, 2.0, 4.0])
            >>> float(tally.mean_prediction[0]), float(tally.squares_prediction[0]), float(tally.products[0])
            (2.0, 8.0, 4.0)
            >>> float(Moments.of([1e8 - 1, 1e8 + 1], [0.0, 0.0]).squares_truth[0])
            2.0
        """
        pairs = Pairs.of(truth, prediction)
        where = Cells.of(cells, n_cells, pairs.items)
        found = moments_by_cell(pairs, where)
        return cls(**{name: array.reshape(*where.shape, pairs.dimensions) for name, array in found.items()})

    @property
    def dimensions(self) -> int:
        """D, the number of dimensions."""
        return int(self.n.shape[-1])

    @property
    def support(self) -> Floats:
        """(..., D) items whose truth is known."""
        return self.n

    def __add__(self, other: Moments) -> Moments:
        """Moments of both; leading axes broadcast.

        Raises:
            InputError: the two have other numbers of dimensions.
        """
        if self.dimensions != other.dimensions:
            raise InputError(
                f"moments of {self.dimensions} and of {other.dimensions} dimensions", expected="one declared scheme"
            )
        stacked = {
            f.name: np.stack(np.broadcast_arrays(getattr(self, f.name), getattr(other, f.name))) for f in fields(self)
        }
        return Moments(**stacked).pooled(0)

    def pooled(self, axis: int = 0) -> Moments:
        """Merge along one leading axis, by Chan's update for any number of parts at once."""
        lead = self._leading_axis(axis)
        if not self.shape[lead]:
            return Moments.zero(self.dimensions, self.shape[:lead] + self.shape[lead + 1 :])
        low_t, high_t = self.min_truth.min(axis=lead), self.max_truth.max(axis=lead)
        low_p, high_p = self.min_prediction.min(axis=lead), self.max_prediction.max(axis=lead)
        mean_t = _within(_mean(self.mean_truth, self.n, lead), low_t, high_t)
        mean_p = _within(_mean(self.mean_prediction, self.n, lead), low_p, high_p)
        mean_d = _mean(self.mean_difference, self.n, lead)
        shift_t = self.mean_truth - np.expand_dims(mean_t, lead)
        shift_p = self.mean_prediction - np.expand_dims(mean_p, lead)
        shift_d = self.mean_difference - np.expand_dims(mean_d, lead)
        return Moments(
            n=self.n.sum(axis=lead),
            unknown=self.unknown.sum(axis=lead),
            mean_truth=mean_t,
            mean_prediction=mean_p,
            mean_difference=mean_d,
            squares_truth=(self.squares_truth + self.n * shift_t * shift_t).sum(axis=lead),
            squares_prediction=(self.squares_prediction + self.n * shift_p * shift_p).sum(axis=lead),
            squares_difference=(self.squares_difference + self.n * shift_d * shift_d).sum(axis=lead),
            products=(self.products + self.n * shift_t * shift_p).sum(axis=lead),
            sum_abs=self.sum_abs.sum(axis=lead),
            min_truth=low_t,
            max_truth=high_t,
            min_prediction=low_p,
            max_prediction=high_p,
        )

    def weighted(self, weights: ArrayLike) -> Moments:
        """Reweight along the first leading axis, through uncentred sums about one common shift.

        Args:
            weights: (B, S), S the length of the first leading axis.

        Returns:
            Moments with first leading axis B.

        Example:
            >>> tally = Moments.of([0.0, 1.0, 5.0], [0.0, 1.0, 1.0], cells=[0, 0, 1])
            >>> tally.weighted([[2, 0], [1, 1]]).n[:, 0].tolist()
            [4.0, 3.0]
            >>> tally.weighted([[2, 0], [1, 1]]).mean_truth[:, 0].tolist()
            [0.5, 2.0]
        """
        matrix = self._weights(weights)
        shift = self.pooled(0)
        from_t = self.mean_truth - shift.mean_truth
        from_p = self.mean_prediction - shift.mean_prediction
        from_d = self.mean_difference - shift.mean_difference
        sums = np.stack(
            [
                self.n,
                self.unknown,
                self.sum_abs,
                self.n * from_t,
                self.n * from_p,
                self.n * from_d,
                self.squares_truth + self.n * from_t * from_t,
                self.squares_prediction + self.n * from_p * from_p,
                self.squares_difference + self.n * from_d * from_d,
                self.products + self.n * from_t * from_p,
            ],
            axis=1,
        )
        mixed = (matrix @ sums.reshape(sums.shape[0], -1)).reshape(matrix.shape[0], *sums.shape[1:])
        return _centred(mixed, shift, self._extremes(matrix > 0.0))

    def _extremes(self, present: NDArray[np.bool_]) -> dict[str, Floats]:
        """Extremes over the tallies that are present in each result."""
        lows = {name: first_present(getattr(self, name), present) for name in ("min_truth", "min_prediction")}
        highs = {name: -first_present(-getattr(self, name), present) for name in ("max_truth", "max_prediction")}
        return lows | highs


def _mean(means: Floats, n: Floats, axis: int) -> Floats:
    """Mean over all items along an axis of parts, summed about the mean of the largest part."""
    largest = np.expand_dims(n.argmax(axis=axis), axis)
    shift = np.take_along_axis(means, largest, axis)
    total = n.sum(axis=axis)
    moved = (n * (means - shift)).sum(axis=axis) / np.maximum(total, 1.0)
    return np.asarray(np.squeeze(shift, axis) + np.where(total > 0.0, moved, 0.0))


def _within(mean: Floats, low: Floats, high: Floats) -> Floats:
    """A mean held between the extremes, so that the mean of a constant is that constant; 0 without items."""
    return np.where(high >= low, np.clip(mean, low, high), 0.0)


def _centred(sums: Floats, shift: Moments, extremes: dict[str, Floats]) -> Moments:
    """Moments from uncentred sums about a shift.

    Rounding may leave a residue where a side is constant, so what the extremes prove to be zero is set to it.
    """
    n, unknown, sum_abs, of_t, of_p, of_d, tt, pp, dd, tp = np.moveaxis(sums, 1, 0)
    items = np.where(n > 0.0, n, 1.0)
    low_t, high_t = extremes["min_truth"], extremes["max_truth"]
    low_p, high_p = extremes["min_prediction"], extremes["max_prediction"]
    varies_t, varies_p = high_t > low_t, high_p > low_p
    return Moments(
        n=n,
        unknown=unknown,
        mean_truth=_within(shift.mean_truth + of_t / items, low_t, high_t),
        mean_prediction=_within(shift.mean_prediction + of_p / items, low_p, high_p),
        mean_difference=np.where(n > 0.0, shift.mean_difference + of_d / items, 0.0),
        squares_truth=np.where(varies_t, np.maximum(tt - of_t * of_t / items, 0.0), 0.0),
        squares_prediction=np.where(varies_p, np.maximum(pp - of_p * of_p / items, 0.0), 0.0),
        squares_difference=np.maximum(dd - of_d * of_d / items, 0.0),
        products=np.where(varies_t & varies_p, tp - of_t * of_p / items, 0.0),
        sum_abs=sum_abs,
        **extremes,
    )
