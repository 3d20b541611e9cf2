"""Agreement as a mean over named raters: over their pairs, and over each rater against the others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.annotations.listing import plural
from affectcheck.evaluation.agreement_scores import MOST_HELD, TOO_MANY, score_of
from affectcheck.evaluation.rater_rows import NO_MAJORITY, of_the_others, pairs_of
from affectcheck.metrics import METRICS
from affectcheck.metrics.kappa import weighted_kappa
from affectcheck.metrics.rules import mean_of
from affectcheck.records import Place, Undefined
from affectcheck.tallies import Confusion, Moments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from affectcheck.evaluation.agreement_scores import Rated
    from affectcheck.metrics import Compute
    from affectcheck.records import Scored


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Ratings beside what they are compared with, comparison by comparison.

    Attributes:
        suffix: of the scores' names.
        of: what a comparison is of, in words.
        item: (r,) item of each row.
        code: (r,) comparison that each row belongs to, from 0.
        truth, prediction: (r,) codes, or (r, D) values, NaN where there is none.
        number: comparisons that have enough items.
        left: how many have not.
    """

    suffix: str
    of: str
    item: np.ndarray
    code: np.ndarray
    truth: np.ndarray
    prediction: np.ndarray
    number: int = 0
    left: int = field(default=0)

    def enough(self, least: int) -> Comparisons:
        """Only those comparisons that have enough items, numbered anew."""
        found, back, items = np.unique(self.code, return_inverse=True, return_counts=True)
        kept = items >= least
        rows = kept[back] if found.size else np.zeros(0, bool)
        places = (np.cumsum(kept) - 1)[back[rows]]
        return Comparisons(
            self.suffix,
            self.of,
            self.item[rows],
            places,
            self.truth[rows],
            self.prediction[rows],
            int(kept.sum()),
            int((~kept).sum()),
        )

    def tally(self, cells: np.ndarray, shape: tuple[int, ...], labels: int) -> Confusion | Moments:
        """By any cells; ``labels`` is the number of classes, 0 for dimensions."""
        if labels:
            return Confusion.count(self.truth, self.prediction, labels=labels, cells=cells, n_cells=shape)
        unknown = np.isnan(self.prediction)
        truth, own = np.where(unknown, np.nan, self.truth), np.where(unknown, 0.0, self.prediction)
        return Moments.of(truth, own, cells=cells, n_cells=shape)


def between_pairs(rated: Rated) -> Comparisons:
    """Every pair of raters on the items that both rate."""
    ratings = rated.ratings
    found = pairs_of(ratings)
    code = found.first * len(ratings.raters) + found.second
    left, right = ratings.values[found.left], ratings.values[found.right]
    pairs = Comparisons("of_pairs", "pairs of raters", found.item, code, left, right)
    return pairs.enough(rated.options.minimum_items)


def with_others(rated: Rated) -> Comparisons:
    """Every rater against the majority, or the mean, of the others."""
    ratings = rated.ratings
    truth = of_the_others(ratings)
    known = truth != NO_MAJORITY if ratings.is_categories else ~np.isnan(truth).all(axis=1)
    one = ratings.select(known)
    others = Comparisons("to_others", "raters against the others", one.item, one.rater, truth[known], one.values)
    return others.enough(rated.options.minimum_items)


def notes_of(comparisons: Comparisons, least: int) -> tuple[str, ...]:
    """What is too small to be compared."""
    if not comparisons.left:
        return ()
    if comparisons.suffix == "of_pairs":
        return (f"{plural(comparisons.left, 'pair')} of raters with fewer than {least} items in common",)
    return (f"{plural(comparisons.left, 'rater')} with fewer than {least} items that others rate too",)


def scores_of_means(rated: Rated, found: Comparisons, *, ordered: bool) -> Iterator[Scored]:
    """Means over comparisons, those left out in which a metric is undefined; of dimensions each by itself.

    Args:
        rated: the ratings.
        found: the comparisons.
        ordered: whether the order of classes counts, so that kappa is given with weights too.
    """
    for name, compute in _means(rated, ordered=ordered).items():
        yield from _scores(rated, found, f"{name}_{found.suffix}", compute)


def _means(rated: Rated, *, ordered: bool) -> dict[str, Callable[[Any], np.ndarray]]:
    if rated.ratings.is_categories:
        metrics: dict[str, Any] = {"cohen_kappa": METRICS.get("cohen_kappa").compute}
        metrics |= {"weighted_kappa": weighted_kappa} if ordered else {}
        return {name: _over(compute, -1) for name, compute in metrics.items()}
    return {name: _over(METRICS.get(name).parts, -2) for name in ("ccc", "pcc")}


def _over(compute: Compute | None, axis: int) -> Callable[[Any], np.ndarray]:
    assert compute is not None
    return lambda tally: mean_of(np.asarray(compute(tally)), "skip", axis=axis)


def _scores(rated: Rated, found: Comparisons, name: str, compute: Callable[[Any], np.ndarray]) -> Iterator[Scored]:
    ratings, least = rated.ratings, rated.options.minimum_items
    parts, labels = (("",), len(ratings.parts)) if ratings.is_categories else (ratings.parts, 0)
    items = np.unique(found.item).size
    signature = rated.signature(name, items, (f"mean of {found.number} {found.of}", f"minimum={least}"))
    if not found.number:
        for part in parts:
            reason = f"no {found.of} with at least {least} items in common"
            yield Undefined(name, reason, 0, signature, Place(part=part))
        return
    values = np.atleast_1d(compute(found.tally(found.code, (found.number,), labels)))
    size = rated.clusters.size * found.number * (labels**2 or 14 * len(parts))
    resampled: Any = TOO_MANY if size > MOST_HELD and rated.options.resamples else ""
    if not resampled and rated.options.resamples:
        cells = rated.clusters.codes[found.item] * found.number + found.code
        resampled = rated.resampled(found.tally(cells, (rated.clusters.size, found.number), labels))
    for p, part in enumerate(parts):
        if np.isnan(values[p]):
            yield Undefined(name, f"no variation in any of the {found.of}", items, signature, Place(part=part))
        else:
            yield score_of(float(values[p]), signature, Place(part=part), resampled, (compute, p if part else None))
