"""Thresholds of differences between groups, simulated for the sizes at hand.

Random models are drawn at the real sizes of the groups and the real truth. For each of them, every difference of one
metric is taken in units of its own spread, and the largest is kept; the threshold of a difference is the 0.99
quantile of those, times its spread. So a model that guesses stays within all thresholds of a metric at once with a
probability of 0.99, and a class with few items widens the threshold of one with many only as far
as its differences have longer tails. The published limit, which holds for other sizes, is stated beside it. Where the published limit judges, the same draws tell which
difference it would find.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.behaviour.simultaneous import simultaneous
from affectcheck.records import Threshold
from affectcheck.uncertainty import Simulation

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from affectcheck.behaviour.definition import Comparison, Rules
    from affectcheck.behaviour.measured import Question, Setting
    from affectcheck.tallies import Tally

POWER: Final = 0.8  # with which a difference of the size called detectable exceeds its threshold


@dataclass(frozen=True)
class Limit:
    """A threshold.

    Attributes:
        threshold: the limit and where it comes from; None where the stated one holds.
        detectable: smallest difference that would exceed the limit with a power of 0.8; None where none that there could
            be would.
        fixed: whether no random model differs at all, as in the precision of the only bin that holds any truth.
    """

    threshold: Threshold | None
    detectable: float | None
    fixed: bool = False


def simulation_of(setting: Setting) -> Simulation:
    """How many random models are drawn, and from which seed."""
    return Simulation(setting.rules.repetitions, setting.options.seed)


def drawn_differences(questions: Sequence[Question], draws: Iterable[Tally]) -> list[NDArray[np.float64]]:
    """For each question (R, K): what random models show.

    Args:
        questions: put to one kind of tally.
        draws: tallies (r, ...) of random models, some at a time, with the axes that the statistics take.
    """
    blocks = [[np.asarray(question.statistic(tally), np.float64) for question in questions] for tally in draws]
    return [np.concatenate(column) for column in zip(*blocks, strict=True)]


def limits(
    differences: NDArray[np.float64], judged: NDArray[np.bool_], comparison: Comparison, rules: Rules
) -> list[Limit]:
    """The limit of every difference of one metric.

    Args:
        differences: (R, K) of random models, NaN where undefined.
        judged: (K,) which of the differences are judged; the others do not widen the family.
        comparison: published limit and rule.
        rules: quantile and repetitions.
    """
    found = simultaneous(differences, judged, rules.quantile)
    power = NormalDist().inv_cdf(POWER)
    if rules.thresholds == "stated" or comparison.threshold == "stated":
        return [Limit(None, possible(comparison.limit + power * spread)) for spread in found.spread.tolist()]
    source = (
        f"{rules.quantile:g} quantile of {rules.repetitions} random models at these sizes, over {found.family} "
        f"differences at once; {comparison.whose} limit {comparison.limit:g} ({comparison.source})"
    )
    return [
        Limit(Threshold(bound, comparison.rule, source), possible(bound + power * spread), fixed=not spread > 0)
        for bound, spread in zip(found.bounds.tolist(), found.spread.tolist(), strict=True)
    ]


def possible(difference: float) -> float | None:
    """A difference that there can be between values on 0 to 1; None for a larger one.

    Example:
        >>> possible(0.25), possible(1.2)
        (0.25, None)
    """
    return difference if difference <= 1.0 else None
