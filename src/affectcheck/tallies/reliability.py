"""Confidence against outcome in bins of the confidence: the sufficient statistic of calibration error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

import numpy as np

from affectcheck.errors import InputError
from affectcheck.tallies.class_scores import ClassScores
from affectcheck.tallies.probabilities import chances_of, require_presence, shares_of_classes
from affectcheck.tallies.tally import Cells, Tally, chunks, whole_numbers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

#: Bins of Guo et al. (2017).
BINS: Final = 15


@dataclass(frozen=True, eq=False)
class Reliability(Tally):
    """Items, hits and summed confidence by bin of the confidence, for the decided class or for each unit.

    Bins are equal in width, closed on the right, the first one on both sides. For categories there is one axis of
    length 1 before the bins; for units one of length M, with the probability of presence as the confidence and
    presence as the hit.

    Attributes:
        items: (..., M, bins) items; whole numbers when counted from items.
        hits: (..., M, bins) items whose decision is right, or whose unit is present.
        confidence: (..., M, bins) sum of their confidences.
        left_out: (..., M) items that are in no bin: of unknown truth (units), or without a prediction (categories).
    """

    items: NDArray[Any]
    hits: NDArray[Any]
    confidence: Floats
    left_out: NDArray[Any]

    TRAILING: ClassVar[Mapping[str, int]] = {"items": 2, "hits": 2, "confidence": 2, "left_out": 1}

    @classmethod
    def zero(cls, parts: int = 1, bins: int = BINS, shape: tuple[int, ...] = ()) -> Reliability:
        """No items: the identity of ``+``; ``parts`` is 1 for categories and the number of units for units.

        Example:
            >>> Reliability.zero().items.shape
            (1, 15)
        """
        full = (*shape, parts, bins)
        counts = np.zeros(full, np.int64)
        return cls(counts, counts.copy(), np.zeros(full), np.zeros((*shape, parts), np.int64))

    @classmethod
    def count(  # noqa: PLR0913  # truth and probability, and four keywords that are rarely given together
        cls,
        truth: ArrayLike,
        probability: ArrayLike,
        *,
        bins: int = BINS,
        cells: ArrayLike | None = None,
        n_cells: int | tuple[int, ...] | None = None,
        missing: Literal["error", "wrong"] = "error",
    ) -> Reliability:
        """Count categories: the confidence is the probability of the decided class.

        Args:
            truth: (n,) integer codes 0 … C-1.
            probability: (n, C) a probability for each declared class; the decision is the first of the highest.
            bins: number of bins on [0, 1].
            cells: (n,) code of the cell (group, cluster) that each item belongs to, from 0.
            n_cells: number of cells, or the leading shape that the codes ravel; default the highest code + 1.
            missing: what an item is whose probabilities are all NaN: an ``error``, or a ``wrong`` answer. The latter
                has no confidence to be calibrated, so it is left out here and counted.

        Returns:
            Counts (..., 1, bins) with the leading shape of the cells.

        Raises:
            InputError: shapes differ, a truth code is not declared, a probability lies outside [0, 1], or those of an
                item do not sum to 1 within 0.005 for each class; the message names the row.

        Example:
            Two decisions at .9, of which one is right, and one at .6 that is right.

            >>> tally = Reliability.count([0, 0, 1], [[0.9, 0.1], [0.1, 0.9], [0.4, 0.6]], bins=2)
            >>> tally.items[0].tolist(), tally.hits[0].tolist(), tally.confidence[0].round(3).tolist()
            ([0, 3], [0, 2], [0.0, 2.4])
        """
        given = ClassScores.of(truth, probability, cells=cells, n_cells=n_cells, missing=missing)
        sums = _Sums.empty(given.where.size, _checked_bins(bins))
        for part in given.read():
            chances = shares_of_classes(part.scores, part.answered, part.start)
            decision = chances.argmax(axis=1)
            confidence = np.take_along_axis(chances, decision[:, None], axis=1)[:, 0]
            sums.add(confidence, decision == part.truth, part.answered, part.codes)
        return cls._of_sums([sums], given.where.shape)

    @classmethod
    def of_units(
        cls,
        truth: ArrayLike,
        probability: ArrayLike,
        *,
        bins: int = BINS,
        cells: ArrayLike | None = None,
        n_cells: int | tuple[int, ...] | None = None,
    ) -> Reliability:
        """Count units: the confidence is the probability that the unit is present.

        Args:
            truth: (n, M) or (n,) 1 present, 0 absent, -1 unknown, which leaves the item out of that unit alone.
            probability: (n, M) or (n,) probability of presence.
            bins: number of bins on [0, 1].
            cells: as for ``count``.
            n_cells: as for ``count``.

        Returns:
            Counts (..., M, bins) with the leading shape of the cells.

        Raises:
            InputError: shapes differ, a truth code is none of the three, or a probability lies outside [0, 1]; the
                message names the row.

        Example:
            >>> tally = Reliability.of_units([1, 0, -1], [0.75, 0.25, 0.5], bins=2)
            >>> tally.items[0].tolist(), tally.hits[0].tolist(), tally.left_out.tolist()
            ([1, 1], [0, 1], [1])
        """
        true, given = whole_numbers(truth, "truth codes"), np.asarray(probability)
        true, given = (array[:, None] if array.ndim == 1 else array for array in (true, given))
        if true.ndim != 2 or true.shape != given.shape or given.dtype.kind not in "fiub":
            raise InputError(
                f"truth of shape {true.shape}, probability of shape {given.shape} and type {given.dtype}",
                expected="both (n, M), or both (n,), the latter of real numbers",
            )
        where = Cells.of(cells, n_cells, true.shape[0])
        columns = [_Sums.empty(where.size, _checked_bins(bins)) for _ in range(true.shape[1])]
        for rows in chunks(true.shape[0]):
            for unit, sums in enumerate(columns):
                codes = true[rows, unit]
                require_presence(codes, rows.start, unit)
                chances = chances_of(given[rows, unit].astype(np.float64), rows.start, f" of unit {unit}")
                sums.add(chances, codes == 1, codes >= 0, where.chunk(rows))
        return cls._of_sums(columns, where.shape)

    @classmethod
    def _of_sums(cls, columns: list[_Sums], shape: tuple[int, ...]) -> Reliability:
        stacked = {name: np.stack([getattr(sums, name) for sums in columns], axis=1) for name in cls.TRAILING}
        return cls(**{name: array.reshape(*shape, *array.shape[1:]) for name, array in stacked.items()})

    @property
    def bins(self) -> int:
        """Number of bins."""
        return int(self.items.shape[-1])

    @property
    def options(self) -> tuple[str, ...]:
        """The number of bins, for signatures."""
        return (f"bins={self.bins}",)

    @property
    def support(self) -> NDArray[Any]:
        """(..., M) items in a bin."""
        return np.asarray(self.items.sum(axis=-1))

    def __add__(self, other: Reliability) -> Reliability:
        """Sums of both; leading axes broadcast.

        Raises:
            InputError: the two have other bins or numbers of units.
        """
        if self.items.shape[-2:] != other.items.shape[-2:]:
            raise InputError(
                f"(parts, bins) of {self.items.shape[-2:]} and of {other.items.shape[-2:]}",
                expected="one declared set of parts and one number of bins",
            )
        return Reliability(
            self.items + other.items,
            self.hits + other.hits,
            self.confidence + other.confidence,
            self.left_out + other.left_out,
        )

    def pooled(self, axis: int = 0) -> Reliability:
        """Sum over one leading axis."""
        return self._summed(axis)

    def weighted(self, weights: ArrayLike) -> Reliability:
        """Weights @ sums.

        Args:
            weights: (B, S), S the length of the first leading axis.

        Returns:
            float64 sums with first leading axis B.

        Example:
            >>> tally = Reliability.of_units([1, 0], [0.75, 0.25], bins=1, cells=[0, 1])
            >>> tally.weighted([[2, 1]]).hits.tolist()
            [[[2.0]]]
        """
        return self._mixed(weights)


@dataclass(frozen=True)
class _Sums:
    """Running sums of one part, (cells, bins) and (cells,)."""

    items: NDArray[np.int64]
    hits: NDArray[np.int64]
    confidence: Floats
    left_out: NDArray[np.int64]

    @classmethod
    def empty(cls, cells: int, bins: int) -> _Sums:
        counts = np.zeros((cells, bins), np.int64)
        return cls(counts, counts.copy(), np.zeros((cells, bins)), np.zeros(cells, np.int64))

    def add(
        self,
        confidence: Floats,
        hit: NDArray[np.bool_],
        known: NDArray[np.bool_],
        codes: NDArray[np.intp] | None,
    ) -> None:
        cells, bins = self.items.shape
        cell = np.zeros(known.size, np.intp) if codes is None else codes
        key = cell[known] * bins + bin_of(confidence[known], bins)
        for total, each in ((self.items, None), (self.hits, hit[known]), (self.confidence, confidence[known])):
            found = np.bincount(key, each, minlength=cells * bins).reshape(cells, bins)
            total[...] += found.astype(total.dtype, copy=False)
        self.left_out[...] += np.bincount(cell[~known], minlength=cells)


def bin_of(confidence: Floats, bins: int) -> NDArray[np.intp]:
    """Bin of each confidence; bins are closed on the right, the first one on both sides.

    Example:
        >>> bin_of(np.array([0.0, 0.2, 0.21, 1.0]), 5).tolist()
        [0, 0, 1, 4]
    """
    edges = np.arange(1, bins) / bins
    return np.searchsorted(edges, confidence, side="left")


def _checked_bins(bins: int) -> int:
    if bins < 1:
        raise InputError(f"{bins} bins of confidence", expected="1 or more")
    return bins
