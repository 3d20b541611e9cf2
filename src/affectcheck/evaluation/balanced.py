"""Shifts of groups against a combined set in which every group has the same truth (paper 2).

Where groups differ in what they show, a model that is alike to all of them scores them differently; so the labelled
fairness tests of paper 2 first draw, of every class, equally many items of each group, or match values one by one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.annotations.listing import plural
from affectcheck.evaluation.balance import Pool, balance_classes, balance_values
from affectcheck.evaluation.grouping import EXCLUDED
from affectcheck.evaluation.scoring import Scorer
from affectcheck.evaluation.shifts import Shifts
from affectcheck.evaluation.tallying import TallyBook
from affectcheck.evaluation.uncertain import Uncertainty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.evaluation.alignment import Aligned
    from affectcheck.evaluation.grouping import Attribute, Clusters
    from affectcheck.metrics import Metric
    from affectcheck.records import Scored

BY_CLASS: Final = "balanced by class"
BY_VALUE: Final = "balanced by value"
NO_UNITS: Final = (
    "items of several action units cannot be balanced by all of them at once; take the combined set of all"
)
NO_VOTES: Final = "items whose truth is the votes of raters cannot be balanced by class; take the combined set of all"


@dataclass(frozen=True)
class Balanced:
    """Shifts in balanced sets.

    Attributes:
        scorer: that of all items, with their rows.
        book: the same tallies, as rows.
        attribute: divides the items; crossed groups below the minimum support are not drawn from.
    """

    scorer: Scorer
    book: TallyBook
    attribute: Attribute

    def of(self, metrics: tuple[Metric, ...]) -> Iterator[Scored]:
        """The shifts of every metric; of dimensions each in a set of its own, since they cannot be matched at once."""
        aligned = self.book.aligned
        if not self.book.whole or aligned.target.scheme.kind == "units":
            reason = NO_VOTES if not self.book.whole else NO_UNITS
            yield from self._refused(metrics, reason)
        elif aligned.is_categories:
            yield from self._classes(metrics)
        else:
            parted = tuple(metric for metric in metrics if metric.parts is not None)
            for d in range(len(aligned.parts)):
                yield from self._values(parted, d)

    def _refused(self, metrics: tuple[Metric, ...], reason: str) -> Iterator[Scored]:
        for metric in metrics:
            yield from Shifts(self.scorer, self.attribute, BY_CLASS, reason=reason).of(metric)

    def _classes(self, metrics: tuple[Metric, ...]) -> Iterator[Scored]:
        """Equally many items of every class in each group; classes that a group lacks are left out."""
        aligned, groups = self.book.aligned, self._groups
        counts = np.array([np.bincount(aligned.truth[groups == g], minlength=len(aligned.parts)) for g in self._kept])
        tested = np.flatnonzero(counts.min(axis=0) > 0) if len(counts) else np.empty(0, np.int64)
        if tested.size < 2:
            yield from self._refused(metrics, f"fewer than two classes have items in every group of {self._name!r}")
            return
        rows = np.flatnonzero((groups != EXCLUDED) & np.isin(aligned.truth, tested))
        drawn = rows[balance_classes(self._pool(rows, aligned.truth, groups), len(aligned.parts))]
        lost = [part for c, part in enumerate(aligned.parts) if c not in tested]
        note = f"; classes that a group lacks are left out: {', '.join(lost)}" if lost else ""
        yield from self._drawn(_only(aligned, drawn, tested), drawn, BY_CLASS, metrics, note)

    def _values(self, metrics: tuple[Metric, ...], d: int) -> Iterator[Scored]:
        """Of each other group the items whose truth is nearest to that of the smallest group's, one by one."""
        aligned, groups = self.book.aligned, self._groups
        truth = aligned.truth[:, d]
        rows = np.flatnonzero((groups != EXCLUDED) & ~np.isnan(truth))
        if min((int((groups[rows] == g).sum()) for g in self._kept), default=0) == 0:
            yield from self._refused(
                metrics, f"a group of {self._name!r} has no item with a value of {aligned.parts[d]}"
            )
            return
        drawn = rows[balance_values(self._pool(rows, truth, groups))]
        one = replace(
            aligned,
            parts=(aligned.parts[d],),
            frame=aligned.frame[drawn.tolist()],
            truth=aligned.truth[drawn][:, [d]],
            prediction=aligned.prediction[drawn][:, [d]],
        )
        yield from self._drawn(one, drawn, BY_VALUE, metrics, "")

    def _drawn(
        self, aligned: Aligned, rows: np.ndarray, combined: str, metrics: tuple[Metric, ...], note: str
    ) -> Iterator[Scored]:
        """Shifts in the set that was drawn; its intervals hold for this draw."""
        options, signer = self.scorer.options, self.scorer.signer
        attribute = replace(self.attribute, codes=self._groups[rows])
        found = _among(self.book.clusters, rows)
        book = TallyBook(aligned, found, self.book.most_blocks)
        shared = signer.shared.with_(labels=",".join(aligned.parts), clusters=str(found), seed=str(options.seed))
        scorer = Scorer(book, replace(signer, shared=shared), Uncertainty(book, options), options)
        told = f"combined set: {plural(rows.size // len(self._kept), 'item')} of each group, {combined}{note}"
        one_dimension = combined == BY_VALUE
        for metric in metrics:
            yield from Shifts(scorer, attribute, combined, note=told).of(metric, parts_only=one_dimension)

    @property
    def _name(self) -> str:
        return self.attribute.name

    @property
    def _kept(self) -> list[int]:
        """Groups that are drawn from."""
        return [g for g, group in enumerate(self.attribute.groups) if group not in self.attribute.small]

    @property
    def _groups(self) -> np.ndarray:
        """(n,) group of each item, of those that are drawn from."""
        return np.where(np.isin(self.attribute.codes, self._kept), self.attribute.codes, EXCLUDED)

    def _pool(self, rows: np.ndarray, truth: np.ndarray, groups: np.ndarray) -> Pool:
        items = self.book.aligned.frame.get_column("item")[rows.tolist()].to_list()
        places = np.searchsorted(self._kept, groups[rows])
        return Pool(items, truth[rows], places, len(self._kept), self.scorer.options.seed)


def _only(aligned: Aligned, rows: np.ndarray, classes: np.ndarray) -> Aligned:
    """Some rows and classes; a decision for another class is a wrong answer."""
    new = np.full(len(aligned.parts) + 1, -1)  # the last place is that of -1, no prediction
    new[classes] = np.arange(classes.size)
    scores = None if aligned.scores is None else aligned.scores[rows][:, classes]
    return replace(
        aligned,
        parts=tuple(aligned.parts[c] for c in classes),
        frame=aligned.frame[rows.tolist()],
        truth=new[aligned.truth[rows]],
        prediction=new[aligned.prediction[rows]],
        scores=scores,
    )


def _among(clusters: Clusters, rows: np.ndarray) -> Clusters:
    """The clusters of some rows, numbered without gaps."""
    _, codes = np.unique(clusters.codes[rows], return_inverse=True)
    return replace(clusters, codes=codes.astype(np.int64), size=int(codes.max(initial=-1)) + 1)
