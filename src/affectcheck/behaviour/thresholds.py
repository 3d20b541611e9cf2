"""Thresholds of differences between groups, simulated for the sizes at hand.

Random models are drawn at the real sizes of the groups and the real truth. For each of them, every difference of one
metric is taken in units of its own spread, and the largest is kept; the threshold of a difference is the 0.99
quantile of those, times its spread. So a model that guesses stays within all thresholds of a metric at once with a
probability of 0.99, and a class with few items does not widen the threshold of one with many. The published limit,
which holds for other sizes, is stated beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from affectcheck.behaviour.simultaneous import simultaneous
from affectcheck.records import Threshold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from affectcheck.behaviour.definition import Comparison, Rules
    from affectcheck.tallies import Tally

POWER: Final = 0.8  # with which a difference of the size called detectable exceeds its threshold


class Simulate(Protocol):
    """Draws random models and puts their tallies to a statistic."""

    def __call__(self, statistic: Any) -> object:
        """Call the statistic with tallies (r, G, ...) by group, and with those of all groups together."""


@dataclass(frozen=True)
class Limit:
    """A threshold.

    Attributes:
        threshold: the limit and where it comes from.
        detectable: smallest difference that would exceed the limit with a power of 0.8.
    """

    threshold: Threshold
    detectable: float


class Recorder:
    """A statistic that keeps what it returned, so that one simulation serves every metric and part.

    Args:
        statistics: tally to (..., parts), one a metric.
    """

    def __init__(self, statistics: Sequence[Any]) -> None:
        self.statistics = statistics
        self.widths: list[int] = []
        self.groups: list[NDArray[np.float64]] = []
        self.together: list[NDArray[np.float64]] = []

    def __call__(self, tally: Tally) -> NDArray[np.float64]:
        """All statistics side by side."""
        values = [np.asarray(statistic(tally), np.float64) for statistic in self.statistics]
        self.widths = [one.shape[-1] for one in values]
        joined = np.concatenate(values, axis=-1)
        (self.groups if joined.ndim == 3 else self.together).append(joined)
        return joined

    def differences(self) -> list[NDArray[np.float64]]:
        """For each statistic (R, G x parts): each group minus all together."""
        joined = np.concatenate(self.groups) - np.concatenate(self.together)[:, None, :]
        borders = np.cumsum(self.widths)[:-1]
        return [one.reshape(len(one), -1) for one in np.split(joined, borders, axis=-1)]


def limits(
    differences: NDArray[np.float64], judged: NDArray[np.bool_], comparison: Comparison, rules: Rules
) -> list[Limit]:
    """The limit of every difference of one metric.

    Args:
        differences: (R, K) of random models, NaN where undefined.
        judged: (K,) which of the differences are judged; the others do not widen the family.
        comparison: published limit and rule.
        rules: quantile and repetitions.
    """
    found = simultaneous(differences, judged, rules.quantile)
    source = (
        f"{rules.quantile:g} quantile of {rules.repetitions} random models at these sizes, over {found.family} "
        f"differences at once; published limit {comparison.limit:g} ({comparison.source})"
    )
    power = NormalDist().inv_cdf(POWER)
    return [
        Limit(Threshold(bound, comparison.rule, source), bound + power * spread)
        for bound, spread in zip(found.bounds.tolist(), found.spread.tolist(), strict=True)
    ]
