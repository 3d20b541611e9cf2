"""The same models on two test sets, tallied by cluster, so that both are resampled, cut and dealt anew without rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from affectcheck.annotations.listing import name_list, plural
from affectcheck.digest import digest_table
from affectcheck.errors import InputError
from affectcheck.evaluation.contest import aligned_of
from affectcheck.evaluation.counting import lacks
from affectcheck.evaluation.data_digest import DIGEST_SHOWN
from affectcheck.evaluation.entrants import Entrant, same_items
from affectcheck.evaluation.grouping import Clusters
from affectcheck.evaluation.tallying import TallyBook
from affectcheck.evaluation.uncertain import ranked_too_long
from affectcheck.metrics import METRICS
from affectcheck.schemes import TASKS
from affectcheck.tallies import Sample

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.evaluation import Layout, ScoredItems
    from affectcheck.metrics import Metric
    from affectcheck.partitions.rank_options import RankOptions
    from affectcheck.tallies import Tally

#: Lots that single items are dealt into where they are many, on one set or on both.
MOST_LOTS: Final = 2000


@dataclass(frozen=True, eq=False)
class RankedSet:
    """Models on the items of one test set.

    Attributes:
        name: what it is called.
        tallies: of each model, over the clusters of both sets, empty for those that this set does not hold.
        held: (S,) clusters that it holds.
        items: number of items.
        digest: of keys, truth and clusters.
        told: data and part, as they stand in signatures.
    """

    name: str
    tallies: tuple[Any, ...]
    held: np.ndarray
    items: int
    digest: str
    told: str


@dataclass(frozen=True, eq=False)
class Board:
    """The same models on two test sets.

    Attributes:
        models: their names.
        metric: by which they are ranked.
        layout: what was predicted.
        sets: the two test sets.
        unit: what a cluster is.
        shared_items: items that are in both sets.
        notes: what the reader must know.
    """

    models: tuple[str, ...]
    metric: Metric
    layout: Layout
    sets: tuple[RankedSet, RankedSet]
    unit: str
    shared_items: int
    notes: tuple[str, ...] = ()

    @property
    def shared(self) -> np.ndarray:
        """(S,) clusters that both sets hold items of."""
        return np.asarray(self.sets[0].held & self.sets[1].held)

    def scores(self, of: RankedSet, clusters: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """(b, M) scores under weights of some clusters, turned so that higher is ahead; NaN where undefined.

        Args:
            of: the test set whose answers are taken.
            clusters: (k,) which clusters the weights are of.
            weights: (b, k) how often each counts.
        """
        turned = 1.0 if self.metric.higher_is_better else -1.0
        found = np.stack([self.metric.compute(tally[clusters].weighted(weights)) for tally in of.tallies], axis=-1)
        return np.asarray(turned * found)

    def dealt(self, clusters: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(b, M) scores of both sets where clusters of either are dealt to one or the other, with their answers.

        Args:
            clusters: (k,) clusters that one set alone holds.
            weights: (b, k) 1 where one is dealt to the first set.
        """
        turned = 1.0 if self.metric.higher_is_better else -1.0
        kept = np.flatnonzero(self.shared)
        sides: list[list[np.ndarray]] = [[], []]
        for pair in zip(self.sets[0].tallies, self.sets[1].tallies, strict=True):
            either = pair[0][clusters] + pair[1][clusters]
            for side, mine in enumerate((weights, 1 - weights)):
                whole = either.weighted(mine)
                if kept.size:
                    always = pair[side][kept].weighted(np.ones((1, kept.size), np.uint8))
                    whole = whole + always[np.zeros(len(mine), np.intp)]
                sides[side].append(turned * self.metric.compute(whole))
        return np.stack(sides[0], axis=-1), np.stack(sides[1], axis=-1)


def board_of(first: Mapping[str, ScoredItems], second: Mapping[str, ScoredItems], options: RankOptions) -> Board:
    """Tally the models that both sets have.

    Args:
        first: model to its scored items on the first test set.
        second: the same on the second.
        options: metric, names of the sets, resamples.

    Raises:
        InputError: the models answered other items within a set, or the sets ask for other things.
        UnknownNameError: no such metric.
    """
    names = options.names
    models = tuple(model for model in first if model in second)
    if not models:
        raise InputError(
            f"no model is on both sets: {name_list(first)} on {names[0]}, {name_list(second)} on {names[1]}",
            expected="models that are called the same on both",
            cause="models that carry the name of the set they were scored on",
        )
    sides = [[side[model] for model in models] for side in (first, second)]
    ordered = [_same_items(one, models, name) for one, name in zip(sides, names, strict=True)]
    _require_alike(ordered[0][0], ordered[1][0], names)
    frames = [one[0].frame for one in ordered]
    layouts = [one[0].layout for one in ordered]
    chosen = _metric(options.metric, layouts[0])
    codes, size, dealt = _codes(frames, layouts)
    sets = []
    for one, frame, own, name in zip(ordered, frames, codes, names, strict=True):
        if not frame.height:
            raise InputError(f"no scored items on {name}", expected="at least one")
        sets.append(_tallied(one, (chosen, options.resamples), (own, size), name))
    inside = frames[0].select("item").join(frames[1].select("item"), on="item", how="semi").height
    alone = [f"{side} alone: {name_list(left)}" for side, left in _alone(first, second, names) if left]
    notes = (*(f"left out, since they are on {text}" for text in alone), *dealt)
    return Board(models, chosen, layouts[0], (sets[0], sets[1]), layouts[0].unit, inside, notes)


def _alone(first: Mapping[str, Any], second: Mapping[str, Any], names: tuple[str, str]) -> list[tuple[str, list[str]]]:
    only = [[m for m in one if m not in other] for one, other in ((first, second), (second, first))]
    return list(zip(names, only, strict=True))


def _same_items(items: list[ScoredItems], models: tuple[str, ...], name: str) -> list[ScoredItems]:
    entrants = [Entrant(model, (), one, name) for model, one in zip(models, items, strict=True)]
    return [entrant.items for entrant in same_items(entrants, ())]


def _require_alike(first: ScoredItems, second: ScoredItems, names: tuple[str, str]) -> None:
    told = [(one.layout.kind, one.layout.parts, one.layout.unit) for one in (first, second)]
    if told[0] != told[1]:
        said = [f"{n}: {u} clusters of {k}: {', '.join(p)}" for n, (k, p, u) in zip(names, told, strict=True)]
        raise InputError(
            f"the two sets ask for other things: {'; '.join(said)}", expected="the same classes and kind of cluster"
        )


def _metric(name: str, layout: Layout) -> Metric:
    found = METRICS.get(name or TASKS[layout.kind].headline)
    if found.kind != layout.kind or found.level != "overall" or found.higher_is_better is None:
        raise InputError(
            f"models cannot be ranked by {found.name}, a score of level {found.level!r} for {found.kind}",
            expected=f"a metric over all items, such as {', '.join(TASKS[layout.kind].metrics)}",
        )
    if found.number_of_parts not in (0, len(layout.parts)):
        raise InputError(
            f"{found.name} is defined for {found.number_of_parts} {layout.kind}, not for {len(layout.parts)}",
            expected=f"a metric such as {TASKS[layout.kind].headline}",
        )
    return found


def _tallied(
    items: list[ScoredItems], asked: tuple[Metric, int], clusters: tuple[np.ndarray, int], name: str
) -> RankedSet:
    (metric, resamples), (codes, size) = asked, clusters
    tallies: list[Tally] = []
    for one in items:
        aligned = aligned_of(one)
        missing = lacks(metric.tally, aligned)
        if missing:
            raise InputError(
                f"{metric.name} of models on {name}: {missing}", expected="a metric of the decisions, or their scores"
            )
        too_long = ranked_too_long(aligned.height * len(aligned.parts), resamples) if metric.tally is Sample else ""
        if too_long:
            raise InputError(f"{metric.name} on {name}: {too_long}", expected="fewer resamples, or another metric")
        book = TallyBook(aligned, Clusters("subject", codes, size), most_blocks=size)
        tallies.append(book.by_cluster(metric.tally))
    layout, frame = items[0].layout, items[0].frame
    digest = digest_table(frame.select("item", "cluster", *layout.truth_columns))[:DIGEST_SHOWN]
    told = f"{layout.data.partition('@')[0] or name}@{digest}" + (f" {layout.part}" if layout.part else "")
    held = np.bincount(codes, minlength=size) > 0
    return RankedSet(name, tuple(tallies), held, frame.height, digest, told)


def _codes(frames: list[pl.DataFrame], layouts: list[Layout]) -> tuple[list[np.ndarray], int, tuple[str, ...]]:
    """Clusters of the items of both sets by number; the same number for the same cluster, and how many there are.

    Clusters of two data sets that have no item in common are others, whatever they are called.
    """
    data = {one.data.partition("@")[0] for one in layouts}
    common = frames[0].join(frames[1], on="item", how="semi").height > 0
    apart = len(data) > 1 and not common
    keys = []
    for side, frame in enumerate(frames):
        name = frame.get_column("cluster").fill_null("\0" + frame.get_column("item"))
        keys.append(f"{side} " + name if apart else name)
    known = pl.concat([keys[0].unique(), keys[1].unique()]).alias("key").to_frame()
    known = known.group_by("key").len().with_columns(first=pl.col("key").is_in(keys[0].unique().implode()))
    known = known.with_columns(kind=pl.when(pl.col("len") == 2).then(0).when("first").then(1).otherwise(2))
    known = known.sort("kind", "key").with_columns(
        place=pl.int_range(pl.len()).over("kind"), often=pl.len().over("kind")
    )
    single = layouts[0].unit == "item"
    lot = pl.col("place") % MOST_LOTS if single else pl.col("place")
    known = known.with_columns(lot=lot).with_columns(code=pl.struct("kind", "lot").rank("dense") - 1)
    codes = [
        one.to_frame("key").join(known, on="key", how="left", maintain_order="left").get_column("code").to_numpy()
        for one in keys
    ]
    size = int(known.get_column("code").n_unique())
    many = single and bool((known.get_column("often") > MOST_LOTS).any())
    told = (f"items were dealt into {plural(size, 'lot')}, each drawn as one",) if many else ()
    return [code.astype(np.int64) for code in codes], size, told
