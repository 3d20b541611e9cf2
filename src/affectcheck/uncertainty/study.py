"""What is assumed of a study that is planned: its score, its items, and how its subjects differ."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Final

from affectcheck.errors import InputError
from affectcheck.metrics import METRICS
from affectcheck.tallies import Confusion
from affectcheck.uncertainty.agreeing_values import Values
from affectcheck.uncertainty.answers import Answers
from affectcheck.uncertainty.populations import Population, solve

if TYPE_CHECKING:
    from affectcheck.metrics import Metric

#: Metrics of real values whose score a correlation tells, and whether scale and offset lower it.
_OF_VALUES: Final = {"ccc": True, "pcc": False}

_MOST_CLASSES: Final = 50  # whose influences, one of every truth and answer on every other, are held at once


@dataclass(frozen=True)
class Study:
    """A study as it is expected to be.

    Attributes:
        metric: an overall metric of categories, such as ``accuracy``, ``uar`` or ``f1_macro``, or ``ccc`` or ``pcc``.
        score: what is expected about; None for that of the pilot.
        items: of each subject.
        classes: their number; of categories alone.
        between: deviation of the subjects' expected scores, without what the items add.
        icc: intra-class correlation, in place of ``between``.
        shares: (classes) of the true classes, or their numbers of items; empty for equal ones.
        agreement: of two models, correlation of their hits (or errors) on the same items and subjects.
        pilot: a population that was estimated, in place of classes, shares and deviations.
    """

    metric: str = "accuracy"
    score: float | None = None
    items: int = 20
    classes: int = 2
    between: float | None = None
    icc: float | None = None
    shares: tuple[float, ...] = ()
    agreement: float = 0.0
    pilot: Population | None = None

    def __post_init__(self) -> None:
        """Numbers are in their ranges, and what is needed is told once."""
        require_plannable(self.metric)
        if self.items < 1 or not 0.0 <= self.agreement < 1.0:
            raise InputError(
                f"{self.items} items a subject, an agreement of {self.agreement}",
                expected="1 item or more, an agreement from 0 to below 1",
            )
        if self.shares and (len(self.shares) != self.classes or not all(0.0 < share < inf for share in self.shares)):
            raise InputError(f"shares {self.shares} of {self.classes} classes", expected="one above 0 for each")
        if self.metric not in _OF_VALUES and not 2 <= self.classes <= _MOST_CLASSES:
            raise InputError(f"{self.classes} classes", expected=f"2 to {_MOST_CLASSES}")
        if self.pilot is None and self.score is None:
            raise InputError(
                "no score is expected", expected="the score that the study is about (--score), or a pilot run (--pilot)"
            )
        if self.pilot is None and (self.between is None) == (self.icc is None):
            raise InputError(
                f"how subjects differ is {'not stated' if self.icc is None else 'stated twice'}",
                expected="one of: their deviation (--between), the intra-class correlation (--icc), a pilot run (--pilot)",
            )

    def base(self) -> Population:
        """The population that the study is about.

        Raises:
            InputError: there can be no such population.
        """
        found = self.pilot or self._assumed()
        if self.score is not None:
            found = found.at(self.score)
        if self.icc is not None:
            return found.with_icc(self.icc)
        return found.with_between(found.between if self.between is None else self.between)

    def largest_gap(self) -> float:
        """The largest gap about the study's score that populations of so different subjects can have."""
        base = self.base()

        def possible(gap: float) -> float:
            try:
                for side in (0.5, -0.5):
                    base.at(base.score + side * gap).require_possible()
            except InputError:
                return 0.0
            return 1.0

        return solve(possible, 0.5, 0.0, 2.0) * (1.0 - 1e-6)

    def _assumed(self) -> Population:
        compute = METRICS.get(self.metric).compute
        if self.metric in _OF_VALUES:
            return Values(compute, scaled=_OF_VALUES[self.metric])
        return Answers.even(compute, self.shares or (1.0,) * self.classes)


def require_plannable(name: str) -> Metric:
    """The metric, if populations with a given score of it can be made.

    Raises:
        UnknownNameError: there is no such metric.
        InputError: it is no overall metric of categories, nor CCC or PCC.
    """
    metric = METRICS.get(name)
    if name in _OF_VALUES or (metric.level == "overall" and metric.tally is Confusion and metric.kind == "categories"):
        return metric
    known = [n for n, m in METRICS.items() if m.level == "overall" and m.tally is Confusion and m.kind == "categories"]
    raise InputError(f"studies of {name!r} are not planned", expected=f"one of {', '.join([*known, *_OF_VALUES])}")
