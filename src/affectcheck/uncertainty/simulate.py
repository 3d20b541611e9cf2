"""Random models at real group sizes: how far a group may lie from all groups together by chance alone.

A model that answers at random treats no group differently, yet a small group lies away from the whole. Thresholds of
fairness tests are quantiles of that distance, simulated at the user's own sizes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.errors import InputError
from affectcheck.seeds import rng
from affectcheck.tallies import Confusion, Moments
from affectcheck.uncertainty.quantiles import normal_cdf, normal_quantile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray

    from affectcheck.tallies import Tally
    from affectcheck.uncertainty.bootstrap import Statistic

    Floats = NDArray[np.float64]

_ITEMS = 1_000_000  # simulated items held at a time


@dataclass(frozen=True)
class Simulation:
    """How to simulate.

    Attributes:
        repetitions: simulated models; paper 2 takes 1000.
        seed: the run's seed.
        mean, deviation: of the normal distribution of values before it is cut off at ``low`` and ``high``
            (paper 2, section on fairness: 1/2 and 1/6 on 0 … 1).
        low, high: the declared range.
    """

    repetitions: int = 1000
    seed: int = 0
    mean: float = 0.5
    deviation: float = 1.0 / 6.0
    low: float = 0.0
    high: float = 1.0


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
        ordered = np.sort(largest[np.isfinite(largest)])
        limit = float(ordered[max(0, int(np.ceil(quantile * ordered.size)) - 1)]) if ordered.size else float("nan")
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
    chosen = options or Simulation()
    counts = np.asarray(truth)
    if counts.ndim != 2 or counts.dtype.kind not in "iu" or (counts < 0).any():
        raise InputError(f"true counts of shape {counts.shape}", expected="(G, C) numbers of items")
    classes = counts.shape[1]
    shares = np.full(classes, 1.0 / classes) if prediction is None else np.asarray(prediction, np.float64)
    if shares.shape != (classes,) or (shares < 0.0).any() or not np.isclose(shares.sum(), 1.0):
        raise InputError(f"prediction probabilities {shares.tolist()}", expected=f"{classes} numbers that sum to 1")
    random = rng(chosen.seed, "null", "categories")
    if redraw:
        totals = counts.sum(axis=1)
        own = counts / np.maximum(totals, 1)[:, None]
        own[totals == 0, 0] = 1.0  # a group without items draws nothing, whatever its shares
        counts = random.multinomial(totals, own, size=(chosen.repetitions, counts.shape[0]))
    drawn = random.multinomial(counts, shares, size=(chosen.repetitions, *counts.shape[-2:]))
    return _distances([Confusion(drawn, np.zeros(drawn.shape[:-1], np.int64))], statistic)


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
    chosen = options or Simulation()
    groups = np.repeat(np.arange(len(sizes)), sizes)
    fixed = None if truth is None else np.concatenate([np.asarray(part, np.float64) for part in truth])
    if fixed is not None and (len(truth or ()) != len(sizes) or fixed.size != groups.size):
        raise InputError(f"{fixed.size} true values for groups of {list(sizes)}", expected="those of each group")
    return _distances(_value_tallies(groups, len(sizes), fixed, chosen), statistic)


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


def bin_shares(edges: tuple[float, ...], options: Simulation | None = None) -> Floats:
    """Probabilities of the bins under the truncated normal distribution."""
    chosen = options or Simulation()
    bounds = np.asarray([chosen.low, *edges, chosen.high])
    cumulated = normal_cdf((bounds - chosen.mean) / chosen.deviation)
    return np.asarray(np.diff(cumulated) / (cumulated[-1] - cumulated[0]))


def _value_tallies(
    groups: NDArray[np.intp], number: int, fixed: Floats | None, options: Simulation
) -> Iterator[Moments]:
    """Moments (r, G, 1) of simulated items, some repetitions at a time."""
    random = rng(options.seed, "null", "dimensions")
    block = max(1, _ITEMS // max(groups.size, 1))
    for start in range(0, options.repetitions, block):
        rows = min(block, options.repetitions - start)
        shape = (rows, groups.size)
        truth = np.broadcast_to(fixed, shape) if fixed is not None else _truncated(random, shape, options)
        prediction = _truncated(random, shape, options)
        cells = np.arange(rows)[:, None] * number + groups
        yield Moments.of(truth.ravel(), prediction.ravel(), cells=cells.ravel(), n_cells=(rows, number))


def _truncated(random: np.random.Generator, shape: tuple[int, ...], options: Simulation) -> Floats:
    """Draws from the normal distribution cut off at the range, by the inverse of its cumulated probability."""
    ends = normal_cdf((np.asarray([options.low, options.high]) - options.mean) / options.deviation)
    share = random.uniform(ends[0], ends[1], size=shape)
    return np.asarray(np.clip(options.mean + options.deviation * normal_quantile(share), options.low, options.high))


def _distances(tallies: Sequence[Tally] | Iterator[Tally], statistic: Statistic) -> NullDistances:
    signed = []
    for tally in tallies:
        each = np.asarray(statistic(tally), np.float64)
        whole = np.expand_dims(np.asarray(statistic(tally.pooled(1)), np.float64), 1)
        signed.append((each - whole).reshape(*each.shape[:2], -1))
    return NullDistances(np.concatenate(signed))
