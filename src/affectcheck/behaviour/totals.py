"""Items and sums of what they have, from which shares and means follow."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from affectcheck.metrics.rules import ratio
from affectcheck.tallies import Tally

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, eq=False)
class Totals(Tally):
    """Numbers of items, and sums over them.

    Attributes:
        items: (...) number of items.
        sums: (..., P) sums over the items: how many have each class or bin, or of their values.
    """

    items: NDArray[Any]
    sums: NDArray[Any]

    TRAILING: ClassVar[Mapping[str, int]] = {"items": 0, "sums": 1}

    @classmethod
    def of_codes(
        cls, codes: NDArray[np.int64], number: int, cells: NDArray[np.int64], shape: tuple[int, ...]
    ) -> Totals:
        """Items by class or bin.

        Example:
            >>> Totals.of_codes(np.array([0, 1, 1]), 2, np.array([0, 0, 1]), (2,)).sums.tolist()
            [[1, 1], [0, 1]]
        """
        size = int(np.prod(shape))
        sums = np.bincount(cells * number + codes, minlength=size * number).reshape(*shape, number)
        return cls(sums.sum(axis=-1), sums)

    @classmethod
    def of_units(cls, found: NDArray[Any], cells: NDArray[np.int64], shape: tuple[int, ...]) -> Totals:
        """Items by unit: each may be found in any number of them.

        Example:
            >>> Totals.of_units(np.array([[1, 1], [0, 1]]), np.array([0, 0]), (2,)).sums.tolist()
            [[1, 2], [0, 0]]
        """
        size = int(np.prod(shape))
        sums = np.zeros((size, found.shape[1]), np.int64)
        np.add.at(sums, cells, found)
        return cls(np.bincount(cells, minlength=size).reshape(shape), sums.reshape(*shape, -1))

    @classmethod
    def of_values(cls, values: NDArray[Any], cells: NDArray[np.int64], shape: tuple[int, ...]) -> Totals:
        """Items and the sum of their values.

        Example:
            >>> Totals.of_values(np.array([0.25, 0.5]), np.array([0, 0]), (2,)).means().tolist()
            [[0.375], [nan]]
        """
        size = int(np.prod(shape))
        sums = np.bincount(cells, weights=np.asarray(values, np.float64), minlength=size)
        return cls(np.bincount(cells, minlength=size).reshape(shape), sums.reshape(*shape, 1))

    def means(self, parts: int | None = None) -> NDArray[np.float64]:
        """(..., P) shares of the items or mean values, of the first parts; NaN where there are no items."""
        return ratio(self.sums[..., :parts], self.items[..., None])

    @property
    def support(self) -> NDArray[Any]:
        """(...) items."""
        return self.items

    def __add__(self, other: Totals) -> Totals:
        """Totals of both."""
        return Totals(self.items + other.items, self.sums + other.sums)

    def pooled(self, axis: int = 0) -> Totals:
        """Merge all along one leading axis."""
        return self._summed(axis)

    def weighted(self, weights: ArrayLike) -> Totals:
        """Reweight along the first leading axis."""
        return self._mixed(weights)

    def dealt(self, groups: NDArray[Any], number: int) -> Totals:
        """As of every tally; sums of many groups are added up one by one, which takes no weight for each pair.

        Example:
            >>> made = Totals(np.array([1, 2]), np.array([[0.5], [4.0]])).dealt(np.array([[1, 0]]), 2)
            >>> made.items.tolist(), made.sums.tolist()
            ([[2.0, 1.0]], [[[4.0], [0.5]]])
        """
        rows, size = groups.shape
        flat = np.column_stack([self.items.reshape(size, -1), self.sums.reshape(size, -1)]).astype(np.float64)
        if number <= flat.shape[1]:
            return super().dealt(groups, number)
        places = (np.arange(rows)[:, None] * number + groups).ravel()
        added = [np.bincount(places, np.tile(one, rows), rows * number) for one in flat.T]
        columns = math.prod(self.items.shape[1:])
        items, sums = np.stack(added[:columns], axis=-1), np.stack(added[columns:], axis=-1)
        return Totals(
            items.reshape(rows, number, *self.items.shape[1:]), sums.reshape(rows, number, *self.sums.shape[1:])
        )
