"""Ranks of models among each other, and how far resampling moves them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.uncertainty.intervals import LEAST, Resampling, too_few, widened_tail

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from affectcheck.uncertainty.intervals import ResampledValues

    Floats = NDArray[np.float64]


def ranks(values: ArrayLike, *, higher_is_better: bool, axis: int = -1) -> Floats:
    """Rank of each value along an axis: 1 plus the number of better ones.

    Args:
        values: values of models along one axis, NaN where undefined.
        higher_is_better: the direction of the metric.
        axis: the axis of the models.

    Returns:
        Ranks of the same shape; equal values share the best rank of theirs, and an undefined value ranks nowhere: NaN.

    Example:
        >>> ranks([0.5, 0.7, 0.5, float("nan"), 0.1], higher_is_better=True).tolist()
        [2.0, 1.0, 2.0, nan, 4.0]
    """
    array = np.moveaxis(np.asarray(values, np.float64), axis, -1)
    signed = -array if higher_is_better else array
    ordered = np.sort(signed, axis=-1)  # NaN come last, behind every value that is counted
    flat = (math.prod(array.shape[:-1]), array.shape[-1])  # stated in full, since there may be no models at all
    better = _places(ordered.reshape(flat), signed.reshape(flat))
    found = np.where(np.isnan(array), np.nan, better.reshape(array.shape) + 1.0)
    return np.moveaxis(found, -1, axis)


def _places(ordered: Floats, values: Floats) -> Floats:
    """Number of entries of each row that are smaller than each value of it."""
    found = np.zeros(values.shape)
    for column in range(values.shape[1]):
        found += ordered[:, column, None] < values
    return found


@dataclass(frozen=True)
class RankIntervals:
    """Ranks of models with intervals, over any axes (group, part).

    Attributes:
        rank: (M, ...) 1 is best; NaN where the value is undefined.
        low, high: (M, ...) bounds, both included; NaN where there is none.
        undefined: (M, ...) resamples in which the model ranked nowhere.
        models: (...) models that have a rank.
        clusters: (...) clusters behind the values.
        options: how the values were resampled.
    """

    rank: Floats
    low: Floats
    high: Floats
    undefined: NDArray[np.int64]
    models: NDArray[np.int64]
    clusters: NDArray[np.int64]
    options: Resampling

    def reason(self, model: int, *index: int) -> str:
        """Why a model has no rank or no interval at a place; empty where it has both."""
        if np.isnan(self.rank[(model, *index)]):
            return "the score is undefined, which ranks nowhere"
        clusters = int(self.clusters[index])
        if clusters < LEAST:
            return too_few(clusters, self.options.unit)
        if np.isnan(self.low[(model, *index)]):
            undefined = int(self.undefined[(model, *index)])
            return f"the score is undefined in {undefined} of {self.options.resamples} resamples"
        return ""


def rank_intervals(models: Sequence[ResampledValues], *, higher_is_better: bool) -> RankIntervals:
    """Intervals of ranks: all models are ranked anew in each resample that they share.

    Percentiles as for scores, at a level widened for few clusters; they are ranks themselves, not means of two, and
    always hold the rank that was observed.

    Args:
        models: a metric's values of each model, resampled by the same weights.
        higher_is_better: the direction of the metric.

    Returns:
        Ranks and intervals over the values' axes.

    Example:
        >>> from affectcheck.uncertainty.intervals import ResampledValues
        >>> flat = np.array([0.6, 0.6, 0.6, 0.6])
        >>> one, two = (
        ...     ResampledValues(np.array(p), v, None, np.array(30), Resampling(4))
        ...     for p, v in ((0.6, flat), (0.5, np.array([0.4, 0.7, 0.5, 0.5])))
        ... )
        >>> found = rank_intervals([one, two], higher_is_better=True)
        >>> found.rank.tolist(), found.low.tolist(), found.high.tolist()
        ([1.0, 2.0], [1.0, 1.0], [2.0, 2.0])
    """
    first = models[0]
    rank = ranks(np.stack([one.point for one in models]), higher_is_better=higher_is_better, axis=0)
    drawn = ranks(np.stack([one.values for one in models], axis=1), higher_is_better=higher_is_better, axis=1)
    undefined = np.isnan(drawn).sum(axis=0)
    tail = np.broadcast_to(widened_tail(first.options.level, first.clusters), rank.shape)
    low, high = _order_statistic(drawn, tail, upper=False), _order_statistic(drawn, tail, upper=True)
    given = ~np.isnan(rank) & (first.clusters >= LEAST) & (2 * undefined < first.options.resamples)
    return RankIntervals(
        rank=rank,
        low=np.where(given, np.fmin(low, rank), np.nan),
        high=np.where(given, np.fmax(high, rank), np.nan),
        undefined=undefined,
        models=(~np.isnan(rank)).sum(axis=0),
        clusters=first.clusters,
        options=first.options,
    )


def _order_statistic(drawn: Floats, tail: Floats, *, upper: bool) -> Floats:
    """The outermost rank beyond which at most this share of the draws lies; NaN without draws."""
    ordered = np.sort(drawn, axis=0)  # NaN come last
    number = (~np.isnan(drawn)).sum(axis=0)
    # The k-th of n ordered draws stands for the share k / (n + 1), as for the ends of other intervals.
    beyond = np.clip(np.floor(tail * (number + 1)).astype(np.intp) - 1, 0, np.maximum(number - 1, 0))
    place = np.maximum(number - 1 - beyond, 0) if upper else beyond
    return np.asarray(np.take_along_axis(ordered, np.asarray(place)[None], axis=0)[0])
