"""Join truth and predictions, tally once, score everything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from affectcheck.evaluation.ceiling import ceilings
from affectcheck.evaluation.choosing import chosen_metrics
from affectcheck.evaluation.data_digest import DataDigest
from affectcheck.evaluation.everything import Scoring
from affectcheck.evaluation.grouping import attribute, clusters
from affectcheck.evaluation.items import items_frame, layout_of
from affectcheck.evaluation.options import EvaluationOptions
from affectcheck.evaluation.result import Evaluation
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
from affectcheck.evaluation.voted import vote_on, with_soft_metrics
from affectcheck.tallies import Confusion, Histogram, Tally, Units

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.evaluation.alignment import Aligned
    from affectcheck.evaluation.grouping import Attribute, Clusters
    from affectcheck.evaluation.sources import Tallies
    from affectcheck.evaluation.voted import Votes
    from affectcheck.predictions import PredictionTable
    from affectcheck.records import Scored

AnyTally = TypeVar("AnyTally", bound=Tally)


def evaluate(
    truth: AnnotationTable,
    prediction: PredictionTable,
    *,
    options: EvaluationOptions | None = None,
    votes: Votes | None = None,
) -> Evaluation:
    """Score predictions against annotations.

    Args:
        truth: the annotations.
        prediction: what a model predicted for the same items.
        options: target, groups, metrics, clusters, rules; see ``EvaluationOptions``.
        votes: what several raters said of the items: with them stand the scores of humans beside the model's, and their
            shares may be the truth; see ``Votes``.

    Returns:
        Every score with its signature; undefined ones with their reason.

    Raises:
        InputError: the two do not belong together; the message names every item or label that does not fit.
        UnknownNameError: no such target, group column or metric.
    """
    options = options or EvaluationOptions()
    labelled = truth if votes is None else votes.labelled(truth, options)
    aligned = align_after_steps(labelled, prediction, options)
    voted = None if votes is None else vote_on(votes, aligned, options, truth)
    aligned = aligned if voted is None else voted.aligned
    metrics = chosen_metrics(aligned, with_soft_metrics(options, aligned, voted))
    attributes = tuple(
        attribute(truth, aligned.frame, name, options.minimum_support) for name in dict.fromkeys(options.by)
    )
    found = clusters(aligned.frame, options.clusters)
    digest = DataDigest.of(truth, aligned.target, options.by)
    signer = Signer.of(digest, aligned, found, options, prediction.card.name)
    scoring = Scoring(TallyBook(aligned, found), attributes, metrics, signer, options)
    told = scoring if voted is None or not voted.soft else scoring.of(voted.rows(), truth=voted.truth)
    layout = layout_of(aligned, attributes, found, data=signer.shared.data, part=options.part)
    return Evaluation(
        tuple(told.scores()),
        aligned.parts,
        {a.name: a.groups for a in attributes},
        counts_of(truth.height, aligned.height, attributes, found, aligned.outside),
        (
            *aligned.notes,
            *filter(None, [found.note, *(each.note for each in attributes)]),
            *(voted.notes if voted else ()),
        ),
        aligned.faults,
        tables_of(told.book, told.attributes, told.book.aligned, options.seed)
        | ({"groups": group_table(attributes)} if attributes else {}),
        items_frame(aligned, attributes, layout),
        layout,
        _before(truth, prediction, aligned, options, votes),
        () if voted is None else ceilings(voted, scoring),
    )


def _before(
    truth: AnnotationTable,
    prediction: PredictionTable,
    aligned: Aligned,
    options: EvaluationOptions,
    votes: Votes | None,
) -> tuple[Scored, ...]:
    """Scores of the predictions as the model gave them; none where no steps were done."""
    if not aligned.steps:
        return ()
    return evaluate(truth, prediction, options=without_steps(aligned, prediction, options), votes=votes).scores


def counts_of(
    items: int,
    scored: int,
    attributes: tuple[Attribute, ...],
    found: Clusters,
    outside: Mapping[str, Mapping[str, int]],
) -> dict[str, Any]:
    """How many items there are, are scored, and are not, by what is not known of them."""
    return {
        "items": items,
        "scored": scored,
        "left_out": items - scored,
        "clusters": {"unit": found.unit, "count": found.size},
        "excluded": {a.name: dict(a.excluded) for a in attributes},
        "small": {a.name: dict(a.small) for a in attributes if a.small},
        **({"outside": {side: dict(counts) for side, counts in outside.items()}} if outside else {}),
    }


def tables_of(
    book: Tallies, attributes: tuple[Attribute, ...], aligned: Aligned, seed: int
) -> dict[str, dict[str, list[Any]]]:
    """Tables of plain values for figures.

    Args:
        book: the tallies.
        attributes: how the items are divided.
        aligned: what is scored; of dimensions, the items that a figure may show.
        seed: by which they are chosen.
    """
    if aligned.target.scheme.kind == "dimensions":
        histogram = book.pooled(Histogram)
        return {
            "scatter": scatter_table(aligned, seed, attributes),
            "histogram": histogram_table(histogram, aligned.parts),
        }
    if aligned.target.scheme.kind == "units":
        rows = _by_group(book, Units, attributes, unit_rows)
        return {"units": unit_table(rows), **threshold_table(aligned)}
    return {"confusion": confusion_table(_by_group(book, Confusion, attributes, confusion_rows))}


def _by_group(
    book: Tallies, kind: type[AnyTally], attributes: tuple[Attribute, ...], rows: Callable[..., list[list[Any]]]
) -> list[list[Any]]:
    """Rows of the whole set, then of every group."""
    found = rows(book.pooled(kind), book.parts)
    for each in attributes:
        grouped = book.pooled(kind, each)
        for g, group in enumerate(each.groups):
            found += rows(grouped[g], book.parts, each.name, group)
    return found
