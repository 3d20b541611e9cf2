"""How sure the scores are: intervals by resampling clusters, and the noise floor of disparities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from affectcheck.evaluation.grouping import Clusters
    from affectcheck.evaluation.options import EvaluationOptions
    from affectcheck.metrics import Compute, Metric
    from affectcheck.records import Interval, NoiseFloor
    from affectcheck.tallies import Tally


@dataclass(frozen=True)
class Found:
    """Intervals (one a value) or a noise floor; notes say why there is none."""

    intervals: tuple[Interval | None, ...] = ()
    floor: NoiseFloor | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Uncertainty:
    """Resamples the clusters of one evaluation.

    Attributes:
        clusters: what is resampled as a whole.
        options: number of resamples, seed, level.
    """

    clusters: Clusters
    options: EvaluationOptions

    def intervals(self, compute: Compute, tally: Tally) -> Found:
        """Intervals of the value, or of every part, of tallies by cluster (S,)."""
        return Found()

    def difference(self, compute: Compute, grouped: Tally, index: int | None) -> Found:
        """Interval of the difference of two groups, from tallies by cluster and group (S, 2)."""
        return Found()

    def floor(self, metric: Metric, grouped: Tally, convention: str) -> Found:
        """Noise floor of a disparity, from tallies by cluster and group (S, G)."""
        return Found()
