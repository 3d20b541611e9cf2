"""The rules of the protocol's points i to iii and v to vii (paper 1, section II-B); leaks, point iv, are elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from affectcheck.annotations.listing import plural
from affectcheck.partitions.balance import SIZE
from affectcheck.partitions.findings import Finding, Judgement, listed
from affectcheck.partitions.fragments import PRESENT
from affectcheck.partitions.left_out import left_out_of
from affectcheck.partitions.strata import balanced_targets
from affectcheck.schemes import CategoryScheme, UnitScheme

if TYPE_CHECKING:
    from collections.abc import Iterable

    from affectcheck.partitions.case import Case
    from affectcheck.records.verdict import Status

SETS: Final = ("train", "validation", "test")


def complete(case: Case) -> Judgement:
    """Whether every item is in a set but those that are left out for how their labels were made."""
    rule, height = "every item in a set", case.whole.height
    nowhere = case.whole.items.filter(case.given.parts.is_null())
    left_out = left_out_of(case.whole, case.options.partition).items
    lost = nowhere.filter(~nowhere.is_in(left_out.implode()))
    excused = len(nowhere) - len(lost)
    apart = f"; {plural(excused, 'item')} whose labels are not manual left out" if excused else ""
    if not len(lost):
        told = f"all {height} items are in a set" if not excused else f"all other items are in a set{apart}"
        return Judgement(Finding(rule, "passed", told, point="i"))
    reason = f"{len(lost)} of {height} items are in no set{apart}"
    offending = pl.DataFrame({"item": lost}).select(
        pl.lit("in no set").alias("value"), "item", pl.lit(None, dtype=pl.String).alias("set")
    )
    return Judgement(Finding(rule, "failed", reason, tuple(lost), "i"), offending)


def strangers(case: Case) -> Judgement:
    """Whether the partition names only items of the table."""
    rule, found = "every item in the table", case.given.strangers
    if not found.height:
        told = f"all {case.table.height} items of the partition are in the table"
        return Judgement(Finding(rule, "passed", told, point="i"))
    items = found.get_column("item")
    told = f"{plural(len(items), 'item')} of the partition not in the table: {listed(items.head(9).to_list())}"
    if len(items) > 9:
        told = f"{plural(len(items), 'item')} of the partition not in the table, such as {', '.join(items.head(5))}"
    offending = found.select(pl.lit("not in the table").alias("value"), "item", pl.col("part").alias("set"))
    return Judgement(Finding(rule, "failed", told, tuple(items), "i"), offending)


def three_sets(case: Case) -> Finding:
    """Point i: training, validation and test, none empty."""
    rule, names = "sets of the protocol", case.names
    empty = [name for name, count in sizes_of(case).items() if not count]
    if empty:
        return Finding(rule, "failed", f"empty: {', '.join(empty)}", point="i")
    meant = all(case.given.meaning(name) >= 0 for name in SETS)
    if len(names) != len(SETS) or not (meant or case.given.known):
        noun = "set is" if len(names) == 1 else "sets are"
        return Finding(rule, "failed", f"the {noun} {', '.join(names)}, not {', '.join(SETS)}", point="i")
    return Finding(rule, "passed", f"{len(names)} sets, none empty", point="i")


def sizes_of(case: Case) -> dict[str, int]:
    """Items of each set."""
    rows = case.balance.frame.filter(pl.col("column") == SIZE[0], pl.col("value") == SIZE[1])
    return dict(rows.select("set", "count").iter_rows())


def sizes(case: Case) -> Finding:
    """Point iii: 55, 15 and 30 %."""
    rule, found = "sizes", sizes_of(case)
    shares = ", ".join(f"{name} {count / sum(found.values()):.1%}" for name, count in found.items())
    if not case.given.known:
        return Finding(rule, "not applicable", f"other sets than the protocol's: {shares}", point="iii")
    limit = case.options.size_tolerance
    # a set cannot be nearer to its share than half of the largest unit allows
    finest = max(limit, _largest(case) / 2)
    status: Status = "passed" if case.balance.size_deviation <= finest + 1e-9 else "failed"
    wanted = ", ".join(f"{ratio:.0%}" for ratio in case.given.ratios)
    return Finding(rule, status, f"{shares}; protocol {wanted}; limit ±{finest:.1%} of all items", point="iii")


def _largest(case: Case) -> float:
    """Share of all items that the largest unit holds."""
    return float(np.bincount(case.units).max()) / case.table.height


def support(case: Case) -> Finding:
    """Point ii: every label and group is in every set, as far as enough units hold it."""
    rule, limit = "support in every set", case.options.minimum_support
    rows = case.adequacy.filter(~pl.col("verdict").is_in(["not applicable"]))
    totals = rows.group_by("column", "value").agg(pl.col("items").sum().alias("total"))
    ratio = dict(zip(case.names, case.given.ratios, strict=True))
    thin = (
        rows.filter(pl.col("items") < limit)
        .join(totals, on=["column", "value"], maintain_order="left")
        .with_columns(pl.col("set").replace_strict(ratio, return_dtype=pl.Float64).alias("ratio"))
    )
    named = f"{_unsplittable(case)}{_unheld(case)}"
    if not thin.height:
        told = f"every label and group that can be in each set has at least {limit} items there{named}"
        return Finding(rule, "passed", told, point="ii")
    owed = thin.filter((pl.col("items") == 0) | (pl.col("total") * pl.col("ratio") >= 1.25 * limit))
    cells = [
        f"{row['column']} = {row['value']} in {row['set']}: {row['items']}"
        for row in (owed if owed.height else thin).to_dicts()
    ]
    told = f"fewer than {limit} items: {listed(cells)}"
    if owed.height:
        return Finding(rule, "failed", f"{told}{named}", point="ii")
    return Finding(rule, "inconclusive", f"{told}; all sets together hold too few{named}", point="ii")


def _unsplittable(case: Case) -> str:
    found = [str(rare) for rare in case.balance.unsplittable if rare.column != SIZE[0]]
    return f"; not judged, as fewer units hold them than there are sets: {listed(found, shown=5)}" if found else ""


def _unheld(case: Case) -> str:
    """Classes and action units of the schemes that no item shows; nothing about them can be measured in any set."""
    held, found = set(case.strata.values), []
    for target in balanced_targets(case.table, case.options.partition):
        if isinstance(target.scheme, CategoryScheme):
            pairs = [(target.name, label) for label in target.scheme.labels]
        else:
            pairs = [(unit, PRESENT) for unit in target.columns] if isinstance(target.scheme, UnitScheme) else []
        found += [f"{column} = {value}" for column, value in pairs if (column, value) not in held]
    return f"; of the scheme, but of no item: {listed(found)}" if found else ""


def adequate(case: Case) -> Finding:
    """Point ii: the support of every label and group measures a share narrowly enough."""
    rule, limits = "adequate data and subjects", case.options.adequacy
    rows = case.adequacy.filter(pl.col("verdict") != "not applicable")
    by_verdict = dict(rows.group_by("verdict").len().iter_rows())
    worst = rows.sort("width", "column", "value", "set", descending=[True, False, False, False])
    wide = worst.filter(pl.col("verdict") == ("failed" if "failed" in by_verdict else "inconclusive"))
    cells = [
        f"{row['column']} = {row['value']} in {row['set']} {row['width']:.2f} ({plural(row['items'], 'item')}, "
        f"{plural(row['units'], 'unit')})"
        for row in wide.head(50).to_dicts()
    ]
    counts = f"{by_verdict.get('passed', 0)} of {rows.height} values by set allow a 95 % interval of a share of at most"
    told = f"{counts} {limits.width:.2f}, with a correlation of {limits.correlation:g} within subjects"
    if "failed" in by_verdict:
        return Finding(
            rule, "failed", f"{told}; wider, though all sets together hold enough: {listed(cells)}", point="ii"
        )
    if "inconclusive" in by_verdict:
        reason = f"{told}; wider, as all sets together hold too little: {listed(cells)}"
        return Finding(rule, "inconclusive", reason, point="ii")
    return Finding(rule, "passed", told, point="ii")


def manual(case: Case) -> Judgement:
    """Point v: affect labels made by hand only."""
    rule, point, wanted = "manual labels only", "v", case.options.partition
    targets = balanced_targets(case.table, wanted)
    if not targets:
        return Judgement(Finding(rule, "not applicable", "there are no labels to judge", point=point))
    inside, everywhere = left_out_of(case.table, wanted), left_out_of(case.whole, wanted)
    if inside.frame.height:
        told = _reasons(inside.reasons)
        placed = inside.frame.join(case.placed, on="item", maintain_order="left")
        offending = placed.select(pl.col("reason").alias("value"), "item", pl.col("part").alias("set"))
        return Judgement(Finding(rule, "failed", told, tuple(inside.items), point), offending.sort("value", "item"))
    outside = f"; left out of every set: {_reasons(everywhere.reasons)}" if everywhere.frame.height else ""
    allowed = " or ".join(wanted.provenance)
    told = f"{', '.join(target.name for target in targets)}: {allowed}{outside}"
    return Judgement(Finding(rule, "passed", told, point=point))


def _reasons(reasons: dict[str, int]) -> str:
    return "; ".join(f"{reason} ({plural(count, 'item')})" for reason, count in reasons.items())


def stated(case: Case) -> Iterable[Finding]:
    """Points vi and vii, which no partition can break."""
    names = ["F1 for expressions and action units", "CCC for valence and arousal"]
    yield Finding(
        "metrics of the protocol",
        "not applicable",
        f"a partition states no metric; `score` gives the protocol's: {', '.join(names)}",
        point="vi",
    )
    judged = balanced_targets(case.table, case.options.partition)
    told = [_format(target.name, target.scheme) for target in judged]
    apart = [name for name in case.table.targets if name not in {target.name for target in judged}]
    others = f"; labels that no rule here looks at, as they were not asked for: {listed(apart)}" if apart else ""
    yield Finding(
        "one annotation format",
        "passed" if told else "not applicable",
        f"every cell was read under one scheme: {'; '.join(told)}{others}"
        if told
        else f"there are no labels to judge{others}",
        point="vii",
    )


def _format(name: str, scheme: Any) -> str:
    if isinstance(scheme, CategoryScheme):
        return f"{name}: {scheme.name}, {len(scheme.labels)} classes"
    if isinstance(scheme, UnitScheme):
        return f"{name}: {scheme.name}, {len(scheme.units)} action units, each present, absent or unknown"
    return f"{name}: {scheme.name}, {', '.join(scheme.dimensions)} in [{scheme.low:g}, {scheme.high:g}]"
