"""The human ceiling: what people score in the model's place, by the same metrics on the same items.

| name | who answers | what is the truth |
|---|---|---|
| ``random rater`` | a rater drawn for each item | that of the score, of which the rater's own vote is a part |
| ``mean rater`` | each rater alone, averaged over raters | the same |
| ``left-out rater`` | a rater drawn for each item | the other raters of the item |
| ``other raters`` | the other raters of the item | the rater that is left out |

The first two are those that paper 2 proposes as thresholds (section II-B: "randomly selecting a rater for each sample, or
averaging all individual raters' performance"); they compare a rater with a truth that he helped to make, and so flatter
him. The last two do not. What several raters say together is their majority (the mean of dimensions); where the truth is
the shares of the votes, each vote by itself.

Nothing is drawn: a drawn rater is taken in expectation, as a tally in which each of the m raters of an item counts
1 / m. Of that tally a share such as accuracy or recall is the exact expectation over draws; a ratio of sums, such as F1
or CCC, is the value that draws tend to as items become many. An item whose other raters have no majority is left out for
that rater, and counted where no rater is left.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.evaluation.grouping import Attribute
from affectcheck.evaluation.rater_rows import NO_MAJORITY, of_the_others
from affectcheck.evaluation.scoring import has_parts, part_compute
from affectcheck.evaluation.uncertain import Uncertainty, certainty_at
from affectcheck.evaluation.weighting import Rows
from affectcheck.metrics.rules import mean_of
from affectcheck.records import Place, Score, Undefined

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.annotations.ratings import Ratings
    from affectcheck.evaluation.alignment import Aligned
    from affectcheck.evaluation.everything import Scoring
    from affectcheck.evaluation.tallying import TallyBook
    from affectcheck.evaluation.voted import VotedItems
    from affectcheck.metrics import Compute, Metric
    from affectcheck.records import Scored, Signature

RANDOM: Final = "random rater"
MEAN: Final = "mean rater"
LEFT_OUT: Final = "left-out rater"
OTHERS: Final = "other raters"
CEILINGS: Final = (RANDOM, MEAN, LEFT_OUT, OTHERS)
#: Items that a rater needs for a score of his own in the mean over raters.
LEAST_ITEMS: Final = 10


@dataclass(frozen=True, eq=False)
class Human:
    """People in the model's place.

    Attributes:
        name: one of ``CEILINGS``; it stands in signatures as the model.
        truth: what stands for the truth, as it stands in signatures.
        rows: their answers.
    """

    name: str
    truth: str
    rows: Rows


def humans(voted: VotedItems) -> tuple[Human, ...]:
    """Everyone who can be put in the model's place and answers at least one item; the mean rater is no single one."""
    own = voted.truth
    if voted.soft:
        others, rater = f"shares of the other votes of {voted.name}", f"each vote of {voted.name} left out"
    else:
        kind = "majority" if voted.aligned.is_categories else "mean"
        others, rater = f"{kind} of the other raters of {voted.name}", f"a rater of {voted.name}"
    found = (
        Human(f"{RANDOM} of {voted.name}", own, _random(voted)),
        Human(f"{LEFT_OUT} of {voted.name}", others, _left_out(voted)),
        Human(f"{OTHERS} of {voted.name}", rater, _others(voted)),
    )
    return tuple(human for human in found if human.rows.place.size)


def _random(voted: VotedItems) -> Rows:
    """Every rater of an item against its truth, of which he is a part."""
    ratings = voted.ratings
    if voted.soft:
        first, second = _pairs(ratings, own=True)
        return Rows.of(ratings.item[first], ratings.values[second], ratings.values[first])
    return Rows.of(ratings.item, voted.aligned.truth[ratings.item], ratings.values)


def _left_out(voted: VotedItems) -> Rows:
    """Every rater of an item against the others."""
    ratings = voted.ratings
    if voted.soft:
        first, second = _pairs(ratings, own=False)
        return Rows.of(ratings.item[first], ratings.values[second], ratings.values[first])
    item, truth, values = _known(ratings)
    return Rows.of(item, truth, values)


def _others(voted: VotedItems) -> Rows:
    """The others of an item against every rater."""
    item, prediction, values = _known(voted.ratings)
    return Rows.of(item, values, prediction)


def _known(ratings: Ratings) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Items, what the others say, and what the rater says, where the others say something."""
    others = of_the_others(ratings)
    known = others != NO_MAJORITY if ratings.is_categories else np.ones(len(others), bool)
    return ratings.item[known], others[known], ratings.values[known]


def _pairs(ratings: Ratings, *, own: bool) -> tuple[np.ndarray, np.ndarray]:
    """Rows of every two ratings of one item in both orders; with ``own``, of every rating and itself too."""
    order, numbers = np.argsort(ratings.item, kind="stable"), ratings.numbers
    starts = np.concatenate([[0], np.cumsum(numbers)[:-1]])
    first, second = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for m in np.unique(numbers[numbers > 0]):
        one, two = (grid.ravel() for grid in np.meshgrid(np.arange(m), np.arange(m), indexing="ij"))
        kept = np.ones(one.size, bool) if own else one != two
        begin = starts[numbers == m][:, None]
        first.append((begin + one[kept]).ravel())
        second.append((begin + two[kept]).ravel())
    return order[np.concatenate(first)], order[np.concatenate(second)]


def ceilings(voted: VotedItems, scoring: Scoring) -> tuple[Scored, ...]:
    """The scores of everyone who can be put in the model's place.

    Args:
        voted: the scored items with their votes.
        scoring: what is scored, by which metrics.
    """
    scores: list[Scored] = []
    for human in humans(voted):
        # What a model gives beside its decision, such as probabilities, people do not give.
        bare = replace(scoring, book=replace(scoring.book, aligned=_without_scores(voted)))
        scores += bare.of(human.rows, truth=human.truth, model=human.name).scores()
    return (*scores, *(_MeanRater(voted, scoring).scores() if voted.ratings.named and not voted.soft else ()))


def _without_scores(voted: VotedItems) -> Aligned:
    return replace(voted.aligned, scores=None, no_scores="raters give labels only, no scores")


@dataclass(frozen=True)
class _MeanRater:
    """The mean over raters of the score of each, paper 2's second proposal."""

    voted: VotedItems
    scoring: Scoring

    def scores(self) -> Iterator[Scored]:
        """Over all items and by part; raters in whose score a metric is undefined are left out of its mean."""
        rows, raters = self._rows()
        if len(raters.groups) == 0:
            return
        own = replace(self.scoring, book=replace(self.scoring.book, aligned=_without_scores(self.voted)))
        own = own.of(rows, truth=self.voted.truth, model=f"{MEAN} of {self.voted.name}")
        convention = own.options.convention
        asked = _Asked(own.book, Uncertainty(own.book, own.options), raters, convention)
        for metric in own.metrics:
            if metric.level == "disparity" or own.book.lacks(metric.tally) or not metric.supports(convention):
                continue
            signature = own.signer.sign(metric.name, metric, rows.items, convention=convention)
            signature = signature.with_(options=_options(signature.options, raters))
            if metric.level == "overall":
                yield asked.score(metric, metric.compute, signature, None)
            if has_parts(metric):
                for index in range(len(own.book.parts)):
                    yield asked.score(metric, part_compute(metric), signature, index)

    def _rows(self) -> tuple[Rows, Attribute]:
        """Each rater's answers, whole; only those of raters with enough items."""
        ratings = self.voted.ratings
        numbers = np.bincount(ratings.rater, minlength=len(ratings.raters))
        kept = numbers >= LEAST_ITEMS
        places = np.where(kept, np.cumsum(kept) - 1, -1)
        order = np.argsort(ratings.item, kind="stable")
        order = order[places[ratings.rater[order]] >= 0]
        item, rater, answers = ratings.item[order], places[ratings.rater[order]], ratings.values[order]
        truth = self.voted.aligned.truth[item]
        if not ratings.is_categories:
            truth = np.where(np.isnan(answers), np.nan, truth)
            answers = np.where(np.isnan(answers), 0.0, answers)
        names = tuple(name for name, has in zip(ratings.raters, kept, strict=True) if has)
        rows = Rows(item, truth, answers, np.ones(item.size))
        return rows, Attribute("rater", names, rater, {}, {})


@dataclass(frozen=True)
class _Asked:
    book: TallyBook
    uncertainty: Uncertainty
    raters: Attribute
    convention: str

    def score(self, metric: Metric, compute: Compute, signature: Signature, index: int | None) -> Scored:
        """The mean over raters of a metric, or of one of its parts."""
        place = Place(part=self.book.parts[index] if index is not None else "")
        axis = -1 if index is None else -2

        def mean(tally: Any) -> np.ndarray:
            return mean_of(np.asarray(compute(tally, convention=self.convention)), "skip", axis=axis)

        value = float(np.atleast_1d(mean(self.book.pooled(metric.tally, self.raters)))[index or 0])
        items = int(signature.n)
        if np.isnan(value):
            return Undefined(metric.name, "undefined for every rater", items, signature, place)
        found = self.uncertainty.intervals(mean, metric.tally, self.raters, asked=True)
        certainty = certainty_at(found, *(() if index is None else (index,)))
        return Score(metric.name, value, items, signature, place, certainty.interval, notes=certainty.notes)


def _options(told: str, raters: Attribute) -> str:
    return ",".join(filter(None, (told, f"raters={len(raters.groups)}", f"minimum={LEAST_ITEMS}")))
