"""Each pair of models on each score, and the rank of each model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.errors import InputError
from affectcheck.evaluation.contest import Division
from affectcheck.evaluation.entrants import Key, named, of_both
from affectcheck.evaluation.questions import Answer, Question
from affectcheck.metrics import METRICS
from affectcheck.records import Comparison, Rank, Score
from affectcheck.uncertainty import holm, rank_intervals, ranks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from affectcheck.evaluation.comparing import CompareOptions
    from affectcheck.evaluation.contest import Contest
    from affectcheck.evaluation.entrants import Entrant
    from affectcheck.records import Scored, Signature
    from affectcheck.tallies import Tally
    from affectcheck.uncertainty import Exchanged, Intervals, RankIntervals, ResampledValues

    Scores = tuple[Scored, ...]
    Pair = tuple[int, int]

#: Why differences and ranks of distances between groups have no interval.
BIASED: Final = "a distance between groups is biased upwards, and every resample adds the noise again"
NEITHER: Final = "neither higher nor lower is better"
NO_RESAMPLES: Final = "no resamples were asked for"
#: Largest difference between a recorded score and the same computed from the items, relative to its size.
AGREEMENT: Final = 1e-9


@dataclass(frozen=True, eq=False)
class Match:
    """Models on the same items.

    Attributes:
        entrants: the models.
        contest: their items.
        options: how they are compared.
    """

    entrants: tuple[Entrant, ...]
    contest: Contest
    options: CompareOptions

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """All pairs, or every other model with the reference."""
        number = len(self.entrants)
        if not self.options.reference:
            return tuple(combinations(range(number), 2))
        reference = named(self.entrants, self.options.reference)
        return tuple((place, reference) for place in range(number) if place != reference)

    def outcome(self, shared: Mapping[Key, Scores]) -> tuple[tuple[Comparison, ...], tuple[Rank, ...]]:
        """Comparisons and ranks of every score, in order."""
        pairs, answers = self.pairs, self._answers(shared)
        comparisons: list[Comparison] = []
        found: list[Rank] = []
        for key, scores in shared.items():
            answer = answers.get(Question.of(key))
            comparisons += _corrected([self._comparison(key, scores, pair, answer) for pair in pairs])
            found += self._ranks(key, scores, answer)
        return tuple(comparisons), tuple(found)

    def _answers(self, shared: Mapping[Key, Scores]) -> dict[Question, Answer]:
        """Resamples and exchanges of all questions; those of one tally and attribute share them."""
        together: dict[tuple[type[Tally], str], dict[Question, dict[Key, Scores]]] = {}
        for key, scores in shared.items():
            if sum(isinstance(score, Score) for score in scores) > 1:
                question = Question.of(key)
                asked = together.setdefault((question.asked.tally, question.attribute), {})
                asked.setdefault(question, {})[key] = scores
        found: dict[Question, Answer] = {}
        for (kind, attribute), asked in together.items():
            if not self.contest.lacks(kind):
                found |= self._together(kind, attribute, asked)
        return found

    def _together(
        self, kind: type[Tally], attribute: str, asked: Mapping[Question, Mapping[Key, Scores]]
    ) -> Iterator[tuple[Question, Answer]]:
        statistics = [question.statistic(self.contest) for question in asked]
        points = [np.stack([f(tally) for tally in self.contest.whole(kind, attribute)]) for f in statistics]
        for values, scores in zip(points, asked.values(), strict=True):
            self._require_agreement(values, scores)
        tests = self._tests(kind, attribute, asked)
        options = self.options.resampling
        too_long = self.contest.too_long(kind, options.resamples)
        wanted = self.options.resamples and not too_long
        resampled = self.contest.resampled(kind, attribute, options) if wanted else ()
        for question, statistic in zip(asked, statistics, strict=True):
            why = "" if resampled else too_long or NO_RESAMPLES
            why = why or (BIASED if question.is_distance else "")
            drawn = [] if why else [model.evaluated(statistic) for model in resampled]
            yield question, Answer(tests[question], self._differences(drawn), self._ranked(question, drawn), why)

    def _tests(
        self, kind: type[Tally], attribute: str, asked: Mapping[Question, Mapping[Key, Scores]]
    ) -> dict[Question, dict[tuple[Pair, str], Exchanged]]:
        """Each group is exchanged by itself, and a disparity over all its groups at once."""
        found: dict[Question, dict[tuple[Pair, str], Exchanged]] = {question: {} for question in asked}
        groups = self.contest.attributes[attribute].groups if attribute else ()
        for group in ("", *groups):
            mine = [q for q in asked if bool(group) == (bool(attribute) and not q.is_disparity)]
            statistics = [question.statistic(self.contest) for question in mine]
            for pair in self.pairs if mine else ():
                of = Division(kind, attribute, group)
                tests = self.contest.exchanged(pair, of, statistics, self.options.exchanging)
                for question, test in zip(mine, tests, strict=True):
                    found[question][pair, group] = test
        return found

    def _differences(self, values: Sequence[ResampledValues]) -> dict[Pair, Intervals] | None:
        if not values:
            return None
        return {(i, j): (values[i] - values[j]).intervals() for i, j in self.pairs}

    def _ranked(self, question: Question, values: Sequence[ResampledValues]) -> RankIntervals | None:
        higher = question.asked.higher_is_better
        return None if higher is None or not values else rank_intervals(values, higher_is_better=higher)

    def _require_agreement(self, values: np.ndarray, scores: Mapping[Key, Scores]) -> None:
        """Raise where the items do not give the recorded scores: they are others, or the files were changed."""
        for key, recorded in scores.items():
            for entrant, value, score in zip(self.entrants, values, recorded, strict=True):
                found = float(value[self.contest.index(METRICS.get(key.metric), key.place)])
                if isinstance(score, Score) and not abs(found - score.value) <= AGREEMENT * max(1.0, abs(score.value)):
                    raise InputError(
                        f"the items of {entrant.told} give {key.metric} {found:.6g}, its record says {score.value:.6g}",
                        expected="a run folder as it was written",
                        cause="files of two runs were mixed, or changed by hand",
                    )

    def _comparison(self, key: Key, scores: Scores, pair: Pair, answer: Answer | None) -> Comparison:
        first, second = (scores[place] for place in pair)
        names = [self.entrants[place].model for place in pair]
        blank = Comparison(
            metric=key.metric,
            first=names[0],
            second=names[1],
            signature=self._signature(first.signature, second.signature).with_(data=scores[0].signature.data),
            first_value=_value(first),
            second_value=_value(second),
            difference=None,
            place=key.place,
            support=first.support,
        )
        if not isinstance(first, Score) or not isinstance(second, Score):
            return replace(blank, reason=_undefined(names, (first, second)))
        if answer is None:
            reason = f"no interval and no p-value: {self._lacking(key)}"
            return replace(blank, difference=first.value - second.value, reason=reason)
        index = self.contest.index(METRICS.get(key.metric), key.place)
        test, at = answer.tests[pair, key.place.group], index[1:] if key.place.group else index
        intervals = answer.differences[pair] if answer.differences else None
        why = answer.why if intervals is None else intervals.reason(*index)
        reasons = [f"no interval: {why}"] if why else []
        no_p = test.reason(*at)
        reasons += [f"no p-value: {no_p}"] if no_p else []
        return replace(
            blank,
            difference=first.value - second.value,
            interval=None if intervals is None else intervals.interval(*index),
            p_value=None if no_p else float(test.p_value[at]),
            test=test.method,
            reason="; ".join(reasons),
            notes=self._notes(key, test, at),
        )

    def _notes(self, key: Key, test: Exchanged, index: tuple[int, ...]) -> tuple[str, ...]:
        undefined = int(test.undefined[index])
        return tuple(
            filter(
                None,
                [
                    test.caution,
                    f"undefined in {undefined} of {test.draws} exchanges, which are left out" if undefined else "",
                    self.contest.dealt(METRICS.get(key.metric).tally),
                ],
            )
        )

    def _lacking(self, key: Key) -> str:
        """Why a question that some models answer is not answered."""
        lacks = self.contest.lacks(METRICS.get(key.metric).tally)
        if not lacks:
            return "no other model has a score"
        return f"another model of the comparison lacks the scores for it ({lacks}); compare without that model"

    def _signature(self, first: Signature, second: Signature) -> Signature:
        """That of both scores, with the draws of the comparison in place of the scores' own."""
        told = self.options.resampling.signed if self.options.resamples else ""
        return of_both(first, second).with_(model="", resamples=told, seed=str(self.options.seed))

    def _ranks(self, key: Key, scores: Scores, answer: Answer | None) -> Iterator[Rank]:
        higher = METRICS.get(key.metric).higher_is_better
        values = [_value(score) for score in scores]
        points = ranks([np.nan if v is None else v for v in values], higher_is_better=bool(higher))
        for place, (entrant, value) in enumerate(zip(self.entrants, values, strict=True)):
            rank = None if higher is None or value is None else int(points[place])
            blank = Rank(
                key.metric,
                entrant.model,
                value,
                rank,
                models=0 if higher is None else sum(v is not None for v in values),
                level=self.options.level,
                place=key.place,
                convention=key.convention,
            )
            yield self._bounded(blank, place, scores[place], answer)

    def _bounded(self, rank: Rank, model: int, score: Scored, answer: Answer | None) -> Rank:
        """The rank with its interval, or with the reason for none."""
        if not isinstance(score, Score):
            return replace(rank, reason=score.reason)
        if rank.rank is None:
            return replace(rank, reason=NEITHER)
        if answer is None or answer.ranks is None:
            why = answer.why if answer else self._lacking(Key(rank.metric, rank.convention, rank.place))
            return replace(rank, reason=f"no interval: {why}")
        index = self.contest.index(METRICS.get(rank.metric), rank.place)
        why = answer.ranks.reason(model, *index)
        if why:
            return replace(rank, reason=f"no interval: {why}")
        at = (model, *index)
        return replace(rank, low=int(answer.ranks.low[at]), high=int(answer.ranks.high[at]))


def _value(score: Scored) -> float | None:
    return score.value if isinstance(score, Score) else None


def _undefined(names: Sequence[str], scores: Scores) -> str:
    """Why a difference is undefined."""
    said = [f"{n}: {s.reason}" for n, s in zip(names, scores, strict=True) if not isinstance(s, Score)]
    return "; ".join(said)


def _corrected(family: list[Comparison]) -> list[Comparison]:
    """The pairs of one metric and place with Holm's correction over those that have a p-value."""
    values = holm([np.nan if one.p_value is None else one.p_value for one in family])
    tests = int((~np.isnan(values)).sum())
    return [
        one if np.isnan(value) else replace(one, p_holm=float(value), family=tests)
        for one, value in zip(family, values, strict=True)
    ]
