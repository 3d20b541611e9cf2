"""Confusion counts: the sufficient statistic of every metric of categories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from affectcheck.errors import InputError
from affectcheck.tallies.tally import Cells, Tally, chunks, require_codes, whole_numbers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

_UNKNOWN = "-1 stands for an unknown label: leave such items out, and count them, before they are tallied"


@dataclass(frozen=True, eq=False)
class Confusion(Tally):
    """Counts of items by true and predicted class.

    Attributes:
        counts: (..., C, C) items, axes truth then prediction; whole numbers, int64 when counted from items, or float64
            where items count by shares, such as those of votes.
        unanswered: (..., C) items of each true class that have no prediction and are counted as wrong.
    """

    counts: NDArray[Any]
    unanswered: NDArray[Any]

    TRAILING: ClassVar[Mapping[str, int]] = {"counts": 2, "unanswered": 1}

    @classmethod
    def zero(cls, labels: int, shape: tuple[int, ...] = ()) -> Confusion:
        """No items: the identity of ``+``.

        Example:
            >>> one = Confusion.count([0, 1], [0, 0], labels=2)
            >>> (one + Confusion.zero(labels=2)).counts.tolist()
            [[1, 0], [1, 0]]
        """
        return cls(np.zeros((*shape, labels, labels), np.int64), np.zeros((*shape, labels), np.int64))

    @classmethod
    def of_counts(cls, counts: ArrayLike) -> Confusion:
        """From confusion matrices that somebody else counted.

        Args:
            counts: (..., C, C) whole numbers, axes truth then prediction.

        Raises:
            InputError: not square, negative or not whole.

        Example:
            >>> Confusion.of_counts([[3, 1], [0, 2]]).support.tolist()
            6
        """
        array = np.asarray(counts)
        if array.ndim < 2 or array.shape[-1] != array.shape[-2]:
            raise InputError(f"confusion counts of shape {array.shape}", expected="(..., C, C), truth then prediction")
        if array.size and not (np.isfinite(array).all() and (array >= 0).all() and (array == np.floor(array)).all()):
            raise InputError("confusion counts that are negative or not whole", expected="numbers of items")
        return cls(array.astype(np.int64), np.zeros(array.shape[:-1], np.int64))

    @classmethod
    def count(  # noqa: PLR0913  # truth and prediction, and four keywords that are rarely given together
        cls,
        truth: ArrayLike,
        prediction: ArrayLike,
        *,
        labels: int,
        cells: ArrayLike | None = None,
        n_cells: int | tuple[int, ...] | None = None,
        missing: Literal["error", "wrong"] = "error",
    ) -> Confusion:
        """Count items by cell, true class and predicted class, in one pass.

        Args:
            truth: (n,) integer codes 0 … C-1. An unknown label is an error here: leave it out and count it before.
            prediction: (n,) integer codes 0 … C-1; -1 where there is none, if ``missing`` is ``wrong``.
            labels: C, the number of declared classes, whatever the data hold.
            cells: (n,) code of the cell (group, cluster) that each item belongs to, from 0.
            n_cells: number of cells, or the leading shape that the codes ravel; default the highest code + 1.
            missing: what a prediction of -1 is: an ``error``, or a ``wrong`` answer.

        Returns:
            Counts (..., C, C) with the leading shape of the cells.

        Raises:
            InputError: lengths differ, or a code is not whole or not declared.

        Example:
            Two speakers, two classes.

            >>> tally = Confusion.count([0, 0, 1, 1], [0, 1, 1, 1], labels=2, cells=[0, 0, 1, 1])
            >>> tally.counts.tolist()
            [[[1, 1], [0, 0]], [[0, 0], [0, 2]]]
            >>> tally.pooled().counts.tolist()
            [[1, 1], [0, 2]]
        """
        true, predicted = whole_numbers(truth, "truth codes"), whole_numbers(prediction, "prediction codes")
        if true.ndim != 1 or true.shape != predicted.shape:
            raise InputError(
                f"truth of shape {true.shape}, prediction of shape {predicted.shape}", expected="(n,) and (n,)"
            )
        where = Cells.of(cells, n_cells, true.size)
        # One more column holds what has no prediction, so that a single bincount serves both.
        totals = np.zeros(where.size * labels * (labels + 1), np.int64)
        for rows in chunks(true.size):
            key = _key(true[rows], predicted[rows], labels, missing, rows.start)
            codes = where.chunk(rows)
            if codes is not None:
                key += codes * (labels * (labels + 1))
            totals += np.bincount(key, minlength=totals.size)
        table = totals.reshape(*where.shape, labels, labels + 1)
        return cls(np.ascontiguousarray(table[..., :labels]), np.ascontiguousarray(table[..., labels]))

    @property
    def labels(self) -> int:
        """C, the number of declared classes."""
        return int(self.counts.shape[-1])

    @property
    def support(self) -> NDArray[Any]:
        """(...) items, those without a prediction included."""
        return np.asarray(self.counts.sum(axis=(-2, -1)) + self.unanswered.sum(axis=-1))

    @property
    def truth_totals(self) -> NDArray[Any]:
        """(..., C) items of each true class."""
        return np.asarray(self.counts.sum(axis=-1) + self.unanswered)

    @property
    def prediction_totals(self) -> NDArray[Any]:
        """(..., C) items predicted as each class."""
        return np.asarray(self.counts.sum(axis=-2))

    @property
    def hits(self) -> NDArray[Any]:
        """(..., C) items of each class that are predicted as it."""
        return np.diagonal(self.counts, axis1=-2, axis2=-1)

    def __add__(self, other: Confusion) -> Confusion:
        """Counts of both; leading axes broadcast.

        Raises:
            InputError: the two have other numbers of classes.
        """
        if self.labels != other.labels:
            raise InputError(
                f"confusion counts of {self.labels} and of {other.labels} classes", expected="one declared label set"
            )
        return Confusion(self.counts + other.counts, self.unanswered + other.unanswered)

    def pooled(self, axis: int = 0) -> Confusion:
        """Sum over one leading axis."""
        return self._summed(axis)

    def weighted(self, weights: ArrayLike) -> Confusion:
        """Weights @ counts: exact for whole weights while sums stay below 2**53.

        Args:
            weights: (B, S), S the length of the first leading axis.

        Returns:
            float64 counts with first leading axis B.

        Example:
            >>> tally = Confusion.count([0, 1], [0, 0], labels=2, cells=[0, 1])
            >>> tally.weighted([[2, 0], [1, 1]]).counts.tolist()
            [[[2.0, 0.0], [0.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]]]
        """
        return self._mixed(weights)

    @property
    def cells(self) -> NDArray[Any]:
        """(..., C, C+1) counts with the unanswered items as a last column: every cell an item can fall into."""
        return np.concatenate([self.counts, self.unanswered[..., None]], axis=-1)

    @classmethod
    def of_cells(cls, cells: NDArray[Any]) -> Confusion:
        """The inverse of ``cells``.

        Example:
            >>> tally = Confusion.count([0, 1], [0, -1], labels=2, missing="wrong")
            >>> Confusion.of_cells(tally.cells).unanswered.tolist()
            [0, 1]
        """
        return cls(cells[..., :-1], cells[..., -1])


def _key(true: NDArray[Any], predicted: NDArray[Any], labels: int, missing: str, start: int) -> NDArray[np.intp]:
    """Place of each item in a (C, C+1) table, ravelled; checks the codes of the chunk, whose first row is ``start``."""
    require_codes(true, labels, "truth", _UNKNOWN, start)
    columns = predicted.astype(np.intp)
    if missing == "wrong":
        columns[columns == -1] = labels
    highest = labels + 1 if missing == "wrong" else labels
    require_codes(columns, highest, "prediction", "another label set, or items without a prediction", start)
    key = true.astype(np.intp)
    key *= labels + 1
    key += columns
    return key
