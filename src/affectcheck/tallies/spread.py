"""Spread of ratings within and between items: what interval agreement of many distinct values is computed from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from affectcheck.errors import InputError
from affectcheck.tallies.present import first_present
from affectcheck.tallies.tally import Cells, Tally, require_codes, whole_numbers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Spread(Tally):
    """Squared deviations of ratings, about the mean of their item and about the mean of all.

    The same as ``Coincidences`` for distances that are squared differences, at a cost that does not grow with the
    number of distinct values. Items with fewer than two ratings are counted in ``ratings`` and enter nothing else.

    Attributes:
        n: (...) ratings of the items with at least two.
        mean: (...) their mean; 0 where there are none.
        squares: (...) their squared deviations from that mean, summed.
        within: (...) squared deviations from the mean of their own item, those of an item with m ratings times
            m / (m - 1), summed.
        low, high: (...) extremes; inf and -inf where there are no ratings.
        ratings: (..., R + 1) items by their number of ratings, 0 to R.
    """

    n: Floats
    mean: Floats
    squares: Floats
    within: Floats
    low: Floats
    high: Floats
    ratings: NDArray[Any]

    TRAILING: ClassVar[Mapping[str, int]] = {
        **dict.fromkeys(("n", "mean", "squares", "within", "low", "high"), 0),
        "ratings": 1,
    }

    @classmethod
    def zero(cls, most: int = 0, shape: tuple[int, ...] = ()) -> Spread:
        """No items: the identity of ``+``.

        Example:
            >>> float((Spread.of([0, 0], [1.0, 3.0]) + Spread.zero()).mean)
            2.0
        """
        sums = {name: np.zeros(shape) for name in ("n", "mean", "squares", "within")}
        ratings = np.zeros((*shape, most + 1), np.int64)
        return cls(**sums, low=np.full(shape, np.inf), high=np.full(shape, -np.inf), ratings=ratings)

    @classmethod
    def of(  # noqa: PLR0913  # the ratings, and keywords that are rarely given together
        cls,
        item: ArrayLike,
        rating: ArrayLike,
        *,
        items: int | None = None,
        most: int | None = None,
        cells: ArrayLike | None = None,
        n_cells: int | tuple[int, ...] | None = None,
    ) -> Spread:
        """Tally ratings.

        Args:
            item: (r,) item that each rating is of, from 0.
            rating: (r,) finite numbers.
            items: n; default the highest code + 1.
            most: R, the highest number of ratings of an item; default the highest that occurs.
            cells: (n,) code of the cell (group, cluster) that each item belongs to, from 0.
            n_cells: number of cells, or the leading shape that the codes ravel; default the highest code + 1.

        Raises:
            InputError: a rating is not finite, or a code is out of range.

        Example:
            Two items, rated 0 and 2, 4 and 4: the squares within them are 2, times 2.

            >>> tally = Spread.of([0, 0, 1, 1], [0.0, 2.0, 4.0, 4.0])
            >>> float(tally.mean), float(tally.squares), float(tally.within)
            (2.5, 11.0, 4.0)
        """
        codes, values = whole_numbers(item, "item codes").astype(np.intp), np.asarray(rating, np.float64)
        if codes.shape != values.shape or codes.ndim != 1:
            raise InputError(f"items of shape {codes.shape}, ratings of shape {values.shape}", expected="(r,) and (r,)")
        if not np.isfinite(values).all():
            row = int(np.flatnonzero(~np.isfinite(values))[0])
            raise InputError(f"rating {values[row]}", where=f"row {row}", expected="a finite number")
        number = (int(codes.max()) + 1 if codes.size else 0) if items is None else items
        require_codes(codes, number, "item", "items that were not all declared")
        m = np.bincount(codes, minlength=number)
        high = int(m.max(initial=0)) if most is None else most
        if m.max(initial=0) > high:
            raise InputError(f"an item with {int(m.max())} ratings", expected=f"at most {high}, as declared")
        where = Cells.of(cells, n_cells, number)
        of_item = np.zeros(number, np.intp) if where.codes is None else where.codes.astype(np.intp)
        found = _sums(_Ratings(codes, values, m, of_item), where.size)
        ratings = np.bincount(of_item * (high + 1) + m, minlength=where.size * (high + 1))
        return cls(
            **{name: array.reshape(where.shape) for name, array in found.items()},
            ratings=ratings.reshape(*where.shape, high + 1),
        )

    @property
    def support(self) -> NDArray[Any]:
        """(...) items, those without a pair included."""
        return np.asarray(self.ratings.sum(axis=-1))

    @property
    def pairable(self) -> NDArray[Any]:
        """(...) items with at least two ratings."""
        return np.asarray(self.ratings[..., 2:].sum(axis=-1))

    @property
    def unpairable(self) -> NDArray[Any]:
        """(...) items with one rating or none, which say nothing about agreement."""
        return np.asarray(self.ratings[..., :2].sum(axis=-1))

    def __add__(self, other: Spread) -> Spread:
        """Spread of both; leading axes broadcast."""
        high = max(self.ratings.shape[-1], other.ratings.shape[-1])
        fields = {
            name: np.stack(np.broadcast_arrays(getattr(self, name), getattr(other, name)))
            for name in self.TRAILING
            if name != "ratings"
        }
        both = [padded(self.ratings, high), padded(other.ratings, high)]
        return Spread(**fields, ratings=np.stack(np.broadcast_arrays(*both))).pooled(0)

    def pooled(self, axis: int = 0) -> Spread:
        """Merge along one leading axis, by Chan's update for any number of parts at once."""
        lead = self._leading_axis(axis)
        n, low, high = self.n.sum(axis=lead), self.low.min(axis=lead), self.high.max(axis=lead)
        mean = _within((self.n * self.mean).sum(axis=lead) / np.maximum(n, 1.0), low, high)
        shift = self.mean - np.expand_dims(mean, lead)
        squares = (self.squares + self.n * shift * shift).sum(axis=lead)
        return Spread(n, mean, squares, self.within.sum(axis=lead), low, high, self.ratings.sum(axis=lead))

    def weighted(self, weights: ArrayLike) -> Spread:
        """Reweight along the first leading axis, through uncentred sums about one common shift.

        Args:
            weights: (B, S), S the length of the first leading axis.

        Returns:
            Spread with first leading axis B.

        Example:
            >>> tally = Spread.of([0, 0, 1, 1], [0.0, 2.0, 4.0, 4.0], cells=[0, 1])
            >>> tally.weighted([[1, 1], [2, 0]]).squares.tolist()
            [11.0, 4.0]
        """
        matrix = self._weights(weights)
        shift = self.pooled(0).mean
        away = self.mean - shift
        sums = [self.n, self.n * away, self.squares + self.n * away * away, self.within]
        n, first, second, within = (_weighed(matrix, array) for array in sums)
        items, present = np.where(n > 0.0, n, 1.0), matrix > 0.0
        low, high = first_present(self.low, present), -first_present(-self.high, present)
        mean = _within(shift + first / items, low, high)
        squares = np.where(high > low, np.maximum(second - first * first / items, 0.0), 0.0)
        return Spread(n, mean, squares, np.where(high > low, within, 0.0), low, high, _weighed(matrix, self.ratings))


@dataclass(frozen=True)
class _Ratings:
    """Ratings by item: code of the item, value; and for each item its number of ratings and its cell."""

    item: NDArray[np.intp]
    value: Floats
    number: NDArray[Any]
    cell: NDArray[np.intp]


def _sums(given: _Ratings, cells: int) -> dict[str, Floats]:
    """Of each cell, over the ratings of items with at least two."""
    kept = given.number[given.item] >= 2
    item, value, cell = given.item[kept], given.value[kept], given.cell[given.item[kept]]
    n = np.bincount(cell, minlength=cells).astype(np.float64)
    low, high = np.full(cells, np.inf), np.full(cells, -np.inf)
    np.minimum.at(low, cell, value)
    np.maximum.at(high, cell, value)
    mean = _mean(cell, value, n)
    from_mean = value - mean[cell]
    m = given.number.astype(np.float64)
    from_item = value - _mean(item, value, m)[item]
    enlarged = m[item] / (m[item] - 1.0)
    return {
        "n": n,
        "mean": _within(mean, low, high),
        "squares": np.where(high > low, np.bincount(cell, from_mean * from_mean, cells), 0.0),
        "within": np.where(high > low, np.bincount(cell, enlarged * from_item * from_item, cells), 0.0),
        "low": low,
        "high": high,
    }


def _mean(codes: NDArray[np.intp], values: Floats, number: Floats) -> Floats:
    """Mean by code, in two passes, so that values far from zero keep their digits; 0 where there are none."""
    items, size = np.maximum(number, 1.0), number.size
    first = np.bincount(codes, values, size) / items
    return first + np.bincount(codes, values - first[codes], size) / items


def _within(mean: Floats, low: Floats, high: Floats) -> Floats:
    """A mean held between the extremes; 0 without ratings."""
    return np.where(high >= low, np.clip(mean, low, high), 0.0)


def _weighed(matrix: Floats, array: NDArray[Any]) -> Floats:
    flat = array.reshape(array.shape[0], -1).astype(np.float64)
    return (matrix @ flat).reshape(matrix.shape[0], *array.shape[1:])


def padded(ratings: NDArray[Any], length: int) -> NDArray[Any]:
    """Numbers of items by their number of ratings, with zeros for higher numbers."""
    missing = length - ratings.shape[-1]
    return ratings if not missing else np.pad(ratings, [(0, 0)] * (ratings.ndim - 1) + [(0, missing)])
