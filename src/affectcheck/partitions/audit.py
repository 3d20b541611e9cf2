"""Audit of any given partition against the rules of the fair protocol (paper 1, section II-B)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from affectcheck.errors import InputError
from affectcheck.partitions.balance import SIZE, Assigned, Balance, balance_of
from affectcheck.partitions.findings import Finding, judged
from affectcheck.partitions.leaks import content, leak
from affectcheck.partitions.options import COLUMN, NONE, PartitionOptions
from affectcheck.partitions.set_names import ALIASES
from affectcheck.partitions.strata import strata_of
from affectcheck.partitions.units import Units, units_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.partitions.partition import Partition
    from affectcheck.records.verdict import Status


@dataclass(frozen=True)
class AuditOptions:
    """Against what a partition is judged. The paper states no limits; the defaults are ours.

    Attributes:
        partition: the protocol, what is balanced, and how subjects are found.
        max_deviation: most that the share of a label or group in a set may differ from its share of all items; or
            half the share of the set's largest subject, if that is more: whole subjects allow nothing finer.
        size_tolerance: most that the size of a set may differ from the protocol, as a fraction of all items.
        minimum_support: fewest items of a label or group in a set that say anything about it.
    """

    partition: PartitionOptions = field(default_factory=PartitionOptions)
    max_deviation: float = 0.05
    size_tolerance: float = 0.05
    minimum_support: int = 5


@dataclass(frozen=True, eq=False)
class Audit:
    """What an audit found.

    Attributes:
        findings: one a rule, and one a label or group column for the distributions.
        balance: every set by every value.
    """

    findings: tuple[Finding, ...]
    balance: Balance

    @property
    def failed(self) -> tuple[Finding, ...]:
        """The findings that failed."""
        return tuple(finding for finding in self.findings if finding.status == "failed")

    def __getitem__(self, rule: str) -> Finding:
        """The finding of a rule."""
        return next(finding for finding in self.findings if finding.rule == rule)


def audit(
    table: AnnotationTable,
    given: Partition | None = None,
    *,
    digests: Mapping[str, str] | None = None,
    options: AuditOptions | None = None,
) -> Audit:
    """Judge a partition.

    Args:
        table: the items with their labels, groups and subjects.
        given: the partition; None for the table's own column ``partition``.
        digests: item to digest of its decoded content, to find copies under other names.
        options: against what it is judged.

    Returns:
        A verdict on every rule, with the offending items, and the balance.

    Raises:
        InputError: the table has no partition of its own and none is given.
    """
    options = options or AuditOptions()
    table = replace(table, frame=table.frame.sort("item"))
    parts = _parts(table, given)
    if not parts.drop_nulls().len():
        raise InputError("no item of the table is in any set", where=table.name)
    complete = judged(
        "every item in a set",
        tuple(table.items.filter(parts.is_null())),
        passed=f"all {table.height} items are in a set",
        failed=f"{parts.null_count()} of {table.height} items are in no set",
    )
    inside = replace(table, frame=table.frame.filter(parts.is_not_null()))
    parts = parts.drop_nulls()
    names, ratios, known = _sets(parts, given, options.partition)
    index = {name: code for code, name in enumerate(names)}
    sets = np.array([index[part] for part in parts], dtype=np.int64)
    units, independence = _independence(inside, parts, options.partition)
    balance = balance_of(strata_of(inside, options.partition), Assigned(sets, units, names, ratios))
    frame = pl.DataFrame({"item": inside.items, "part": parts})
    findings = (
        complete,
        _three_sets(names, balance, options.partition, known=known),
        _sizes(balance, options, known=known),
        independence,
        _recordings(inside, frame),
        content(frame, digests),
        *_distributions(balance, _limits(units, sets, names, options.max_deviation)),
        _support(balance, options),
        _manual(table, options.partition),
    )
    return Audit(findings, balance)


def _parts(table: AnnotationTable, given: Partition | None) -> pl.Series:
    """The set of each item of the sorted table; null for none."""
    if given is not None:
        return table.frame.select("item").join(given.frame, on="item", how="left").sort("item").get_column("part")
    if "partition" not in table.frame.columns:
        raise InputError(
            f"the table {table.name!r} has no partition of its own",
            expected="a column 'partition', or a partition to judge",
        )
    return table.frame.get_column("partition").cast(pl.String).alias("part")


def _sets(
    parts: pl.Series, given: Partition | None, options: PartitionOptions
) -> tuple[tuple[str, ...], tuple[float, ...], bool]:
    """Names of the sets, their target shares, and whether those are the protocol's (else the sets' own)."""
    if given is not None:
        return given.names, given.options.ratios, True
    found = sorted(parts.unique())
    meant = {name: ALIASES.get(name.strip().casefold(), name.strip().casefold()) for name in found}
    if sorted(meant.values()) == sorted(options.names):
        ordered = sorted(found, key=lambda name: options.names.index(meant[name]))
        return tuple(ordered), options.ratios, True
    return tuple(found), tuple((parts == name).sum() / len(parts) for name in found), False


def _independence(table: AnnotationTable, parts: pl.Series, options: PartitionOptions) -> tuple[np.ndarray, Finding]:
    rule = "subject independence"
    alone = np.arange(table.height)
    if options.subjects == NONE:
        return alone, Finding(rule, "not applicable", "stated: no two items show the same person")
    if options.subjects == COLUMN and not table.has_subjects:
        return alone, Finding(rule, "inconclusive", "the table does not say whose items these are")
    units: Units = units_of(table.frame, replace(options, together=()))
    frame = pl.DataFrame({"item": table.items, "part": parts})
    return units.codes, leak(rule, frame, pl.Series(units.subjects), "subjects")


def _recordings(table: AnnotationTable, frame: pl.DataFrame) -> Finding:
    rule = "no recording in two sets"
    if "media" not in table.frame.columns or table.frame.get_column("media").null_count() == table.height:
        return Finding(rule, "not applicable", "the table names no recordings")
    return leak(rule, frame, table.frame.get_column("media"), "recordings")


def _three_sets(names: tuple[str, ...], balance: Balance, options: PartitionOptions, *, known: bool) -> Finding:
    rule = "sets of the protocol"
    empty = [name for name, count in _sizes_of(balance).items() if not count]
    if empty:
        return Finding(rule, "failed", f"empty: {', '.join(empty)}")
    if not known:
        return Finding(rule, "failed", f"the sets are {', '.join(names)}, not {', '.join(options.names)}")
    return Finding(rule, "passed", f"{len(names)} sets, none empty")


def _sizes_of(balance: Balance) -> dict[str, int]:
    rows = balance.frame.filter(pl.col("column") == SIZE[0], pl.col("value") == SIZE[1])
    return dict(rows.select("set", "count").iter_rows())


def _sizes(balance: Balance, options: AuditOptions, *, known: bool) -> Finding:
    rule = "sizes"
    sizes = _sizes_of(balance)
    shares = ", ".join(f"{name} {count / sum(sizes.values()):.1%}" for name, count in sizes.items())
    if not known:
        return Finding(rule, "not applicable", f"other sets than the protocol's: {shares}")
    wanted = f"{shares}; limit ±{options.size_tolerance:.1%} of all items"
    return Finding(rule, "passed" if balance.size_deviation <= options.size_tolerance else "failed", wanted)


def _limits(units: np.ndarray, sets: np.ndarray, names: tuple[str, ...], limit: float) -> dict[str, float]:
    """For each set, what a value's share may deviate: the stated limit, or half of its largest unit."""
    halves = {}
    for code, name in enumerate(names):
        inside = np.bincount(units[sets == code]) if (sets == code).any() else np.ones(1)
        halves[name] = max(limit, float(inside.max() / inside.sum()) / 2)
    return halves


def _distributions(balance: Balance, limits: dict[str, float]) -> list[Finding]:
    findings = []
    named = balance.frame.filter(pl.col("column") != SIZE[0])
    allowed = pl.col("set").replace_strict(limits, return_dtype=pl.Float64)
    gap = ((pl.col("share") - pl.col("overall")).abs() - allowed).alias("gap")
    for name in named.get_column("column").unique(maintain_order=True):
        rows = (
            named.filter(pl.col("column") == name).with_columns(gap).sort("gap", descending=True, maintain_order=True)
        )
        worst = rows.row(0, named=True)
        reason = (
            f"{worst['value']} is {worst['share']:.1%} of {worst['set']} and {worst['overall']:.1%} of all items; "
            f"limit {limits[worst['set']]:.1%}"
        )
        status: Status = "passed" if worst["gap"] <= 1e-9 else "failed"
        findings.append(Finding(f"distribution of {name}", status, reason))
    return findings


def _support(balance: Balance, options: AuditOptions) -> Finding:
    rule = "support in every set"
    thin = balance.frame.filter(pl.col("count") < options.minimum_support)
    if not thin.height:
        return Finding(
            rule, "passed", f"every label and group has at least {options.minimum_support} items in each set"
        )
    cells = [f"{row['column']} = {row['value']} in {row['set']}: {row['count']}" for row in thin.to_dicts()]
    more = f" and {len(cells) - 8} more" if len(cells) > 8 else ""
    return Finding(rule, "failed", f"fewer than {options.minimum_support} items: {'; '.join(cells[:8])}{more}")


def _manual(table: AnnotationTable, options: PartitionOptions) -> Finding:
    rule = "manual labels only"
    if options.targets is None:
        targets = [table.target()] if table.targets else []
    else:
        targets = [table.target(name) for name in options.targets]
    if not targets:
        return Finding(rule, "not applicable", "the table has no labels")
    others = [f"{target.name}: {target.provenance}" for target in targets if target.provenance != "manual"]
    if others:
        return Finding(rule, "failed", "; ".join(others))
    return Finding(rule, "passed", f"{', '.join(target.name for target in targets)}: manual")
