"""Scores of the agreement of all raters together, with intervals from resampled clusters of items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.evaluation.data_digest import DIGEST_SHOWN
from affectcheck.evaluation.signing import labels_told
from affectcheck.evaluation.uncertain import certainty_at
from affectcheck.metrics import METRICS
from affectcheck.records import Place, Score, Signature, Undefined
from affectcheck.tallies import Coincidences, Spread
from affectcheck.uncertainty import Resampling, resample
from affectcheck.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.annotations.ratings import Ratings
    from affectcheck.evaluation.grouping import Clusters
    from affectcheck.evaluation.raters_agreement import AgreementOptions
    from affectcheck.metrics import Compute, Metric
    from affectcheck.records import Scored
    from affectcheck.tallies import Tally
    from affectcheck.uncertainty import Resampled

#: Numbers in the tallies of all clusters, above which they are not resampled: 160 MB.
MOST_HELD: Final = 20_000_000
#: Distinct values above which only alpha of differences is computed, which needs no matrix of them.
MOST_VALUES: Final = 1000
TOO_MANY: Final = "too many clusters, and raters or values, to resample them"


@dataclass(frozen=True)
class Rated:
    """Ratings, and how their agreement is measured.

    Attributes:
        ratings: the ratings.
        clusters: of their items.
        options: resamples, seed, coverage, minimum of items.
    """

    ratings: Ratings
    clusters: Clusters
    options: AgreementOptions

    @property
    def where(self) -> dict[str, Any]:
        """The cluster of each item, as tallies take it."""
        return {"cells": self.clusters.codes, "n_cells": self.clusters.size}

    def resampled(self, tallies: Tally | None) -> Resampled[Any] | str:
        """Resamples of tallies by cluster; or why there are none, nothing where none are asked for."""
        if not self.options.resamples:
            return ""
        if tallies is None:
            return TOO_MANY
        asked = self.options
        return resample(tallies, Resampling(asked.resamples, asked.seed, asked.level, unit=self.clusters.unit))

    def signature(self, metric: str, items: int, options: tuple[str, ...] = ()) -> Signature:
        """The signature of one score."""
        told = Signature(
            metric,
            labels=labels_told(self.ratings.parts),
            target=self.ratings.target.name,
            options=",".join(options),
            data=f"{self.ratings.name or 'ratings'}@{self.ratings.digest[:DIGEST_SHOWN]}",
            n=str(items),
            clusters=str(self.clusters),
            version=__version__,
        )
        asked = self.options
        if not asked.resamples:
            return told
        how = Resampling(asked.resamples, asked.seed, asked.level)
        return told.with_(resamples=how.signed, seed=str(asked.seed))


def score_of(
    value: float, signature: Signature, place: Place, resampled: Resampled[Any] | str, how: tuple[Compute, int | None]
) -> Score:
    """A defined value with its interval, or the note that says why there is none.

    Args:
        value: the value.
        signature: how it was made.
        place: what it is of.
        resampled: what the interval comes from, or why there is none.
        how: the statistic, and the place of the value among its parts.
    """
    support = int(signature.n)
    if isinstance(resampled, str):
        return Score(
            signature.metric,
            value,
            support,
            signature,
            place,
            notes=(f"no interval: {resampled}",) if resampled else (),
        )
    compute, index = how
    certainty = certainty_at(resampled.intervals(compute), *(() if index is None else (index,)))
    return Score(signature.metric, value, support, signature, place, certainty.interval, notes=certainty.notes)


def scores_of_all(rated: Rated, levels: tuple[str, ...]) -> Iterator[Scored]:
    """Alpha of each level, and kappa of classes; of classes each against all others, of dimensions each by itself."""
    if rated.ratings.is_categories:
        yield from _of_classes(rated, levels)
        return
    for index, name in enumerate(rated.ratings.parts):
        one = rated.ratings.dimension(index)
        for level in levels:
            yield _of_dimension(rated, one, level, Place(part=name))


def _of_classes(rated: Rated, levels: tuple[str, ...]) -> Iterator[Scored]:
    counted = Coincidences.count(rated.ratings.votes, **rated.where)
    metrics = [METRICS.get(f"alpha_{level}") for level in levels]
    metrics += [METRICS.get("fleiss_kappa")] if "nominal" in levels else []
    whole, resampled = counted.pooled(0), rated.resampled(counted)
    for metric in metrics:
        yield _whole(rated, metric, (whole, resampled), Place(), rated.ratings.parts)
    for metric in metrics:
        if metric.parts is not None:
            yield from _of_parts(rated, metric, whole, resampled)


def _of_parts(rated: Rated, metric: Metric, tally: Coincidences, resampled: Resampled[Any] | str) -> Iterator[Scored]:
    """One class against all others."""
    assert metric.parts is not None
    parts = rated.ratings.parts
    values, reasons = metric.parts(tally), metric.part_reasons(tally, parts)
    signature = rated.signature(metric.name, int(tally.pairable), metric.options)
    for c, part in enumerate(parts):
        if np.isnan(values[c]):
            yield Undefined(metric.name, reasons[c], int(tally.pairable), signature, Place(part=part))
        else:
            yield score_of(float(values[c]), signature, Place(part=part), resampled, (metric.parts, c))


def _of_dimension(rated: Rated, one: Ratings, level: str, place: Place) -> Scored:
    metric = METRICS.get(f"alpha_{level}")
    if level == "interval":
        spread = Spread.of(one.item, one.values, items=one.height, **rated.where)
        return _whole(rated, metric, (spread.pooled(0), rated.resampled(spread)), place)
    values, codes = np.unique(one.values, return_inverse=True)
    if values.size > MOST_VALUES:
        items = int((one.numbers >= 2).sum())
        reason = f"{values.size} distinct values: more than the {MOST_VALUES} whose pairs are counted"
        return Undefined(metric.name, reason, items, rated.signature(metric.name, items, metric.options), place)
    votes = np.bincount(one.item * values.size + codes, minlength=one.height * values.size)
    votes = votes.reshape(one.height, values.size)
    heavy = rated.clusters.size * values.size**2 > MOST_HELD
    counted = None if heavy else Coincidences.count(votes, values=values, **rated.where)
    whole = Coincidences.count(votes, values=values)
    return _whole(rated, metric, (whole, rated.resampled(counted)), place, tuple(f"{v:g}" for v in values))


def _whole(
    rated: Rated,
    metric: Metric,
    found: tuple[Coincidences | Spread, Resampled[Any] | str],
    place: Place,
    names: tuple[str, ...] = (),
) -> Scored:
    tally, resampled = found
    value, items = float(metric.compute(tally)), int(tally.pairable)
    signature = rated.signature(metric.name, items, metric.options)
    if np.isnan(value):
        return Undefined(metric.name, metric.reason(tally, names), items, signature, place)
    return score_of(value, signature, place, resampled, (metric.compute, None))
