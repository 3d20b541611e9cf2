"""The ends of a ranking in resamples, where each of those ranked counts as often as it was drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.metrics.ordering import Ordered
from affectcheck.metrics.quantile_rankings import End, Quantile
from affectcheck.tallies.ranked import running

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from affectcheck.tallies import Sample

    Floats = NDArray[np.float64]


def end_precision(tally: Sample, end: End, quantile: Quantile | None = None) -> Floats:
    """Share of those at one end of the predicted ranking that are at that end of the true one.

    Args:
        tally: (...) those who are ranked, each an item, in P rankings.
        end: ``top`` or ``bottom``.
        quantile: how many; default a quarter, rounded half to even.

    Returns:
        (..., P) values as ``quantile_precision`` gives them; NaN where the quantile holds nobody.

    Example:
        >>> from affectcheck.tallies import Sample
        >>> tally = Sample.of([0.1, 0.2, 0.3, 0.4], [0.1, 0.3, 0.2, 0.4], cells=[0, 1, 2, 3])
        >>> end_precision(tally.pooled(0), "top").tolist()
        [1.0]
    """
    cut = quantile or Quantile()
    return tally.each(lambda truth, score: _Overlap(_Places.of(truth), _Places.of(score), ((end, end),), cut))


def end_confusion(tally: Sample, quantile: Quantile | None = None) -> Floats:
    """Share of those at the ends of the predicted ranking that are at the other end of the true one.

    Args:
        tally: (...) those who are ranked, each an item, in P rankings.
        quantile: how many; default a quarter, rounded half to even.

    Returns:
        (..., P) values as ``quantile_confusion`` gives them; NaN where the quantile holds nobody.
    """
    cut = quantile or Quantile()
    crossed: tuple[tuple[End, End], ...] = (("top", "bottom"), ("bottom", "top"))
    return tally.each(lambda truth, score: _Overlap(_Places.of(truth), _Places.of(score), crossed, cut))


def end_mean(
    tally: Sample, end: End, value: Callable[[NDArray[Any], NDArray[Any]], Floats], quantile: Quantile | None = None
) -> Floats:
    """Mean of a value of those at one end of the true ranking, each by its part in the end.

    Args:
        tally: (...) those who are ranked, each an item, in P rankings.
        end: ``top`` or ``bottom``.
        value: (n,) of truth and score (n,).
        quantile: how many; default a quarter, rounded half to even.

    Returns:
        (..., P) means; NaN where the quantile holds nobody.

    Example:
        >>> from affectcheck.tallies import Sample
        >>> tally = Sample.of([0.1, 0.1, 0.3, 0.4], [1.0, 2.0, 3.0, 4.0])
        >>> end_mean(tally, "bottom", lambda truth, score: score).tolist()
        [1.5]
    """
    cut = quantile or Quantile()
    return tally.each(lambda truth, score: _EndMean(_Places.of(truth), value(truth, score), end, cut))


class _Places(Ordered):
    """Some that are ranked, from the lowest value to the highest."""

    def membership(self, weights: Floats, lengths: Floats, end: End) -> Floats:
        """(k, n) part that each has in the places of one end, under k weightings."""
        total = running(weights[:, self.order])
        below, through = total[:, self.first], total[:, self.last]
        held = through - below
        before = below if end == "bottom" else total[:, -1:] - through
        taken = np.clip(lengths[:, None] - before, 0.0, held)
        return np.divide(taken, held, out=np.zeros_like(held), where=held > 0.0)[:, self.run]


@dataclass(frozen=True, eq=False)
class _Overlap:
    """How much of the ends of one ranking lies at some ends of the other."""

    truth: _Places
    prediction: _Places
    ends: Sequence[tuple[End, End]]
    quantile: Quantile

    @property
    def orders(self) -> tuple[NDArray[np.intp], ...]:
        return (np.arange(self.truth.order.size),)

    def values(self, weights: Sequence[Floats]) -> Floats:
        (weight,) = weights
        lengths = self.quantile.lengths(weight.sum(axis=1))
        shared = np.zeros(len(weight))
        for of_truth, of_prediction in self.ends:
            both = self.truth.membership(weight, lengths, of_truth)
            shared += (weight * both * self.prediction.membership(weight, lengths, of_prediction)).sum(axis=1)
        return _per_place(shared, lengths * len(self.ends))


@dataclass(frozen=True, eq=False)
class _EndMean:
    """Mean of a value at one end of the truth."""

    truth: _Places
    value: Floats
    end: End
    quantile: Quantile

    @property
    def orders(self) -> tuple[NDArray[np.intp], ...]:
        return (np.arange(self.value.size),)

    def values(self, weights: Sequence[Floats]) -> Floats:
        (weight,) = weights
        lengths = self.quantile.lengths(weight.sum(axis=1))
        part = self.truth.membership(weight, lengths, self.end)
        return _per_place((weight * part * self.value).sum(axis=1), lengths)


def _per_place(total: Floats, lengths: Floats) -> Floats:
    return np.divide(total, lengths, out=np.full_like(total, np.nan), where=lengths > 0.0)
