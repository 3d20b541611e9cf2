"""Coincidences of ratings: the sufficient statistic of agreement among any number of raters, some of them absent."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from affectcheck.errors import InputError
from affectcheck.tallies.spread import padded
from affectcheck.tallies.tally import Cells, Tally, whole_numbers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

#: Numbers held at a time while items are turned into matrices: 32 MB.
_HELD = 4_000_000


@dataclass(frozen=True, eq=False)
class Coincidences(Tally):
    """How often two ratings of one item take each pair of values.

    Every item with m >= 2 ratings contributes its m (m - 1) ordered pairs, each with the weight 1 / (m - 1), so that
    each of its ratings enters once. Who rated does not enter: raters are interchangeable. Items with fewer than two
    ratings have no pair; they are counted in ``ratings`` and enter nothing else.

    Attributes:
        pairs: (..., C, C) weighted pairs of values, symmetric; float64.
        totals: (..., C) ratings of each value on the items with at least two; whole numbers.
        ratings: (..., R + 1) items by their number of ratings, 0 to R.
        values: (C,) what the codes stand for, in rising order, where distances between values matter.
    """

    pairs: Floats
    totals: NDArray[Any]
    ratings: NDArray[Any]
    values: Floats = field(default_factory=lambda: np.zeros(0))

    TRAILING: ClassVar[Mapping[str, int]] = {"pairs": 2, "totals": 1, "ratings": 1}

    @classmethod
    def zero(
        cls, labels: int, most: int = 0, shape: tuple[int, ...] = (), values: ArrayLike | None = None
    ) -> Coincidences:
        """No items: the identity of ``+``.

        Args:
            labels: C, the number of values.
            most: R, the highest number of ratings of an item.
            shape: the leading shape.
            values: (C,) what the codes stand for.

        Example:
            >>> one = Coincidences.count([[2, 0], [1, 1]])
            >>> (one + Coincidences.zero(labels=2)).pairs.tolist()
            [[2.0, 1.0], [1.0, 0.0]]
        """
        pairs = np.zeros((*shape, labels, labels))
        totals, ratings = np.zeros((*shape, labels), np.int64), np.zeros((*shape, most + 1), np.int64)
        return cls(pairs, totals, ratings, _values(values, labels))

    @classmethod
    def count(
        cls,
        votes: ArrayLike,
        *,
        values: ArrayLike | None = None,
        most: int | None = None,
        cells: ArrayLike | None = None,
        n_cells: int | tuple[int, ...] | None = None,
    ) -> Coincidences:
        """Count items by how many of their ratings take each value.

        Sums are of whole numbers, so that the order of items does not move a digit.

        Args:
            votes: (n, C) number of ratings of each item that take each value.
            values: (C,) what the columns stand for, rising; by default 0 … C - 1.
            most: R, the highest number of ratings of an item, so that tallies of several parts have one shape;
                default the highest that occurs.
            cells: (n,) code of the cell (group, cluster) that each item belongs to, from 0.
            n_cells: number of cells, or the leading shape that the codes ravel; default the highest code + 1.

        Raises:
            InputError: a number is negative or not whole, the values do not rise, or a code is out of range.

        Example:
            Two raters agree on the first item; on the second, three give two values; the third has one rating.

            >>> tally = Coincidences.count([[2, 0], [2, 1], [0, 1]])
            >>> tally.pairs.tolist(), tally.totals.tolist(), tally.ratings.tolist()
            ([[3.0, 1.0], [1.0, 0.0]], [4, 1], [0, 1, 1, 1])
        """
        table = _votes(votes)
        number = table.sum(axis=1)
        high = int(number.max(initial=0)) if most is None else most
        if number.max(initial=0) > high:
            raise InputError(f"an item with {int(number.max())} ratings", expected=f"at most {high}, as declared")
        where = Cells.of(cells, n_cells, len(table))
        codes = np.zeros(len(table), np.intp) if where.codes is None else where.codes.astype(np.intp)
        size, labels = where.size, table.shape[1]
        ratings = np.bincount(codes * (high + 1) + number, minlength=size * (high + 1))
        pairs, totals = np.zeros((size, labels, labels)), np.zeros((size, labels), np.int64)
        for m in np.unique(number[number >= 2]):
            rows = number == m
            counted = _ordered_pairs(table[rows], codes[rows], size)
            pairs += counted / (m - 1)
            totals += counted.sum(axis=-1) // (m - 1)
        return cls(
            pairs.reshape(*where.shape, labels, labels),
            totals.reshape(*where.shape, labels),
            ratings.reshape(*where.shape, high + 1),
            _values(values, labels),
        )

    @property
    def labels(self) -> int:
        """C, the number of values."""
        return int(self.pairs.shape[-1])

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

    def __add__(self, other: Coincidences) -> Coincidences:
        """Coincidences of both; leading axes broadcast.

        Raises:
            InputError: the two are of other values.
        """
        if self.labels != other.labels or not np.array_equal(self.values, other.values):
            raise InputError(
                f"coincidences of the values {_told(self.values)} and of {_told(other.values)}",
                expected="one list of values",
            )
        high = max(self.ratings.shape[-1], other.ratings.shape[-1])
        ratings = padded(self.ratings, high) + padded(other.ratings, high)
        return replace(self, pairs=self.pairs + other.pairs, totals=self.totals + other.totals, ratings=ratings)

    def pooled(self, axis: int = 0) -> Coincidences:
        """Sum over one leading axis."""
        return self._summed(axis)

    def weighted(self, weights: ArrayLike) -> Coincidences:
        """Weights @ tallies.

        Args:
            weights: (B, S), S the length of the first leading axis.

        Returns:
            Coincidences with first leading axis B.

        Example:
            >>> tally = Coincidences.count([[2, 0], [1, 1]], cells=[0, 1])
            >>> tally.weighted([[1, 2]]).pairs.tolist()
            [[[2.0, 2.0], [2.0, 0.0]]]
        """
        return self._mixed(weights)


def _votes(votes: ArrayLike) -> NDArray[np.int64]:
    table = np.asarray(votes)
    if table.ndim != 2 or table.shape[1] == 0:
        raise InputError(f"votes of shape {table.shape}", expected="(n, C): one row an item, one column a value")
    table = whole_numbers(table, "votes").astype(np.int64, copy=False)
    if (table < 0).any():
        row, column = np.argwhere(table < 0)[0]
        raise InputError(
            f"{int(table[row, column])} votes for value {int(column)}", where=f"row {int(row)}", expected="0 or more"
        )
    return table


def _values(values: ArrayLike | None, labels: int) -> Floats:
    array = np.arange(labels, dtype=np.float64) if values is None else np.asarray(values, np.float64)
    if array.shape != (labels,) or not np.isfinite(array).all() or (np.diff(array) <= 0).any():
        raise InputError(f"values {_told(array)} for {labels} columns", expected="one finite value a column, rising")
    return array


def _ordered_pairs(table: NDArray[np.int64], codes: NDArray[np.intp], cells: int) -> NDArray[np.int64]:
    """(cells, C, C) ordered pairs of two ratings of one item, as whole numbers."""
    labels = table.shape[1]
    pairs = np.zeros((cells, labels, labels), np.int64)
    if cells == 1:
        pairs[0] = table.T @ table
    else:
        for start in range(0, len(table), max(1, _HELD // labels**2)):
            rows = slice(start, start + max(1, _HELD // labels**2))
            np.add.at(pairs, codes[rows], table[rows, :, None] * table[rows, None, :])
    own = np.zeros((cells, labels), np.int64)
    np.add.at(own, codes, table)
    diagonal = np.arange(labels)
    pairs[:, diagonal, diagonal] -= own  # a rating makes no pair with itself
    return pairs


def _told(values: NDArray[Any]) -> str:
    shown = ", ".join(f"{value:g}" for value in values[:6])
    return f"{shown}, … ({values.size} of them)" if values.size > 6 else shown or "none"
