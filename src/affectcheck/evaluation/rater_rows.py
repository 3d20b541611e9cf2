"""Ratings as rows that can be tallied: every rating beside what the other raters of its item say, and pairs of raters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from affectcheck.annotations.ratings import Ratings

#: Code of a majority that does not exist, because the first place is shared or nobody votes.
NO_MAJORITY: Final = -1


@dataclass(frozen=True, eq=False)
class Pairs:
    """Every two ratings of one item by two named raters, the one who stands first among the raters first.

    Attributes:
        item: (p,) place of the item.
        first, second: (p,) places of the raters.
        left, right: (p,) rows of their ratings.
    """

    item: np.ndarray
    first: np.ndarray
    second: np.ndarray
    left: np.ndarray
    right: np.ndarray


def pairs_of(ratings: Ratings) -> Pairs:
    """All pairs of ratings of one item, item by item."""
    order = np.lexsort((ratings.rater, ratings.item))
    numbers, starts = ratings.numbers, np.concatenate([[0], np.cumsum(ratings.numbers)[:-1]])
    left, right = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for m in np.unique(numbers[numbers >= 2]):
        first, second = np.triu_indices(m, 1)
        begin = starts[numbers == m][:, None]
        left.append((begin + first).ravel())
        right.append((begin + second).ravel())
    rows = order[np.concatenate(left)], order[np.concatenate(right)]
    return Pairs(ratings.item[rows[0]], ratings.rater[rows[0]], ratings.rater[rows[1]], *rows)


def majority(votes: np.ndarray) -> np.ndarray:
    """(n,) class with most votes; ``NO_MAJORITY`` where the first place is shared or there are no votes.

    Args:
        votes: (n, C) votes for each class.
    """
    most = votes.max(axis=1, initial=0)
    alone = ((votes == most[:, None]).sum(axis=1) == 1) & (most > 0)
    return np.where(alone, votes.argmax(axis=1), NO_MAJORITY)


def of_the_others(ratings: Ratings) -> np.ndarray:
    """What the other raters of its item say, for each rating.

    Returns:
        (r,) their majority, ``NO_MAJORITY`` where they have none; of dimensions (r, D) their mean, NaN where there is
        no other.
    """
    if ratings.is_categories:
        return _other_majority(ratings)
    return np.column_stack([_other_mean(ratings.item, values, ratings.height) for values in ratings.values.T])


def _other_majority(ratings: Ratings) -> np.ndarray:
    """One majority for each item and class that a vote is taken from: far fewer than there are ratings."""
    labels = len(ratings.parts)
    keys, back = np.unique(ratings.item * labels + ratings.values, return_inverse=True)
    item, own = np.divmod(keys, labels)
    others = ratings.votes[item].copy()
    others[np.arange(keys.size), own] -= 1
    return majority(others)[back]


def _other_mean(item: np.ndarray, values: np.ndarray, items: int) -> np.ndarray:
    """Sums are about the first rating of the item, so that equal ratings have exactly that value as their mean."""
    known = ~np.isnan(values)
    numbers = np.bincount(item[known], minlength=items)
    first = np.zeros(items)
    first[item[known][::-1]] = values[known][::-1]
    away = np.where(known, values - first[item], 0.0)
    total = np.bincount(item, away, items)
    others = numbers[item] - 1
    mean = first[item] + (total[item] - away) / np.maximum(others, 1)
    return np.where(known & (others > 0), mean, np.nan)
