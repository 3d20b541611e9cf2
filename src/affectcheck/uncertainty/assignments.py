"""Ways to deal groups out among clusters: all of them where they are few, else draws at random."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray


def number_of_ways(groups: NDArray[Any], most: int) -> int:
    """Distinct ways to deal these groups out anew, the observed one among them; above ``most``, some larger number.

    Example:
        >>> number_of_ways(np.array([0, 0, 0, 1, 1, 1, 1]), 1000)
        35
    """
    ways, left = 1, groups.size
    for size in np.bincount(groups).tolist():
        ways *= math.comb(left, size)
        left -= size
        if ways > most:
            break
    return ways


def every_way(groups: NDArray[Any]) -> NDArray[np.intp]:
    """(ways, clusters) every distinct way to deal these groups out, each once.

    Example:
        >>> every_way(np.array([1, 0, 0])).tolist()
        [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    """
    sizes = np.bincount(groups).tolist()
    return np.array(list(_dealt(sizes, 0, list(range(groups.size)), [0] * groups.size)), np.intp)


def _dealt(sizes: Sequence[int], group: int, free: list[int], codes: list[int]) -> Iterator[list[int]]:
    """Codes by cluster with the groups from this one on dealt out among the free clusters."""
    if group == len(sizes):
        yield codes
        return
    for chosen in combinations(free, sizes[group]):
        filled = codes.copy()
        for place in chosen:
            filled[place] = group
        taken = set(chosen)
        yield from _dealt(sizes, group + 1, [place for place in free if place not in taken], filled)
