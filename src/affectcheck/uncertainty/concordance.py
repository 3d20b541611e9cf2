"""Two rankings of the same models on two sets of items: which pairs are ordered alike, beyond what noise does.

Noise in the scores pulls the tau of two observed rankings towards 0, and every resample adds the noise again, so that
percentiles of resampled taus do not cover the tau of the models themselves: with test sets of a few hundred items they
all but never hold a true tau of 1. So the interval rests on the pairs: comparisons of all pairs on both sets at once
say which orders are beyond doubt, and tau is bounded by what the others can be (Mogstad, Romano, Shaikh and Wilhelm 2024,
Inference for ranks). It holds the truth at least as often as its level says, and is wide where the test sets are small.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.uncertainty.intervals import LEAST, quantile_at
from affectcheck.uncertainty.kendall import kendall_tau, orders
from affectcheck.uncertainty.quantiles import normal_cdf, t_quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from affectcheck.uncertainty.kendall import Floats, Signs


@dataclass(frozen=True)
class Ranked:
    """Scores of M models on one set of items.

    Attributes:
        point: (M,) scores, higher being ahead; NaN where undefined.
        draws: (B, M) the same in each resample.
        clusters: clusters behind them.
    """

    point: Floats
    draws: Floats
    clusters: int


@dataclass(frozen=True)
class Concordance:
    """Two rankings compared pair by pair.

    Attributes:
        tau: tau-b of the scores; NaN where undefined.
        low, high: bounds of the tau of the models themselves; NaN where there are none.
        resampled: (B,) tau in each resample: what noise makes of it.
        opposite: (P,) share of the resamples in which a pair is ordered one way on one set and the other way on the other.
        ahead: (2, P) share of the resamples in which the first of a pair is ahead on each set, ties counting half.
        decided: (2, P) which of a pair is ahead beyond doubt on each set: 1, -1, or 0 where it is not known.
        undefined: resamples in which tau is undefined.
    """

    tau: float
    low: float
    high: float
    resampled: Floats
    opposite: Floats
    ahead: Floats
    decided: Signs
    undefined: int


def concordance(first: Ranked, second: Ranked, *, level: float = 0.95) -> Concordance:
    """Compare the rankings of the same models on two sets.

    Args:
        first: scores and their resamples on one set, all models under the same weights, so that what the items have in
            common cancels between models.
        second: the same on the other; where the two share items, under the same weights.
        level: with which all orders that are called decided are right at once.

    Returns:
        Tau with bounds, and what is known of every pair.

    Example:
        Two models that are far apart on both sets, and a third that is as good as the second on one of them:

        >>> draws = np.random.default_rng(0).normal(size=(500, 3)) * 0.01
        >>> one = Ranked(np.array([0.9, 0.5, 0.1]), np.array([0.9, 0.5, 0.1]) + draws, 50)
        >>> two = Ranked(np.array([0.9, 0.5, 0.5]), np.array([0.9, 0.5, 0.5]) + draws[::-1], 50)
        >>> found = concordance(one, two)
        >>> found.decided[1].tolist(), round(found.low, 3), found.high
        ([1, 1, 0], 0.333, 1.0)
    """
    sides = (first, second)
    signs = [orders(side.draws) for side in sides]
    known = [_known(side.draws) for side in sides]
    both = known[0] & known[1]
    number = np.maximum(both.sum(axis=0), 1)
    opposite = ((signs[0] * signs[1] < 0) & both).sum(axis=0) / number
    ahead = np.stack([_ahead(s, k) for s, k in zip(signs, known, strict=True)])
    resampled = kendall_tau(first.draws, second.draws)
    undefined = int(np.isnan(resampled).sum())
    decided = decided_orders(sides, level=level)
    tau = float(kendall_tau(first.point, second.point))
    low, high = _bounds(decided, np.asarray(_known(np.stack([side.point for side in sides])).all(axis=0)))
    enough = min(side.clusters for side in sides) >= LEAST and 2 * undefined < len(resampled) and not np.isnan(tau)
    bounds = (low, high) if enough else (np.nan, np.nan)
    return Concordance(tau, *bounds, resampled, opposite, ahead, decided, undefined)


def decided_orders(sides: tuple[Ranked, Ranked], *, level: float) -> Signs:
    """(2, P) which of each pair is ahead beyond doubt, all pairs of both sets being judged at once.

    A pair is decided where its difference, in standard errors, is beyond the largest that the resamples have of any
    pair that is not decided yet, at the level (Romano and Wolf's stepwise method). A set of few clusters gets the t
    quantile of the same tail, and one of fewer than an interval takes decides nothing.
    """
    point = np.stack([_differences(side.point) for side in sides])
    away = np.stack([_differences(side.draws) for side in sides], axis=1) - point
    given = ~np.isnan(away)
    number = given.sum(axis=0)
    away = np.where(given, away, 0.0)
    error = np.sqrt((away**2).sum(axis=0) / np.maximum(number, 1))
    # As for intervals: a pair that half the resamples do not know speaks of a selection.
    enough = np.array([[side.clusters >= LEAST] for side in sides])
    known = ~np.isnan(point) & (2 * number > given.shape[0]) & enough
    usable = known & (error > 0)
    scaled = np.divide(np.abs(away), error, out=np.zeros_like(away), where=usable)
    size = np.divide(np.abs(point), error, out=np.zeros_like(point), where=usable)
    # Models that differ by the same in every resample differ beyond doubt, if they do.
    sure = known & (error == 0) & (point != 0)
    decided = sure
    while True:
        left = ~decided
        largest = np.where(left, scaled, 0.0).max(axis=(1, 2), initial=0.0)
        limit = float(quantile_at(largest, np.array(level)))
        limits = np.array([[_widened(limit, side.clusters)] for side in sides])
        now = decided | (size > limits)
        if (now == decided).all() or now.all():
            break
        decided = now
    return np.where(now, np.sign(np.nan_to_num(point)), 0).astype(np.int8)


def _widened(limit: float, clusters: int) -> float:
    """A limit of normal deviates as one of Student's t with the same tail."""
    n = max(clusters, 2)
    tail = float(normal_cdf(-limit))
    return limit if tail == 0.0 else float(-t_quantile(tail, n - 1.0) * np.sqrt(n / (n - 1.0)))


def _differences(values: Floats) -> Floats:
    first, second = np.triu_indices(values.shape[-1], 1)
    return np.asarray(values[..., first] - values[..., second])


def _known(values: Floats) -> NDArray[np.bool_]:
    return ~np.isnan(_differences(values))


def _ahead(signs: Signs, known: NDArray[np.bool_]) -> Floats:
    """(P,) share of the resamples in which the first is ahead, ties counting half; one half where it is never known."""
    number = known.sum(axis=0)
    won = (np.where(known, signs, 0) + known).sum(axis=0) / 2.0
    return np.asarray(np.divide(won, number, out=np.full(number.shape, 0.5), where=number > 0))


def _bounds(decided: Signs, known: NDArray[np.bool_]) -> tuple[float, float]:
    """Least and largest tau over all orders that agree with the decided ones."""
    pairs = int(known.sum())
    if not pairs:
        return np.nan, np.nan
    product = (decided[0] * decided[1])[known]
    agreeing, open_pairs = int(product.sum()), int((product == 0).sum())
    return (agreeing - open_pairs) / pairs, (agreeing + open_pairs) / pairs
