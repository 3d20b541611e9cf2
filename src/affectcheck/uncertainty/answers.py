"""Populations of answers in classes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.errors import InputError
from affectcheck.tallies import Confusion
from affectcheck.uncertainty.influence import influences
from affectcheck.uncertainty.populations import (
    Population,
    Sizes,
    correlated_places,
    require_deviation,
    shares_between,
    solve,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from affectcheck.uncertainty.bootstrap import Statistic

    Floats = NDArray[np.float64]

_ITEMS = 1e7  # of a tally that stands for the whole population


@dataclass(frozen=True, eq=False)
class Answers(Population):
    """Subjects whose items are classified.

    Attributes:
        shares: (C,) of the true classes.
        rows: (C, C) probabilities of the answers to each class, before the errors are scaled.
        scale: of the errors: 2 for twice as many of each.
    """

    shares: Floats = field(default_factory=lambda: np.ones(1))
    rows: Floats = field(default_factory=lambda: np.ones((1, 1)))
    scale: float = 1.0

    @classmethod
    def even(cls, statistic: Statistic, shares: Sequence[float]) -> Answers:
        """Every class is as hard as the others, and every wrong class as likely; all answers wrong until ``at``."""
        classes = len(shares)
        rows = (1.0 - np.eye(classes)) / (classes - 1)
        return cls(statistic, shares=np.asarray(shares) / np.sum(shares), rows=rows)

    @classmethod
    def of_counts(cls, statistic: Statistic, counts: Floats) -> Answers:
        """Answers as in a confusion matrix; a class that has no items there has none here."""
        totals = counts.sum(axis=1, keepdims=True)
        rows = np.where(totals > 0, counts / np.where(totals > 0, totals, 1), np.eye(len(counts)))
        return cls(statistic, shares=totals[:, 0] / totals.sum(), rows=rows)

    @property
    def cells(self) -> Floats:
        """(C, C) probability of each truth and answer."""
        return self.shares[:, None] * self.rows_at(np.asarray(self.scale))

    @property
    def score(self) -> float:
        """The score of the population."""
        return self._score_at(self.scale)

    @property
    def within(self) -> float:
        """Deviation of an item's contribution: what its variance leaves beyond that of the subjects."""
        cells = self.cells
        return float(np.sqrt(max(float((cells * self._influences() ** 2).sum()) - self.between**2, 0.0)))

    def at(self, score: float) -> Answers:
        """The population whose score is this: all errors as many times as frequent.

        Raises:
            InputError: no such population has it.
        """
        errors = 1.0 - self.rows.diagonal()[self.shares > 0]
        most = 1.0 / float(errors[errors > 0].min()) if (errors > 0).any() else 0.0
        low, high = self._score_at(most), self._score_at(0.0)
        if not low < score < high:
            raise InputError(f"a score of {score:.3g}", expected=f"between {low:.3g} and {high:.3g}, both excluded")
        return replace(self, scale=solve(self._score_at, score, 0.0, most))

    def require_possible(self) -> None:
        """Raise unless subjects can vary so much."""
        require_deviation(self.between)
        right, spread = self._right, self._spread_of_right()
        possible = float(np.sqrt(right * (1.0 - right)))
        if not 0.0 <= spread < possible:
            most = self.between * possible / spread if spread > 0.0 else 0.0
            raise InputError(
                f"a deviation between subjects of {self.between:.3g} at a score of {self.score:.3g}",
                expected=f"from 0 to less than {most:.3g}",
                cause="the deviation of the observed scores, which holds that of the items as well",
            )

    def rows_at(self, scale: Floats) -> Floats:
        """(..., C, C) probabilities of the answers where errors are scaled so."""
        errors = 1.0 - self.rows.diagonal()
        wanted = np.minimum(np.asarray(scale)[..., None] * errors, 1.0)
        factor = wanted / np.where(errors > 0, errors, 1.0)
        off = self.rows * (1.0 - np.eye(errors.size)) * factor[..., None]
        return np.asarray(off + (1.0 - wanted)[..., None] * np.eye(errors.size))

    def draw(self, random: np.random.Generator, subjects: int, items: int) -> Confusion:
        """(subjects,) counts."""
        rows = self.rows_at(self._scales(random.random(subjects)))
        return self._counted(random, self.shares[:, None] * rows, items)

    def draw_pair(
        self, other: Answers, random: np.random.Generator, sizes: Sizes, agreement: float
    ) -> tuple[Confusion, Confusion]:
        """Counts of two models on the same items."""
        places = correlated_places(random, sizes.subjects, agreement)
        both = [part.rows_at(part._scales(place)) for part, place in zip((self, other), places, strict=True)]
        joint = self.shares[:, None, None] * joint_rows(both[0], both[1], agreement)
        drawn = random.multinomial(sizes.items, _shares(joint, 3)).reshape(joint.shape)
        return Confusion.of_counts(drawn.sum(axis=-1)), Confusion.of_counts(drawn.sum(axis=-2))

    def within_of_difference(self, other: Answers, agreement: float) -> float:
        """Deviation of the difference of two contributions, beyond that of the subjects."""
        rows = [part.rows_at(np.asarray(part.scale)) for part in (self, other)]
        joint = self.shares[:, None, None] * joint_rows(rows[0], rows[1], agreement)
        apart = self._influences()[:, :, None] - other._influences()[:, None, :]
        square = float((joint * apart**2).sum()) - self.between_of_difference(other, agreement) ** 2
        return float(np.sqrt(max(square, 0.0)))

    @property
    def _right(self) -> float:
        """Share of right answers."""
        return float(self.cells.diagonal().sum())

    def _score_at(self, scale: float) -> float:
        cells = self.shares[:, None] * self.rows_at(np.asarray(scale))
        return float(self.statistic(Confusion(cells, np.zeros(len(cells)))))

    def _influences(self) -> Floats:
        """(C, C) of an item of each truth and answer; 0 for those that there are not."""
        cells = self.cells
        occupied = cells > 0
        kinds = np.eye(cells.size)[occupied.ravel()].reshape(-1, *cells.shape)
        whole = Confusion(_ITEMS * cells, np.zeros(len(cells)))
        found = np.zeros(cells.shape)
        found[occupied] = influences(whole, Confusion(kinds, np.zeros(kinds.shape[:-1])), self.statistic)
        return found

    def _spread_of_right(self) -> float:
        """Deviation over subjects of their shares of right answers, as that of their scores asks for."""
        if self.between == 0.0:
            return 0.0
        step = max(1e-4 * self.scale, 1e-6)  # a smaller one drowns in rounding where hardly an answer is wrong
        more, fewer = (replace(self, scale=max(self.scale + sign * step, 0.0)) for sign in (-1, 1))
        slope = (more.score - fewer.score) / (more._right - fewer._right)
        return self.between / slope

    def _scales(self, places: Floats) -> Floats:
        """Scales of the errors of subjects at these places of their distribution."""
        right = shares_between(self._right, self._spread_of_right(), places)
        return np.asarray(self.scale * (1.0 - right) / (1.0 - self._right))

    def _counted(self, random: np.random.Generator, cells: Floats, items: int) -> Confusion:
        return Confusion.of_counts(random.multinomial(items, _shares(cells, 2)).reshape(cells.shape))


def joint_rows(first: Floats, second: Floats, agreement: float) -> Floats:
    """(..., C, C, C) probabilities of both answers to each class, whose hits have this correlation, if they can.

    Where both are wrong, which class each takes it for is independent.
    """
    size = first.shape[-1]
    p, q = (np.diagonal(rows, axis1=-2, axis2=-1) for rows in (first, second))
    both = p * q + agreement * np.sqrt(p * (1 - p) * q * (1 - q))
    both = np.clip(both, np.maximum(p + q - 1.0, 0.0), np.minimum(p, q))
    hit = np.eye(size)
    wrong = [rows * (1.0 - hit) / np.where(r < 1.0, 1.0 - r, 1.0)[..., None] for rows, r in ((first, p), (second, q))]
    pieces: tuple[tuple[Floats, Any, Any], ...] = (
        (both, hit, hit),
        (p - both, hit, wrong[1]),
        (q - both, wrong[0], hit),
        (1.0 - p - q + both, wrong[0], wrong[1]),
    )
    return np.asarray(sum(w[..., None, None] * a[..., :, None] * b[..., None, :] for w, a, b in pieces))


def _shares(cells: Floats, axes: int) -> Floats:
    """The last axes as one, summing to 1 but for rounding, which a multinomial draw takes ill."""
    flat = np.clip(cells.reshape(*cells.shape[: cells.ndim - axes], -1), 0.0, None)
    return np.asarray(flat / flat.sum(axis=-1, keepdims=True))
