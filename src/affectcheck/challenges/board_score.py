"""Score a submission for a board: the numbers of ``score``, from the bytes of labels and predictions as they are kept.

``score`` joins tables of float64, which holds 2.7 million frames several times over. Here truth and predictions stay a byte
a unit or class, the keys are compared block by block, and every number comes from the same tallies by the same steps.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.challenges.flags import constant_flags, duplicate_flags, sketch
from affectcheck.challenges.kept_labels import BLOCK
from affectcheck.challenges.kept_rows import kept_rows, labels_digest
from affectcheck.challenges.labels import TARGET
from affectcheck.challenges.result import BoardScore, BoardValue, VideoScore
from affectcheck.challenges.shares import shares_of
from affectcheck.evaluation import EvaluationOptions
from affectcheck.evaluation.alignment import Aligned
from affectcheck.evaluation.choosing import chosen_metrics
from affectcheck.evaluation.everything import disparities_of
from affectcheck.evaluation.grouping import Clusters
from affectcheck.evaluation.scoring import Scorer
from affectcheck.evaluation.signing import Signer
from affectcheck.evaluation.tallying import TallyBook
from affectcheck.evaluation.uncertain import Uncertainty
from affectcheck.metrics import METRICS
from affectcheck.predictions import no_progress
from affectcheck.schemes import Target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from affectcheck.challenges.checking import Checked
    from affectcheck.challenges.kept_labels import KeptLabels
    from affectcheck.challenges.track import Track
    from affectcheck.evaluation.grouping import Attribute
    from affectcheck.metrics import Metric
    from affectcheck.records import Scored

#: Of a score that has no parts by itself, the metric whose values of the parts it is made of, or else that of its kind.
_PART_OF: Final = {"uar": "recall", "accuracy": "recall", "uap": "precision", "p_emi": "pcc"}
_PART_OF_KIND: Final = {"categories": "f1", "units": "unit_f1", "dimensions": "ccc"}


@dataclass(frozen=True)
class BoardOptions:
    """How a submission is scored for a board.

    Attributes:
        by: attributes that groups are told of; None for every group column of the labels, alone.
        resamples: of intervals and noise floors; 0 for neither.
        seed: of both.
        name: of the method, as it stands in signatures.
        others: name to sketch of each submission that this one is compared with.
        progress: is told steps done and steps in all.
    """

    by: tuple[str, ...] | None = None
    resamples: int = 1000
    seed: int = 0
    name: str = "submission"
    others: Mapping[str, bytes] = field(default_factory=dict)
    progress: Callable[[int, int], None] = no_progress


def score_for_board(
    checked: Checked, kept: KeptLabels, track: Track, options: BoardOptions | None = None
) -> BoardScore:
    """Score a submission.

    Every number equals that of ``score`` with the same labels, groups, seed and resamples, since tallies, draws and steps
    are the same.

    Args:
        checked: the submission, checked against the items of the labels (``wanted_of_kept``).
        kept: the labels.
        track: whose metric ranks.
        options: groups, intervals, other submissions, progress.

    Returns:
        The score, with shares for intervals of places and a sketch for likeness.

    Raises:
        InputError: the submission was checked against other items, or a sketch is none of this list.
        UnknownNameError: a group column that the labels do not have.
    """
    options = options or BoardOptions()
    run = _Run.of(checked, kept, track, options)
    whole = list(run.whole())
    head = next(one for one in whole if one.metric == track.metric)
    own = sketch(checked)
    return BoardScore(
        track=track.name,
        headline=BoardValue.of(head),
        parts=_parts(whole, _part_metric(run.head)),
        others=tuple(BoardValue.of(one) for one in whole if not one.place.part and one.metric != track.metric),
        groups=tuple(map(BoardValue.of, run.groups())),
        disparities=tuple(map(BoardValue.of, run.disparities())),
        items=kept.height,
        labelled=run.book.height,
        videos=run.videos(),
        flags=(*constant_flags(checked, track), *duplicate_flags(own, options.others, track)),
        notes=tuple(dict.fromkeys((*checked.notes, *kept.notes, *run.notes))),
        signature=str(head.signature),
        labels=kept.digest,
        submission=checked.digest,
        shares=run.shares(),
        sketch=own,
    )


@dataclass(eq=False)
class _Steps:
    """Tells how many of all steps are done."""

    told: Callable[[int, int], None]
    total: int
    done: int = 0

    def step(self) -> None:
        self.done += 1
        self.told(self.done, self.total)


@dataclass(frozen=True, eq=False)
class _Run:
    """What one submission is scored by."""

    scorer: Scorer
    book: TallyBook
    attributes: tuple[Attribute, ...]
    metrics: tuple[Metric, ...]
    kept: KeptLabels
    track: Track
    steps: _Steps

    @classmethod
    def of(cls, checked: Checked, kept: KeptLabels, track: Track, options: BoardOptions) -> _Run:
        by = kept.groups if options.by is None else tuple(dict.fromkeys(options.by))
        digest = labels_digest(kept, by)
        asked = EvaluationOptions(
            metrics=(track.metric, "default"),
            by=by,
            resamples=options.resamples,
            seed=options.seed,
            clusters=kept.unit,
            beside=(),
        )
        metrics = chosen_metrics(_shape(track), asked)
        disparities = sum(metric.level == "disparity" for metric in metrics)
        steps = _Steps(
            options.progress, -(-kept.height // BLOCK) + len(metrics) - disparities + len(by) * (1 + disparities) + 1
        )
        rows = kept_rows(checked, kept, track, steps.step)
        attributes = tuple(rows.attribute(name, asked.minimum_support) for name in by)
        book = TallyBook(rows.aligned, rows.clusters())
        signer = Signer.of(digest, rows.aligned, book.clusters, asked, options.name)
        uncertainty = Uncertainty(book, asked, disparities_of(metrics, asked))
        return cls(Scorer(book, signer, uncertainty, asked), book, attributes, metrics, kept, track, steps)

    @property
    def head(self) -> Metric:
        """By which the track ranks."""
        return METRICS.get(self.track.metric)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about what is scored."""
        return (*self.book.aligned.notes, *filter(None, (self.book.clusters.note, *(a.note for a in self.attributes))))

    def whole(self) -> Iterator[Scored]:
        """Every score over the whole set, and its parts."""
        for metric in self.metrics:
            if metric.level != "disparity":
                yield from self.scorer.overall(metric)
                self.steps.step()

    def groups(self) -> Iterator[Scored]:
        """The headline's metric in every group."""
        for each in self.attributes:
            yield from (one for one in self.scorer.groups(self.head, each) if not one.place.part)
            self.steps.step()

    def disparities(self) -> Iterator[Scored]:
        """Over the groups of each attribute."""
        for each in self.attributes:
            for metric in self.metrics:
                if metric.level == "disparity":
                    found = self.scorer.disparity(metric, each, self.scorer.options.convention)
                    yield from (one for one in found if not one.place.part)
                    self.steps.step()

    def videos(self) -> tuple[VideoScore, ...]:
        """The headline's metric of each video of frames by itself."""
        if self.track.file.unit != "frame":
            return ()
        names = self.book.aligned.frame.get_column("item").str.extract("^(.*)/")
        values = tuple(names.unique().sort().to_list())
        codes = names.cast(pl.Enum(values)).to_physical().to_numpy()
        tally = TallyBook(self.book.aligned, Clusters("media", codes, len(values))).by_cluster(self.head.tally)
        scores = np.asarray(self.head.compute(tally), np.float64).tolist()
        frames = np.bincount(codes, minlength=len(values)).tolist()
        return tuple(
            VideoScore(video, number, None if math.isnan(score) else score)
            for video, number, score in zip(values, frames, scores, strict=True)
        )

    def shares(self) -> bytes:
        """Tallies by cluster."""
        found = shares_of(self.book, self.track, self.kept.digest)
        self.steps.step()
        return found


def _shape(track: Track) -> Aligned:
    """What is scored, without a row."""
    nothing = np.empty(0)
    return Aligned(Target(TARGET, track.declared), track.parts, pl.DataFrame(), nothing, nothing)


def _parts(whole: Sequence[Scored], metric: str) -> tuple[BoardValue, ...]:
    return tuple(BoardValue.of(one) for one in whole if one.metric == metric and one.place.part)


def _part_metric(metric: Metric) -> str:
    """The metric whose values of the parts stand beside the headline."""
    if metric.kind != "categories" and metric.parts is not None:
        return metric.name
    return _PART_OF.get(metric.name, _PART_OF_KIND[metric.kind])
