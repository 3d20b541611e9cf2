"""Power of t tests over clusters, and the fewest clusters that reach it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.errors import InputError
from affectcheck.uncertainty.quantiles import noncentral_t_cdf, t_quantile

if TYPE_CHECKING:
    from collections.abc import Callable

#: More subjects than this are no plan.
MOST: Final = 1_000_000


@dataclass(frozen=True)
class Precision:
    """How well a difference is known.

    Attributes:
        standard_error: of the difference.
        degrees: of freedom.
        level: nominal coverage of the interval; 1 minus the size of the test.
    """

    standard_error: float
    degrees: float
    level: float = 0.95

    @classmethod
    def of_groups(cls, first: float, second: float, subjects: int, level: float = 0.95) -> Precision:
        """Of Welch's test between two groups of so many subjects each.

        Args:
            first: variance of a subject's contribution in the first group.
            second: the same in the second.
            subjects: in each group.
            level: nominal coverage.
        """
        whole = (first + second) ** 2 / (first**2 + second**2) * (subjects - 1)
        return cls(float(np.sqrt((first + second) / subjects)), whole, level)

    @classmethod
    def of_pairs(cls, variance: float, subjects: int, level: float = 0.95) -> Precision:
        """Of the paired test on so many subjects.

        Args:
            variance: of a subject's difference.
            subjects: their number.
            level: nominal coverage.
        """
        return cls(float(np.sqrt(variance / subjects)), float(subjects - 1), level)

    @property
    def reach(self) -> float:
        """Half the width of the interval, in standard errors."""
        return float(t_quantile((1.0 + self.level) / 2.0, self.degrees))

    @property
    def width(self) -> float:
        """Expected width of the interval."""
        return 2.0 * self.reach * self.standard_error

    def power(self, difference: float) -> float:
        """Probability that the interval excludes 0, where this is the true difference.

        Example:
            Cohen (1988), Table 2.3.5: d = 0.5 and 64 in each group have a power of .80.

            >>> round(Precision.of_groups(1.0, 1.0, 64).power(0.5), 2)
            0.8
        """
        centre = difference / self.standard_error
        beyond = 1.0 - noncentral_t_cdf(self.reach, self.degrees, centre)
        return float(beyond + noncentral_t_cdf(-self.reach, self.degrees, centre))


def fewest(power_at: Callable[[int], float], wanted: float, least: int) -> int:
    """The fewest subjects whose power is at least what is wanted, where power grows with them.

    Args:
        power_at: subjects to power.
        wanted: power.
        least: subjects below which there is no test.

    Raises:
        InputError: a million subjects have less.

    Example:
        >>> fewest(lambda n: 1 - 1 / n, 0.9, 2)
        10
    """
    low, high = least - 1, least
    while power_at(high) < wanted:
        low, high = high, 2 * high
        if high > MOST:
            raise InputError(
                f"a power of {wanted} needs more than {MOST:,} subjects", expected="a larger gap, or less power"
            )
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if power_at(middle) < wanted else (low, middle)
    return high
