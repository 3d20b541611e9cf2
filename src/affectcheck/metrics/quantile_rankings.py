"""Whether those who rank first and last in truth do so in prediction: rankings of speakers, models or anything else.

A ranking is of values that stand for something, such as the mean of each speaker, not of items; so these are functions
of two rows of values, not registered metrics of a tally.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from affectcheck.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

End = Literal["top", "bottom"]
Rounding = Literal["half to even", "half up", "up", "floor"]


@dataclass(frozen=True)
class Quantile:
    """How many of a ranking are its first or last.

    Attributes:
        share: share of all, such as a quarter.
        rounding: of share times number: ``half to even`` as in the public code of paper 2, ``half up``, ``up`` or
            ``floor``.
    """

    share: float = 0.25
    rounding: Rounding = "half to even"

    def __post_init__(self) -> None:
        """The share lies between 0 and 1/2, so that first and last do not overlap, and the rounding is known."""
        if not 0.0 < self.share <= 0.5:
            raise InputError(f"a quantile of {self.share}", expected="a share above 0, up to 0.5")
        if self.rounding not in get_args(Rounding):
            raise UnknownNameError.of("rounding", self.rounding, get_args(Rounding))

    def length(self, number: int) -> int:
        """How many of so many.

        Example:
            >>> [Quantile().length(n) for n in (2, 6, 10, 14)], Quantile(rounding="up").length(10)
            ([0, 2, 2, 4], 3)
        """
        return int(self.lengths(np.asarray(number, np.float64)))

    def lengths(self, numbers: Floats) -> Floats:
        """How many of each of many numbers, which may be sums of weights.

        Example:
            >>> Quantile(rounding="floor").lengths(np.array([7.0, 10.0])).tolist()
            [1.0, 2.0]
        """
        exact = self.share * numbers
        if self.rounding == "half to even":
            return np.asarray(np.round(exact))
        if self.rounding == "up":
            return np.asarray(np.ceil(exact))
        return np.asarray(np.floor(exact + 0.5 if self.rounding == "half up" else exact))


def quantile_precision(truth: ArrayLike, prediction: ArrayLike, end: End, quantile: Quantile | None = None) -> Floats:
    r"""Share of those at one end of the predicted ranking that are at that end of the true one.

    $$\mathrm{precision} = \frac{1}{k} \sum_i m_i(t)\, m_i(p)$$

    with m the membership of the k at that end. Where equal values compete for the last places, each of them has an
    equal part in those places (fractional credit): the precision is what a pick among them at random gives on average,
    and no order of rows decides it.

    Args:
        truth: (..., n) values to be ranked.
        prediction: (..., n) values to be ranked.
        end: ``top``, the highest values, or ``bottom``.
        quantile: how many; default a quarter, rounded half to even.

    Returns:
        (...) values in 0 … 1; NaN where the quantile holds nobody, as that of two does.

    Raises:
        InputError: shapes differ, a value is NaN, or the end is neither.

    Source: paper 2, speaker ranking (precision of the top and bottom 25 %). Its public code lets the order of rows
        decide between equal values.

    Example:
        Three share the lowest prediction and compete for two places; two of them are the lowest in truth.

        >>> truth = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]
        >>> prediction = [0.1, 0.1, 0.1, 0.4, 0.5, 0.6, 0.8, 0.7]
        >>> round(float(quantile_precision(truth, prediction, "bottom")), 4)
        0.6667
        >>> float(quantile_precision(truth, prediction, "top"))
        1.0
    """
    true, predicted = _rows(truth, prediction)
    k = (quantile or Quantile()).length(true.shape[-1])
    both = (_membership(true, k, end) * _membership(predicted, k, end)).sum(axis=-1)
    return np.asarray(both / k if k else np.full(both.shape, np.nan))


def quantile_confusion(truth: ArrayLike, prediction: ArrayLike, quantile: Quantile | None = None) -> Floats:
    r"""Share of those at the ends of the predicted ranking that are at the other end of the true one.

    $$\mathrm{confusion} = \frac{1}{2k} \sum_i \bigl( m_i^{top}(t)\, m_i^{bottom}(p) + m_i^{bottom}(t)\, m_i^{top}(p)
    \bigr)$$

    with m as in ``quantile_precision``, equal values included.

    Args:
        truth: (..., n) values to be ranked.
        prediction: (..., n) values to be ranked.
        quantile: how many; default a quarter, rounded half to even.

    Returns:
        (...) values in 0 … 1; NaN where the quantile holds nobody.

    Raises:
        InputError: shapes differ, or a value is NaN.

    Source: paper 2, speaker ranking (top-bottom confusions).

    Example:
        >>> float(quantile_confusion([0.1, 0.2, 0.3, 0.4], [0.4, 0.2, 0.3, 0.1]))
        1.0
    """
    true, predicted = _rows(truth, prediction)
    k = (quantile or Quantile()).length(true.shape[-1])
    ends: tuple[End, End] = ("top", "bottom")
    crossed = sum(
        (_membership(true, k, one) * _membership(predicted, k, other)).sum(axis=-1) for one, other in (ends, ends[::-1])
    )
    total = np.asarray(crossed, np.float64)
    return np.asarray(total / (2.0 * k) if k else np.full(total.shape, np.nan))


def _rows(truth: ArrayLike, prediction: ArrayLike) -> tuple[Floats, Floats]:
    true, predicted = np.asarray(truth, np.float64), np.asarray(prediction, np.float64)
    if true.ndim == 0 or true.shape != predicted.shape:
        raise InputError(
            f"truth of shape {true.shape}, prediction of shape {predicted.shape}", expected="both (..., n)"
        )
    for name, values in (("truth", true), ("prediction", predicted)):
        if np.isnan(values).any():
            raise InputError(f"a {name} to be ranked is NaN", expected="values that can be compared")
    return true, predicted


def _membership(values: Floats, k: int, end: End) -> Floats:
    """(..., n) part that each has in the k places of one end."""
    if end not in get_args(End):
        raise UnknownNameError.of("end of a ranking", end, get_args(End))
    if k == 0:
        return np.zeros_like(values)
    signed = values if end == "top" else -values
    edge = np.sort(signed, axis=-1)[..., -k, None]
    above, at_edge = signed > edge, signed == edge
    left = k - above.sum(axis=-1, keepdims=True)
    return np.asarray(above + at_edge * (left / at_edge.sum(axis=-1, keepdims=True)))
