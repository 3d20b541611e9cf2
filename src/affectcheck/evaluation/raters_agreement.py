"""Raters' agreement: kappas, alpha and correlations with intervals, and which raters agree least."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

import numpy as np
import polars as pl

from affectcheck.annotations.ratings import Ratings
from affectcheck.annotations.reading_ratings import read_ratings
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.evaluation.agreement_means import between_pairs, notes_of, scores_of_means, with_others
from affectcheck.evaluation.agreement_scores import Rated, scores_of_all
from affectcheck.evaluation.grouping import clusters
from affectcheck.evaluation.rater_rows import NO_MAJORITY, majority
from affectcheck.evaluation.rater_tables import pair_table, rater_table
from affectcheck.schemes import CategoryScheme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.annotations.rating_columns import RatingColumns
    from affectcheck.records import Scored

Level = Literal["nominal", "ordinal", "interval", "ratio"]
LEVELS: Final[tuple[Level, ...]] = get_args(Level)


@dataclass(frozen=True)
class AgreementOptions:
    """How agreement is measured. All of it that can change a number stands in the scores' signatures.

    Attributes:
        levels: levels of measurement of Krippendorff's alpha: ``nominal``, ``ordinal``, ``interval``, ``ratio``. None
            takes nominal for categories (ordinal too where the scheme declares an order) and interval for dimensions.
        clusters: what is resampled as a whole; where the table names no subjects, items are.
        minimum_items: items that two raters need in common, or a rater with others, for a score of their own.
        resamples: of the bootstrap; 0 gives no intervals.
        seed: of the bootstrap.
        level: nominal coverage of the intervals, a fraction.
    """

    levels: tuple[str, ...] | None = None
    clusters: Literal["subject", "item"] = "subject"
    minimum_items: int = 10
    resamples: int = 1000
    seed: int = 0
    level: float = 0.95

    def __post_init__(self) -> None:
        """Levels are of their list, counts are not negative."""
        for name in self.levels or ():
            if name not in LEVELS:
                raise UnknownNameError.of("level of measurement", name, LEVELS)
        if self.clusters not in ("subject", "item"):
            raise UnknownNameError.of("cluster unit", self.clusters, ("subject", "item"))
        if self.resamples < 0 or self.minimum_items < 2 or not 0.0 < self.level < 1.0:
            raise InputError(
                f"resamples {self.resamples}, minimum of items {self.minimum_items}, level {self.level}",
                expected="0 or more resamples, 2 or more items, and a level between 0 and 1",
            )


@dataclass(frozen=True)
class Agreement:
    """How far raters agree.

    Attributes:
        scores: every score and every undefined one, overall and by class or dimension.
        raters: one row a named rater: ``ratings``, ``compared`` (those with other raters' beside them), and how they
            agree with the others; from least to most. Null where there are too few.
        pairs: one row a pair of named raters with enough items in common, and how they agree.
        counts: items, ratings, raters, items by number of ratings, items that have no pair, items without a majority.
        notes: what was left out.
    """

    scores: tuple[Scored, ...]
    raters: pl.DataFrame
    pairs: pl.DataFrame
    counts: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __getitem__(self, metric: str) -> Scored:
        """The score of a metric over all classes.

        Raises:
            UnknownNameError: it was not scored, or only dimension by dimension.
        """
        found = {score.metric: score for score in self.scores if not score.place.part}
        if metric not in found:
            raise UnknownNameError.of("score of agreement", metric, found)
        return found[metric]

    def __iter__(self) -> Iterator[Scored]:
        """Every score."""
        return iter(self.scores)

    def parts(self, metric: str) -> dict[str, Scored]:
        """A metric of every class or dimension.

        Raises:
            UnknownNameError: it has no parts here.
        """
        found = {score.place.part: score for score in self.scores if score.metric == metric and score.place.part}
        if not found:
            raise UnknownNameError.of("score of parts", metric, {s.metric for s in self.scores if s.place.part})
        return found


def agreement(
    ratings: object, *, columns: RatingColumns | None = None, options: AgreementOptions | None = None
) -> Agreement:
    """How far several raters of the same items agree.

    Args:
        ratings: ``Ratings``, or a table of them in long or wide form or as counts of votes: Polars, pandas, Arrow or a
            dict of columns.
        columns: what the columns of a table are called and mean.
        options: levels of measurement, clusters, resamples.

    Returns:
        Scores with intervals and signatures; undefined ones with their reason.

    Raises:
        InputError: the table does not hold ratings, or a level that the ratings do not have is asked for.

    Example:
        >>> votes = {"item": ["a", "b", "c", "d"], "sad": [2, 0, 3, 1], "joy": [0, 3, 0, 1]}
        >>> from affectcheck.annotations import RatingColumns
        >>> found = agreement(votes, columns=RatingColumns(counts=("sad", "joy")), options=AgreementOptions(resamples=0))
        >>> round(found["alpha_nominal"].value, 3), found.counts["no_majority"]
        (0.625, 1)
    """
    options = options or AgreementOptions()
    given = ratings if isinstance(ratings, Ratings) else read_ratings(ratings, columns)
    frame = pl.DataFrame([given.items])
    if given.subjects is not None:
        frame = frame.with_columns(given.subjects.alias("subject"))
    found = clusters(frame, options.clusters)
    rated, levels = Rated(given, found, options), _levels(given, options)
    scores = list(scores_of_all(rated, levels))
    notes = [*given.notes, *filter(None, [found.note]), *_unequal(given)]
    if given.named:
        for compared in (between_pairs(rated), with_others(rated)):
            scores += scores_of_means(rated, compared, ordered="ordinal" in levels)
            notes += notes_of(compared, options.minimum_items)
    least = options.minimum_items
    return Agreement(tuple(scores), rater_table(given, least), pair_table(given, least), _counts(given), tuple(notes))


def _unequal(ratings: Ratings) -> tuple[str, ...]:
    numbers = ratings.numbers[ratings.numbers >= 2]
    if not ratings.is_categories or not numbers.size or numbers.min() == numbers.max():
        return ()
    told = f"items have from {numbers.min()} to {numbers.max()} ratings"
    return (f"{told}: Fleiss' kappa weighs an item by their number",)


def _levels(ratings: Ratings, options: AgreementOptions) -> tuple[str, ...]:
    """Those asked for, or those of the kind of rating.

    Raises:
        InputError: differences of classes are asked for, which have none, or ratios of values below 0.
    """
    scheme = ratings.target.scheme
    if options.levels is None:
        ordered = isinstance(scheme, CategoryScheme) and scheme.ordered
        return ("interval",) if not ratings.is_categories else ("nominal", "ordinal") if ordered else ("nominal",)
    wrong = [name for name in options.levels if ratings.is_categories and name in ("interval", "ratio")]
    if wrong:
        raise InputError(
            f"alpha of level {wrong[0]} for classes",
            expected="nominal, or ordinal in the order of the declared labels",
            cause="numbers that were read as labels: name their column as a dimension",
        )
    if "ratio" in options.levels and not ratings.is_categories and np.nanmin(ratings.values) < 0.0:
        raise InputError(
            f"alpha of level ratio for values below 0, such as {np.nanmin(ratings.values):g}",
            expected="values of 0 or more",
            cause="a scale with an arbitrary zero, such as valence from -1 to 1: its level is interval",
        )
    return tuple(dict.fromkeys(options.levels))


def _counts(ratings: Ratings) -> dict[str, Any]:
    numbers = ratings.numbers
    found: dict[str, Any] = {
        "items": ratings.height,
        "ratings": int(numbers.sum()),
        "raters": len(ratings.raters) if ratings.named else None,
        "items_by_ratings": {int(m): int(n) for m, n in enumerate(np.bincount(numbers)) if n},
        "unpairable": int((numbers < 2).sum()),
    }
    if ratings.is_categories:
        tied = (majority(ratings.votes) == NO_MAJORITY) & (numbers > 0)
        alike = ((ratings.votes > 0).sum(axis=1) == 1) & (numbers >= 2)
        found |= {"no_majority": int(tied.sum()), "unanimous": int(alike.sum())}
    return found
