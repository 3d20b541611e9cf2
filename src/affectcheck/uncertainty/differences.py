"""Signed differences between two groups, with the cluster as the unit of observation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.errors import InputError
from affectcheck.records import Interval
from affectcheck.uncertainty.intervals import LEAST, number_of, too_few
from affectcheck.uncertainty.quantiles import t_cdf, t_quantile

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from affectcheck.records import Outcome

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Difference:
    """Mean of a per-cluster value in one group minus that in another.

    Attributes:
        value: the difference; NaN where a group has no defined cluster.
        interval: Student's t interval; None where there is none.
        reason: why there is none; empty where there is one.
        standard_error: of the difference; NaN without an interval.
        degrees: degrees of freedom; NaN without an interval.
        p_value: two-sided, of no difference; NaN without an interval.
        clusters_first, clusters_second: clusters with a defined value.
        undefined: clusters whose value was undefined and left out.
    """

    value: float
    interval: Interval | None
    reason: str = ""
    standard_error: float = np.nan
    degrees: float = np.nan
    p_value: float = np.nan
    clusters_first: int = 0
    clusters_second: int = 0
    undefined: int = 0

    def detectable(self, power: float = 0.8) -> float:
        """Smallest true difference that such an interval would exclude 0 for, with this power; NaN without one."""
        level = self.interval.level if self.interval is not None else 0.95
        return detectable(self.standard_error, self.degrees, level=level, power=power)

    def decide(self, limit: float) -> Outcome:
        """Whether the size of the difference exceeds a limit.

        Returns:
            ``exceeds`` where the whole interval lies beyond the limit on one side, ``within`` where it lies inside
            minus to plus the limit, else ``inconclusive``, as without an interval.
        """
        if self.interval is None:
            return "inconclusive"
        low, high = self.interval.low, self.interval.high
        if low > limit or high < -limit:
            return "exceeds"
        return "within" if -limit <= low and high <= limit else "inconclusive"


def cluster_t_difference(
    first: ArrayLike, second: ArrayLike, *, level: float = 0.95, unit: str = "subject"
) -> Difference:
    """Welch's t interval for the difference of two groups of different clusters.

    The unit is the cluster: each contributes one value, however many items it has, so that a speaker of 1000 clips
    does not pass for 1000 speakers.

    Args:
        first: (S,) a value of each cluster of the first group, NaN where undefined.
        second: (S',) the same of the second group.
        level: nominal coverage.
        unit: what a cluster is.

    Returns:
        Mean of the first minus mean of the second, with its interval.

    Raises:
        InputError: the values are not two vectors.

    Example:
        Means 2 and 5, both variances 1, three clusters each: the standard error is sqrt(2/3), with 4 degrees.

        >>> found = cluster_t_difference([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])
        >>> found.value, round(found.interval.low, 3), round(found.interval.high, 3)
        (-3.0, -5.267, -0.733)
    """
    a, b, undefined = _defined(first), _defined(second), _undefined(first) + _undefined(second)
    value = float(a.mean() - b.mean()) if a.size and b.size else np.nan
    if min(a.size, b.size) < 2:
        given = f"{a.size} and {number_of(b.size, unit)} with a defined value"
        reason = f"{given}: a difference needs 2 on each side"
        return Difference(value, None, reason, clusters_first=a.size, clusters_second=b.size, undefined=undefined)
    parts = a.var(ddof=1) / a.size, b.var(ddof=1) / b.size
    # Welch and Satterthwaite's degrees of freedom; without any spread, those of the pooled test.
    spread = parts[0] ** 2 / (a.size - 1) + parts[1] ** 2 / (b.size - 1)
    degrees = float(sum(parts) ** 2 / spread) if spread > 0.0 else float(a.size + b.size - 2)
    found = Difference(
        value,
        None,
        standard_error=float(np.sqrt(sum(parts))),
        degrees=degrees,
        clusters_first=a.size,
        clusters_second=b.size,
        undefined=undefined,
    )
    return _with_interval(found, a.size + b.size, level, unit)


def paired_t_difference(
    first: ArrayLike, second: ArrayLike, *, level: float = 0.95, unit: str = "subject"
) -> Difference:
    """Student's t interval for two values of the same clusters, such as two conditions of one speaker.

    Args:
        first: (S,) a value of each cluster, NaN where undefined.
        second: (S,) another value of the same clusters, in the same order.
        level: nominal coverage.
        unit: what a cluster is.

    Returns:
        Mean of first minus second over the clusters in which both are defined.

    Raises:
        InputError: the values are not two vectors of one length.

    Example:
        >>> round(paired_t_difference([1.0, 2.0, 4.0, 3.0, 6.0], [0.0, 1.0, 2.0, 2.0, 4.0]).interval.low, 3)
        0.72
    """
    pair = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if pair[0].shape != pair[1].shape:
        raise InputError(f"values of shapes {pair[0].shape} and {pair[1].shape}", expected="one pair for each cluster")
    difference = pair[0] - pair[1]
    known = _defined(difference)
    value = float(known.mean()) if known.size else np.nan
    if known.size < 2:
        reason = f"{number_of(known.size, unit)} with both values: a difference needs 2"
        return Difference(value, None, reason, undefined=_undefined(difference))
    found = Difference(
        value,
        None,
        standard_error=float(np.sqrt(known.var(ddof=1) / known.size)),
        degrees=float(known.size - 1),
        clusters_first=known.size,
        clusters_second=known.size,
        undefined=_undefined(difference),
    )
    return _with_interval(found, known.size, level, unit)


def detectable(standard_error: float, degrees: float, *, level: float = 0.95, power: float = 0.8) -> float:
    """Smallest true difference that a two-sided t test of this precision detects with a given power.

    Args:
        standard_error: of the difference.
        degrees: degrees of freedom.
        level: 1 minus the size of the test.
        power: probability of detection.

    Returns:
        (t at 1 - (1-level)/2 plus t at power) times the standard error; NaN if that is NaN.

    Example:
        >>> round(detectable(0.1, 1e9), 4)
        0.2802
    """
    if np.isnan(standard_error):
        return float("nan")
    return float((t_quantile((1.0 + level) / 2.0, degrees) + t_quantile(power, degrees)) * standard_error)


def _with_interval(found: Difference, clusters: int, level: float, unit: str) -> Difference:
    """The difference with its interval, if the clusters can tell how far such a difference varies."""
    reason = ""
    if clusters < LEAST:
        reason = too_few(clusters, unit)
    elif not found.standard_error > 0.0:
        reason = f"every {unit} of a group has the same value, so that nothing is known of their spread"
    if reason:
        return replace(found, reason=reason, standard_error=np.nan, degrees=np.nan)
    reach = float(t_quantile((1.0 + level) / 2.0, found.degrees)) * found.standard_error
    fewest = min(found.clusters_first, found.clusters_second)
    note = f"{number_of(fewest, unit)} in a group: the interval leans on normality" if fewest < LEAST else ""
    interval = Interval(
        low=found.value - reach,
        high=found.value + reach,
        level=level,
        method="t",
        clusters=clusters,
        unit=unit,
        note=note,
    )
    statistic = abs(found.value) / found.standard_error
    return replace(found, interval=interval, p_value=float(2.0 * t_cdf(-statistic, found.degrees)))


def _defined(values: ArrayLike) -> Floats:
    array = np.asarray(values, np.float64)
    if array.ndim != 1:
        raise InputError(f"values of shape {array.shape}", expected="(S,): one value a cluster")
    return array[~np.isnan(array)]


def _undefined(values: ArrayLike) -> int:
    return int(np.isnan(np.asarray(values, np.float64)).sum())
