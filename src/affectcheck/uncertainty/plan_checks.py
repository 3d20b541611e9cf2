"""Is a plan true? Studies as it assumes them, drawn many times over and put to the package's own tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.errors import InputError
from affectcheck.seeds import rng
from affectcheck.tallies import Paired
from affectcheck.uncertainty.exchanged import Exchanging
from affectcheck.uncertainty.jackknife import Contrast, LeftOut
from affectcheck.uncertainty.paired import exchange
from affectcheck.uncertainty.planning import pair_of
from affectcheck.uncertainty.populations import Sizes
from affectcheck.uncertainty.proportions import wilson

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.uncertainty.planning import Plan
    from affectcheck.uncertainty.populations import Population

#: Done and all repetitions.
Progress = "Callable[[int, int], None]"


@dataclass(frozen=True)
class Share:
    """How often something happened in simulated studies.

    Attributes:
        value: the share.
        low, high: Wilson's 95 % interval of it, which tells the error of the simulation.
    """

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, hits: int, repetitions: int) -> Share:
        """From counts."""
        found = wilson(hits, repetitions)
        return cls(float(found.value), float(found.low), float(found.high))


@dataclass(frozen=True)
class Check:
    """What simulated studies of a plan gave.

    Attributes:
        subjects: in each group; of two models, in all.
        power: studies that detected the gap.
        false_alarms: studies without any gap that detected one.
        width: mean width of the interval; None where the test has none.
        repetitions: studies with the gap, and as many without.
        seed: of the simulation.
        test: by which a gap was detected.
    """

    subjects: int
    power: Share
    false_alarms: Share
    width: float | None
    repetitions: int
    seed: int
    test: str


@dataclass(frozen=True)
class Simulating:
    """How a plan is checked.

    Attributes:
        repetitions: simulated studies, each with the gap and without.
        seed: of the simulation.
        draws: of each permutation test.
        progress: told how many studies of how many are done.
    """

    repetitions: int = 1000
    seed: int = 0
    draws: int = 999
    progress: Callable[[int, int], None] | None = None

    def __post_init__(self) -> None:
        """A check needs studies, and a test draws."""
        if self.repetitions < 1 or self.draws < 1:
            raise InputError(
                f"{self.repetitions} simulated studies, {self.draws} draws of a test", expected="1 or more of each"
            )


def check_plan(plan: Plan, options: Simulating | None = None) -> Check:
    """Simulate the studies of a plan and test each as the package tests real ones.

    Two groups are compared as evaluations compare them: by Welch's test on each subject's jackknife contribution to the
    pooled score. Two models are compared as ``compare`` does: by exchanging them subject by subject.

    Args:
        plan: of ``plan_groups`` or ``plan_models``.
        options: repetitions and seed.

    Returns:
        The power beside which the planned one stands, and how often a gap is found where there is none.
    """
    chosen = options or Simulating()
    pair = pair_of(plan.study, plan.aim.gap)
    base = plan.study.base()
    found = [
        _detected(plan, populations, chosen, what) for what, populations in (("gap", pair), ("none", (base, base)))
    ]
    widths = found[0][1]
    return Check(
        subjects=plan.subjects,
        power=Share.of(found[0][0], chosen.repetitions),
        false_alarms=Share.of(found[1][0], chosen.repetitions),
        width=float(np.mean(widths)) if widths else None,
        repetitions=chosen.repetitions,
        seed=chosen.seed,
        test="Welch's t over subjects" if plan.question == "groups" else "permutation of the models over subjects",
    )


def _detected(
    plan: Plan, pair: tuple[Population, Population], options: Simulating, what: str
) -> tuple[int, list[float]]:
    """How many studies detect a gap, and the widths of their intervals, as far as there are some."""
    look = _compare_groups if plan.question == "groups" else _compare_models
    hits, widths, before = 0, [], 0 if what == "gap" else options.repetitions
    for repetition in range(options.repetitions):
        random = rng(options.seed, "plan", what, repetition)
        hit, width = look(plan, pair, random, Exchanging(options.draws, repetition))
        hits += hit
        widths += [] if width is None else [width]
        if options.progress is not None:
            options.progress(before + repetition + 1, 2 * options.repetitions)
    return hits, widths


def _compare_groups(
    plan: Plan, pair: tuple[Population, Population], random: np.random.Generator, _: Exchanging
) -> tuple[bool, float | None]:
    groups = [LeftOut.of(part.draw(random, plan.subjects, plan.study.items)) for part in pair]
    found = Contrast(groups[0], groups[1]).difference(pair[0].statistic, level=plan.aim.level)
    interval = found.interval
    if interval is None:
        return False, None
    return not interval.low <= 0.0 <= interval.high, interval.high - interval.low


def _compare_models(
    plan: Plan, pair: tuple[Population, Population], random: np.random.Generator, how: Exchanging
) -> tuple[bool, float | None]:
    sizes = Sizes(plan.subjects, plan.study.items)
    drawn = pair[0].draw_pair(pair[1], random, sizes, plan.study.agreement)
    (test,) = exchange(Paired.of(*drawn), [pair[0].statistic], how)
    return bool(test.p_value <= 1.0 - plan.aim.level), None
