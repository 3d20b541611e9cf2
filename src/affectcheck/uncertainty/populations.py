"""Populations of subjects with a known score, from which a study that is planned can be drawn.

A population is told by its score, by how much that varies from subject to subject, and by what errors look like.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from affectcheck.errors import InputError
from affectcheck.uncertainty.quantiles import beta_quantile, normal_cdf

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from affectcheck.tallies import Tally
    from affectcheck.uncertainty.bootstrap import Statistic

    Floats = NDArray[np.float64]

_STEPS: Final = 44  # of a bisection: to some 1e-13 of where it starts


@dataclass(frozen=True, eq=False)
class Population(ABC):
    """Subjects whose items are answered with a known score.

    Attributes:
        statistic: the score, a function of a tally over its leading axes, such as ``Metric.compute``.
        between: deviation of the subjects' expected scores.
    """

    statistic: Statistic
    between: float = 0.0

    @property
    @abstractmethod
    def score(self) -> float:
        """The score of the population."""

    @property
    @abstractmethod
    def within(self) -> float:
        """Deviation of a single item's contribution to the score, within a subject."""

    @abstractmethod
    def at(self, score: float) -> Self:
        """The population whose score is this, its errors alike."""

    @abstractmethod
    def draw(self, random: np.random.Generator, subjects: int, items: int) -> Tally:
        """(subjects,) tallies of new subjects, of so many items each."""

    @abstractmethod
    def draw_pair(self, other: Any, random: np.random.Generator, sizes: Sizes, agreement: float) -> tuple[Tally, Tally]:
        """Tallies of this population and of another on the same subjects and items, which agree so much."""

    @abstractmethod
    def within_of_difference(self, other: Any, agreement: float) -> float:
        """``within`` of the difference of the two contributions."""

    def with_between(self, between: float) -> Self:
        """Subjects that vary so much.

        Raises:
            InputError: more than subjects of this score can.
        """
        found = replace(self, between=between)
        found.require_possible()
        return found

    @abstractmethod
    def require_possible(self) -> None:
        """Raise unless subjects can vary so much."""

    def between_of_difference(self, other: Population, agreement: float) -> float:
        """``between`` of the difference of two scores of the same subjects."""
        square = self.between**2 + other.between**2 - 2.0 * agreement * self.between * other.between
        return float(np.sqrt(max(square, 0.0)))

    @property
    def icc(self) -> float:
        """Intra-class correlation: the share of an item's variance that its subject makes."""
        return self.between**2 / (self.between**2 + self.within**2)

    def with_icc(self, icc: float) -> Self:
        """Subjects that vary as this intra-class correlation says.

        Raises:
            InputError: more than subjects of this score can, or none at all.
        """
        if not 0.0 <= icc < 1.0:
            raise InputError(f"an intra-class correlation of {icc:g}", expected="from 0 to below 1")
        if icc == 0.0:
            return self.with_between(0.0)
        high = 1e-3
        while self._icc_at(high) < icc:
            high *= 2.0
            if high > 2.0:
                raise InputError(f"an intra-class correlation of {icc} at a score of {self.score:.3g}", expected="less")
        return self.with_between(solve(self._icc_at, icc, 0.0, high))

    def _icc_at(self, between: float) -> float:
        within = replace(self, between=between).within
        return between**2 / (between**2 + within**2) if within > 0.0 else 1.0


@dataclass(frozen=True)
class Sizes:
    """Of a study: its subjects, and the items of each."""

    subjects: int
    items: int


def require_deviation(between: float) -> None:
    """Raise unless it is a deviation at all.

    Raises:
        InputError: it is less than 0 or no number.
    """
    if not between >= 0.0:
        raise InputError(f"a deviation between subjects of {between:g}", expected="0 or more")


def solve(function: Callable[[float], float], wanted: float, low: float, high: float) -> float:
    """Where a monotone function has a value, between two places that enclose it.

    Example:
        >>> round(solve(lambda x: x * x, 2.0, 0.0, 2.0), 9)
        1.414213562
    """
    rising = function(high) >= function(low)
    for _ in range(_STEPS):
        middle = (low + high) / 2.0
        if (function(middle) < wanted) == rising:
            low = middle
        else:
            high = middle
    return (low + high) / 2.0


def shares_between(mean: float, deviation: float, places: Floats) -> Floats:
    """Shares of subjects, beta distributed with this mean and deviation, at these places of their distribution.

    Args:
        mean: in 0 … 1.
        deviation: of the shares; below that of 0 and 1 alone.
        places: (...) uniform on 0 … 1.

    Returns:
        (...) shares.
    """
    if deviation == 0.0:
        return np.full(places.shape, mean)
    scale = mean * (1.0 - mean) / deviation**2 - 1.0
    return beta_quantile(places, mean * scale, (1.0 - mean) * scale)


def correlated_places(random: np.random.Generator, number: int, correlation: float) -> tuple[Floats, Floats]:
    """Two uniform values each, whose normal equivalents have this correlation."""
    first, second = random.normal(size=(2, number))
    second = correlation * first + np.sqrt(1.0 - correlation**2) * second
    return normal_cdf(first), normal_cdf(second)
