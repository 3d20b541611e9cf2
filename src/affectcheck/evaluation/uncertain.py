"""How sure the scores are: intervals by resampling clusters, differences by cluster, noise floors of disparities."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from affectcheck.tallies import Confusion
from affectcheck.uncertainty import (
    Permuting,
    Resampling,
    cluster_t_difference,
    noise_floor,
    noise_floor_items,
    paired_t_difference,
    resample,
    resample_blocks,
    resample_items,
)

if TYPE_CHECKING:
    from affectcheck.evaluation.grouping import Attribute
    from affectcheck.evaluation.options import EvaluationOptions
    from affectcheck.evaluation.tallying import TallyBook
    from affectcheck.metrics import Compute, Metric
    from affectcheck.records import Interval, NoiseFloor
    from affectcheck.tallies import Tally
    from affectcheck.uncertainty import Intervals, Resampled

#: Items without clusters above which the null of real values, which permutes single items, is not drawn.
MOST_PERMUTED: Final = 50_000
#: Clusters left out one at a time; more are left out in so many blocks.
MOST_LEFT_OUT: Final = 400


class Certainty(NamedTuple):
    """What is known of a value's uncertainty, or the note that says why it is not."""

    interval: Interval | None = None
    floor: NoiseFloor | None = None
    notes: tuple[str, ...] = ()


@dataclass(eq=False)
class Uncertainty:
    """Resamples the clusters of one evaluation, once for each way to divide the items.

    Attributes:
        book: the tallies.
        options: number of resamples, seed, level, convention.
    """

    book: TallyBook
    options: EvaluationOptions
    _resampled: dict[tuple[type[Tally], str], Resampled[Any]] = field(default_factory=dict)

    def intervals(self, compute: Compute, kind: type[Tally], attribute: Attribute | None = None) -> Intervals | None:
        """Intervals of a metric over groups and parts, as far as there are such axes; None without resamples."""
        if not self.options.resamples:
            return None
        key = (kind, attribute.name if attribute else "")
        if key not in self._resampled:
            self._resampled[key] = self._resample(kind, attribute)
        return self._resampled[key].intervals(partial(compute, convention=self.options.convention))

    def _resample(self, kind: type[Tally], attribute: Attribute | None) -> Resampled[Any]:
        unit = self.book.clusters.unit
        how = Resampling(self.options.resamples, self.options.seed, self.options.level, unit=unit)
        if unit != "item":
            return resample(self.book.by_cluster(kind, attribute), how)
        if kind is Confusion:
            return resample_items(self.book.pooled(Confusion, attribute), how)
        return resample_blocks(self.book.item_blocks(kind, attribute), how)

    def floor(self, metric: Metric, attribute: Attribute, kept: list[int], convention: str) -> Certainty:
        """The noise floor of a disparity over some of an attribute's groups."""
        if not self.options.resamples:
            return Certainty()
        unit = self.book.clusters.unit
        how = Permuting(self.options.resamples, self.options.seed, unit=unit)
        compute = partial(metric.compute, convention=convention)
        if unit != "item":
            found = noise_floor(self.book.by_cluster(metric.tally, attribute)[:, kept], compute, how)
        elif metric.tally is Confusion:
            found = noise_floor_items(self.book.pooled(Confusion, attribute)[kept], compute, how)
        elif self.book.aligned.height > MOST_PERMUTED:
            return Certainty(notes=(f"no noise floor: more than {MOST_PERMUTED:,} items without clusters",))
        else:
            items = _joined(list(self.book.item_blocks(metric.tally, attribute)))
            found = noise_floor(items[:, kept], compute, how)
        reason = found.reason()
        return Certainty(None, found.floor(), (f"no noise floor: {reason}",) if reason else ())

    def difference(self, compute: Compute, kind: type[Tally], attribute: Attribute, index: int | None) -> Certainty:
        """Student's t interval of first group minus second, with the cluster as the unit.

        Each cluster contributes its jackknife pseudo-value of the pooled metric, so that the interval is one of the
        pooled difference whatever the clusters' sizes; where every cluster is alike, it is the cluster's own value.
        """
        if not self.options.resamples:
            return Certainty()
        grouped = self.book.by_cluster(kind, attribute)
        present = _items(grouped) > 0
        compute = partial(compute, convention=self.options.convention)
        unit, level = self.book.clusters.unit, self.options.level
        if (present.sum(axis=1) > 1).any():
            kept = grouped[present.any(axis=1)]
            first, second = (_pseudo_values(compute, kept[:, g], index) for g in (0, 1))
            found = paired_t_difference(first, second, level=level, unit=unit)
        else:
            first, second = (_pseudo_values(compute, grouped[present[:, g]][:, g], index) for g in (0, 1))
            found = cluster_t_difference(first, second, level=level, unit=unit)
        if found.interval is None:
            return Certainty(notes=(f"no interval: {found.reason}",))
        whole = np.asarray(compute(grouped.pooled(0)))
        value = float(whole[0] - whole[1]) if index is None else float(whole[0, index] - whole[1, index])
        reach = (found.interval.high - found.interval.low) / 2.0
        interval = replace(found.interval, low=value - reach, high=value + reach, method="jackknife t")
        return Certainty(replace(interval, clusters=self.book.clusters.size if unit == "item" else interval.clusters))


def certainty_at(found: Intervals | None, *index: int) -> Certainty:
    """The interval at a place, or the note that says why there is none."""
    if found is None:
        return Certainty()
    reason = found.reason(*index)
    return Certainty(found.interval(*index), None, (f"no interval: {reason}",) if reason else ())


def _pseudo_values(compute: Compute, tallies: Tally, index: int | None) -> np.ndarray:
    """(K,) jackknife pseudo-values of a pooled metric: K times the whole minus K - 1 times that without one."""
    clusters = tallies.shape[0]
    if clusters < 2:
        return np.full(clusters, np.nan) if clusters == 0 else _at(compute(tallies), index)
    blocks = min(clusters, MOST_LEFT_OUT)
    weights = np.arange(blocks)[:, None] != np.arange(clusters)[None, :] % blocks
    without = _at(compute(tallies.weighted(weights)), index)
    whole = _at(compute(tallies.pooled(0))[None], index)
    return np.asarray(blocks * whole - (blocks - 1) * without)


def _at(values: np.ndarray, index: int | None) -> np.ndarray:
    return np.asarray(values if index is None else values[..., index])


def _items(tally: Tally) -> np.ndarray:
    support = np.asarray(tally.support)
    return support.max(axis=-1) if support.ndim > len(tally.shape) else support


def _joined(parts: list[Tally]) -> Tally:
    return parts[0].joined(parts[1:]) if len(parts) > 1 else parts[0]
