"""Scores of every class for each item: checked once, then read chunk by chunk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.errors import InputError
from affectcheck.tallies.tally import Cells, chunks, require_codes, whole_numbers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

_UNKNOWN = "an unknown label: leave such items out, and count them, before they are tallied"


@dataclass(frozen=True)
class ClassScores:
    """True class and scores of some items.

    Attributes:
        truth: (n,) codes.
        scores: (n, C) of a real type.
        where: the cell of each item.
        missing: what an item is whose scores are all NaN: an ``error``, or a ``wrong`` answer.
    """

    truth: NDArray[Any]
    scores: NDArray[Any]
    where: Cells
    missing: str

    @classmethod
    def of(
        cls,
        truth: ArrayLike,
        scores: ArrayLike,
        *,
        cells: ArrayLike | None,
        n_cells: int | tuple[int, ...] | None,
        missing: str,
    ) -> ClassScores:
        """Check types and shapes.

        Raises:
            InputError: the truth is no codes (n,), the scores are not real numbers (n, C), or the cells do not fit.
        """
        true, given = whole_numbers(truth, "truth codes"), np.asarray(scores)
        if given.dtype.kind not in "fiub":
            raise InputError(f"scores have the type {given.dtype}", expected="real numbers", cause="text or nulls")
        if true.ndim != 1 or given.ndim != 2 or given.shape[0] != true.size or given.shape[1] == 0:
            raise InputError(
                f"truth of shape {true.shape}, scores of shape {given.shape}",
                expected="(n,) and (n, C): a score for each declared class",
            )
        return cls(true, given, Cells.of(cells, n_cells, true.size), missing)

    @property
    def labels(self) -> int:
        """C, the number of declared classes."""
        return int(self.scores.shape[1])

    def read(self) -> Iterator[ScoredChunk]:
        """Chunks in float64.

        Raises:
            InputError: a truth code is not declared, or a score is NaN.
        """
        for rows in chunks(self.truth.size):
            truth = self.truth[rows].astype(np.intp)
            require_codes(truth, self.labels, "truth", _UNKNOWN, rows.start)
            scores = self.scores[rows].astype(np.float64)
            unknown = np.isnan(scores)
            answered = np.ones(truth.size, np.bool_)
            if self.missing == "wrong":
                answered &= ~unknown.all(axis=1)
            if (unknown.any(axis=1) & answered).any():
                _refuse(unknown, answered, rows.start)
            yield ScoredChunk(truth, scores, answered, self.where.chunk(rows), rows.start)


@dataclass(frozen=True)
class ScoredChunk:
    """Some items.

    Attributes:
        truth: (k,) codes.
        scores: (k, C) float64.
        answered: (k,) whether an item has scores.
        codes: (k,) cell of each item; None where there is one cell.
        start: row of the first of them.
    """

    truth: NDArray[np.intp]
    scores: NDArray[np.float64]
    answered: NDArray[np.bool_]
    codes: NDArray[np.intp] | None
    start: int


def _refuse(unknown: NDArray[np.bool_], answered: NDArray[np.bool_], start: int) -> None:
    bad = int((unknown.any(axis=1) & answered).argmax())
    raise InputError(
        f"the score of class {int(unknown[bad].argmax())} is NaN",
        where=f"row {start + bad}",
        expected="a score for each declared class",
        cause="a model that abstains or diverges; leaving such items out would reward it",
    )
