"""Spearman's rank correlation of real truth and prediction, for each dimension and averaged over dimensions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.metrics.concordance import few
from affectcheck.metrics.metric import Diagnosis, Metric, Names
from affectcheck.metrics.ordering import Ordered
from affectcheck.metrics.registry import register
from affectcheck.metrics.rules import OVER_DIMENSIONS, mean_of
from affectcheck.tallies import Sample
from affectcheck.tallies.ranked import running

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def spearman(tally: Sample, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Spearman's rank correlation coefficient: mean over dimensions of that of each.

    $$\rho = \frac{\sum_i (r_i - \bar r)(q_i - \bar q)}{\sqrt{\sum_i (r_i - \bar r)^2 \sum_i (q_i - \bar q)^2}}$$

    with r and q the ranks of truth and prediction; equal values share the mean of their ranks.

    Range: -1 to 1; higher is better; blind to any rising transformation of either side.

    Undefined when: in any dimension there are fewer than 2 items, or either side is constant. Constancy is found by
    comparing the values, never by a rounded variance.

    Tally: Sample (..., D).

    Signature: the rule for undefined dimensions.

    Args:
        tally: (...) items with D dimensions.
        convention: one of the three; the same in all.
        undefined: ``propagate``, ``skip`` or ``zero``.

    Returns:
        (...) values.

    Raises:
        InputError: the convention or the rule is unknown.

    Source: Spearman, C. (1904), The proof and measurement of association between two things; paper 2, section on
        speaker rankings, whose code takes its absolute value, which here is not done.

    Example:
        Ranks 1, 2, 3 and 1, 2.5, 2.5: 1.5 / sqrt(2 · 1.5).

        >>> from affectcheck.tallies import Sample
        >>> round(float(spearman(Sample.of([0.1, 0.2, 0.9], [0.3, 0.4, 0.4]))), 4)
        0.866
    """
    return mean_of(spearman_parts(tally), OVER_DIMENSIONS.resolve(convention, undefined))


def spearman_parts(tally: Sample, *, convention: str = "paper", undefined: str = "") -> Floats:
    """Rank correlation of each dimension, (..., D); see ``spearman``."""
    OVER_DIMENSIONS.resolve(convention, undefined)
    return tally.each(_RankCorrelation.of)


class _Side(Ordered):
    """The items in the order of one side."""

    def ranks(self, weights: Floats) -> Floats:
        """(k, runs) mid-ranks about the middle one, twice: the weight below less the weight above."""
        total = running(weights)
        if self.first.size == self.order.size:
            return total[:, :-1] + total[:, 1:] - total[:, -1:]
        return np.asarray(total.take(self.first, axis=1) + total.take(self.last, axis=1) - total[:, -1:])


@dataclass(frozen=True, eq=False)
class _RankCorrelation:
    """Correlation of the mid-ranks of both sides, over the items in the order of the truth."""

    truth: _Side
    prediction: _Side
    of_truth: NDArray[np.intp]
    of_prediction: NDArray[np.intp]

    @classmethod
    def of(cls, truth: NDArray[Any], score: NDArray[Any]) -> _RankCorrelation:
        sides = _Side.of(truth), _Side.of(score)
        return cls(*sides, *(side.run[sides[0].order] for side in sides))

    @property
    def orders(self) -> tuple[NDArray[np.intp], ...]:
        return self.truth.order, self.prediction.order

    def values(self, weights: Sequence[Floats]) -> Floats:
        by_truth, by_prediction = weights
        r = self.truth.ranks(by_truth).take(self.of_truth, axis=1)
        q = self.prediction.ranks(by_prediction).take(self.of_prediction, axis=1)
        # A rank is exactly in the middle for every item if and only if all values that count are equal.
        both = by_truth * r
        squares, products = np.einsum("ki,ki->k", both, r), np.einsum("ki,ki->k", both, q)
        others = np.einsum("ki,ki->k", by_truth * q, q)
        known = (squares > 0.0) & (others > 0.0)
        one = np.ones_like(products)
        slope = np.divide(products, squares, out=one.copy(), where=known)
        scale = np.divide(squares, others, out=one, where=known)
        # As slope times the ratio of deviations, so that equal ranks give exactly 1.
        return np.clip(np.where(known, slope * np.sqrt(scale), np.nan), -1.0, 1.0)


@dataclass(frozen=True, eq=False)
class _Constancy:
    """1 where all values of one side that count are equal, else 0."""

    side: _Side

    @property
    def orders(self) -> tuple[NDArray[np.intp], ...]:
        return (self.side.order,)

    def values(self, weights: Sequence[Floats]) -> Floats:
        (by_side,) = weights
        ranks = self.side.ranks(by_side).take(self.side.run[self.side.order], axis=1)
        return np.asarray(~((ranks != 0.0) & (by_side > 0.0)).any(axis=1), np.float64)


def _reasons(tally: Sample, names: Names) -> tuple[str, ...]:
    truth = tally.each(lambda true, _score: _Constancy(_Side.of(true))) == 1.0
    prediction = tally.each(lambda _true, score: _Constancy(_Side.of(score))) == 1.0
    words = {(True, True): "truth and prediction are constant", (True, False): "the truth is constant"}
    return tuple(
        f"{names.part(d)}: {few(tally, d) or words.get((bool(t), bool(p)), 'the prediction is constant')}"
        if np.isnan(value)
        else ""
        for d, (t, p, value) in enumerate(zip(truth, prediction, spearman_parts(tally), strict=True))
    )


register(
    Metric(
        name="spearman",
        title="Spearman rank correlation",
        kind="dimensions",
        level="overall",
        tally=Sample,
        compute=spearman,
        parts=spearman_parts,
        low=-1.0,
        high=1.0,
        higher_is_better=True,
        source="Spearman (1904); paper 2, speaker ranking",
        undefined="fewer than 2 items, or a constant side, in a dimension",
        rules=OVER_DIMENSIONS,
        diagnosis=Diagnosis.by_part(_reasons, lambda tally: np.isnan(spearman_parts(tally))),
    )
)
