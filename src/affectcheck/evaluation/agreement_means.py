"""Agreement as a mean over named raters: over their pairs, and over each rater against the others."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.annotations.listing import plural
from affectcheck.evaluation.agreement_scores import MOST_HELD, TOO_MANY, score_of
from affectcheck.evaluation.rater_rows import NO_MAJORITY, of_the_others, pairs_of
from affectcheck.metrics import METRICS
from affectcheck.metrics.kappa import kappa_of_each, weighted_kappa
from affectcheck.metrics.rules import mean_of
from affectcheck.records import Place, Undefined
from affectcheck.tallies import Confusion, Moments, Sample, Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from affectcheck.evaluation.agreement_scores import Rated
    from affectcheck.records import Scored

#: Ranks in all resamples, above which none are drawn: some seconds.
MOST_RANKED: Final = 20_000_000
_MOMENTS: Final = 14  # numbers in the moments of one dimension


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

    def tally(self, kind: type[Tally], cells: np.ndarray, shape: tuple[int, ...], labels: int) -> Any:
        """By any cells, ``labels`` being the number of classes."""
        if kind is Confusion:
            return Confusion.count(self.truth, self.prediction, labels=labels, cells=cells, n_cells=shape)
        unknown = np.isnan(self.prediction)
        truth, own = np.where(unknown, np.nan, self.truth), np.where(unknown, 0.0, self.prediction)
        count = Sample.of if kind is Sample else Moments.of
        return count(truth, own, cells=cells, n_cells=shape)


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
    for mean in _means(rated, ordered=ordered):
        yield from _scores(rated, found, mean)


@dataclass(frozen=True)
class _Mean:
    """The mean over comparisons of a statistic of one tally each; with parts, each has a last axis of them."""

    name: str
    kind: type[Tally]
    each: Callable[[Any], np.ndarray]
    parts: tuple[str, ...] = ()

    @property
    def axis(self) -> int:
        """The axis of the comparisons."""
        return -2 if self.parts else -1

    def compute(self, tally: Any) -> np.ndarray:
        """The mean, those comparisons left out in which the statistic is undefined."""
        return mean_of(np.asarray(self.each(tally)), "skip", axis=self.axis)


def _means(rated: Rated, *, ordered: bool) -> tuple[_Mean, ...]:
    parts = rated.ratings.parts
    if rated.ratings.is_categories:
        kappa = _Mean("cohen_kappa", Confusion, METRICS.get("cohen_kappa").compute)
        weighted = (_Mean("weighted_kappa", Confusion, weighted_kappa),) if ordered else ()
        return (kappa, *weighted, _Mean("cohen_kappa", Confusion, kappa_of_each, parts))
    found = [METRICS.get(name) for name in ("ccc", "pcc", "spearman")]
    return tuple(_Mean(each.name, each.tally, each.parts, parts) for each in found if each.parts is not None)


def _scores(rated: Rated, found: Comparisons, mean: _Mean) -> Iterator[Scored]:
    ratings, least, name = rated.ratings, rated.options.minimum_items, f"{mean.name}_{found.suffix}"
    parts, labels = mean.parts or ("",), len(ratings.parts) if ratings.is_categories else 0
    items = np.unique(found.item).size
    signature = rated.signature(name, items, (f"mean of {found.number} {found.of}", f"minimum={least}"))
    if not found.number:
        for part in parts:
            reason = f"no {found.of} with at least {least} items in common"
            yield Undefined(name, reason, 0, signature, Place(part=part))
        return
    tally = found.tally(mean.kind, found.code, (found.number,), labels)
    values = np.atleast_1d(mean.compute(tally))
    undefined = np.atleast_1d(np.isnan(mean.each(tally)).sum(axis=mean.axis))
    resampled: Any = _resampled(rated, found, mean, labels)
    for p, part in enumerate(parts):
        if np.isnan(values[p]):
            yield Undefined(name, f"no variation in any of the {found.of}", items, signature, Place(part=part))
        else:
            how = (mean.compute, p if part else None)
            score = score_of(float(values[p]), signature, Place(part=part), resampled, how)
            told = f"{int(undefined[p])} of {found.number} {found.of} left out: no variation"
            yield (
                replace(score, undefined_parts=int(undefined[p]), notes=(*score.notes, told)) if undefined[p] else score
            )


def _resampled(rated: Rated, found: Comparisons, mean: _Mean, labels: int) -> Any:
    """Resamples of the clusters, or why there are none: tallies of every comparison in every cluster can be many."""
    if not rated.options.resamples:
        return ""
    clusters, dimensions = rated.clusters.size, len(rated.ratings.parts)
    if mean.kind is Sample:
        heavy = found.item.size * dimensions * rated.options.resamples > MOST_RANKED
    else:
        heavy = clusters * found.number * (labels**2 or _MOMENTS * dimensions) > MOST_HELD
    if heavy:
        return TOO_MANY
    cells = rated.clusters.codes[found.item] * found.number + found.code
    return rated.resampled(found.tally(mean.kind, cells, (clusters, found.number), labels))
