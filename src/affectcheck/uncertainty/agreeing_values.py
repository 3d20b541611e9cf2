"""Populations of real values that agree with their truth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.errors import InputError
from affectcheck.tallies import Moments
from affectcheck.uncertainty.populations import (
    Population,
    Sizes,
    correlated_places,
    require_deviation,
    shares_between,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Values(Population):
    """Subjects whose items are rated by values, normal as the truth is, with a correlation of their own.

    Attributes:
        correlation: of truth and prediction.
        ratio: deviation of the predictions, in deviations of the truth.
        offset: mean of the predictions minus that of the truth, in deviations of the truth.
        scaled: whether ``ratio`` and ``offset`` lower the score, as they do CCC, or not, as PCC.
    """

    correlation: float = 0.5
    ratio: float = 1.0
    offset: float = 0.0
    scaled: bool = True

    @property
    def slope(self) -> float:
        """Score over correlation."""
        return 2.0 * self.ratio / (1.0 + self.ratio**2 + self.offset**2) if self.scaled else 1.0

    @property
    def score(self) -> float:
        """The score of the population."""
        return self.slope * self.correlation

    @property
    def within(self) -> float:
        """Deviation of an item's contribution, within a subject."""
        # A variance is of second degree in a subject's correlation, so that two of them give its mean exactly.
        spread = self.between / self.slope
        squares = [self._variance(self.correlation + sign * spread) for sign in (-1, 1)]
        return float(np.sqrt(np.mean(squares)))

    def at(self, score: float) -> Values:
        """The population whose score is this, by another correlation.

        Raises:
            InputError: no such population has it.
        """
        found = replace(self, correlation=score / self.slope)
        if not -1.0 < found.correlation < 1.0:
            high = self.slope
            raise InputError(f"a score of {score:.3g}", expected=f"between {-high:.3g} and {high:.3g}, both excluded")
        return found

    def require_possible(self) -> None:
        """Raise unless subjects can vary so much."""
        require_deviation(self.between)
        possible = self.slope * float(np.sqrt(1.0 - self.correlation**2))
        if not 0.0 <= self.between < possible:
            raise InputError(
                f"a deviation between subjects of {self.between:.3g} at a score of {self.score:.3g}",
                expected=f"from 0 to less than {possible:.3g}",
            )

    def draw(self, random: np.random.Generator, subjects: int, items: int) -> Moments:
        """(subjects,) moments of one dimension."""
        truth = random.normal(size=(subjects, items))
        return self._tallied(truth, self._predicted(truth, random.normal(size=truth.shape), random.random(subjects)))

    def draw_pair(
        self, other: Values, random: np.random.Generator, sizes: Sizes, agreement: float
    ) -> tuple[Moments, Moments]:
        """Moments of two models on the same items, whose errors have this correlation."""
        places = correlated_places(random, sizes.subjects, agreement)
        truth, one, new = random.normal(size=(3, sizes.subjects, sizes.items))
        two = agreement * one + np.sqrt(1.0 - agreement**2) * new
        first, second = self._predicted(truth, one, places[0]), other._predicted(truth, two, places[1])
        return self._tallied(truth, first), other._tallied(truth, second)

    def within_of_difference(self, other: Values, agreement: float) -> float:
        """Deviation of the difference of two contributions, within a subject."""
        square, line = np.zeros((3, 3)), np.zeros(3)
        for part, places, sign in ((self, [0, 1], 1.0), (other, [0, 2], -1.0)):
            own, slope = part._form()
            square[np.ix_(places, places)] += sign * own
            line[places] += sign * slope
        # Four subjects stand for all: each model's correlation a deviation above or below, as often alike as they agree.
        found = 0.0
        for one, two in product((-1, 1), repeat=2):
            share = (1.0 + one * two * agreement) / 4.0
            found += share * _variance_of_form(square, line, self._covariance(other, agreement, (one, two)))
        return float(np.sqrt(found))

    def _covariance(self, other: Values, agreement: float, deviations: tuple[int, int]) -> Floats:
        """(3, 3) of the truth and both predictions, in a subject who lies so many deviations off."""
        parts = zip((self, other), deviations, strict=True)
        a, b = (float(np.clip(p.correlation + d * p.between / p.slope, -1.0, 1.0)) for p, d in parts)
        c = a * b + agreement * np.sqrt((1.0 - a * a) * (1.0 - b * b))
        scales = np.array([1.0, self.ratio, other.ratio])
        return np.asarray(np.array([[1.0, a, b], [a, 1.0, c], [b, c, 1.0]]) * np.outer(scales, scales))

    def _form(self) -> tuple[Floats, Floats]:
        """An item's contribution as z'Mz + l'z + a constant, z its truth and prediction minus their means."""
        if not self.scaled:
            off = 1.0 / (2.0 * self.ratio)
            own = -self.correlation / 2.0
            return np.array([[own, off], [off, own / self.ratio**2]]), np.zeros(2)
        whole = 1.0 + self.ratio**2 + self.offset**2
        square = np.array([[-self.score, 1.0], [1.0, -self.score]]) / whole
        return square, np.array([1.0, -1.0]) * 2.0 * self.offset * self.score / whole

    def _variance(self, correlation: float) -> float:
        """Of an item's contribution, in a subject of this correlation."""
        mixed = correlation * self.ratio
        return _variance_of_form(*self._form(), np.array([[1.0, mixed], [mixed, self.ratio**2]]))

    def _predicted(self, truth: Floats, noise: Floats, places: Floats) -> Floats:
        mean, spread = (1.0 + self.correlation) / 2.0, self.between / self.slope / 2.0
        own = 2.0 * shares_between(mean, spread, places)[:, None] - 1.0
        return np.asarray(self.offset + self.ratio * (own * truth + np.sqrt(np.maximum(1.0 - own**2, 0.0)) * noise))

    def _tallied(self, truth: Floats, prediction: Floats) -> Moments:
        subjects, items = truth.shape
        cells = np.repeat(np.arange(subjects), items)
        return Moments.of(truth.ravel(), prediction.ravel(), cells=cells, n_cells=subjects)


def _variance_of_form(square: Floats, line: Floats, covariance: Floats) -> float:
    """Of z'Mz + l'z, where z is normal with mean 0."""
    mixed = square @ covariance
    return float(2.0 * np.trace(mixed @ mixed) + line @ covariance @ line)
