"""From the ratings of several raters to one value an item: their mean, in which raters may have weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from affectcheck.annotations.raters import Gold
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from affectcheck.annotations.ratings import Ratings


def gold_by_mean(ratings: Ratings, weights: np.ndarray | None = None) -> Gold:
    """The mean rating of each dimension.

    Args:
        ratings: of dimensions.
        weights: (R, D) weight of each rater in each dimension, 0 or more; None weighs all alike.

    Returns:
        ``item``, a column a dimension (null where nobody rates it, or nobody with a weight) and ``ratings``, the number
        of ratings of the item.

    Raises:
        InputError: ratings of categories, or weights of raters without names.

    Example:
        >>> from affectcheck.annotations import RatingColumns, read_ratings
        >>> table = {"item": ["a", "a"], "rater": ["r1", "r2"], "valence": [0.0, 1.0]}
        >>> ratings = read_ratings(table, RatingColumns(dimensions=("valence",)))
        >>> gold_by_mean(ratings, np.array([[3.0], [1.0]])).frame["valence"].to_list()
        [0.25]
    """
    if ratings.is_categories:
        raise InputError("a mean of classes", expected="ratings of dimensions", cause="classes have a majority instead")
    if weights is not None and not ratings.named:
        raise InputError("weights of raters without names", expected="ratings with a column that names the rater")
    means = {}
    weightless = np.zeros(ratings.height, bool)
    for index, name in enumerate(ratings.parts):
        one = ratings.dimension(index)
        weight = np.ones(one.item.size) if weights is None else weights[one.rater, index]
        mean, without = _weighted_mean(one, weight)
        weightless |= without
        means[name] = pl.Series(name, mean, nan_to_null=True)
    frame = pl.DataFrame([ratings.items, *means.values(), pl.Series("ratings", ratings.numbers)])
    unrated = ~weightless & np.any([column.is_null().to_numpy() for column in means.values()], axis=0)
    return Gold(frame, unvoted=int(unrated.sum()), weightless=int(weightless.sum()))


def _weighted_mean(ratings: Ratings, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean of each item, NaN where there is none, and whether that is for want of weight.

    Sums are about the first rating of the item, so that equal ratings have exactly that value as their mean.
    """
    item, items = ratings.item, ratings.height
    first = np.full(items, np.nan)
    first[item[::-1]] = ratings.values[::-1]
    total = np.bincount(item, weight, items)
    away = np.bincount(item, weight * (ratings.values - first[item]), items)
    mean = first + np.divide(away, total, out=np.full(items, np.nan), where=total > 0.0)
    return mean, (total == 0.0) & (ratings.numbers > 0)
