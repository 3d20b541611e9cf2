"""What a permutation test of two models is asked for, and what it found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.errors import InputError
from affectcheck.uncertainty.intervals import number_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_COARSE = 0.05


@dataclass(frozen=True)
class Exchanging:
    """How two models are exchanged.

    Attributes:
        draws: their number, at most; where there are no more ways to exchange, each is taken once.
        seed: the run's seed.
        unit: what is exchanged as a whole: ``subject``, ``media`` or ``item``.
    """

    draws: int = 10_000
    seed: int = 0
    unit: str = "subject"

    def __post_init__(self) -> None:
        """A test needs draws."""
        if self.draws < 1:
            raise InputError(f"{self.draws} draws of a permutation test", expected="at least 1")


@dataclass(frozen=True)
class Exchanged:
    """The permutation test of a statistic, over any axes (group, part).

    Attributes:
        difference: (...) first minus second, NaN where either is undefined.
        p_value: (...) two-sided; NaN where there is none.
        undefined: (...) draws in which a statistic was undefined, which are left out.
        draws: number of draws, or of ways to exchange where each was taken.
        units: units that were exchanged.
        differing: those in which the two models differ at all.
        exact: whether every way to exchange was taken.
        unit: what a unit is.
    """

    difference: Floats
    p_value: Floats
    undefined: NDArray[np.int64]
    draws: int
    units: int
    differing: int
    exact: bool
    unit: str

    @property
    def method(self) -> str:
        """How the p-value was made, in words."""
        if not self.differing:
            return f"permutation of {number_of(self.units, self.unit)}, none of which differs"
        drawn = f"all {self.draws} ways" if self.exact else f"{self.draws} draws"
        some = f", of which {self.differing} differ" if self.differing < self.units else ""
        return f"permutation of {number_of(self.units, self.unit)}{some}, {drawn}"

    @property
    def caution(self) -> str:
        """Why no p-value can be small, if none can: two exchanges of so few units are as extreme as any."""
        if not self.differing:
            return "the two answer alike, so that there is nothing to test"
        smallest = 2.0 / self.draws
        if not self.exact or smallest <= _COARSE:
            return ""
        differing = number_of(self.differing, self.unit)
        bound = "is 1 whatever they answer there" if self.differing == 1 else f"cannot be below {smallest:.3g}"
        return f"the two differ on {differing} only, so that p {bound}"

    def reason(self, *index: int) -> str:
        """Why there is no p-value at a place; empty where there is one."""
        if np.isnan(self.difference[index]):
            return "a score is undefined"
        if np.isnan(self.p_value[index]):
            return f"a score is undefined in {int(self.undefined[index])} of {self.draws} draws"
        return ""
