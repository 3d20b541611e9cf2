"""Score a checked submission against labels: what ``affectcheck score`` computes, and nothing beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from affectcheck.challenges.checking import prediction_table
from affectcheck.evaluation import EvaluationOptions, evaluate

if TYPE_CHECKING:
    from affectcheck.annotations import AnnotationTable
    from affectcheck.challenges.checking import Checked
    from affectcheck.challenges.track import Track
    from affectcheck.evaluation import Evaluation
    from affectcheck.records import Scored


@dataclass(frozen=True)
class ScoringOptions:
    """How a submission is scored beside the metric of its track.

    Attributes:
        by: groups of the labels' table that scores are told for.
        resamples: of the intervals; 0 for none.
        seed: of the resampling.
        name: of the method, as it stands in signatures.
    """

    by: tuple[str, ...] = ()
    resamples: int = 1000
    seed: int = 0
    name: str = "submission"


def score(checked: Checked, labels: AnnotationTable, track: Track, options: ScoringOptions | None = None) -> Evaluation:
    """Score a submission.

    Args:
        checked: the submission, aligned with all items of the labels.
        labels: the labels; items without any are not scored, and counted.
        track: whose metric stands first.
        options: groups and intervals, clustered by subject, or by video where subjects are not known.

    Raises:
        InputError: the two do not belong together.
    """
    options = options or ScoringOptions()
    asked = EvaluationOptions(
        metrics=(track.metric, "default"),
        by=options.by,
        resamples=options.resamples,
        seed=options.seed,
        clusters="subject" if labels.has_subjects else "media",
    )
    return evaluate(labels, prediction_table(checked, track, options.name), options=asked)


def headline(scored: Evaluation, track: Track) -> Scored:
    """The score by which a track ranks."""
    return scored[track.metric]
