"""How many subjects a study needs, and what it can see with those it has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from affectcheck.errors import InputError
from affectcheck.uncertainty.intervals import FEW, LEAST
from affectcheck.uncertainty.populations import solve
from affectcheck.uncertainty.power import Precision, fewest

if TYPE_CHECKING:
    from affectcheck.uncertainty.populations import Population
    from affectcheck.uncertainty.study import Study

Question = Literal["groups", "models"]

#: Sizes that the table shows, as multiples of those needed.
_MULTIPLES: Final = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0)
_ROUNDS: Final = 6  # after which the detectable gap hardly moves
_EXACT: Final = 1e-5  # by which it may still do


@dataclass(frozen=True)
class Aim:
    """What a study is to see.

    Attributes:
        gap: smallest difference of the two scores that is to be detected, a fraction.
        power: probability of detecting it.
        level: nominal coverage of the intervals; 1 minus the probability of detecting what is not there.
    """

    gap: float = 0.1
    power: float = 0.8
    level: float = 0.95

    def __post_init__(self) -> None:
        """A gap is larger than 0, and power and level are shares."""
        if not self.gap > 0.0 or not 0.0 < self.level < 1.0 or not 1.0 - self.level < self.power < 1.0:
            raise InputError(
                f"a gap of {self.gap} at a power of {self.power} and a level of {self.level}",
                expected="a gap above 0, a level between 0 and 1, a power between 1 - level and 1",
            )


@dataclass(frozen=True)
class PlanRow:
    """What a number of subjects gives.

    Attributes:
        subjects: in each group; of two models, in all.
        power: of detecting the gap.
        width: expected width of the interval of the difference.
        detectable: smallest gap that is detected with the power that is wanted; None where even the largest is not.
    """

    subjects: int
    power: float
    width: float
    detectable: float | None


@dataclass(frozen=True)
class Plan:
    """The answer.

    Attributes:
        question: whether two ``groups`` are compared, or two ``models`` on the same items.
        study: what was assumed.
        aim: what is to be seen.
        score: what the two scores lie about.
        between: deviation of the subjects' expected scores; of two models, of the difference of these.
        within: deviation of a single item's contribution within a subject; of two models, of the difference.
        needed: subjects in each group (of two models, in all) that reach the power.
        rows: what other numbers give.
        notes: sentences for the reader.
        asked: the number of subjects that was asked about; None where none was.
    """

    question: Question
    study: Study
    aim: Aim
    score: float
    between: float
    within: float
    needed: int
    rows: tuple[PlanRow, ...]
    notes: tuple[str, ...] = ()
    asked: int | None = None

    @property
    def subjects(self) -> int:
        """The number that the plan is about: the one asked, else the one needed."""
        return self.needed if self.asked is None else self.asked

    @property
    def row(self) -> PlanRow:
        """What that number gives."""
        return next(row for row in self.rows if row.subjects == self.subjects)

    @property
    def icc(self) -> float:
        """Intra-class correlation of the contributions."""
        return self.between**2 / (self.between**2 + self.within**2)


def plan_groups(study: Study, aim: Aim | None = None, *, subjects: int | None = None) -> Plan:
    """Subjects in each of two groups that a gap between them needs; Welch's test over subjects.

    Each subject contributes a value with the variance between² + within² / items, and the power is that of a
    noncentral t.

    Args:
        study: score, items and how subjects differ.
        aim: gap, power, level. The two groups score half the gap above and below the study's score.
        subjects: in each group, to be told what they give.

    Raises:
        InputError: no such study can be.

    Example:
        >>> from affectcheck.uncertainty.study import Study
        >>> plan = plan_groups(Study("uar", score=0.6, items=60, classes=8, between=0.08), Aim(gap=0.1))
        >>> plan.needed, round(plan.row.power, 2), round(plan.row.width, 2)
        (18, 0.82, 0.14)
    """
    return _plan("groups", study, aim or Aim(), subjects)


def plan_models(study: Study, aim: Aim | None = None, *, subjects: int | None = None) -> Plan:
    """Subjects that the difference of two models on the same items needs; a paired test over subjects.

    Args:
        study: score, items, how subjects differ and how much the two models agree.
        aim: gap, power, level. The two models score half the gap above and below the study's score.
        subjects: to be told what they give.

    Raises:
        InputError: no such study can be.

    Example:
        >>> from affectcheck.uncertainty.study import Study
        >>> study = Study("uar", score=0.6, items=60, classes=8, between=0.08, agreement=0.5)
        >>> plan_models(study, Aim(gap=0.05)).needed
        35
    """
    return _plan("models", study, aim or Aim(), subjects)


def pair_of(study: Study, gap: float) -> tuple[Population, Population]:
    """Two populations whose scores lie half a gap above and below the study's."""
    base = study.base()
    try:
        first, second = base.at(base.score + gap / 2.0), base.at(base.score - gap / 2.0)
        first.require_possible()
        second.require_possible()
    except InputError as error:
        raise InputError(
            f"a gap of {gap:g} about a score of {base.score:.3g} and a deviation between subjects of {base.between:.3g}",
            expected=f"less than {study.largest_gap():.3g}, or subjects that differ less",
            cause=f"one of the two would have {error.what}",
        ) from error
    return first, second


def least_subjects(question: Question, level: float) -> int:
    """Subjects (in each group; of two models, in all) below which nothing is tested, whatever the gap."""
    if question == "groups":
        return LEAST // 2 + 1
    # Two of the 2^n ways to exchange models on n subjects are as extreme as any.
    return max(LEAST, int(np.floor(np.log2(2.0 / (1.0 - level)))) + 1)


def _plan(question: Question, study: Study, aim: Aim, asked: int | None) -> Plan:
    least = least_subjects(question, aim.level)
    if asked is not None and asked < least:
        raise InputError(
            f"{asked} subjects", expected=f"at least {least}: with fewer no difference is tested, however large"
        )
    variances = _variances(question, study, aim.gap)
    needed = fewest(lambda n: _precision(variances, n, aim.level).power(aim.gap), aim.power, least)
    sizes = {needed, *(max(least, round(needed * by)) for by in _MULTIPLES), *([asked] if asked else [])}
    largest = study.largest_gap()
    rows = []
    for n in sorted(sizes):
        known = _precision(variances, n, aim.level)
        rows.append(PlanRow(n, known.power(aim.gap), known.width, _detectable(question, study, aim, (n, largest))))
    base = study.base()
    between, within = base.between, base.within
    if question == "models":
        first, second = pair_of(study, aim.gap)
        between = first.between_of_difference(second, study.agreement)
        within = first.within_of_difference(second, study.agreement)
    notes = _notes(question, study, needed if asked is None else asked)
    return Plan(question, study, aim, base.score, between, within, needed, tuple(rows), notes, asked)


def _variances(question: Question, study: Study, gap: float) -> tuple[float, ...]:
    """Of a subject's contribution in either group, or of its difference between two models."""
    first, second = pair_of(study, gap)
    if question == "groups":
        return tuple(part.between**2 + part.within**2 / study.items for part in (first, second))
    between = first.between_of_difference(second, study.agreement)
    return (between**2 + first.within_of_difference(second, study.agreement) ** 2 / study.items,)


def _precision(variances: tuple[float, ...], subjects: int, level: float) -> Precision:
    if len(variances) == 1:
        return Precision.of_pairs(variances[0], subjects, level)
    return Precision.of_groups(variances[0], variances[1], subjects, level)


def _detectable(question: Question, study: Study, aim: Aim, bounds: tuple[int, float]) -> float | None:
    """The gap that has the power, found by turns: a gap tells the variances, and these the gap."""
    subjects, largest = bounds
    gap = aim.gap
    for _ in range(_ROUNDS):
        known = _precision(_variances(question, study, min(gap, largest)), subjects, aim.level)
        if known.power(largest) < aim.power:
            return None
        before, gap = gap, solve(known.power, aim.power, 0.0, largest)
        if abs(gap - before) < _EXACT:
            break
    return gap


def _notes(question: Question, study: Study, subjects: int) -> tuple[str, ...]:
    found = []
    if subjects < FEW:
        found.append(f"fewer than {FEW} subjects: the plan leans on normality; check it by simulation")
    if question == "models" and study.agreement == 0.0:
        found.append("the two models are taken to err independently of each other; where they agree, fewer subjects do")
    return tuple(found)
