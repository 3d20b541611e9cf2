"""How sure the scores are: intervals by resampling clusters, differences by cluster, noise floors of disparities."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from affectcheck.tallies import Confusion, Sample
from affectcheck.uncertainty import (
    LEAST,
    MOST_LEFT_OUT,
    Contrast,
    Grouped,
    LeftOut,
    Permuting,
    Resampling,
    items_by_part,
    items_of,
    noise_floor,
    noise_floor_items,
    number_of,
    resample,
    resample_blocks,
    resample_items,
    stack,
    too_few,
    without_each,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.evaluation.disparity import Disparity
    from affectcheck.evaluation.grouping import Attribute
    from affectcheck.evaluation.options import EvaluationOptions
    from affectcheck.evaluation.sources import Tallies
    from affectcheck.metrics import Compute
    from affectcheck.records import Interval, NoiseFloor
    from affectcheck.tallies import Tally
    from affectcheck.uncertainty import Floors, Intervals, Resampled

#: Items without clusters above which the null of real values, which permutes single items, is not drawn.
MOST_PERMUTED: Final = 50_000
#: Items without clusters above which they are resampled in lots, except counts of classes, which are drawn at once.
MOST_RESAMPLED: Final = 20_000
#: Values (an item's, of one unit or dimension) times draws that are ranked anew: some 10 s.
MOST_RANKED: Final = 500_000_000


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
        disparities: those that will be asked for; their floors are drawn together.
    """

    book: Tallies
    options: EvaluationOptions
    disparities: tuple[Disparity, ...] = ()
    _resampled: dict[tuple[type[Tally], str], Resampled[Any] | str] = field(default_factory=dict)
    _made: dict[tuple[type[Tally], str, Compute], Intervals] = field(default_factory=dict)
    _floors: dict[tuple[type[Tally], str], Floors | str] = field(default_factory=dict)
    _jackknives: dict[tuple[type[Tally], str], Contrast] = field(default_factory=dict)

    def intervals(
        self, compute: Compute, kind: type[Tally], attribute: Attribute | None = None, *, asked: bool = False
    ) -> Intervals | str | None:
        """Intervals of a metric over groups and parts, as far as there are such axes; None without resamples.

        Where there are none of this tally, the reason stands in their place.

        Args:
            compute: the metric.
            kind: its tally.
            attribute: divides the items into groups, if any.
            asked: whether ``compute`` has its convention already; else it gets that of the options.
        """
        if not self.options.resamples:
            return None
        key = (kind, attribute.name if attribute else "")
        if key not in self._resampled:
            self._resampled[key] = self._resample(kind, attribute)
        found = self._resampled[key]
        if isinstance(found, str):
            return found
        if asked:
            return found.intervals(compute)
        # All groups are made at once, and asked for one by one.
        place = (*key, compute)
        if place not in self._made:
            self._made[place] = found.intervals(partial(compute, convention=self.options.convention))
        return self._made[place]

    def _resample(self, kind: type[Tally], attribute: Attribute | None) -> Resampled[Any] | str:
        """Resamples of a tally, or why they are not made."""
        unit, options = self.book.clusters.unit, self.options
        how = Resampling(options.resamples, options.seed, options.level, options.interval, unit)
        too_long = self._too_long(kind, options.resamples, "resamples")
        if too_long:
            return too_long
        if unit == "item" and kind is Confusion and self.book.whole:
            return resample_items(self.book.pooled(Confusion, attribute), how)
        if unit == "item" and kind is not Sample and self.book.height <= MOST_RESAMPLED:
            lots = self._by_cluster(kind, attribute) if options.interval == "bca" else None
            return resample_blocks(self.book.item_blocks(kind, attribute), how, lots=lots)
        dealt = self._by_cluster(kind, attribute)
        found = resample(dealt, how)
        if unit != "item" or dealt.shape[0] >= self.book.clusters.size:
            return found
        # Independent items that were dealt into many lots at random vary from lot to lot as they do by themselves.
        pooled = self.book.pooled(kind, attribute)
        by_part = items_by_part(pooled).astype(np.int64) if found.by_part is not None else None
        return replace(found, clusters=np.asarray(items_of(pooled)).astype(np.int64), by_part=by_part, held=None)

    def _too_long(self, kind: type[Tally], draws: int, noun: str) -> str:
        if kind is not Sample:
            return ""
        return ranked_too_long(self.book.height * len(self.book.parts), draws, noun)

    def _by_cluster(self, kind: type[Tally], attribute: Attribute | None) -> Any:
        """Tallies by cluster, or by cluster and group; only a sample, which holds each item once, as a table."""
        if attribute is None or kind is Sample:
            return self.book.by_cluster(kind, attribute)
        return self.book.grouped(kind, attribute)

    def floor(self, wanted: Disparity, attribute: Attribute, kept: list[int], part: int | None = None) -> Certainty:
        """The noise floor of a disparity, or of one of its parts, over some of an attribute's groups."""
        if not self.options.resamples:
            return Certainty()
        key = (wanted.metric.tally, attribute.name)
        together = [one for one in self.disparities if one.metric.tally is wanted.metric.tally]
        if key not in self._floors:
            self._floors[key] = self._draw(together, attribute, kept)
        found = self._floors[key]
        pooled = self.book.pooled(wanted.metric.tally, attribute)
        before = sum(one.number(pooled, self.book.parts) for one in together[: together.index(wanted)])
        place = before if part is None else before + 1 + part
        reason = found if isinstance(found, str) else found.reason(place)
        floor = None if isinstance(found, str) else found.floor(place)
        if floor is not None and wanted.turned < 0:
            floor = replace(floor, mean=-floor.mean, quantile=-floor.quantile)
        return Certainty(None, floor, (f"no noise floor: {reason}",) if reason else ())

    def too_few(self, kind: type[Tally], attribute: Attribute, kept: list[int]) -> str:
        """Why these groups hold too few clusters for a decision; empty where they hold enough."""
        unit = self.book.clusters.unit
        present = self.book.grouped(kind, attribute).kept(kept).present
        total = int(present.any(axis=1).sum()) if unit != "item" else self.book.height
        fewest = int(present.sum(axis=0).min())
        if total < LEAST:
            return too_few(total, unit)
        if fewest < 2:
            group = attribute.groups[kept[int(present.sum(axis=0).argmin())]]
            return f"{number_of(fewest, unit)} of {attribute.name} {group!r}: what one of them does is not what a group does"
        return ""

    def _draw(self, together: list[Disparity], attribute: Attribute, kept: list[int]) -> Floors | str:
        """Floors of several disparities from the same draws, on their last axis; or why there are none."""

        def statistic(tally: Tally) -> np.ndarray:
            return np.concatenate([one.turned * one.values(tally) for one in together], axis=-1)

        unit, kind = self.book.clusters.unit, together[0].metric.tally
        how = Permuting(self.options.resamples, self.options.seed, unit=unit)
        too_long = self._too_long(kind, self.options.resamples * len(kept), "draws by group")
        if too_long:
            return too_long
        if unit != "item":
            return noise_floor(self.book.grouped(kind, attribute).kept(kept), statistic, how)
        if kind is Confusion and self.book.whole:
            return noise_floor_items(self.book.pooled(Confusion, attribute)[kept], statistic, how)
        if self.book.height > MOST_PERMUTED:
            return f"more than {MOST_PERMUTED:,} items without clusters"
        return noise_floor(_together(self.book.item_blocks(kind, attribute)).kept(kept), statistic, how)

    def difference(self, compute: Compute, kind: type[Tally], attribute: Attribute, index: int | None) -> Certainty:
        """Student's t interval of first group minus second, with the cluster as the unit.

        Each cluster contributes its jackknife pseudo-value of the pooled metric, so that the interval is one of the
        pooled difference whatever the clusters' sizes; where every cluster is alike, it is the cluster's own value.
        """
        if not self.options.resamples:
            return Certainty()
        compute = partial(compute, convention=self.options.convention)
        unit, level = self.book.clusters.unit, self.options.level
        too_long = self._too_long(kind, MOST_LEFT_OUT, "leave-outs")
        if too_long:
            return Certainty(notes=(f"no interval: {too_long}",))
        key = (kind, attribute.name)
        if key not in self._jackknives:
            self._jackknives[key] = _jackknife(self.book.grouped(kind, attribute))
        found = self._jackknives[key].difference(lambda tally: _at(compute(tally), index), level=level, unit=unit)
        if found.interval is None:
            return Certainty(notes=(f"no interval: {found.reason}",))
        clusters = self.book.clusters.size if unit == "item" else found.interval.clusters
        return Certainty(replace(found.interval, clusters=clusters))


def ranked_too_long(values: int, draws: int, noun: str = "resamples") -> str:
    """Why values that are ranked anew in each draw are not drawn so often; empty where they are.

    Args:
        values: items times units or dimensions.
        draws: how often.
        noun: what the draws are.
    """
    if values * draws <= MOST_RANKED:
        return ""
    return (
        f"{draws} {noun} of {values} values that are ranked in each take too long; "
        f"up to {MOST_RANKED // draws} are ranked so often"
    )


def certainty_at(found: Intervals | str | None, *index: int) -> Certainty:
    """The interval at a place, or the note that says why there is none."""
    if found is None:
        return Certainty()
    reason = found if isinstance(found, str) else found.reason(*index)
    interval = None if isinstance(found, str) else found.interval(*index)
    return Certainty(interval, None, (f"no interval: {reason}",) if reason else ())


def _jackknife(grouped: Grouped[Any]) -> Contrast:
    """Leave every cluster out of both groups; many clusters are left out in blocks."""
    held = grouped.compact()
    whole = held.pooled()
    if held.nested:
        parts = [held.parts[held.group == g] for g in (0, 1)]
        first, second = (LeftOut(whole[g], without_each(part, part.shape[0])) for g, part in enumerate(parts))
        return Contrast(first, second)
    without = without_each(held, held.size)
    return Contrast(LeftOut(whole[0], without[:, 0]), LeftOut(whole[1], without[:, 1]), paired=True)


def _at(values: np.ndarray, index: int | None) -> np.ndarray:
    return np.asarray(values if index is None else values[..., index])


def _together(blocks: Iterator[Any]) -> Grouped[Any]:
    """Blocks of items by group as one."""
    found = list(blocks)
    starts = np.cumsum([0, *(block.size for block in found)])
    return Grouped(
        stack([block.parts for block in found]),
        np.concatenate([block.cluster + start for block, start in zip(found, starts[:-1], strict=True)]),
        np.concatenate([block.group for block in found]),
        found[0].groups,
        int(starts[-1]),
    )
