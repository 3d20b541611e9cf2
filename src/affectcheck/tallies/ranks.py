"""Ranks of the true class among an item's scores: the sufficient statistic of top-k accuracy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from affectcheck.errors import InputError
from affectcheck.tallies.class_scores import ClassScores
from affectcheck.tallies.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, eq=False)
class TrueRanks(Tally):
    """Items by the rank of their true class among the scores of all classes, the highest score first.

    Of equal scores the class that is declared first stands first, as in the decision, so that rank 0 is a right
    decision.

    Attributes:
        counts: (..., C) items by rank, from 0; whole numbers, int64 when counted from items.
        unanswered: (...) items without scores, which are right at no rank.
    """

    counts: NDArray[Any]
    unanswered: NDArray[Any]

    TRAILING: ClassVar[Mapping[str, int]] = {"counts": 1, "unanswered": 0}

    @classmethod
    def zero(cls, labels: int, shape: tuple[int, ...] = ()) -> TrueRanks:
        """No items: the identity of ``+``.

        Example:
            >>> one = TrueRanks.count([0, 1], [[0.7, 0.3], [0.6, 0.4]])
            >>> (one + TrueRanks.zero(labels=2)).counts.tolist()
            [1, 1]
        """
        return cls(np.zeros((*shape, labels), np.int64), np.zeros(shape, np.int64))

    @classmethod
    def count(
        cls,
        truth: ArrayLike,
        scores: ArrayLike,
        *,
        cells: ArrayLike | None = None,
        n_cells: int | tuple[int, ...] | None = None,
        missing: Literal["error", "wrong"] = "error",
    ) -> TrueRanks:
        """Count items by cell and rank of the true class.

        Args:
            truth: (n,) integer codes 0 … C-1.
            scores: (n, C) a score for each declared class, of any kind (probability, logit); infinite ones rank too.
            cells: (n,) code of the cell (group, cluster) that each item belongs to, from 0.
            n_cells: number of cells, or the leading shape that the codes ravel; default the highest code + 1.
            missing: what an item is whose scores are all NaN: an ``error``, or a ``wrong`` answer.

        Returns:
            Counts (..., C) with the leading shape of the cells.

        Raises:
            InputError: shapes differ, a truth code is not declared, a score is NaN.

        Example:
            The true class is first, second and third.

            >>> tally = TrueRanks.count([0, 0, 2], [[0.5, 0.3, 0.2], [0.4, 0.5, 0.1], [0.4, 0.4, 0.2]])
            >>> tally.counts.tolist()
            [1, 1, 1]
        """
        given = ClassScores.of(truth, scores, cells=cells, n_cells=n_cells, missing=missing)
        labels, where = given.labels, given.where
        totals = np.zeros(where.size * (labels + 1), np.int64)
        for part in given.read():
            key = np.full(part.truth.size, labels, np.intp)
            key[part.answered] = _ranks(part.truth[part.answered], part.scores[part.answered])
            if part.codes is not None:
                key += part.codes * (labels + 1)
            totals += np.bincount(key, minlength=totals.size)
        table = totals.reshape(*where.shape, labels + 1)
        return cls(table[..., :labels].copy(), table[..., labels].copy())

    @property
    def labels(self) -> int:
        """C, the number of declared classes."""
        return int(self.counts.shape[-1])

    @property
    def support(self) -> NDArray[Any]:
        """(...) items, those without scores included."""
        return np.asarray(self.counts.sum(axis=-1) + self.unanswered)

    def __add__(self, other: TrueRanks) -> TrueRanks:
        """Counts of both; leading axes broadcast.

        Raises:
            InputError: the two have other numbers of classes.
        """
        if self.labels != other.labels:
            raise InputError(f"ranks among {self.labels} and {other.labels} classes", expected="one declared label set")
        return TrueRanks(self.counts + other.counts, self.unanswered + other.unanswered)

    def pooled(self, axis: int = 0) -> TrueRanks:
        """Sum over one leading axis."""
        return self._summed(axis)

    def weighted(self, weights: ArrayLike) -> TrueRanks:
        """Weights @ counts.

        Args:
            weights: (B, S), S the length of the first leading axis.

        Returns:
            float64 counts with first leading axis B.

        Example:
            >>> tally = TrueRanks.count([0, 1], [[0.7, 0.3], [0.6, 0.4]], cells=[0, 1])
            >>> tally.weighted([[2, 0], [1, 1]]).counts.tolist()
            [[2.0, 0.0], [1.0, 1.0]]
        """
        return self._mixed(weights)


def _ranks(truth: NDArray[np.intp], scores: NDArray[np.float64]) -> NDArray[np.intp]:
    """(n,) classes that stand before the true one."""
    own = np.take_along_axis(scores, truth[:, None], axis=1)
    before = np.arange(scores.shape[1]) < truth[:, None]
    return np.asarray(((scores > own) | ((scores == own) & before)).sum(axis=1), np.intp)
