"""Intervals of proportions of independent items, in closed form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.errors import InputError
from affectcheck.uncertainty.quantiles import normal_quantile

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Proportions:
    """Proportions and their bounds, NaN where there are no items.

    Attributes:
        value: (...) successes / items.
        low, high: (...) bounds.
    """

    value: Floats
    low: Floats
    high: Floats


def wilson(successes: ArrayLike, items: ArrayLike, *, level: float = 0.95) -> Proportions:
    """Wilson's score interval, for items that are independent of each other (one a subject).

    Args:
        successes: (...) numbers of successes.
        items: (...) numbers of items.
        level: nominal coverage.

    Returns:
        Bounds within 0 … 1, which stay apart even at 0 or all successes.

    Raises:
        InputError: a number of successes is negative or above the number of items.

    Example:
        >>> found = wilson(8, 10)
        >>> round(float(found.low), 4), round(float(found.high), 4)
        (0.4902, 0.9433)
    """
    k, n = np.broadcast_arrays(np.asarray(successes, np.float64), np.asarray(items, np.float64))
    if (k < 0).any() or (k > n).any():
        raise InputError("successes below 0 or above the number of items", expected="0 <= successes <= items")
    z2 = float(normal_quantile((1.0 + level) / 2.0)) ** 2
    known = n > 0.0
    number = np.where(known, n, 1.0)
    share = k / number
    centre = (share + z2 / (2.0 * number)) / (1.0 + z2 / number)
    reach = np.sqrt(z2 * (share * (1.0 - share) + z2 / (4.0 * number)) / number) / (1.0 + z2 / number)
    low = np.where(k == 0.0, 0.0, centre - reach)
    high = np.where(k == n, 1.0, centre + reach)
    value, low, high = (np.where(known, array, np.nan) for array in (share, low, high))
    return Proportions(value, low, high)
