"""Every score of an evaluation, in the order in which they are told."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from affectcheck.errors import InputError
from affectcheck.evaluation.balanced import Balanced
from affectcheck.evaluation.disparity import Disparity
from affectcheck.evaluation.scoring import Scorer
from affectcheck.evaluation.shifts import Shifts, shifted_metrics
from affectcheck.evaluation.uncertain import Uncertainty
from affectcheck.evaluation.weighting import WeightedBook

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.evaluation.grouping import Attribute
    from affectcheck.evaluation.options import EvaluationOptions
    from affectcheck.evaluation.signing import Signer
    from affectcheck.evaluation.tallying import TallyBook
    from affectcheck.evaluation.weighting import Rows
    from affectcheck.metrics import Metric
    from affectcheck.records import Scored
    from affectcheck.schemes import Kind


@dataclass(frozen=True, eq=False)
class Scoring:
    """What is scored, by which metrics, and how it is signed.

    Attributes:
        book: the tallies.
        attributes: how the rows are divided into groups.
        metrics: what is scored.
        signer: the signatures.
        options: resamples, seed, convention.
    """

    book: TallyBook
    attributes: tuple[Attribute, ...]
    metrics: tuple[Metric, ...]
    signer: Signer
    options: EvaluationOptions

    def scores(self) -> Iterator[Scored]:
        """Every score."""
        uncertainty = Uncertainty(self.book, self.options, disparities_of(self.metrics, self.options))
        scorer = Scorer(self.book, self.signer, uncertainty, self.options)
        yield from all_scores(scorer, self.metrics, self.attributes)
        if self.options.shifts == "balanced":
            for found in self.attributes:
                yield from Balanced(scorer, self.book, found).of(shifting(self.metrics, self.options))

    def of(self, rows: Rows, *, truth: str, model: str = "") -> Scoring:
        """The same of other answers to the same items, or of the same against another truth.

        Args:
            rows: answers and truths, which share their items.
            truth: what stands for the truth, as it stands in signatures.
            model: who answers, where it is not the model.

        Raises:
            InputError: shifts of balanced sets, which hold whole items, are asked for of the model itself; people go
                without them.
        """
        balanced = self.options.shifts == "balanced"
        if balanced and not model:
            raise InputError(
                f"shifts of balanced sets against {truth}",
                expected="shifts of all items, or one label an item as the truth",
                cause="a set is balanced by the classes of whole items",
            )
        signed = self.signer.shared.with_(truth=truth)
        signed = signed.with_(model=model, steps="") if model else signed
        return replace(
            self,
            book=WeightedBook.of(self.book.aligned, self.book.clusters, rows),
            attributes=tuple(replace(found, codes=found.codes[rows.place]) for found in self.attributes),
            signer=replace(self.signer, shared=signed),
            options=replace(self.options, shifts="") if balanced else self.options,
        )


def all_scores(scorer: Scorer, metrics: tuple[Metric, ...], attributes: tuple[Attribute, ...]) -> Iterator[Scored]:
    """Over all items, then for each attribute by group, between two groups, and as disparities; last, shifts of groups.

    Those against balanced sets, which take rows, are not among them.
    """
    scored = [metric for metric in metrics if metric.level != "disparity"]
    for metric in scored:
        yield from scorer.overall(metric)
    for found in attributes:
        for metric in scored:
            yield from scorer.groups(metric, found)
        for metric in scored:
            yield from scorer.differences(metric, found)
        for metric in metrics:
            if metric.level == "disparity":
                for convention in _conventions(metric, scorer.options):
                    yield from scorer.disparity(metric, found, convention)
    if scorer.options.shifts == "all":
        for found in attributes:
            for metric in shifting(metrics, scorer.options):
                yield from Shifts(scorer, found).of(metric)


def shifting(metrics: tuple[Metric, ...], options: EvaluationOptions) -> tuple[Metric, ...]:
    """The metrics of which every group is told against all groups together."""
    kind = cast("Kind", metrics[0].kind)
    return shifted_metrics(metrics, kind, named=options.metrics is not None)


def _conventions(metric: Metric, options: EvaluationOptions) -> tuple[str, ...]:
    """The asked convention first; then those shown beside it, where they have a definition of their own."""
    own = metric.rules.distinct and not metric.base
    beside = [name for name in options.beside if own and metric.supports(name)]
    return tuple(dict.fromkeys([options.convention, *beside]))


def disparities_of(metrics: tuple[Metric, ...], options: EvaluationOptions) -> tuple[Disparity, ...]:
    """Every disparity that has a definition, in the conventions it is given in."""
    return tuple(
        Disparity(metric, convention)
        for metric in metrics
        if metric.level == "disparity"
        for convention in _conventions(metric, options)
        if metric.supports(convention)
    )
