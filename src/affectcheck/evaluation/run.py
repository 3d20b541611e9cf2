"""Join truth and predictions, tally once, score everything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from affectcheck.evaluation.choosing import chosen_metrics
from affectcheck.evaluation.grouping import attribute, clusters
from affectcheck.evaluation.items import items_frame, layout_of
from affectcheck.evaluation.options import EvaluationOptions
from affectcheck.evaluation.result import Evaluation
from affectcheck.evaluation.scoring import Scorer
from affectcheck.evaluation.signing import Signer
from affectcheck.evaluation.stepping import align_after_steps, without_steps
from affectcheck.evaluation.tables import (
    confusion_rows,
    confusion_table,
    group_table,
    histogram_table,
    scatter_table,
    threshold_table,
    unit_rows,
    unit_table,
)
from affectcheck.evaluation.tallying import TallyBook
from affectcheck.evaluation.uncertain import Disparity, Uncertainty
from affectcheck.tallies import Confusion, Histogram, Tally, Units

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.evaluation.alignment import Aligned
    from affectcheck.evaluation.grouping import Attribute, Clusters
    from affectcheck.metrics import Metric
    from affectcheck.predictions import PredictionTable
    from affectcheck.records import Scored

AnyTally = TypeVar("AnyTally", bound=Tally)


def evaluate(
    truth: AnnotationTable, prediction: PredictionTable, *, options: EvaluationOptions | None = None
) -> Evaluation:
    """Score predictions against annotations.

    Args:
        truth: the annotations.
        prediction: what a model predicted for the same items.
        options: target, groups, metrics, clusters, rules; see ``EvaluationOptions``.

    Returns:
        Every score with its signature; undefined ones with their reason.

    Raises:
        InputError: the two do not belong together; the message names every item or label that does not fit.
        UnknownNameError: no such target, group column or metric.
    """
    options = options or EvaluationOptions()
    aligned = align_after_steps(truth, prediction, options)
    metrics = chosen_metrics(aligned, options)
    attributes = tuple(
        attribute(truth, aligned.frame, name, options.minimum_support) for name in dict.fromkeys(options.by)
    )
    found = clusters(aligned.frame, options.clusters)
    book = TallyBook(aligned, found)
    signer = Signer.of(truth, aligned, found, options, prediction.card.name)
    scorer = Scorer(book, signer, Uncertainty(book, options, _disparities(metrics, options)), options)
    layout = layout_of(aligned, attributes, found, data=signer.shared.data, part=options.part)
    return Evaluation(
        tuple(_scores(scorer, metrics, attributes)),
        aligned.parts,
        {a.name: a.groups for a in attributes},
        _counts(truth, aligned, attributes, found),
        (*aligned.notes, *filter(None, [found.note])),
        aligned.faults,
        _tables(book, attributes, options.seed),
        items_frame(aligned, attributes, layout),
        layout,
        _before(truth, prediction, aligned, options),
    )


def _before(
    truth: AnnotationTable, prediction: PredictionTable, aligned: Aligned, options: EvaluationOptions
) -> tuple[Scored, ...]:
    """Scores of the predictions as the model gave them; none where no steps were done."""
    if not aligned.steps:
        return ()
    return evaluate(truth, prediction, options=without_steps(aligned, prediction, options)).scores


def _scores(scorer: Scorer, metrics: tuple[Metric, ...], attributes: tuple[Attribute, ...]) -> Iterator[Scored]:
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
                    yield scorer.disparity(metric, found, convention)


def _conventions(metric: Metric, options: EvaluationOptions) -> tuple[str, ...]:
    """The asked convention first; then those shown beside it, where they have a definition of their own."""
    own = metric.rules.distinct and not metric.base
    beside = [name for name in options.beside if own and metric.supports(name)]
    return tuple(dict.fromkeys([options.convention, *beside]))


def _disparities(metrics: tuple[Metric, ...], options: EvaluationOptions) -> tuple[Disparity, ...]:
    """Every disparity that has a definition, in the conventions it is given in."""
    return tuple(
        Disparity(metric, convention)
        for metric in metrics
        if metric.level == "disparity"
        for convention in _conventions(metric, options)
        if metric.supports(convention)
    )


def _counts(
    truth: AnnotationTable, aligned: Aligned, attributes: tuple[Attribute, ...], found: Clusters
) -> dict[str, Any]:
    return {
        "items": truth.height,
        "scored": aligned.height,
        "left_out": truth.height - aligned.height,
        "clusters": {"unit": found.unit, "count": found.size},
        "excluded": {a.name: dict(a.excluded) for a in attributes},
        "small": {a.name: dict(a.small) for a in attributes if a.small},
        **({"outside": {side: dict(counts) for side, counts in aligned.outside.items()}} if aligned.outside else {}),
    }


def _tables(book: TallyBook, attributes: tuple[Attribute, ...], seed: int) -> dict[str, dict[str, list[Any]]]:
    aligned = book.aligned
    tables = {"groups": group_table(attributes)} if attributes else {}
    if aligned.target.scheme.kind == "dimensions":
        histogram = book.pooled(Histogram)
        return tables | {
            "scatter": scatter_table(aligned, seed, attributes),
            "histogram": histogram_table(histogram, aligned.parts),
        }
    if aligned.target.scheme.kind == "units":
        rows = _by_group(book, Units, attributes, unit_rows)
        return tables | {"units": unit_table(rows), **threshold_table(aligned)}
    return tables | {"confusion": confusion_table(_by_group(book, Confusion, attributes, confusion_rows))}


def _by_group(
    book: TallyBook, kind: type[AnyTally], attributes: tuple[Attribute, ...], rows: Callable[..., list[list[Any]]]
) -> list[list[Any]]:
    """Rows of the whole set, then of every group."""
    found = rows(book.pooled(kind), book.parts)
    for each in attributes:
        grouped = book.pooled(kind, each)
        for g, group in enumerate(each.groups):
            found += rows(grouped[g], book.parts, each.name, group)
    return found
