"""Values in order, with runs of equal ones: what ranks and the ends of rankings are counted on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Ordered:
    """Items in the order of their values.

    Attributes:
        order: (n,) items from the lowest value to the highest.
        first, last: (runs,) places in it where each run of equal values starts and ends.
        run: (n,) run of each item.
    """

    order: NDArray[np.intp]
    first: NDArray[np.intp]
    last: NDArray[np.intp]
    run: NDArray[np.intp]

    @classmethod
    def of(cls, values: NDArray[Any]) -> Self:
        """The items of (n,) values, n at least 1.

        Example:
            >>> Ordered.of(np.array([0.5, 0.1, 0.5])).run.tolist()
            [1, 0, 1]
        """
        order = np.argsort(values, kind="stable")
        ordered = values[order]
        first = np.concatenate([[0], np.flatnonzero(ordered[1:] != ordered[:-1]) + 1])
        last = np.append(first[1:], values.size)
        run = np.empty(values.size, np.intp)
        run[order] = np.repeat(np.arange(first.size), last - first)
        return cls(order, first, last, run)
