"""Means, medians and majorities over windows of sorted rows. Arrays only; a window never is empty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.predictions.steps.sequences import Sequences

#: Numbers that are gathered at a time: 16 MB.
GATHERED: Final = 2_000_000


@dataclass(frozen=True, eq=False)
class Windows:
    """For each sorted row the rows around it, itself among them.

    Attributes:
        order: the sequences.
        first, stop: (n,) first and last-plus-one row of each window.
    """

    order: Sequences
    first: np.ndarray
    stop: np.ndarray

    @property
    def sizes(self) -> np.ndarray:
        """(n,) rows in each window."""
        return np.asarray(self.stop - self.first)

    def means(self, values: np.ndarray) -> np.ndarray:
        """Means, by running sums from each sequence's first value on, so that what is constant stays exactly so."""
        found = np.empty_like(values)
        for rows in self.order:
            start = values[rows.start]
            sums = np.concatenate([np.zeros((1, values.shape[1])), np.cumsum(values[rows] - start, axis=0)])
            low, high = self.first[rows] - rows.start, self.stop[rows] - rows.start
            found[rows] = start + (sums[high] - sums[low]) / (high - low)[:, None]
        return found

    def medians(self, values: np.ndarray) -> np.ndarray:
        """Medians; of an even number the mean of the middle two."""
        found = np.empty_like(values)
        for rows, index, inside in self._gathered(values.shape[1]):
            window = np.sort(np.where(inside[..., None], values[index], np.inf), axis=1)
            number = inside.sum(axis=1)
            middle = np.stack([(number - 1) // 2, number // 2], axis=1)[..., None]
            found[rows] = np.take_along_axis(window, middle, axis=1).mean(axis=1)
        return found

    def gaussians(self, values: np.ndarray, sigma: float) -> np.ndarray:
        """Means weighted by a Gaussian of the distance in place, its weights normalised over what is there.

        Args:
            values: (n, parts).
            sigma: standard deviation in the unit of the places.
        """
        found = np.empty_like(values)
        places = self.order.places
        for rows, index, inside in self._gathered(values.shape[1]):
            away = (places[index] - places[rows][:, None]) / sigma
            weights = np.where(inside, np.exp(-0.5 * away**2), 0.0)
            # Differences from the middle, so that what is constant stays exactly so.
            shift = ((values[index] - values[rows][:, None]) * weights[..., None]).sum(axis=1)
            found[rows] = values[rows] + shift / weights.sum(axis=1)[:, None]
        return found

    def common_class(self, values: np.ndarray) -> np.ndarray:
        """The most frequent class of one-hot rows; of equal ones the row's own if among them, else the first."""
        counts = self._counts(values)
        own = values.argmax(axis=1)
        keeps = counts[np.arange(own.size), own] == counts.max(axis=1)
        return np.asarray(np.eye(values.shape[1])[np.where(keeps, own, counts.argmax(axis=1))])

    def common_units(self, values: np.ndarray) -> np.ndarray:
        """For each unit whether it is present in most of the window; in half of it, what the row itself says."""
        twice = 2 * self._counts(values)
        sizes = self.sizes[:, None]
        return np.where(twice == sizes, values, (twice > sizes).astype(np.float64))

    def _counts(self, values: np.ndarray) -> np.ndarray:
        sums = np.concatenate([np.zeros((1, values.shape[1]), np.int64), np.cumsum(values.astype(np.int64), axis=0)])
        return np.asarray(sums[self.stop] - sums[self.first])

    def _gathered(self, parts: int) -> Iterator[tuple[slice, np.ndarray, np.ndarray]]:
        """Blocks of rows with the rows of their windows (b, widest), and which of these are inside."""
        widest = int(self.sizes.max(initial=1))
        block = max(1, GATHERED // (widest * max(parts, 1)))
        for start in range(0, self.first.size, block):
            rows = slice(start, min(start + block, self.first.size))
            index = self.first[rows][:, None] + np.arange(widest)
            inside = index < self.stop[rows][:, None]
            yield rows, np.minimum(index, self.first.size - 1), inside
