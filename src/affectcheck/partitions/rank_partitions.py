"""Rankings on the test sets of two partitions, from predictions of several models for all items."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from affectcheck.annotations.listing import plural
from affectcheck.digest import digest_table
from affectcheck.errors import UnknownNameError
from affectcheck.evaluation import EvaluationOptions, evaluate
from affectcheck.evaluation.data_digest import DIGEST_SHOWN
from affectcheck.partitions.partition import Partition
from affectcheck.partitions.rank_change import RankChange, rank_change
from affectcheck.partitions.rank_options import RankOptions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.evaluation import ScoredItems
    from affectcheck.predictions import PredictionTable


def rank_change_of_partitions(
    truth: AnnotationTable,
    predictions: Mapping[str, PredictionTable],
    partitions: tuple[Partition | pl.DataFrame | str, Partition | pl.DataFrame | str],
    *,
    options: RankOptions | None = None,
    evaluation: EvaluationOptions | None = None,
) -> RankChange:
    """Rank the same predictions on the test sets of two partitions.

    Args:
        truth: annotations of all items.
        predictions: model to its predictions, which hold the items of both test sets.
        partitions: each a partition, a frame of ``item`` and ``part``, or the name of a column of the table.
        options: metric, names, draws.
        evaluation: target, clusters, mapping; its ``part`` is the set that is scored, ``test`` where it is empty.

    Raises:
        UnknownNameError: no such column or set, or a partition of other items.
        InputError: an item has no prediction, or a set is empty.
    """
    chosen, told = options or RankOptions(), evaluation or EvaluationOptions()
    part = told.part or "test"
    frames = [_frame(truth, one) for one in partitions]
    sides: list[dict[str, ScoredItems]] = []
    for frame, name in zip(frames, chosen.names, strict=True):
        items = _items(frame, part, name)
        digest = digest_table(frame)[:DIGEST_SHOWN]
        asked = replace(
            told, part=f"{part} of {name}@{digest}", resamples=0, metrics=(chosen.metric,) if chosen.metric else None
        )
        table = truth.select(items)
        sides.append(
            {
                model: evaluate(table, one.select(items), options=asked).scored_items
                for model, one in predictions.items()
            }
        )
    found = rank_change(*sides, options=chosen)
    return replace(found, notes=(*found.notes, *_seen(frames, part, chosen.names)))


def _frame(truth: AnnotationTable, given: Partition | pl.DataFrame | str) -> pl.DataFrame:
    """``item`` and ``part``."""
    if isinstance(given, Partition):
        return given.frame
    if isinstance(given, pl.DataFrame):
        return given.select("item", "part")
    if given not in truth.frame.columns:
        raise UnknownNameError.of("column of a partition", given, truth.frame.columns)
    return truth.frame.select("item", pl.col(given).cast(pl.String).alias("part")).drop_nulls()


def _items(frame: pl.DataFrame, part: str, name: str) -> pl.Series:
    known = frame.get_column("part").drop_nulls().unique().sort().to_list()
    if part not in known:
        raise UnknownNameError.of(f"set of the partition {name}", part, known)
    return frame.filter(pl.col("part") == part).get_column("item")


def _seen(frames: list[pl.DataFrame], part: str, names: tuple[str, str]) -> tuple[str, ...]:
    """How much of one test set is outside the other's, where a model of that partition may have been trained on it."""
    said = []
    for own, other, name, trained in ((0, 1, names[0], names[1]), (1, 0, names[1], names[0])):
        tested = frames[own].filter(pl.col("part") == part)
        elsewhere = frames[other].filter(pl.col("part") != part)
        both = tested.join(elsewhere, on="item", how="semi").height
        if both:
            said.append(
                f"{both} of {plural(tested.height, 'item')} tested in {name} are outside the set {part!r} of {trained}: "
                f"a model that was trained on {trained} may have seen them"
            )
    return tuple(said)
