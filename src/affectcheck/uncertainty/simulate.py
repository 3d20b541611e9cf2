"""Random models at real group sizes: how far a group may lie from all groups together by chance alone.

A model that answers at random treats no group differently, yet a small group lies away from the whole. Thresholds of
fairness tests are quantiles of that distance, simulated at the user's own sizes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.uncertainty.drawing import Simulation, bin_shares, draw_categories, draw_values
from affectcheck.uncertainty.quantiles import drawn_quantile, normal_quantile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray

    from affectcheck.tallies import Tally
    from affectcheck.uncertainty.bootstrap import Statistic

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class NullThreshold:
    """A limit that a random model keeps, and how it was found.

    Attributes:
        value: the limit.
        quantile: the share of simulated models that stay at or below it.
        repetitions: simulated models.
        family: whether a model stays below it in all groups at once, or in one group.
        detectable: smallest true difference that would exceed the limit with a power of 0.8 in this group.
    """

    value: float
    quantile: float
    repetitions: int
    family: bool
    detectable: float

    def __str__(self) -> str:
        """The rule in words, for the source of a threshold."""
        where = "in all groups at once" if self.family else "in one group"
        return f"{self.quantile:g} quantile of {self.repetitions} random models {where}"


@dataclass(frozen=True)
class NullDistances:
    """How far each group lies from all groups together, for models that answer at random.

    Attributes:
        differences: (R, G, P) value of each group minus that of all, for each part; NaN where undefined.
    """

    differences: Floats

    @property
    def values(self) -> Floats:
        """(R, G) largest absolute difference over the parts, NaN where every part is undefined."""
        known = ~np.isnan(self.differences)
        largest = np.where(known, np.abs(self.differences), -np.inf).max(axis=-1)
        return np.where(known.any(axis=-1), largest, np.nan)

    @property
    def deviation(self) -> Floats:
        """(G, P) standard deviation of the signed difference."""
        known = ~np.isnan(self.differences)
        number = np.maximum(known.sum(axis=0), 1)
        mean = np.where(known, self.differences, 0.0).sum(axis=0) / number
        square = (np.where(known, self.differences - mean, 0.0) ** 2).sum(axis=0) / number
        return np.asarray(np.sqrt(square))

    def threshold(
        self, quantile: float = 0.99, *, group: int | None = None, part: int | None = None, power: float = 0.8
    ) -> NullThreshold:
        """The limit at a quantile.

        Args:
            quantile: 1 for the largest simulated distance, as paper 2 takes; lower quantiles vary less by seed.
            group: index of the group compared; None for the largest distance over all groups.
            part: index of the part compared; None for the largest distance over all parts.
            power: of the smallest difference that is called detectable.

        Returns:
            The limit; NaN where the metric was undefined in every simulation.

        Example:
            >>> distances = NullDistances(np.array([[[0.1], [-0.3]], [[0.2], [0.1]], [[0.3], [0.2]]]))
            >>> distances.threshold(1.0, group=0).value, distances.threshold(0.5).value
            (0.3, 0.3)
        """
        groups = slice(None) if group is None else slice(group, group + 1)
        parts = slice(None) if part is None else slice(part, part + 1)
        values = NullDistances(self.differences[:, groups, parts]).values
        largest = np.where(np.isnan(values), -np.inf, values).max(axis=1)
        known = largest[np.isfinite(largest)]
        limit = drawn_quantile(known, quantile) if known.size else float("nan")
        deviation = float(self.deviation[groups, parts].max())
        return NullThreshold(
            value=limit,
            quantile=quantile,
            repetitions=self.differences.shape[0],
            family=group is None,
            detectable=limit + float(normal_quantile(power)) * deviation,
        )


def simulate_categories(
    truth: ArrayLike,
    statistic: Statistic,
    *,
    prediction: ArrayLike | None = None,
    redraw: bool = False,
    options: Simulation | None = None,
) -> NullDistances:
    """Distances of groups under a model that draws each class at random, whatever the truth.

    Counts are drawn directly: of the n items of a group and true class, the predictions are multinomial.

    Args:
        truth: (G, C) items of each group and true class.
        statistic: a function of a Confusion over its leading axes, such as ``Metric.compute``; it may add parts.
        prediction: (C,) probabilities of the classes; default all equal.
        redraw: also draw each group's true classes anew, from its own shares, as paper 2 does. The default keeps
            them, since the user's truth is what it is.
        options: repetitions and seed.

    Returns:
        Distances of each group and part.

    Raises:
        InputError: the counts are not (G, C), or the probabilities do not fit.

    Example:
        >>> from affectcheck.metrics import METRICS
        >>> sizes = [[50, 50, 300, 600], [50, 50, 300, 600]]
        >>> limit = simulate_categories(sizes, METRICS.get("uar").compute).threshold(1.0, group=0)
        >>> 0.04 < limit.value < 0.09
        True
    """
    draws = draw_categories(truth, prediction=prediction, redraw=redraw, options=options)
    return _distances(draws, statistic)


def simulate_dimensions(
    sizes: Sequence[int],
    statistic: Statistic,
    *,
    truth: Sequence[ArrayLike] | None = None,
    options: Simulation | None = None,
) -> NullDistances:
    """Distances of groups under a model that draws values from a truncated normal distribution.

    Args:
        sizes: items of each group.
        statistic: a function of Moments (..., 1) over their leading axes, such as ``Metric.compute``.
        truth: the true values of each group, kept in every simulation; default drawn as the predictions are.
        options: repetitions, seed and distribution.

    Returns:
        Distances of each group and part.

    Raises:
        InputError: the true values do not fit the sizes.

    Example:
        >>> from affectcheck.metrics import METRICS
        >>> limit = simulate_dimensions([1000, 1000], METRICS.get("mae").compute, options=Simulation(100)).threshold()
        >>> 0.005 < limit.value < 0.02
        True
    """
    return _distances(draw_values(sizes, truth=truth, options=options), statistic)


def simulate_bins(
    truth: ArrayLike, statistic: Statistic, *, edges: Sequence[float], options: Simulation | None = None
) -> NullDistances:
    """Distances of groups in rates of binned values, under a model that draws from a truncated normal distribution.

    Args:
        truth: (G, bins) items of each group and true bin.
        statistic: a function of a Confusion of bins over its leading axes.
        edges: inner edges of the bins.
        options: repetitions, seed and distribution.

    Returns:
        Distances of each group and part.

    Raises:
        InputError: there is not one bin more than edges.

    Example:
        The shares of four equal bins (paper 2, Eq. 4, states that of the lowest without the truncation: 0.0668).

        >>> [round(float(share), 4) for share in bin_shares((0.25, 0.5, 0.75))]
        [0.0656, 0.4344, 0.4344, 0.0656]
    """
    chosen = options or Simulation()
    shares = bin_shares(tuple(edges), chosen)
    return simulate_categories(truth, statistic, prediction=shares, options=chosen)


def _distances(tallies: Iterator[Tally], statistic: Statistic) -> NullDistances:
    signed = []
    for tally in tallies:
        each = np.asarray(statistic(tally), np.float64)
        whole = np.expand_dims(np.asarray(statistic(tally.pooled(1)), np.float64), 1)
        signed.append((each - whole).reshape(*each.shape[:2], -1))
    return NullDistances(np.concatenate(signed))
