"""The jackknife over clusters: what each contributes to a score of all items pooled, and differences of such scores."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

import numpy as np

from affectcheck.tallies import Tally
from affectcheck.uncertainty.differences import Difference, cluster_t_difference, paired_t_difference
from affectcheck.uncertainty.quantiles import t_cdf

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from affectcheck.uncertainty.bootstrap import Statistic

    Floats = NDArray[np.float64]

AnyTally = TypeVar("AnyTally", bound=Tally)

#: Clusters left out one at a time; more are left out in so many blocks.
MOST_LEFT_OUT: Final = 400


@dataclass(frozen=True, eq=False)
class LeftOut(Generic[AnyTally]):
    """A tally of all clusters, and of all but each of them in turn.

    Attributes:
        whole: (...) of all.
        without: (K, ...) without each cluster or block of clusters; None where there are fewer than two.
    """

    whole: AnyTally
    without: AnyTally | None

    @classmethod
    def of(cls, tallies: AnyTally) -> LeftOut[AnyTally]:
        """From tallies (S, ...), one a cluster."""
        return cls(tallies.pooled(0), without_each(tallies, tallies.shape[0]))

    def pseudo_values(self, statistic: Statistic) -> Floats:
        """(K, ...) what each cluster contributes: K times the whole minus K - 1 times that without it.

        Where every cluster has as many items, and the statistic is a mean over items, it is the cluster's own value.

        Example:
            >>> from affectcheck.metrics import METRICS
            >>> from affectcheck.tallies import Confusion
            >>> tally = Confusion.count([0, 1, 0, 1], [0, 1, 1, 1], labels=2, cells=[0, 0, 1, 1])
            >>> LeftOut.of(tally).pseudo_values(METRICS.get("accuracy").compute).tolist()
            [1.0, 0.5]
        """
        value = np.asarray(statistic(self.whole), np.float64)
        if self.without is None:
            return value[None]
        blocks = self.without.shape[0]
        return np.asarray(blocks * value - (blocks - 1) * np.asarray(statistic(self.without), np.float64))


def without_each(tallies: Any, clusters: int) -> Any:
    """(K, ...) the pooled tally without each cluster, or without each block of them; None below two clusters.

    Args:
        tallies: whatever has ``weighted``: tallies (S, ...), or tallies by cluster and group.
        clusters: S.
    """
    if clusters < 2:
        return None
    blocks = min(clusters, MOST_LEFT_OUT)
    return tallies.weighted(np.arange(blocks)[:, None] != np.arange(clusters)[None, :] % blocks)


@dataclass(frozen=True, eq=False)
class Contrast:
    """Two groups whose pooled scores are compared.

    Attributes:
        first, second: both groups; where ``paired``, of the same clusters in the same order.
        paired: whether a cluster may have items in both.
    """

    first: LeftOut[Any]
    second: LeftOut[Any]
    paired: bool = False

    def difference(self, statistic: Statistic, *, level: float = 0.95, unit: str = "subject") -> Difference:
        """The pooled score of the first group minus that of the second, with Student's t interval over clusters.

        Each cluster contributes its pseudo-value, so that the interval is one of the pooled difference whatever the
        sizes of the clusters.

        Args:
            statistic: one value of a tally, over its leading axes.
            level: nominal coverage.
            unit: what a cluster is.

        Returns:
            The difference; the interval lies about it, not about the mean of the pseudo-values.

        Example:
            >>> from affectcheck.metrics import METRICS
            >>> from affectcheck.tallies import Confusion
            >>> truth, cells = [0, 1] * 6, [i // 2 for i in range(12)]
            >>> tally = Confusion.count(truth, [0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1], labels=2, cells=cells)
            >>> groups = Contrast(LeftOut.of(tally[:3]), LeftOut.of(tally[3:]))
            >>> found = groups.difference(METRICS.get("uar").compute)
            >>> round(found.value, 3), round(found.interval.low, 3)
            (0.333, -0.691)
        """
        compare = paired_t_difference if self.paired else cluster_t_difference
        values = [part.pseudo_values(statistic) for part in (self.first, self.second)]
        found = compare(*values, level=level, unit=unit)
        value = float(np.subtract(statistic(self.first.whole), statistic(self.second.whole)))
        if found.interval is None:
            return replace(found, value=value)
        reach = (found.interval.high - found.interval.low) / 2.0
        interval = replace(found.interval, low=value - reach, high=value + reach, method="jackknife t")
        p_value = float(2.0 * t_cdf(-abs(value) / found.standard_error, found.degrees))
        return replace(found, value=value, interval=interval, p_value=p_value)
