"""What an assignment of items to sets comes to, and how good that is known to be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, eq=False)
class Solution:
    """Where items go, and how good that is known to be.

    Attributes:
        sets: (n,) index of the set of each item.
        cost: mean deviation over sets, strata and the size, as a fraction.
        bound: no assignment that covers as much has a lower cost; None where none was computed.
        proven: whether the cost meets the bound.
        reproducible: False if a clock ended the search, so that another run may end elsewhere.
        notes: what had to be decided, and how it was found.
    """

    sets: np.ndarray
    cost: float
    bound: float | None = None
    proven: bool = False
    reproducible: bool = True
    notes: tuple[str, ...] = ()
