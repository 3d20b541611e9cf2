"""What one statistic answers: which scores it gives, and what is known of their differences."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from affectcheck.evaluation.scoring import part_compute
from affectcheck.metrics import METRICS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.evaluation.contest import Contest
    from affectcheck.evaluation.entrants import Key
    from affectcheck.metrics import Metric
    from affectcheck.uncertainty import Exchanged, Intervals, RankIntervals
    from affectcheck.uncertainty.bootstrap import Statistic

    Pair = tuple[int, int]


class Question(NamedTuple):
    """Scores that one statistic gives: of the whole set or of the groups of an attribute, whole or part by part."""

    metric: str
    convention: str
    attribute: str
    by_part: bool

    @classmethod
    def of(cls, key: Key) -> Question:
        """The question that a score answers."""
        return cls(key.metric, key.convention, key.place.attribute, bool(key.place.part))

    @property
    def asked(self) -> Metric:
        """The metric."""
        return METRICS.get(self.metric)

    @property
    def is_disparity(self) -> bool:
        """Whether groups are reduced to one value."""
        return self.asked.level == "disparity"

    @property
    def is_distance(self) -> bool:
        """Whether noise alone makes the value positive."""
        return self.is_disparity and not self.asked.higher_is_better

    def statistic(self, contest: Contest) -> Statistic:
        """The function of a tally, over groups where an attribute is named."""
        metric = self.asked
        compute = part_compute(metric) if self.by_part else metric.compute
        found = partial(compute, convention=self.convention or "paper")
        if not self.is_disparity:
            return found
        attribute = contest.attributes[self.attribute]
        kept = [g for g, group in enumerate(attribute.groups) if group not in attribute.small]
        return lambda tally: found(tally[(..., kept)])


@dataclass(frozen=True, eq=False)
class Answer:
    """What is known of the scores of a question.

    Attributes:
        tests: one a pair and group; the group is empty where all items are tested together.
        differences: intervals of each pair's difference; None without resamples.
        ranks: of all models; None without resamples.
        why: why there are no intervals; empty where there are.
    """

    tests: Mapping[tuple[Pair, str], Exchanged]
    differences: Mapping[Pair, Intervals] | None
    ranks: RankIntervals | None
    why: str
