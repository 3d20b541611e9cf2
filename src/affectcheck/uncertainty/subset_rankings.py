"""How far a ranking depends on the size of the test set: subsets drawn without replacement, and sets dealt anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.seeds import rng
from affectcheck.uncertainty.intervals import LEAST, quantile_at
from affectcheck.uncertainty.kendall import kendall_tau

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from affectcheck.uncertainty.kendall import Floats

    #: (b, S) weights of clusters to (b, M) scores, higher being ahead.
    Scores = Callable[[NDArray[np.uint8]], Floats]

#: Shares of the clusters whose rankings are looked at.
SHARES: Final = (0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.85)


@dataclass(frozen=True)
class AtSize:
    """Rankings by subsets of one size.

    Attributes:
        size: clusters in a subset.
        tau: mean tau-b between a subset's ranking and that of all clusters; NaN where undefined.
        low, high: central share of the draws.
        winner: share of the draws in which the same model is ahead of all.
        between: mean tau-b between two subsets that share no cluster; NaN where there are no two of them.
        between_low, between_high: central share of the draws.
        draws: subsets in which tau is defined.
        asked: subsets that were drawn.
    """

    size: int
    tau: float
    low: float
    high: float
    winner: float
    between: float
    between_low: float
    between_high: float
    draws: int
    asked: int


def sizes_of(clusters: int) -> tuple[int, ...]:
    """Sizes of subsets, smallest first; none where there are too few clusters.

    Example:
        >>> sizes_of(12), sizes_of(100)
        ((6, 8, 10), (5, 10, 20, 35, 50, 70, 85))
    """
    found = {round(share * clusters) for share in SHARES}
    return tuple(sorted(size for size in found if LEAST <= size < clusters))


@dataclass(frozen=True)
class Subsetting:
    """How subsets are drawn.

    Attributes:
        draws: subsets of each size.
        seed: of the draws.
        level: of the central share that is told.
    """

    draws: int = 200
    seed: int = 0
    level: float = 0.95


def rankings_by_size(
    scores: Scores, clusters: int, full: Floats, options: Subsetting | None = None
) -> tuple[AtSize, ...]:
    """Rankings of models by ever larger subsets of the clusters.

    A subset is a part of the whole, so that its ranking comes to that of the whole as it grows, whatever noise there is in
    both; two subsets that share no cluster say what two test sets of that size would.

    Args:
        scores: weights of clusters to scores of the models.
        clusters: S.
        full: (M,) scores on all clusters.
        options: how many subsets are drawn.
    """
    chosen = options or Subsetting()
    random = rng(chosen.seed, "subsets of the test set")
    order = np.argsort(random.random((chosen.draws, clusters)), axis=1)
    place = np.empty_like(order)
    np.put_along_axis(place, order, np.arange(clusters)[None, :], axis=1)
    best = _best(full[None])[0]
    found = []
    for size in sizes_of(clusters):
        drawn = scores((place < size).astype(np.uint8))
        tau = kendall_tau(full, drawn)
        other = np.full(1, np.nan)
        if 2 * size <= clusters:
            other = kendall_tau(drawn, scores(((place >= size) & (place < 2 * size)).astype(np.uint8)))
        won = _best(drawn)
        same = (won & best).sum(axis=1) / np.maximum(won.sum(axis=1), 1)
        middle, apart = _central(tau, chosen.level), _central(other, chosen.level)
        found.append(AtSize(size, *middle, float(same.mean()), *apart, int((~np.isnan(tau)).sum()), chosen.draws))
    return tuple(found)


def _best(values: Floats) -> NDArray[np.bool_]:
    """(..., M) models that nobody is ahead of."""
    top = np.where(np.isnan(values), -np.inf, values).max(axis=-1, keepdims=True)
    return np.asarray(values >= top - 1e-9 * np.abs(np.where(np.isinf(top), 0.0, top)))


def _central(values: Floats, level: float) -> tuple[float, float, float]:
    """Mean and central share; NaN where nothing is defined."""
    known = values[~np.isnan(values)]
    if not known.size:
        return np.nan, np.nan, np.nan
    low, high = (float(quantile_at(known, np.array(share))) for share in ((1 - level) / 2, (1 + level) / 2))
    return float(known.mean()), low, high


@dataclass(frozen=True)
class Redealt:
    """Tau of two sets whose clusters are dealt anew, so that both are drawn from the same.

    Attributes:
        mean: of the draws.
        low: 5 % of the draws lie below.
        p_value: one-sided: how often sets that are dealt anew rank as differently.
        draws: in which tau is defined.
    """

    mean: float
    low: float
    p_value: float
    draws: int


def redealt(tau: float, drawn: Floats) -> Redealt:
    """What an observed tau says beside those of sets that were dealt anew.

    Args:
        tau: observed.
        drawn: (B,) of sets that were dealt anew.

    Returns:
        Mean, low quantile and p-value; NaN where nothing is defined.

    Example:
        >>> found = redealt(0.2, np.array([0.1, 0.6, 0.8, 1.0, 0.7, 0.5, 0.9, 0.8, 0.6]))
        >>> round(found.mean, 3), found.p_value
        (0.667, 0.2)
    """
    known = drawn[~np.isnan(drawn)]
    if not known.size or np.isnan(tau):
        return Redealt(np.nan, np.nan, np.nan, int(known.size))
    as_far = (known <= tau + 1e-9).sum()
    low = float(quantile_at(known, np.array(0.05)))
    return Redealt(float(known.mean()), low, float((1 + as_far) / (1 + known.size)), int(known.size))


def memberships(first: int, second: int, *, draws: int, seed: int) -> NDArray[np.uint8]:
    """(draws, first + second) which clusters are dealt to the first set; it gets as many as it has."""
    random = rng(seed, "sets dealt anew")
    order = np.argsort(random.random((draws, first + second)), axis=1)
    found = np.zeros(order.shape, np.uint8)
    np.put_along_axis(found, order[:, :first], 1, axis=1)
    return found
