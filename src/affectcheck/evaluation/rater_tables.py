"""Who agrees with whom: a row a rater, a row a pair of raters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from affectcheck.evaluation.gold import against_others, rater_weights
from affectcheck.evaluation.rater_rows import NO_MAJORITY, of_the_others, pairs_of
from affectcheck.metrics import METRICS
from affectcheck.tallies import Confusion, Moments

if TYPE_CHECKING:
    from affectcheck.annotations.ratings import Ratings


def rater_table(ratings: Ratings, least: int) -> pl.DataFrame:
    """Each rater against the majority, or the mean, of the others, from the one who agrees least.

    Args:
        ratings: with named raters; without, the table is empty.
        least: items that others rate too, below which nothing is said of a rater.

    Returns:
        ``rater``, ``ratings``, ``compared``; of categories ``accuracy`` and ``cohen_kappa``; of dimensions ``ccc``, the
        mean over dimensions, then ``ccc_<dimension>``, ``pcc_<dimension>`` and the weight in the evaluator weighted
        estimator, ``weight_<dimension>``.
    """
    names = pl.Series("rater", ratings.raters, dtype=pl.String)
    number = np.bincount(ratings.rater[ratings.rater >= 0], minlength=len(names))
    if not ratings.named:
        return pl.DataFrame([names, pl.Series("ratings", number), pl.Series("compared", number)])
    if ratings.is_categories:
        truth = of_the_others(ratings)
        known = truth != NO_MAJORITY
        tally = Confusion.count(
            truth[known],
            ratings.values[known],
            labels=len(ratings.parts),
            cells=ratings.rater[known],
            n_cells=len(names),
        )
        compared = tally.support
        scores = {name: METRICS.get(name).compute(tally) for name in ("accuracy", "cohen_kappa")}
        by = "cohen_kappa"
    else:
        moments = against_others(ratings)
        compared = moments.n.max(axis=-1).astype(np.int64)
        scores = {"ccc": METRICS.get("ccc").compute(moments, undefined="skip")} | _by_dimension(moments, ratings)
        weights = rater_weights(ratings)
        scores |= {f"weight_{part}": weights[:, d] for d, part in enumerate(ratings.parts)}
        by = "ccc"
    few = compared < least
    columns = [pl.Series(name, np.where(few, np.nan, array), nan_to_null=True) for name, array in scores.items()]
    frame = pl.DataFrame([names, pl.Series("ratings", number), pl.Series("compared", compared), *columns])
    return frame.sort(by, "rater", nulls_last=True)


def pair_table(ratings: Ratings, least: int) -> pl.DataFrame:
    """Each pair of raters with enough items in common.

    Args:
        ratings: with named raters; without, the table is empty.
        least: items that both rate, below which a pair is left out.

    Returns:
        ``first``, ``second``, ``items``; of categories ``accuracy`` and ``cohen_kappa``, of dimensions
        ``ccc_<dimension>`` and ``pcc_<dimension>``.
    """
    if not ratings.named:
        return pl.DataFrame(schema={"first": pl.String, "second": pl.String, "items": pl.Int64})
    found, number = pairs_of(ratings), len(ratings.raters)
    codes, back, items = np.unique(found.first * number + found.second, return_inverse=True, return_counts=True)
    kept = items >= least
    rows = kept[back] if codes.size else np.zeros(0, bool)
    places = (np.cumsum(kept) - 1)[back[rows]]
    left, right = ratings.values[found.left[rows]], ratings.values[found.right[rows]]
    where: dict[str, Any] = {"cells": places, "n_cells": int(kept.sum())}
    if ratings.is_categories:
        tally = Confusion.count(left, right, labels=len(ratings.parts), **where)
        scores = {name: METRICS.get(name).compute(tally) for name in ("accuracy", "cohen_kappa")}
    else:
        truth = np.where(np.isnan(right), np.nan, left)
        scores = _by_dimension(Moments.of(truth, np.where(np.isnan(right), 0.0, right), **where), ratings)
    first, second = np.divmod(codes[kept], number)
    names = np.array(ratings.raters, dtype=object)
    return pl.DataFrame(
        [
            pl.Series("first", names[first].tolist(), dtype=pl.String),
            pl.Series("second", names[second].tolist(), dtype=pl.String),
            pl.Series("items", items[kept]),
            *(pl.Series(name, array, nan_to_null=True) for name, array in scores.items()),
        ]
    )


def _by_dimension(moments: Moments, ratings: Ratings) -> dict[str, np.ndarray]:
    found: dict[str, np.ndarray] = {}
    for name in ("ccc", "pcc"):
        parts = METRICS.get(name).parts
        assert parts is not None
        values = parts(moments)
        found |= {f"{name}_{part}": values[:, d] for d, part in enumerate(ratings.parts)}
    return found
