"""How many subjects a disparity needs to be told from noise: no formula holds, so the studies themselves are simulated."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.errors import InputError
from affectcheck.metrics import METRICS
from affectcheck.seeds import rng
from affectcheck.tallies import Confusion
from affectcheck.uncertainty.answers import Answers
from affectcheck.uncertainty.floors import Permuting, decide, noise_floor
from affectcheck.uncertainty.grouped import Grouped
from affectcheck.uncertainty.intervals import LEAST
from affectcheck.uncertainty.plan_checks import Share, Simulating
from affectcheck.uncertainty.populations import solve
from affectcheck.uncertainty.power import fewest
from affectcheck.uncertainty.stacking import stack

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from affectcheck.tallies import Tally
    from affectcheck.uncertainty.populations import Population
    from affectcheck.uncertainty.study import Study

_SEARCHED: Final = 200  # studies of each size while the fewest subjects are sought
_MULTIPLES: Final = (0.5, 1.0, 2.0)


@dataclass(frozen=True)
class DisparityAim:
    """What is to be found.

    Attributes:
        metric: ``eop``, or the gap in the study's metric, such as ``uar_gap``.
        value: the true disparity, a fraction; of EOP in the scaling of the tables, in which the limit is judged.
        groups: their number; their scores lie in even steps about the study's score.
        limit: largest value that is accepted.
        power: probability that the verdict is ``exceeds``.
    """

    metric: str = "eop"
    value: float = 0.2
    groups: int = 2
    limit: float = 0.1
    power: float = 0.8

    def __post_init__(self) -> None:
        """There are groups that differ by more than is accepted."""
        if self.groups < 2 or not 0.0 <= self.limit < self.value or not 0.0 < self.power < 1.0:
            raise InputError(
                f"a disparity of {self.value} over {self.groups} groups, a limit of {self.limit}, a power of {self.power}",
                expected="2 groups or more, a disparity above the limit, a power between 0 and 1",
            )


@dataclass(frozen=True)
class DisparityRow:
    """What a number of subjects gives, all of it simulated.

    Attributes:
        subjects: in each group.
        power: studies in which the disparity is called ``exceeds``.
        false_alarms: studies of groups that are treated alike in which it is.
        value: mean of the observed disparity, which noise adds to.
        alike: mean of the observed disparity of groups that are treated alike.
    """

    subjects: int
    power: Share
    false_alarms: Share
    value: float
    alike: float


@dataclass(frozen=True)
class DisparityPlan:
    """The answer.

    Attributes:
        study: what was assumed.
        disparity: what is to be found.
        scores: of the groups.
        needed: subjects in each group that reach the power.
        rows: what other numbers give.
        repetitions: simulated studies behind each share.
        seed: of the simulation.
        asked: the number of subjects that was asked about; None where none was.
    """

    study: Study
    disparity: DisparityAim
    scores: tuple[float, ...]
    needed: int
    rows: tuple[DisparityRow, ...]
    repetitions: int
    seed: int
    asked: int | None = None


def plan_disparity(
    study: Study, disparity: DisparityAim, *, subjects: int | None = None, options: Simulating | None = None
) -> DisparityPlan:
    """Subjects in each group that a disparity needs to be called ``exceeds``: above the limit and the noise floor.

    Args:
        study: score, items and how subjects differ.
        disparity: which, how large, over how many groups.
        subjects: in each group, to be told what they give.
        options: simulated studies and seed; ``draws`` are those of each noise floor.

    Returns:
        The plan, whose shares carry the error of the simulation.

    Raises:
        InputError: no such study can be, or the disparity is not planned.
    """
    chosen = options or Simulating()
    simulated = _Simulated.of(study, disparity, chosen)
    least = max(2, -(-LEAST // disparity.groups))
    if subjects is not None and subjects < least:
        raise InputError(
            f"{subjects} subjects in each group", expected=f"at least {least}: with fewer nothing is decided"
        )
    searched = min(_SEARCHED, chosen.repetitions)
    needed = fewest(lambda n: simulated.found(n, searched)[0].value, disparity.power, least)
    while (row := simulated.row(needed)).power.value < disparity.power:  # the search knew it from fewer studies
        needed += max(1, needed // 20)
    others = {max(least, round(needed * by)) for by in _MULTIPLES} | ({subjects} if subjects else set())
    rows = [row, *(simulated.row(n) for n in sorted(others - {needed}))]
    scores = tuple(part.score for part in simulated.apart)
    ordered = tuple(sorted(rows, key=lambda row: row.subjects))
    return DisparityPlan(study, disparity, scores, needed, ordered, chosen.repetitions, chosen.seed, subjects)


@dataclass(frozen=True, eq=False)
class _Simulated:
    """Studies of groups that differ, and of groups that do not.

    Attributes:
        items: of each subject.
        apart: the populations of the groups that differ.
        statistic: the disparity, over the group axis.
        limit: largest value that is accepted.
        options: how to simulate.
        base: the population of groups that do not differ.
    """

    items: int
    apart: tuple[Population, ...]
    statistic: Callable[[Tally], NDArray[np.float64]]
    limit: float
    options: Simulating
    base: Population

    @classmethod
    def of(cls, study: Study, disparity: DisparityAim, options: Simulating) -> _Simulated:
        metric, base = METRICS.get(disparity.metric), study.base()
        steps = np.linspace(0.5, -0.5, disparity.groups)

        def apart(width: float) -> tuple[Population, ...]:
            return tuple(base.at(base.score + width * float(step)) for step in steps)

        statistic: Callable[[Tally], NDArray[np.float64]] = metric.compute
        width = disparity.value
        if disparity.metric == "eop" and isinstance(base, Answers):
            statistic = partial(metric.compute, convention="tables")
            width = _width_of(disparity.value, lambda w: float(statistic(_together(apart(w)))), study.largest_gap())
        elif disparity.metric != f"{study.metric}_gap":
            raise InputError(
                f"studies of {study.metric!r} to find {disparity.metric!r} are not planned",
                expected=f"eop (of categories) or {study.metric}_gap",
            )
        if not width < (largest := study.largest_gap()):
            raise InputError(
                f"groups whose scores lie {width:.3g} apart about a score of {base.score:.3g} and a deviation between "
                f"subjects of {base.between:.3g}",
                expected=f"less than {largest:.3g}, or subjects that differ less",
            )
        return cls(study.items, apart(width), statistic, disparity.limit, options, base)

    def found(self, subjects: int, repetitions: int, *, alike: bool = False) -> tuple[Share, float]:
        """How many studies call it ``exceeds``, and the mean of what they observe."""
        parts = (self.base,) * len(self.apart) if alike else self.apart
        hits, values = 0, []
        for repetition in range(repetitions):
            random = rng(self.options.seed, "plan", "alike" if alike else "apart", repetition)
            tallies = stack([part.draw(random, subjects, self.items) for part in parts])
            group = np.repeat(np.arange(len(parts)), subjects)
            grouped = Grouped(tallies, np.arange(group.size), group, len(parts), group.size)
            value = float(self.statistic(grouped.pooled()))
            floor = noise_floor(grouped, self.statistic, Permuting(self.options.draws, repetition)).floor()
            hits += decide(value, floor, self.limit) == "exceeds"
            values.append(value)
            if self.options.progress is not None:
                self.options.progress(repetition + 1, repetitions)
        return Share.of(hits, repetitions), float(np.mean(values))

    def row(self, subjects: int) -> DisparityRow:
        """What so many subjects give."""
        power, value = self.found(subjects, self.options.repetitions)
        false_alarms, alike = self.found(subjects, self.options.repetitions, alike=True)
        return DisparityRow(subjects, power, false_alarms, value, alike)


def _width_of(value: float, disparity_at: Callable[[float], float], largest: float) -> float:
    """How far the scores of the outermost groups lie apart where the disparity is this."""
    if disparity_at(largest) < value:
        raise InputError(
            f"a disparity of {value:.3g}", expected=f"at most {disparity_at(largest):.3g} about this score and spread"
        )
    return solve(disparity_at, value, 0.0, largest)


def _together(parts: tuple[Population, ...]) -> Confusion:
    cells = np.stack([part.cells for part in parts if isinstance(part, Answers)])
    return Confusion(cells, np.zeros(cells.shape[:-1]))
