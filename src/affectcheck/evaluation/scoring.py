"""From tallies to scores: overall, by group, by part, disparities and signed differences."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.evaluation.disparity import Between, Disparity, decided
from affectcheck.evaluation.lacking import Lacking
from affectcheck.evaluation.uncertain import Certainty, certainty_at
from affectcheck.evaluation.worst import of_worst
from affectcheck.records import Place, Score, Undefined
from affectcheck.tallies import Binned, Confusion

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.evaluation.grouping import Attribute
    from affectcheck.evaluation.options import EvaluationOptions
    from affectcheck.evaluation.signing import Signer
    from affectcheck.evaluation.sources import Tallies
    from affectcheck.evaluation.uncertain import Uncertainty
    from affectcheck.metrics import Compute, Metric
    from affectcheck.records import Scored, Signature
    from affectcheck.tallies import Tally
    from affectcheck.uncertainty import Intervals


@dataclass(frozen=True)
class Scorer:
    """Scores one evaluation.

    Attributes:
        book: the tallies.
        signer: the signatures.
        uncertainty: intervals and noise floors.
        options: what the evaluation was told.
    """

    book: Tallies
    signer: Signer
    uncertainty: Uncertainty
    options: EvaluationOptions

    def overall(self, metric: Metric) -> Iterator[Scored]:
        """A metric over all items; of its parts too, where it has any."""
        if self.book.lacks(metric.tally):
            yield from self._lacking(metric).overall()
            return
        yield from self._scores(metric, self.book.pooled(metric.tally), Place(), None, ())

    def groups(self, metric: Metric, attribute: Attribute) -> Iterator[Scored]:
        """A metric in every group; crossed groups below the minimum support are undefined."""
        if self.book.lacks(metric.tally):
            yield from self._lacking(metric).groups(attribute)
            return
        pooled = self.book.pooled(metric.tally, attribute)
        for g, group in enumerate(attribute.groups):
            yield from self._scores(metric, pooled[g], Place(attribute.name, group), attribute, (g,))

    def differences(self, metric: Metric, attribute: Attribute) -> Iterator[Scored]:
        """Signed differences between the groups of an attribute of two groups."""
        if self.book.lacks(metric.tally):
            yield from self._lacking(metric).differences(attribute)
            return
        if len(attribute.groups) != 2:
            return
        group = "-".join(attribute.groups)
        if metric.level == "overall":
            yield self._difference(metric, Place(attribute.name, group), attribute)
        if has_parts(metric):
            for part in metric.part_names(self.book.pooled(metric.tally), self.book.parts):
                yield self._difference(metric, Place(attribute.name, group, part), attribute)

    def disparity(self, metric: Metric, attribute: Attribute, convention: str) -> Iterator[Scored]:
        """A metric over the groups of an attribute, without crossed groups below the minimum support; then its parts."""
        if self.book.lacks(metric.tally):
            yield self._lacking(metric, convention).disparity(attribute)
            return
        kept = [g for g, group in enumerate(attribute.groups) if group not in attribute.small]
        pooled = self.book.pooled(metric.tally, attribute)[kept]
        counted, support = metric.counted(pooled), support_of(pooled.pooled(0))
        signature = self.signer.sign(metric.name, counted, support, convention=convention, attribute=attribute)
        signature = signature.with_(clusters=self.book.clusters.among(attribute, kept))
        names = tuple(attribute.groups[g] for g in kept)
        reason = _refused(metric, convention) or ("" if len(kept) > 1 else _too_few(attribute, names))
        found = Between(Disparity(metric, convention), attribute, kept, pooled, signature, reason)
        yield self._between(found, support)
        if found.of.has_parts:
            yield from self._parts_between(found)

    def _between(self, found: Between, support: int) -> Scored:
        metric, parts, names = found.of.metric, self.book.parts, found.names
        place, tally = Place(found.attribute.name), found.tally
        value = np.nan if found.reason else float(metric.compute(tally, convention=found.of.convention))
        if np.isnan(value):
            reason = found.reason or metric.reason(tally, parts, names)
            return Undefined(metric.name, reason, support, found.signature, place)
        certainty = self._certainty(found, self._intervals(found))
        notes = (*metric.notes(tally, parts, names), *certainty.notes)
        notes = (*certainty.notes, *metric.notes(tally, parts, names)) if found.of.is_worst else notes
        undefined, floor = int(metric.undefined_parts(tally)), certainty.floor
        decision = None
        if found.of.convention in metric.limit_in and self.options.resamples:
            few = self.uncertainty.too_few(metric.tally, found.attribute, found.kept)
            decision = decided(value, floor, self.options.limit, few)
        interval = certainty.interval
        return Score(metric.name, value, support, found.signature, place, interval, floor, undefined, notes, decision)

    def _parts_between(self, found: Between) -> Iterator[Scored]:
        """Each unit or dimension by itself; the limit is one of the whole, so that none of them is judged."""
        metric, tally = found.of.metric, found.tally
        parts = metric.part_names(tally, self.book.parts)
        values = np.full(len(parts), np.nan) if found.reason else found.of.parts(tally)
        reasons = metric.part_reasons(tally, self.book.parts, found.names) or ("",) * len(parts)
        supports = part_supports(tally.pooled(0), len(parts))
        among = None if np.isnan(values).all() else self._intervals(found, parts=True)
        for c, part in enumerate(parts):
            place, support = Place(found.attribute.name, "", part), int(supports[c])
            if np.isnan(values[c]):
                reason = found.reason or reasons[c] or metric.undefined
                yield Undefined(metric.name, reason, support, found.signature, place)
                continue
            sure = self._certainty(found, among, c)
            value, signature = float(values[c]), found.signature
            yield Score(metric.name, value, support, signature, place, sure.interval, sure.floor, notes=sure.notes)

    def _lacking(self, metric: Metric, convention: str = "") -> Lacking:
        return Lacking(self.book, self.signer, metric, convention or self.options.convention)

    def _certainty(self, found: Between, among: Intervals | str | None, part: int | None = None) -> Certainty:
        """A mean over groups has an interval; a distance between groups, which noise alone makes positive, a floor."""
        if found.of.is_worst:
            return of_worst(self.uncertainty, found, part)
        if not found.of.metric.higher_is_better:
            return self.uncertainty.floor(found.of, found.attribute, found.kept, part)
        return certainty_at(among, *(() if part is None else (part,)))

    def _intervals(self, found: Between, *, parts: bool = False) -> Intervals | str | None:
        """Intervals of a mean over groups, or of all its parts at once; or why there are none."""
        metric, attribute = found.of.metric, found.attribute
        if found.of.is_worst or not metric.higher_is_better:
            return None
        if len(found.kept) < len(attribute.groups):
            return "crossed groups below the minimum support were left out"
        compute = found.of.parts if parts else partial(metric.compute, convention=found.of.convention)
        return self.uncertainty.intervals(compute, metric.tally, attribute, asked=True)

    def _scores(
        self, metric: Metric, tally: Tally, place: Place, attribute: Attribute | None, index: tuple[int, ...]
    ) -> Iterator[Scored]:
        """One tally's value and those of its parts; ``index`` is its place among the groups."""
        below = _refused(metric, self.options.convention) or _below(attribute, place, support_of(tally))
        if metric.level == "overall":
            value = np.nan if below else float(metric.compute(tally, convention=self.options.convention))
            found = None if np.isnan(value) else self.uncertainty.intervals(metric.compute, metric.tally, attribute)
            signature = self._sign(metric, support_of(tally), attribute, index)
            yield self._whole(metric, tally, _Value(value, below, place, signature, certainty_at(found, *index)))
        if has_parts(metric):
            compute, count = part_compute(metric), len(metric.part_names(tally, self.book.parts))
            values = np.full(count, np.nan) if below else compute(tally, convention=self.options.convention)
            parts = None if np.isnan(values).all() else self.uncertainty.intervals(compute, metric.tally, attribute)
            yield from self._parts(metric, tally, _Values(values, below, place, parts, index, attribute))

    def _whole(self, metric: Metric, tally: Tally, found: _Value) -> Scored:
        parts, support = self.book.parts, support_of(tally)
        if np.isnan(found.value):
            reason = found.below or metric.reason(tally, parts)
            return Undefined(metric.name, reason, support, found.signature, found.place)
        notes = (*metric.notes(tally, parts), *found.certainty.notes)
        undefined = int(metric.undefined_parts(tally))
        interval = found.certainty.interval
        return Score(metric.name, found.value, support, found.signature, found.place, interval, None, undefined, notes)

    def _parts(self, metric: Metric, tally: Tally, found: _Values) -> Iterator[Scored]:
        parts = metric.part_names(tally, self.book.parts)
        supports = part_supports(tally, len(parts))
        reasons = metric.part_reasons(tally, self.book.parts) or ("",) * len(parts)
        signature = self._sign(metric, support_of(tally), found.attribute, found.index)
        for c, part in enumerate(parts):
            place = Place(found.place.attribute, found.place.group, part)
            support, value = int(supports[c]), float(found.values[c])
            if np.isnan(value):
                reason = found.below or reasons[c] or metric.undefined
                yield Undefined(metric.name, reason, support, signature, place)
                continue
            certainty = certainty_at(found.intervals, *found.index, c)
            yield Score(metric.name, value, support, signature, place, certainty.interval, notes=certainty.notes)

    def _difference(self, metric: Metric, place: Place, attribute: Attribute) -> Scored:
        """First group minus second, of the whole metric or of one part."""
        pooled, convention = self.book.pooled(metric.tally, attribute), self.options.convention
        parts = metric.part_names(pooled, self.book.parts)
        index = parts.index(place.part) if place.part else None
        compute = metric.compute if index is None else part_compute(metric)
        supports = [
            support_of(pooled[g]) if index is None else int(part_supports(pooled[g], len(parts))[index]) for g in (0, 1)
        ]
        n, name = support_of(pooled.pooled(0)), f"{metric.name}_difference"
        signature = self.signer.sign(name, metric.counted(pooled), n, convention=convention, attribute=attribute)
        signature = signature.with_(clusters=self.book.clusters.among(attribute, (0, 1)))
        small = [text for group in attribute.groups if (text := too_small(attribute, group))]
        reason = _refused(metric, convention) or "; ".join(small)
        values = np.full(2, np.nan) if reason else np.asarray(compute(pooled, convention=convention))
        values = values if index is None or reason else values[:, index]
        if np.isnan(values).any():
            undefined = [g for g in (0, 1) if np.isnan(values[g])]
            reason = reason or "; ".join(self._why(metric, pooled[g], attribute.groups[g], index) for g in undefined)
            return Undefined(name, reason, sum(supports), signature, place)
        found = self.uncertainty.difference(compute, metric.tally, attribute, index)
        value = float(values[0] - values[1])
        return Score(name, value, sum(supports), signature, place, found.interval, notes=found.notes)

    def _why(self, metric: Metric, tally: Tally, group: str, index: int | None) -> str:
        parts = self.book.parts
        reasons = () if index is None else metric.part_reasons(tally, parts)
        text = (reasons[index] if reasons and index is not None else "") or metric.reason(tally, parts)
        return f"{group}: {text}"

    def _sign(self, metric: Metric, support: int, attribute: Attribute | None, groups: tuple[int, ...]) -> Signature:
        convention = self.options.convention
        counted = metric.counted(self.book.pooled(metric.tally, attribute))
        signed = self.signer.sign(metric.name, counted, support, convention=convention, attribute=attribute)
        return signed if attribute is None else signed.with_(clusters=self.book.clusters.among(attribute, groups))


@dataclass(frozen=True)
class _Value:
    value: float
    below: str
    place: Place
    signature: Signature
    certainty: Certainty


@dataclass(frozen=True)
class _Values:
    values: np.ndarray
    below: str
    place: Place
    intervals: Intervals | str | None
    index: tuple[int, ...]
    attribute: Attribute | None


def has_parts(metric: Metric) -> bool:
    """Whether a metric is scored class by class, unit by unit or dimension by dimension."""
    return metric.level == "part" or (
        metric.level == "overall" and metric.kind in ("dimensions", "units") and metric.parts is not None
    )


def part_compute(metric: Metric) -> Compute:
    """What gives a value a part, on the last axis."""
    return metric.compute if metric.level == "part" or metric.parts is None else metric.parts


def support_of(tally: Tally) -> int:
    """Items of one tally; of units or dimensions, those of the one with most. Shares of items add up to whole ones."""
    return int(np.rint(np.max(np.asarray(tally.support), initial=0)))


def part_supports(tally: Tally, parts: int) -> np.ndarray:
    """(parts,) items of each true class or bin, rounded; or items whose truth of a unit or dimension is known."""
    if isinstance(tally, Confusion):
        return np.asarray(np.rint(tally.truth_totals))
    if isinstance(tally, Binned):
        return np.asarray(np.rint(tally.counts.sum(axis=-1))).reshape(-1)
    return np.broadcast_to(np.asarray(tally.support), (parts,))


def _refused(metric: Metric, convention: str) -> str:
    return "" if metric.supports(convention) else f"no definition in the convention {convention!r}"


def _below(attribute: Attribute | None, place: Place, support: int) -> str:
    small = too_small(attribute, place.group) if attribute is not None else ""
    return small or ("" if support else "no items")


def too_small(attribute: Attribute, group: str) -> str:
    """Why a crossed group is shown without a value; empty for one that is large enough."""
    if group not in attribute.small:
        return ""
    items, least = attribute.small[group], attribute.minimum_support
    return f"group {group!r} has {items} items, fewer than the minimum support of {least}"


def _too_few(attribute: Attribute, names: tuple[str, ...]) -> str:
    told = f"only {names[0]!r}" if names else "none"
    return f"groups of {attribute.name!r} with enough items: {told}; a disparity takes two"
