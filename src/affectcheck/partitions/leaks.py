"""Leaks: the same person, recording or content in two sets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations.listing import plural
from affectcheck.partitions.findings import Finding, Judgement, counted, judged, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.partitions.contents import Contents
    from affectcheck.partitions.copies import Copies
    from affectcheck.records.verdict import Status

_POINT: Final = "iv"
_SHOWN: Final = 5
NOT_COMPARED: Final = "media were not compared: no digests of their content were given"


def shared_values(frame: pl.DataFrame, values: pl.Series) -> pl.DataFrame:
    """Values that occur in more than one set.

    Args:
        frame: columns ``item`` and ``part``.
        values: one for each row; null for none.

    Returns:
        ``value``, ``sets`` (how many), ``pairs`` (pairs of items in different sets), ``items`` (a list), by value.
    """
    inside = shared_items(frame, values).group_by("value", "part").agg(pl.col("item"), pl.len().alias("size"))
    found = inside.group_by("value").agg(
        pl.len().alias("sets"),
        ((pl.col("size").sum() ** 2 - (pl.col("size") ** 2).sum()) // 2).alias("pairs"),
        pl.col("item").list.explode().sort().alias("items"),
    )
    return found.sort("value")


def shared_items(frame: pl.DataFrame, values: pl.Series) -> pl.DataFrame:
    """The items whose value occurs in more than one set: ``value``, ``item``, ``part``, by value and item."""
    rows = frame.select(values.alias("value"), "item", "part")
    sets = rows.select("value", "part").unique().drop_nulls()
    twice = sets.group_by("value").len().filter(pl.col("len") > 1)
    return rows.join(twice.select("value"), on="value", how="semi").sort("value", "item")


def leaks_of(rule: str, frame: pl.DataFrame, values: pl.Series, noun: str) -> Judgement:
    """Judge that no value is in two sets, with the items that share one.

    Args:
        rule: its name.
        frame: columns ``item`` and ``part``.
        values: one for each row; null for none.
        noun: what the values are, in the plural.
    """
    items = shared_items(frame, values)
    found = shared_values(items.select("item", "part"), items.get_column("value"))
    names = ", ".join(found.get_column("value").cast(pl.String).head(_SHOWN))
    pairs = int(found.get_column("pairs").sum())
    finding = judged(
        rule,
        tuple(items.get_column("item").sort()),
        passed=f"each of {counted(values.n_unique() - bool(values.null_count()), noun)} is in one set only",
        failed=f"{counted(found.height, noun)} {'is' if found.height == 1 else 'are'} in more than one set, "
        f"{counted(pairs, 'pairs of items')}: {names}",
        point=_POINT,
    )
    return Judgement(finding, _offending(items))


def _offending(items: pl.DataFrame) -> pl.DataFrame:
    return items.select(pl.col("value").cast(pl.String), "item", pl.col("part").alias("set"))


def content(frame: pl.DataFrame, contents: Contents | None, *, named: bool = True) -> Judgement:
    """Judge that no content is in two sets, whatever its file is called.

    Args:
        frame: columns ``item`` and ``part``.
        contents: digests of the decoded samples or pixels; None where nobody computed them.
        named: whether the table names media at all.
    """
    rule = "no content in two sets"
    if contents is None:
        return Judgement(_not_compared(rule, named=named))
    rows = frame.select("item", "part")
    values = rows.get_column("item").replace_strict(contents.digests, default=None, return_dtype=pl.String)
    missing = values.null_count()
    items = shared_items(rows, values)
    if not items.height and missing:
        return Judgement(Finding(rule, "inconclusive", f"{_without(frame, contents)}{_unread(contents)}", point=_POINT))
    found = shared_values(items.select("item", "part"), items.get_column("value"))
    groups = "; ".join(" = ".join(row) for row in found.get_column("items").head(_SHOWN).to_list())
    pairs = int(found.get_column("pairs").sum())
    twice = len(values) - missing - values.drop_nulls().n_unique()
    again = f"; {plural(twice, 'item')} of content that another item of the set holds, no leak" if twice else ""
    finding = judged(
        rule,
        tuple(items.get_column("item").sort()),
        passed=f"{frame.height} items, no content in two sets{again}",
        failed=f"the same content in more than one set, {counted(pairs, 'pairs of items')}: {groups}{_unread(contents)}",
        point=_POINT,
    )
    # a group of copies is called after its first item: digests mean nothing to a reader
    by_first = items.with_columns(pl.format("copies of {}", pl.col("item").first().over("value")).alias("value"))
    return Judgement(finding, _offending(by_first))


def _not_compared(rule: str, *, named: bool) -> Finding:
    if not named:
        return Finding(rule, "not applicable", "the table names no media", point=_POINT)
    return Finding(rule, "inconclusive", NOT_COMPARED, point=_POINT)


def near_content(
    frame: pl.DataFrame, contents: Contents | None, copies: Copies | None, *, named: bool = True
) -> Judgement:
    """Judge that no content is nearly that of an item of another set. A caution: near is not the same.

    Args:
        frame: columns ``item`` and ``part``.
        contents: of the items; None where nobody decoded them.
        copies: what was compared; None where nothing was.
        named: whether the table names media at all.
    """
    rule = "no near copy in two sets"
    if contents is None or copies is None:
        return Judgement(_not_compared(rule, named=named))
    apart = pl.col("part").is_not_null() & pl.col("other_part").is_not_null() & (pl.col("part") != pl.col("other_part"))
    pairs = copies.near.filter(apart).sort("distance", "item", "other")
    within = copies.near.height - pairs.height
    also = f"; {plural(within, 'pair')} within one set, no leak" if within else ""
    also += f"; {plural(copies.left_out, 'pair')} not looked at" if copies.left_out else ""
    rest = _without(frame, contents)
    if not pairs.height:
        status: Status = "inconclusive" if rest else "passed"
        told = f"no pair of near copies is in two sets{also}{f'; {rest}' if rest else ''}"
        return Judgement(Finding(rule, status, told, point=_POINT))
    near = [f"{row['item']} ≈ {row['other']} ({row['kind']}, {row['distance']:.3f})" for row in pairs.to_dicts()]
    reason = f"{plural(pairs.height, 'pair')} of near copies in two sets, to be looked at: {listed(near)}{also}"
    value = pl.format("{} ≈ {} ({}, {})", "item", "other", "kind", pl.col("distance").round(3)).alias("value")
    told_apart = pairs.with_columns(value)
    both = pl.concat(
        [
            told_apart.select("value", "item", pl.col("part").alias("set")),
            told_apart.select("value", pl.col("other").alias("item"), pl.col("other_part").alias("set")),
        ]
    )
    items = tuple(both.get_column("item").unique().sort())
    return Judgement(Finding(rule, "inconclusive", reason, items, _POINT), both.sort("value", "item"))


def _without(frame: pl.DataFrame, contents: Contents) -> str:
    """How many items nothing is known of; empty for none."""
    missing = frame.height - sum(item in contents.digests for item in frame.get_column("item"))
    return f"{missing} of {frame.height} items have no digest of their content" if missing else ""


def _unread(contents: Contents) -> str:
    faults = contents.faults
    if not faults:
        return ""
    told = [f"{told_of(items)}: {why.splitlines()[0]}" for why, items in faults.items()]
    return f"; of {plural(len(contents.unreadable), 'item')} the media could not be read: {listed(told, shown=3)}"


def told_of(items: Sequence[str]) -> str:
    """The first of some items, and how many others there are.

    Example:
        >>> told_of(["a", "b", "c"])
        'a and 2 others'
    """
    more = len(items) - 1
    return f"{items[0]} and {more} other{'s' if more > 1 else ''}" if more else items[0]
