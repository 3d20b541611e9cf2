"""Scores, and the value that stands where no score can be given."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from affectcheck.errors import AffectcheckError

if TYPE_CHECKING:
    from affectcheck.records.signature import Signature


@dataclass(frozen=True)
class Interval:
    """A confidence interval and how it was made.

    Attributes:
        low, high: bounds, in the unit of the score.
        level: nominal coverage, a fraction.
        method: such as ``percentile-t`` or ``t``.
        clusters: number of clusters that were resampled.
        unit: what a cluster is: ``subject``, ``media`` or ``item``.
        undefined_resamples: resamples in which the score was undefined.
        note: a caution, such as fewer than 20 clusters.
    """

    low: float
    high: float
    level: float = 0.95
    method: str = ""
    clusters: int = 0
    unit: str = ""
    undefined_resamples: int = 0
    note: str = ""


@dataclass(frozen=True)
class NoiseFloor:
    """What a disparity scores for a model that treats all groups alike, at these supports.

    Of the worst group's score it is what the worst of groups dealt out at random scores; where higher is better, the
    quantile is that of 5 %, so that it always stands at the worse end.

    Attributes:
        mean: mean of the null distribution.
        quantile: its 95 % quantile; where it is drawn at random, an upper bound of that at 95 % confidence.
        draws: how many null draws were made.
        method: how groups were permuted.
    """

    mean: float
    quantile: float
    draws: int
    method: str = ""


#: Of a disparity against a limit and a noise floor.
Outcome = Literal["exceeds", "within", "inconclusive"]


@dataclass(frozen=True)
class Decision:
    """What a disparity says against a limit, in view of its noise floor.

    Attributes:
        outcome: ``exceeds`` the limit and the floor, ``within`` the limit, or ``inconclusive`` at this support.
        limit: the largest value that is accepted.
        reason: why, in words.
    """

    outcome: Outcome
    limit: float
    reason: str


@dataclass(frozen=True)
class Place:
    """What a score is of.

    Attributes:
        attribute: group attribute, such as ``sex``; empty for the whole set.
        group: one group of it; empty for a score over all groups (a disparity).
        part: one class, action unit or dimension; empty for all.
    """

    attribute: str = ""
    group: str = ""
    part: str = ""

    @property
    def words(self) -> str:
        """What is stated of it, one after the other; empty for the whole set.

        Example:
            >>> Place("sex", "female", "anger").words
            'sex female anger'
        """
        return " ".join(filter(None, (self.attribute, self.group, self.part)))


@dataclass(frozen=True)
class Score:
    """A defined value with its support and signature.

    Attributes:
        metric: registered name.
        value: a finite number, unrounded.
        support: items that entered.
        signature: how it was made.
        place: what it is of.
        interval: confidence interval, if one can be given.
        floor: noise floor, for disparities.
        undefined_parts: parts of a mean that were undefined, by the metric's declared rule.
        notes: sentences for the reader, such as which class had no items.
        decision: of a disparity to which a limit applies.
    """

    metric: str
    value: float
    support: int
    signature: Signature
    place: Place = field(default_factory=Place)
    interval: Interval | None = None
    floor: NoiseFloor | None = None
    undefined_parts: int = 0
    notes: tuple[str, ...] = ()
    decision: Decision | None = None

    def __post_init__(self) -> None:
        """A score is finite; anything else is our own mistake, caught here."""
        if not math.isfinite(self.value):
            raise AffectcheckError(
                f"score {self.metric!r} is {self.value}", expected="a finite value, or Undefined with a reason"
            )

    @property
    def defined(self) -> bool:
        """Always true; lets a caller treat Score and Undefined alike."""
        return True


@dataclass(frozen=True)
class Undefined:
    """No value, and why. Never a silent 0 and never NaN.

    Attributes:
        metric: registered name.
        reason: why there is no value.
        support: items there were.
        signature: how it would have been made.
        place: what it is of.
        notes: further sentences.
    """

    metric: str
    reason: str
    support: int
    signature: Signature
    place: Place = field(default_factory=Place)
    notes: tuple[str, ...] = ()

    @property
    def defined(self) -> bool:
        """Always false."""
        return False


Scored: TypeAlias = Score | Undefined
