"""Leaks: the same person, recording or content in two sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from affectcheck.partitions.findings import Finding, judged

if TYPE_CHECKING:
    from collections.abc import Mapping


def shared_values(frame: pl.DataFrame, values: pl.Series) -> pl.DataFrame:
    """Values that occur in more than one set.

    Args:
        frame: columns ``item`` and ``part``.
        values: one for each row; null for none.

    Returns:
        ``value``, ``sets`` (how many), ``pairs`` (pairs of items in different sets), ``items`` (a list), by value.
    """
    rows = frame.select("item", "part").with_columns(values.alias("value")).drop_nulls("value")
    inside = rows.group_by("value", "part").agg(pl.col("item").sort(), pl.len().alias("size"))
    found = inside.group_by("value").agg(
        pl.len().alias("sets"),
        ((pl.col("size").sum() ** 2 - (pl.col("size") ** 2).sum()) // 2).alias("pairs"),
        pl.col("item").list.explode().sort().alias("items"),
    )
    return found.filter(pl.col("sets") > 1).sort("value")


def leak(rule: str, frame: pl.DataFrame, values: pl.Series, noun: str) -> Finding:
    """Judge that no value is in two sets."""
    found = shared_values(frame, values)
    items = tuple(sorted(item for row in found.get_column("items").to_list() for item in row))
    names = ", ".join(found.get_column("value").cast(pl.String).head(5))
    pairs = int(found.get_column("pairs").sum())
    return judged(
        rule,
        items,
        passed=f"each of {values.n_unique() - bool(values.null_count())} {noun} is in one set only",
        failed=f"{found.height} {noun} are in more than one set, {pairs} pairs of items: {names}",
    )


def content(frame: pl.DataFrame, digests: Mapping[str, str] | None) -> Finding:
    """Judge that no content is in two sets, whatever its file is called.

    Args:
        frame: columns ``item`` and ``part``.
        digests: item to digest of its decoded samples or pixels; None where nobody computed them.
    """
    rule = "no content in two sets"
    if digests is None:
        return Finding(rule, "inconclusive", "media were not compared: no digests of their content were given")
    values = pl.Series([digests.get(item) for item in frame.get_column("item")], dtype=pl.String)
    missing = values.null_count()
    found = shared_values(frame, values)
    if not found.height and missing:
        return Finding(rule, "inconclusive", f"{missing} of {frame.height} items have no digest of their content")
    items = tuple(sorted(item for row in found.get_column("items").to_list() for item in row))
    groups = "; ".join(" = ".join(row) for row in found.get_column("items").head(5).to_list())
    pairs = int(found.get_column("pairs").sum())
    return judged(
        rule,
        items,
        passed=f"{frame.height} items, no content in two sets",
        failed=f"the same content in more than one set, {pairs} pairs of items: {groups}",
    )
