"""From tallies to scores: overall, by group, by part, disparities and signed differences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from affectcheck.records import Place, Score, Undefined
from affectcheck.tallies import Confusion

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.evaluation.grouping import Attribute
    from affectcheck.evaluation.options import EvaluationOptions
    from affectcheck.evaluation.signing import Signer
    from affectcheck.evaluation.tallying import TallyBook
    from affectcheck.evaluation.uncertain import Uncertainty
    from affectcheck.metrics import Compute, Metric
    from affectcheck.records import Interval, NoiseFloor, Scored
    from affectcheck.tallies import Tally


class _Certainty(NamedTuple):
    """What is known of a value's uncertainty, and why it is not known."""

    interval: Interval | None = None
    floor: NoiseFloor | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scorer:
    """Scores one evaluation.

    Attributes:
        book: the tallies.
        signer: the signatures.
        uncertainty: intervals and noise floors.
        options: what the evaluation was told.
    """

    book: TallyBook
    signer: Signer
    uncertainty: Uncertainty
    options: EvaluationOptions

    def overall(self, metric: Metric) -> Iterator[Scored]:
        """A metric over all items; of its parts too, where it has any."""
        tally = self.book.whole(metric.tally)
        if metric.level == "overall":
            yield self._score(metric, tally, Place())
        if has_parts(metric):
            yield from self._parts(metric, tally, Place())

    def groups(self, metric: Metric, attribute: Attribute) -> Iterator[Scored]:
        """A metric in every group; crossed groups below the minimum support are undefined."""
        grouped = self.book.grouped(metric.tally, attribute)
        for g, group in enumerate(attribute.groups):
            place = Place(attribute.name, group)
            tally = grouped[:, g]
            if metric.level == "overall":
                yield self._score(metric, tally, place, attribute)
            if has_parts(metric):
                yield from self._parts(metric, tally, place, attribute)

    def differences(self, metric: Metric, attribute: Attribute) -> Iterator[Scored]:
        """Signed differences between the groups of an attribute of two groups."""
        if len(attribute.groups) != 2:
            return
        grouped = self.book.grouped(metric.tally, attribute)
        first, second = attribute.groups
        place = Place(attribute.name, f"{first}-{second}")
        if metric.level == "overall":
            yield self._difference(metric, grouped, place, attribute)
        if has_parts(metric):
            for index, part in enumerate(self.book.aligned.parts):
                yield self._difference(metric, grouped, Place(place.attribute, place.group, part), attribute, index)

    def disparity(self, metric: Metric, attribute: Attribute, convention: str) -> Scored:
        """A metric over the groups of an attribute, without crossed groups below the minimum support."""
        place = Place(attribute.name)
        kept = [g for g, group in enumerate(attribute.groups) if group not in attribute.small]
        names = tuple(attribute.groups[g] for g in kept)
        grouped = self.book.grouped(metric.tally, attribute)[:, kept]
        pooled = grouped.pooled(0)
        support = support_of(pooled.pooled(0)) if kept else 0
        signature = self.signer.sign(metric.name, metric, support, convention=convention, attribute=attribute)
        reason = self._refused(metric, convention) or ("" if len(kept) > 1 else _too_few(attribute, names))
        value = np.nan if reason else float(metric.compute(pooled, convention=convention))
        if np.isnan(value):
            reason = reason or metric.reason(pooled, self.book.aligned.parts, names)
            return Undefined(metric.name, reason, support, signature, place)
        notes = metric.notes(pooled, self.book.aligned.parts, names)
        certainty = self._floor(metric, grouped, convention)
        undefined = int(metric.undefined_parts(pooled))
        notes = (*notes, *certainty.notes)
        return Score(metric.name, value, support, signature, place, None, certainty.floor, undefined, notes)

    def _score(self, metric: Metric, tally: Tally, place: Place, attribute: Attribute | None = None) -> Scored:
        """One value of tallies by cluster (S,)."""
        pooled, convention = tally.pooled(0), self.options.convention
        support, parts = support_of(pooled), self.book.aligned.parts
        signature = self.signer.sign(metric.name, metric, support, convention=convention, attribute=attribute)
        reason = self._refused(metric, convention) or _below(attribute, place, support)
        value = np.nan if reason else float(metric.compute(pooled, convention=convention))
        if np.isnan(value):
            reason = reason or metric.reason(pooled, parts)
            return Undefined(metric.name, reason, support, signature, place)
        certainty = self._interval(metric.compute, tally)
        notes = (*metric.notes(pooled, parts), *certainty.notes)
        undefined = int(metric.undefined_parts(pooled))
        return Score(metric.name, value, support, signature, place, certainty.interval, None, undefined, notes)

    def _parts(
        self, metric: Metric, tally: Tally, place: Place, attribute: Attribute | None = None
    ) -> Iterator[Scored]:
        """One value a class or dimension."""
        pooled, convention, parts = tally.pooled(0), self.options.convention, self.book.aligned.parts
        compute = part_compute(metric)
        n, supports = support_of(pooled), part_supports(pooled, len(parts))
        below = self._refused(metric, convention) or _below(attribute, place, support_of(pooled))
        values = np.full(len(parts), np.nan) if below else compute(pooled, convention=convention)
        reasons = metric.part_reasons(pooled, parts)
        certainties = (
            self._part_intervals(compute, tally) if not np.isnan(values).all() else [_Certainty()] * len(parts)
        )
        for index, part in enumerate(parts):
            support = int(supports[index])
            signature = self.signer.sign(metric.name, metric, n, convention=convention, attribute=attribute)
            where = Place(place.attribute, place.group, part)
            if np.isnan(values[index]):
                reason = below or (reasons[index] if reasons else "") or metric.undefined
                yield Undefined(metric.name, reason, support, signature, where)
                continue
            found = certainties[index]
            yield Score(metric.name, float(values[index]), support, signature, where, found.interval, notes=found.notes)

    def _difference(
        self, metric: Metric, grouped: Tally, place: Place, attribute: Attribute, index: int | None = None
    ) -> Scored:
        """First group minus second, of the whole metric or of one part."""
        pooled, convention = grouped.pooled(0), self.options.convention
        compute = metric.compute if index is None else part_compute(metric)
        name = f"{metric.name}_difference"
        supports = [support_of(pooled[g]) for g in (0, 1)]
        if index is not None:
            supports = [int(part_supports(pooled[g], len(self.book.aligned.parts))[index]) for g in (0, 1)]
        signature = self.signer.sign(name, metric, sum(supports), convention=convention, attribute=attribute)
        reason = self._refused(metric, convention) or "; ".join(
            text for group in attribute.groups if (text := _below_group(attribute, group))
        )
        values = np.full(2, np.nan) if reason else np.asarray(compute(pooled, convention=convention))
        values = values if index is None or reason else values[:, index]
        if np.isnan(values).any():
            reason = reason or "; ".join(
                self._why(metric, pooled[g], attribute.groups[g], index) for g in np.flatnonzero(np.isnan(values))
            )
            return Undefined(name, reason, sum(supports), signature, place)
        certainty = self._difference_interval(compute, grouped, index)
        value = float(values[0] - values[1])
        return Score(name, value, sum(supports), signature, place, certainty.interval, notes=certainty.notes)

    def _why(self, metric: Metric, tally: Tally, group: str, index: int | None) -> str:
        parts = self.book.aligned.parts
        reasons = metric.part_reasons(tally, parts) if index is not None else ()
        text = (reasons[index] if reasons and index is not None else "") or metric.reason(tally, parts)
        return f"{group}: {text}"

    def _refused(self, metric: Metric, convention: str) -> str:
        return "" if metric.supports(convention) else f"no definition in the convention {convention!r}"

    def _interval(self, compute: Compute, tally: Tally) -> _Certainty:
        found = self.uncertainty.intervals(compute, tally)
        return _Certainty(found.intervals[0] if found.intervals else None, None, found.notes)

    def _part_intervals(self, compute: Compute, tally: Tally) -> list[_Certainty]:
        found = self.uncertainty.intervals(compute, tally)
        count = len(self.book.aligned.parts)
        intervals = found.intervals or (None,) * count
        return [_Certainty(interval, None, found.notes) for interval in intervals]

    def _difference_interval(self, compute: Compute, grouped: Tally, index: int | None) -> _Certainty:
        found = self.uncertainty.difference(compute, grouped, index)
        return _Certainty(found.intervals[0] if found.intervals else None, None, found.notes)

    def _floor(self, metric: Metric, grouped: Tally, convention: str) -> _Certainty:
        found = self.uncertainty.floor(metric, grouped, convention)
        return _Certainty(None, found.floor, found.notes)


def has_parts(metric: Metric) -> bool:
    """Whether a metric is scored class by class or dimension by dimension."""
    return metric.level == "part" or (
        metric.level == "overall" and metric.kind == "dimensions" and metric.parts is not None
    )


def part_compute(metric: Metric) -> Compute:
    """What gives a value a part, on the last axis."""
    return metric.compute if metric.level == "part" or metric.parts is None else metric.parts


def support_of(tally: Tally) -> int:
    """Items of one tally; of dimensions, those of the dimension with most."""
    return int(np.max(np.asarray(tally.support), initial=0))


def part_supports(tally: Tally, parts: int) -> np.ndarray:
    """(parts,) items of each true class, or items whose truth of a dimension is known."""
    if isinstance(tally, Confusion):
        return np.asarray(tally.truth_totals)
    return np.broadcast_to(np.asarray(tally.support), (parts,))


def _below(attribute: Attribute | None, place: Place, support: int) -> str:
    if attribute is None or place.group not in attribute.small:
        return "" if support else "no items"
    return _below_group(attribute, place.group)


def _below_group(attribute: Attribute, group: str) -> str:
    if group not in attribute.small:
        return ""
    return (
        f"group {group!r} has {attribute.small[group]} items, below the minimum support of {attribute.minimum_support}"
    )


def _too_few(attribute: Attribute, names: tuple[str, ...]) -> str:
    told = f"{names[0]!r} only" if names else "none"
    return f"groups of {attribute.name!r} with enough items: {told}; a disparity takes two"
