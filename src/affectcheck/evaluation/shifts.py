"""How each group of an attribute differs from all groups together (paper 2), with intervals.

A group is part of the combined set, so that the two are resampled together: every resample draws clusters once for all
groups. The difference is signed and may be resampled like any other score; a largest one among groups may not be, since
a maximum of noisy values is too large in every resample as well.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.evaluation.lacking import Lacking
from affectcheck.evaluation.scoring import has_parts, part_supports, support_of, too_small
from affectcheck.evaluation.uncertain import certainty_at
from affectcheck.metrics import METRICS, to_combined
from affectcheck.records import Place, Score, Undefined

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from affectcheck.evaluation.grouping import Attribute
    from affectcheck.evaluation.scoring import Scorer
    from affectcheck.metrics import Metric
    from affectcheck.records import Scored, Signature
    from affectcheck.schemes import Kind
    from affectcheck.tallies import Tally

#: What stands after a metric's name.
SUFFIX: Final = "_to_combined"
#: What a model predicts, by which groups are compared whatever else is scored: paper 2's relative difference per class
#: and per bin, and its shift in mean value.
PREDICTED: Final[Mapping[str, tuple[str, ...]]] = {
    "categories": ("share",),
    "units": ("unit_share",),
    "dimensions": ("mean", "bin_share"),
}
#: Further metrics that paper 2 compares, where none are named.
COMPARED: Final[Mapping[str, tuple[str, ...]]] = {"dimensions": ("bin_recall", "bin_precision")}


def shifted_metrics(metrics: tuple[Metric, ...], kind: Kind, *, named: bool) -> tuple[Metric, ...]:
    """The metrics whose shifts are told: those that are scored, and what is predicted.

    Args:
        metrics: what is scored.
        kind: kind of prediction.
        named: whether these were named; else the task's, to which paper 2 adds some.
    """
    also = (*PREDICTED.get(kind, ()), *(() if named else COMPARED.get(kind, ())))
    scored = [metric.name for metric in metrics if metric.level != "disparity"]
    return tuple(METRICS.get(name) for name in dict.fromkeys([*scored, *also]))


@dataclass(frozen=True)
class Shifts:
    """Shifts of the groups of one attribute.

    Attributes:
        scorer: tallies, signatures, uncertainty.
        attribute: divides the items.
        combined: what the combined set is, as it stands in signatures.
        note: a sentence for the reader of each shift.
        reason: why there are none; empty where there are.
    """

    scorer: Scorer
    attribute: Attribute
    combined: str = "all items"
    note: str = ""
    reason: str = ""

    def of(self, metric: Metric, *, parts_only: bool = False) -> Iterator[Scored]:
        """A metric in every group minus the same over all groups together; then its parts, or those alone."""
        book, attribute = self.scorer.book, self.attribute
        name = f"{metric.name}{SUFFIX}"
        if book.lacks(metric.tally):
            convention = self.scorer.options.convention
            yield from Lacking(book, self.scorer.signer, replace(metric, name=name), convention).groups(attribute)
            return
        tally = book.pooled(metric.tally, attribute)
        if metric.level == "overall" and not parts_only:
            yield from self._shifts(_Shift(metric, name, tally, per_part=False))
        if has_parts(metric) or parts_only:
            yield from self._shifts(_Shift(metric, name, tally, per_part=True))

    def _shifts(self, shift: _Shift) -> Iterator[Scored]:
        """Group by group, and within a group part by part."""
        scorer, attribute, options = self.scorer, self.attribute, self.scorer.options
        refused = self._refused(shift)
        names = shift.metric.part_names(shift.tally, scorer.book.parts) if shift.per_part else ("",)
        compute = partial(to_combined, shift.metric, per_part=shift.per_part, convention=options.convention)
        values = np.full((len(attribute.groups), len(names)), np.nan)
        found = None
        if not refused:
            values = np.asarray(compute(shift.tally)).reshape(values.shape)
            found = scorer.uncertainty.intervals(compute, shift.metric.tally, attribute, asked=True)
        signature = self._sign(shift)
        for g, group in enumerate(attribute.groups):
            supports = self._supports(shift, g, len(names))
            for p, part in enumerate(names):
                place, value, support = Place(attribute.name, group, part), float(values[g, p]), supports[p]
                reason = refused or too_small(attribute, group)
                if reason or np.isnan(value):
                    reason = reason or self._why(shift, g, p)
                    yield Undefined(shift.name, reason, support, signature, place)
                    continue
                sure = certainty_at(found, *((g, p) if shift.per_part else (g,)))
                notes = (*_direction(shift.metric, value), *filter(None, [self.note]), *sure.notes)
                yield Score(shift.name, value, support, signature, place, sure.interval, notes=notes)

    def _refused(self, shift: _Shift) -> str:
        convention, groups = self.scorer.options.convention, self.attribute.groups
        if self.reason:
            return self.reason
        if not shift.metric.supports(convention):
            return f"no definition in the convention {convention!r}"
        return "" if len(groups) > 1 else f"only one group of {self.attribute.name!r}: it is the combined set"

    def _supports(self, shift: _Shift, g: int, parts: int) -> list[int]:
        """Items of the group; of metrics that look at the truth, those of each class, bin, unit or dimension."""
        if shift.per_part and shift.metric.name not in PREDICTED.get(shift.metric.kind, ()):
            return [int(n) for n in part_supports(shift.tally[g], parts)]
        return [support_of(shift.tally[g])] * parts

    def _why(self, shift: _Shift, g: int, p: int) -> str:
        """What is undefined: the group, or all groups together."""
        metric, parts = shift.metric, self.scorer.book.parts
        for name, tally in (
            (self.attribute.groups[g], shift.tally[g]),
            ("all groups together", shift.tally.pooled(-1)),
        ):
            compute = metric.parts if shift.per_part and metric.parts is not None else metric.compute
            value = np.atleast_1d(compute(tally, convention=self.scorer.options.convention))[p]
            if np.isnan(value):
                reasons = metric.part_reasons(tally, parts) if shift.per_part else ()
                return f"{name}: {reasons[p] if reasons else metric.reason(tally, parts)}"
        return metric.undefined

    def _sign(self, shift: _Shift) -> Signature:
        book, signer = self.scorer.book, self.scorer.signer
        counted, support = shift.metric.counted(shift.tally), support_of(shift.tally.pooled(-1))
        convention = self.scorer.options.convention
        signed = signer.sign(shift.name, counted, support, convention=convention, attribute=self.attribute)
        every = tuple(range(len(self.attribute.groups)))
        options = ",".join(filter(None, [signed.options, f"combined={self.combined}"]))
        return signed.with_(options=options, clusters=book.clusters.among(self.attribute, every))


@dataclass(frozen=True)
class _Shift:
    """A metric over (G,) tallies, as a whole or by part."""

    metric: Metric
    name: str
    tally: Tally
    per_part: bool


def _direction(metric: Metric, value: float) -> tuple[str, ...]:
    """Which way a mean is shifted, in words."""
    if metric.name != "mean" or value == 0.0:
        return ()
    return (f"predicted {'higher' if value > 0 else 'lower'} than over all groups together",)
