"""Bounds that many differences keep at once by chance, each in units of its own spread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.uncertainty import drawn_quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray


#: More than rounding adds to a difference, less than any count moves it.
_HAIR: Final = 1e-9


@dataclass(frozen=True, eq=False)
class Simultaneous:
    """Bounds of a family of differences.

    Attributes:
        bounds: (K,) size that each difference keeps; NaN where it is not judged or never defined.
        spread: (K,) standard deviation of each difference by chance.
        family: number of differences that are bounded at once.
    """

    bounds: NDArray[np.float64]
    spread: NDArray[np.float64]
    family: int


def simultaneous(
    differences: NDArray[np.float64],
    judged: NDArray[np.bool_],
    quantile: float,
    distances: NDArray[np.bool_] | None = None,
) -> Simultaneous:
    """Bounds that all differences keep at once with a given probability.

    Of every draw the largest difference is kept, in units of its spread; the quantile of those, times the spread, is
    the bound. So a difference with little support widens the bound of one with much only as far as its distribution
    has longer tails. A difference as large as the quantile is kept: the bound lies above it by a hair, as differences
    of counts take few values, and one value may be as frequent as all larger ones.

    Args:
        differences: (R, K) drawn by chance, NaN where undefined.
        judged: (K,) which of them count; the others do not widen the family.
        quantile: the probability.
        distances: (K,) which of them have no sign, such as distances between groups: they are above 0 by chance, so
            that only what exceeds their mean counts, in units of their spread.

    Example:
        >>> draws = np.array([[0.1, -1.0], [-0.1, 1.0], [0.1, 1.0], [-0.1, -1.0]])
        >>> simultaneous(draws, np.array([True, True]), 0.95).bounds.round(6).tolist()
        [0.1, 1.0]
    """
    known = ~np.isnan(differences)
    number = np.maximum(known.sum(axis=0), 1)
    filled = np.where(known, differences, 0.0)
    mean = filled.sum(axis=0) / number
    spread = np.sqrt((np.where(known, filled - mean, 0.0) ** 2).sum(axis=0) / number)
    counted = judged & known.any(axis=0)
    centre = np.where(distances, mean, 0.0) if distances is not None else np.zeros_like(mean)
    beyond = np.where(centre > 0, filled - centre, np.abs(filled))
    sizes = np.where(counted & known & (spread > 0), beyond, 0.0) / np.where(spread > 0, spread, 1.0)
    factor = drawn_quantile(sizes.max(axis=1, initial=0.0), quantile) * (1.0 + _HAIR)
    bounds = centre * (1.0 + _HAIR) + factor * spread
    return Simultaneous(np.where(counted, bounds, np.nan), spread, int(counted.sum()))
