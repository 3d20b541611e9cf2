"""Which of many things may be alike: pairs of vectors at a small angle, found by chunks of matrix products.

45,000 vectors are 10⁹ pairs and some seconds; memory stays that of one chunk, and of the pairs that are kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

#: Most pairs that an item is the first of, within its set and again across sets: a video's frames are all alike.
MOST: Final = 16

_ROWS: Final = 256
_COLUMNS: Final = 16_384


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of things by their places.

    Attributes:
        first, second: (n,) int64, first < second.
        similarity: (n,) float32, 1 for the same.
        left_out: pairs beyond the most that are kept of one thing.
    """

    first: np.ndarray
    second: np.ndarray
    similarity: np.ndarray
    left_out: int = 0

    def __len__(self) -> int:
        return len(self.first)

    def take(self, chosen: np.ndarray) -> Pairs:
        """Some of the pairs, by a mask or by places."""
        return Pairs(self.first[chosen], self.second[chosen], self.similarity[chosen], self.left_out)


def candidates(
    vectors: np.ndarray,
    others: np.ndarray,
    least: float,
    *,
    sets: np.ndarray | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Pairs:
    """Pairs of vectors that are alike.

    Args:
        vectors: (n, d) float32 of length 1; a row of zeros is like nothing.
        others: (n, d) what they are compared with: themselves, or each one's mirror image.
        least: least cosine that counts, above 0.
        sets: (n,) set of each; pairs across sets are kept apart from those within, so that neither crowds out the other.
        progress: called with (done, total).

    Returns:
        Pairs with first < second; of each thing the most alike ``MOST``.
    """
    count = len(vectors)
    sets = np.zeros(count, np.int64) if sets is None else sets
    found = [Pairs(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.float32))]
    for top in range(0, count, _ROWS):
        block = vectors[top : top + _ROWS]
        found.append(_most_alike(_above(block, others, least, top), sets))
        if progress is not None:
            progress(min(top + _ROWS, count), count)
    return joined(found)


def joined(parts: list[Pairs]) -> Pairs:
    """Several lists of pairs as one."""
    return Pairs(
        np.concatenate([part.first for part in parts]),
        np.concatenate([part.second for part in parts]),
        np.concatenate([part.similarity for part in parts]),
        sum(part.left_out for part in parts),
    )


def _above(block: np.ndarray, others: np.ndarray, least: float, top: int) -> Pairs:
    """Pairs of one chunk of rows with every later vector."""
    parts = []
    for left in range(top, len(others), _COLUMNS):
        similarity = block @ others[left : left + _COLUMNS].T
        row, column = np.nonzero(similarity >= least)
        later = column + left > row + top
        row, column = row[later], column[later]
        parts.append(Pairs(row + top, column + left, similarity[row, column]))
    return joined(parts)


def _most_alike(pairs: Pairs, sets: np.ndarray) -> Pairs:
    """Of each first thing the most alike within its set, and across sets."""
    group = 2 * pairs.first + (sets[pairs.first] != sets[pairs.second])
    order = np.lexsort((pairs.second, -pairs.similarity, group))
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    sizes = np.diff(np.append(starts, len(order)))
    rank = np.arange(len(order)) - np.repeat(starts, sizes)
    kept = order[rank < MOST]
    return Pairs(pairs.first[kept], pairs.second[kept], pairs.similarity[kept], pairs.left_out + len(order) - len(kept))
