"""Intervals from resampled values: percentiles with the t factor for few clusters, or bias-corrected ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from affectcheck.errors import InputError
from affectcheck.records import Interval
from affectcheck.uncertainty.quantiles import normal_cdf, normal_quantile, share_below, t_quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Method = Literal["percentile-t", "bca"]

#: Fewer clusters than this bring a note; fewer than ``LEAST`` bring no interval.
FEW, LEAST = 20, 5
#: Fewer resamples beyond each end than this bring a caution: 200 resamples for a level of 95 %.
BEYOND = 5
#: A smaller share of resamples on one side of the score brings a caution: a bias of more than one deviation.
ASIDE = 0.16
#: Largest bias, in deviations, that is corrected for: all beyond it would leave an interval of next to no width.
_BIAS = 1.0


@dataclass(frozen=True)
class Resampling:
    """How to resample.

    Attributes:
        resamples: their number, B.
        seed: the run's seed.
        level: nominal coverage.
        method: ``percentile-t``: percentiles at a level widened by Student's t for the number of clusters, corrected
            for bias where single items are resampled; ``bca``: bias-corrected and accelerated, at the same level.
        unit: what a cluster is: ``subject``, ``media`` or ``item``.
    """

    resamples: int = 1000
    seed: int = 0
    level: float = 0.95
    method: Method = "percentile-t"
    unit: str = "subject"

    @property
    def described(self) -> str:
        """How an interval is made, as its record says."""
        return "bias-corrected percentile" if (self.method, self.unit) == ("percentile-t", "item") else self.method

    @property
    def signed(self) -> str:
        """As they stand in a signature: their number, and what is not the default.

        Example:
            >>> Resampling(200).signed, Resampling(200, level=0.9, method="bca").signed
            ('200', '200 bca level 0.9')
        """
        method = "" if self.method == Resampling.method else f" {self.method}"
        return f"{self.resamples}{method}{'' if self.level == Resampling.level else f' level {self.level!r}'}"

    @property
    def caution(self) -> str:
        """Why the ends of an interval are rough, if they are: each should have a handful of resamples beyond it."""
        beyond = self.resamples * (1.0 - self.level) / 2.0
        return f"only {self.resamples} resamples: the ends of the interval are rough" if beyond < BEYOND else ""

    def __post_init__(self) -> None:
        """A level is a share, and an interval needs resamples."""
        if not 0.0 < self.level < 1.0:
            raise InputError(f"a coverage of {self.level}", expected="a fraction between 0 and 1, such as 0.95")
        if self.resamples < 1 or self.method not in ("percentile-t", "bca"):
            raise InputError(
                f"{self.resamples} resamples by the method {self.method!r}",
                expected="at least 1 resample, by 'percentile-t' or 'bca'",
            )


@dataclass(frozen=True)
class Intervals:
    """Intervals of a statistic over any axes (group, part).

    Attributes:
        value: (...) the statistic itself, NaN where undefined.
        low, high: (...) bounds, NaN where no interval is given.
        undefined: (...) resamples in which the statistic was undefined.
        clusters: (...) clusters that hold items.
        options: how they were made.
        below: (...) share of the resamples that lie below the value, ties counting half; None where it is not known.
    """

    value: Floats
    low: Floats
    high: Floats
    undefined: NDArray[np.int64]
    clusters: NDArray[np.int64]
    options: Resampling = field(default_factory=Resampling)
    below: Floats | None = None

    def interval(self, *index: int) -> Interval | None:
        """The interval at a place; None where there is none, of which ``reason`` says why.

        Args:
            index: group and part, as far as the statistic has such axes.
        """
        if self.reason(*index):
            return None
        clusters = int(self.clusters[index])
        return Interval(
            low=float(self.low[index]),
            high=float(self.high[index]),
            level=self.options.level,
            method=self.options.described,
            clusters=clusters,
            unit=self.options.unit,
            undefined_resamples=int(self.undefined[index]),
            note="; ".join(
                filter(None, (few_clusters(clusters, self.options.unit), self.options.caution, self._aside(*index)))
            ),
        )

    def _aside(self, *index: int) -> str:
        """A caution where noise moves the score one way, as it does a distance, so that the interval lies beside it."""
        if self.below is None or ASIDE <= float(self.below[index]) <= 1.0 - ASIDE:
            return ""
        way = "above" if float(self.below[index]) < ASIDE else "below"
        return f"nearly all resamples lie {way} the score: noise moves it one way, and the interval may miss the truth"

    def reason(self, *index: int) -> str:
        """Why there is no interval at a place; empty where there is one."""
        clusters, undefined = int(self.clusters[index]), int(self.undefined[index])
        if np.isnan(self.value[index]):
            return "the score itself is undefined"
        if clusters < LEAST:
            return too_few(clusters, self.options.unit)
        if np.isnan(self.low[index]):
            return f"the score is undefined in {undefined} of {self.options.resamples} resamples"
        return ""


@dataclass(frozen=True)
class ResampledValues:
    """Values of a statistic in resamples, over any axes (group, part).

    Attributes:
        point: (...) the statistic itself, NaN where undefined.
        values: (B, ...) the same in each resample.
        left_out: (K, ...) the same without each cluster, for BCa; None by other methods.
        clusters: (...) clusters behind each value.
        options: how they were made.
        times: (K,) how many clusters each of ``left_out`` stands for; None where it is one.
    """

    point: Floats
    values: Floats
    left_out: Floats | None
    clusters: NDArray[np.int64]
    options: Resampling
    times: NDArray[np.int64] | None = None

    def __sub__(self, other: ResampledValues) -> ResampledValues:
        """The difference of two statistics that were resampled by the same weights, undefined where either is."""
        both = self.left_out is not None and other.left_out is not None
        return ResampledValues(
            self.point - other.point,
            self.values - other.values,
            self.left_out - other.left_out if both else None,  # type: ignore[operator]  # both says so
            self.clusters,
            self.options,
            self.times,
        )

    def intervals(self) -> Intervals:
        """Intervals by the method of the options."""
        tail = widened_tail(self.options.level, self.clusters)
        # Single items tell the bias well, and rare classes of small groups make much of it; few clusters do not.
        corrected = self.left_out is not None or self.options.unit == "item"
        low, high = bca_bounds(self, tail) if corrected else percentile_bounds(self.values, tail)
        undefined = np.isnan(self.values).sum(axis=0)
        # Half the resamples undefined means that percentiles of the rest speak of a selection.
        given = ~np.isnan(self.point) & (self.clusters >= LEAST) & (2 * undefined < self.options.resamples)
        return Intervals(
            value=self.point,
            low=np.where(given, low, np.nan),
            high=np.where(given, high, np.nan),
            undefined=undefined,
            clusters=self.clusters,
            options=self.options,
            below=share_below(self.values, self.point),
        )


def number_of(clusters: int, unit: str) -> str:
    """A number of clusters in words.

    Example:
        >>> number_of(1, "subject"), number_of(3, "media")
        ('1 subject', '3 media files')
    """
    word = {"media": "media file"}.get(unit, unit)
    return f"{clusters} {word}" if clusters == 1 else f"{clusters} {word}s"


def too_few(clusters: int, unit: str) -> str:
    """The reason for no interval, and what would give one."""
    if unit == "item":
        return f"{number_of(clusters, unit)}: an interval needs at least {LEAST}"
    reason = f"{clusters} {unit} {'cluster' if clusters == 1 else 'clusters'}: an interval needs at least {LEAST}"
    if unit == "subject":
        return f"{reason}; predictions made by leaving out one subject at a time, over all subjects, would give one"
    return f"{reason}; predictions of more of them would give one"


def few_clusters(clusters: int, unit: str) -> str:
    """A caution for an interval over few clusters, else empty."""
    return f"fewer than {FEW} {unit} clusters: the interval is approximate" if clusters < FEW else ""


def widened_tail(level: float, clusters: NDArray[Any]) -> Floats:
    """Tail probability at which percentiles are taken, so that few clusters give the width of Student's t.

    A bootstrap over n clusters understates the standard error by sqrt((n-1)/n) and takes normal where t quantiles are
    due; both are undone by taking percentiles at Phi(-sqrt(n/(n-1)) t_{n-1}) (Hesterberg 2015, "expanded percentile").

    Example:
        >>> widened_tail(0.95, np.array([5, 20, 10_000])).round(4).tolist()
        [0.001, 0.0159, 0.025]
    """
    n = np.maximum(np.asarray(clusters, np.float64), 2.0)
    return normal_cdf(np.sqrt(n / (n - 1.0)) * t_quantile((1.0 - level) / 2.0, n - 1.0))


def percentile_bounds(values: Floats, tail: Floats) -> tuple[Floats, Floats]:
    """Both percentiles of resampled values (B, ...) at a tail probability (...)."""
    return quantile_at(values, tail), quantile_at(values, 1.0 - tail)


def bca_bounds(found: ResampledValues, tail: Floats) -> tuple[Floats, Floats]:
    """Bias-corrected and accelerated bounds (Efron 1987).

    Args:
        found: resampled values with those without each cluster.
        tail: (...) tail probability.

    Returns:
        Low and high bound.
    """
    values, point = found.values, found.point
    number = np.maximum((~np.isnan(values)).sum(axis=0), 1)
    below = np.clip(share_below(values, point), 0.5 / number, 1.0 - 0.5 / number)
    bias = np.clip(normal_quantile(below), -_BIAS, _BIAS)
    speed = _acceleration(found)
    z = normal_quantile(tail)
    shares = [normal_cdf(bias + (bias + side) / (1.0 - speed * (bias + side))) for side in (z, -z)]
    return quantile_at(values, shares[0]), quantile_at(values, shares[1])


def _acceleration(found: ResampledValues) -> Floats:
    """(...) skewness of the jackknife values, by which the standard error changes with the value."""
    left_out = np.empty((0, *found.point.shape)) if found.left_out is None else found.left_out
    times = np.ones(left_out.shape[0]) if found.times is None else found.times.astype(np.float64)
    weights = np.where(np.isnan(left_out), 0.0, times.reshape(-1, *[1] * found.point.ndim))
    known = np.nan_to_num(left_out)
    total = weights.sum(axis=0)
    mean = (weights * known).sum(axis=0) / np.where(total > 0.0, total, 1.0)
    away = mean - known
    spread = (weights * away**2).sum(axis=0) ** 1.5
    cubes = (weights * away**3).sum(axis=0)
    return np.asarray(np.where(spread > 0.0, cubes / np.where(spread > 0.0, 6.0 * spread, 1.0), 0.0))


def quantile_at(values: Floats, share: Floats) -> Floats:
    """Quantile over the first axis, another share at each place, NaN left out, linear between order statistics.

    The k-th of n ordered values stands for the share k / (n + 1), which is what it bounds on average (Hyndman and Fan
    1996, type 6). Spread from end to end instead, as NumPy's default has it, both tails would be larger than asked
    for: a 95 % interval from 200 resamples would be one of 94 %.

    Example:
        >>> quantile_at(np.array([[0.0], [np.nan], [1.0], [2.0]]), np.array([0.375])).tolist()
        [0.5]
    """
    ordered = np.sort(values, axis=0)  # NaN sort last
    number = (~np.isnan(values)).sum(axis=0)
    place = np.clip(share * (number + 1) - 1.0, 0.0, np.maximum(number - 1, 0))
    left = np.floor(place).astype(np.intp)
    right = np.minimum(left + 1, np.maximum(number - 1, 0))
    low = np.take_along_axis(ordered, left[None], axis=0)[0]
    high = np.take_along_axis(ordered, right[None], axis=0)[0]
    return np.asarray(low + (place - left) * (high - low))
