"""Gold standards from ratings: the majority of classes, the mean of values, or a mean that trusts raters unequally."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, get_args

import numpy as np
import polars as pl

from affectcheck.annotations.mean_rating import gold_by_mean
from affectcheck.annotations.raters import Gold, gold_by_majority
from affectcheck.annotations.settling import NO_VOTES, NOT_UNANIMOUS, ONE_VOTE, TIE, Settling, settle
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.evaluation.rater_rows import of_the_others
from affectcheck.metrics.concordance import pcc_parts
from affectcheck.schemes import CategoryScheme
from affectcheck.tallies import Moments

if TYPE_CHECKING:
    from affectcheck.annotations.ratings import Ratings

Estimator = Literal["majority", "unanimous", "mean", "ewe"]
ESTIMATORS: Final[tuple[Estimator, ...]] = get_args(Estimator)


def gold_standard(ratings: Ratings, how: str, *, minimum_share: float = 0.0) -> Gold:
    """One label or value an item.

    Args:
        ratings: what several raters said.
        how: ``majority`` of classes (a shared first place is no majority), ``unanimous`` (the class on which all raters
            of an item agree, two or more of them), ``mean`` of dimensions, or ``ewe``, the evaluator weighted
            estimator of dimensions: the mean in which each rater has the weight of ``rater_weights``.
        minimum_share: smallest share of the votes that a majority needs.

    Raises:
        UnknownNameError: no such estimator.
        InputError: a majority of values, or a mean of classes.

    Example:
        >>> from affectcheck.annotations import RatingColumns, read_ratings
        >>> table = {"item": ["a", "a", "b", "b", "c", "c"], "rater": ["r1", "r2"] * 3, "v": [0.0, 0.2, 1.0, 1.0, 2.0, 1.6]}
        >>> gold_standard(read_ratings(table, RatingColumns(dimensions=("v",))), "ewe").frame["v"].round(3).to_list()
        [0.1, 1.0, 1.8]
    """
    if how not in ESTIMATORS:
        raise UnknownNameError.of("gold standard", how, ESTIMATORS)
    if how == "unanimous":
        return _unanimous(ratings)
    if how == "majority":
        if not isinstance(ratings.target.scheme, CategoryScheme):
            raise InputError("a majority of values", expected="mean or ewe for dimensions")
        votes = pl.DataFrame(ratings.votes, schema=list(ratings.parts), orient="row").with_columns(ratings.items)
        return gold_by_majority(votes, ratings.target.scheme, name=ratings.target.name, minimum_share=minimum_share)
    return gold_by_mean(ratings, rater_weights(ratings) if how == "ewe" else None)


def _unanimous(ratings: Ratings) -> Gold:
    settled = settle(ratings, Settling("unanimous"))
    counts = settled.counts
    low = counts.get(NOT_UNANIMOUS, 0) + counts.get(ONE_VOTE, 0)
    return Gold(
        settled.frame.select("item", settled.name, "votes", "agreement"),
        counts.get(TIE, 0),
        counts.get(NO_VOTES, 0),
        low,
    )


def rater_weights(ratings: Ratings) -> np.ndarray:
    r"""Weight of each rater in the evaluator weighted estimator: how well he correlates with the others.

    $w_{kd} = \max(0, r_{kd})$, the Pearson correlation over items between the ratings of rater k and the mean of the
    other raters of the same item. A rater who has no correlation (fewer than two items in common with others, or a
    constant side) has the weight 0, as has one who rates against the others.

    Source: Grimm, M. and Kroschel, K. (2005), Evaluation of natural emotions using self assessment manikins. There the
    mean is that of all raters, the rater himself included; here, as in common practice, of the others, so that a rater
    is not compared with himself.

    Args:
        ratings: of dimensions, with named raters.

    Returns:
        (R, D) weights.

    Raises:
        InputError: raters have no names, or classes are rated.
    """
    if ratings.is_categories:
        raise InputError(
            "an evaluator weighted estimator of classes",
            expected="ratings of dimensions",
            cause="classes have no mean; their gold standard is the majority",
        )
    if not ratings.named:
        raise InputError(
            "an evaluator weighted estimator of raters without names",
            expected="ratings with a column that names the rater, or the estimator 'mean'",
        )
    return np.maximum(np.nan_to_num(pcc_parts(against_others(ratings))), 0.0)


def against_others(ratings: Ratings) -> Moments:
    """(R, D) moments of each rater (as the prediction) and the mean of the others (as the truth)."""
    truth = of_the_others(ratings)
    own = np.where(np.isnan(ratings.values), 0.0, ratings.values)  # where there is no rating, the truth is NaN too
    return Moments.of(truth, own, cells=ratings.rater, n_cells=len(ratings.raters))
