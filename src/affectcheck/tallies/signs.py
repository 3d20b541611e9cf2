"""Real truth and prediction by sign: the sufficient statistic of sign agreement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from affectcheck.errors import InputError
from affectcheck.tallies.binned import joint_counts
from affectcheck.tallies.columns import Pairs
from affectcheck.tallies.tally import Cells, Tally

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, eq=False)
class Signs(Tally):
    """Counts by sign of the truth and of the prediction about a neutral value, one table a dimension.

    A sign is -1 below the neutral value, 0 at it and 1 above it: what is exactly neutral has a sign of its own.

    Attributes:
        counts: (..., D, 3, 3) items, axes truth then prediction, signs -1, 0, 1.
        unknown: (..., D) items whose truth is unknown.
        neutral: the neutral value, in the unit of the scheme: the middle of its range.
    """

    counts: NDArray[Any]
    unknown: NDArray[Any]
    neutral: float = 0.0

    TRAILING: ClassVar[Mapping[str, int]] = {"counts": 3, "unknown": 1}

    @classmethod
    def zero(cls, dimensions: int, shape: tuple[int, ...] = (), neutral: float = 0.0) -> Signs:
        """No items: the identity of ``+``.

        Example:
            >>> Signs.zero(dimensions=2).counts.shape
            (2, 3, 3)
        """
        full = (*shape, dimensions)
        return cls(np.zeros((*full, 3, 3), np.int64), np.zeros(full, np.int64), neutral)

    @classmethod
    def of(
        cls,
        truth: ArrayLike,
        prediction: ArrayLike,
        *,
        neutral: float = 0.0,
        cells: ArrayLike | None = None,
        n_cells: int | tuple[int, ...] | None = None,
    ) -> Signs:
        """Count items by sign, compared in float64.

        Args:
            truth: (n, D); NaN where a dimension's truth is unknown, which leaves the item out of it. (n,) means D = 1.
            prediction: (n, D), finite.
            neutral: the value of no sign: the middle of the declared range, 0 of [-1, 1] and .5 of [0, 1].
            cells: (n,) code of the cell (group, cluster) that each item belongs to, from 0.
            n_cells: number of cells, or the leading shape that the codes ravel; default the highest code + 1.

        Returns:
            Counts (..., D, 3, 3) with the leading shape of the cells.

        Raises:
            InputError: shapes differ, the neutral value is not finite, a prediction is NaN or infinite, a truth is
                infinite.

        Example:
            >>> Signs.of([-0.5, 0.0, 0.5], [-0.1, 0.1, 0.2]).counts[0].tolist()
            [[1, 0, 0], [0, 0, 1], [0, 0, 1]]
        """
        if not np.isfinite(neutral):
            raise InputError(f"a neutral value of {neutral}", expected="a finite number")
        pairs = Pairs.of(truth, prediction)
        where = Cells.of(cells, n_cells, pairs.items)
        counts, unknown = joint_counts(
            pairs, where, lambda values: (values >= neutral).astype(np.intp) + (values > neutral), 3
        )
        return cls(counts, unknown, float(neutral))

    @property
    def dimensions(self) -> int:
        """D, the number of dimensions."""
        return int(self.counts.shape[-3])

    @property
    def options(self) -> tuple[str, ...]:
        """The neutral value, for signatures."""
        return (f"neutral={self.neutral:.12g}",)

    @property
    def support(self) -> NDArray[Any]:
        """(..., D) items whose truth is known."""
        return np.asarray(self.counts.sum(axis=(-2, -1)))

    def __add__(self, other: Signs) -> Signs:
        """Counts of both; leading axes broadcast.

        Raises:
            InputError: the two have other neutral values or numbers of dimensions.
        """
        if self.neutral != other.neutral or self.dimensions != other.dimensions:
            raise InputError(
                f"signs of {self.dimensions} dimensions about {self.neutral:g} and of {other.dimensions} "
                f"about {other.neutral:g}",
                expected="one declared scheme and one neutral value",
            )
        return Signs(self.counts + other.counts, self.unknown + other.unknown, self.neutral)

    def pooled(self, axis: int = 0) -> Signs:
        """Sum over one leading axis."""
        return self._summed(axis)

    def weighted(self, weights: ArrayLike) -> Signs:
        """Weights @ counts.

        Args:
            weights: (B, S), S the length of the first leading axis.

        Returns:
            float64 counts with first leading axis B.

        Example:
            >>> Signs.of([-0.5, 0.5], [-0.1, 0.2], cells=[0, 1]).weighted([[2, 1]]).counts[0, 0].tolist()
            [[2.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
        """
        return self._mixed(weights)
