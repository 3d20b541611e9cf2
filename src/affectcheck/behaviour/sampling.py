"""Which items of a data set a test takes: those of a certain length, and no more of them than it wants."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.seeds import rng

if TYPE_CHECKING:
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.behaviour.definition import Definition

DURATION: Final = "duration_s"


def sampled(definition: Definition, table: AnnotationTable, *, seed: int) -> AnnotationTable:
    """The items that a test takes of a table, in table order.

    A sample depends on the seed and the items' keys, not on the order of the rows. Recordings that are paired are
    sampled as pairs, by the test itself.

    Args:
        definition: the test.
        table: the items.
        seed: the run's seed.
    """
    data = definition.data
    kept = table
    if data.duration_s is not None:
        length = _duration(table.frame)
        low, high = data.duration_s
        kept = table if length is None else table.filter(length.is_between(low, high) | length.is_null())
    if data.maximum_items is None or definition.kind == "recording":
        return kept
    per = data.maximum_items_per if data.maximum_items_per in kept.frame.columns else ""
    keys = kept.items.sort()
    drawn = rng(seed, "sample of items").permutation(len(keys))
    order = pl.DataFrame({"item": keys, "_drawn": drawn})
    rank = pl.col("_drawn").rank("ordinal")
    frame = kept.frame.join(order, on="item", how="left", maintain_order="left")
    chosen = frame.filter((rank.over(per) if per else rank) <= data.maximum_items)
    return replace(kept, frame=chosen.drop("_drawn"))


def _duration(frame: pl.DataFrame) -> pl.Expr | None:
    """The length of an item in seconds, as far as the table says it."""
    if DURATION in frame.columns:
        return pl.col(DURATION).cast(pl.Float64, strict=False)
    if {"start_us", "end_us"} <= set(frame.columns):
        return (pl.col("end_us") - pl.col("start_us")) / 1_000_000
    return None
