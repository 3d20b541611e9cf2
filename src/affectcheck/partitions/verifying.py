"""Whether a partition still fits a table, and whether it comes out again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations.listing import name_list, plural
from affectcheck.errors import InputError
from affectcheck.partitions.balance import Assigned, balance_of
from affectcheck.partitions.findings import Finding, judged
from affectcheck.partitions.leaks import shared_values
from affectcheck.partitions.left_out import left_out_of
from affectcheck.partitions.options import NONE
from affectcheck.partitions.partition import partition as make
from affectcheck.partitions.strata import strata_of
from affectcheck.partitions.units import units_of

if TYPE_CHECKING:
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.partitions.left_out import LeftOut
    from affectcheck.partitions.partition import Partition

_SHOWN: Final = 3
_COUNTED: Final = ("set", "column", "value", "count", "units")
_OTHER_DATA: Final = "the data are not those of the partition"


def verify(partition: Partition, table: AnnotationTable, *, again: bool = False) -> tuple[Finding, ...]:
    """Whether a partition still fits a table.

    Args:
        partition: made or loaded.
        table: what it is said to divide.
        again: whether to make it once more from its options and what it kept, and compare.

    Returns:
        Findings on the data's digest, on items without a set and without a row, on what is left out and kept, on
        the stated balance, on subjects in two sets, and, if asked for, on whether it comes out again.
    """
    same = partition.data_digest == table.digest
    changed = Finding(
        "same data",
        "passed" if same else "failed",
        f"digest {table.digest}" if same else f"the table has digest {table.digest}, not {partition.data_digest}",
    )
    ordered = replace(table, frame=table.frame.sort("item"))
    try:
        left_out = left_out_of(ordered, partition.options)
    except InputError as error:
        return changed, Finding("same columns", "failed", error.what)
    found = [changed, *_coverage(partition, ordered, left_out), _left_out(partition, left_out), _kept(partition)]
    found += [_balance(partition, ordered, same=same), _independence(partition, ordered)]
    return (*found, _made_again(partition, ordered, same=same)) if again else tuple(found)


def _coverage(partition: Partition, table: AnnotationTable, left_out: LeftOut) -> tuple[Finding, Finding]:
    placed, rows = set(partition.frame.get_column("item")), set(table.items)
    homeless = rows - placed - set(left_out.items)
    without = f", {plural(len(left_out.items), 'item')} left out" if len(left_out.items) else ""
    inside = judged(
        "every item in a set",
        tuple(sorted(homeless)),
        passed=f"all {len(rows) - len(left_out.items)} items are in a set{without}",
        failed=f"{len(homeless)} of {len(rows)} items are in no set{without}",
    )
    strangers = judged(
        "every item in the table",
        tuple(sorted(placed - rows)),
        passed=f"all {len(placed)} items of the partition are in the table",
        failed=f"{len(placed - rows)} of {len(placed)} items of the partition are not in the table",
    )
    return inside, strangers


def _left_out(partition: Partition, left_out: LeftOut) -> Finding:
    """The items that should be left out are, for the reasons that the manifest counts."""
    rule = "what is left out"
    inside = set(partition.frame.get_column("item")) & set(left_out.items)
    told = "; ".join(f"{count} for {reason}" for reason, count in left_out.reasons.items()) or "nothing"
    if inside:
        reason = (
            f"{plural(len(inside), 'item')} in a set whose labels are not {' or '.join(partition.options.provenance)}"
        )
        return Finding(rule, "failed", reason, tuple(sorted(inside)))
    if not partition.left_out_digest:
        return Finding(rule, "not applicable", "the manifest is of a version that left nothing out")
    if left_out.digest != partition.left_out_digest or left_out.reasons != dict(partition.left_out):
        stated = "; ".join(f"{count} for {reason}" for reason, count in partition.left_out.items()) or "nothing"
        return Finding(rule, "failed", f"left out is by the table {told}; by the manifest {stated}")
    return Finding(rule, "passed", told)


def _kept(partition: Partition) -> Finding:
    rule = "what is kept"
    if partition.kept is None:
        return Finding(rule, "not applicable", "no part of an earlier partition was kept")
    moved = partition.kept.frame.join(partition.frame, on=["item", "part"], how="anti").get_column("item")
    return judged(
        rule,
        tuple(moved),
        passed=f"{plural(partition.kept.count, 'item')} where they were, digest {partition.kept.digest}",
        failed=f"{len(moved)} of {plural(partition.kept.count, 'item')} are not where they were",
    )


def _balance(partition: Partition, table: AnnotationTable, *, same: bool) -> Finding:
    """The counts that the manifest states are those of the table."""
    rule = "balance as stated"
    if not same:
        return Finding(rule, "not applicable", _OTHER_DATA)
    inside = replace(table, frame=table.frame.join(partition.frame.select("item"), on="item", how="semi").sort("item"))
    index = {name: code for code, name in enumerate(partition.names)}
    parts = inside.frame.select("item").join(partition.frame, on="item", how="left", maintain_order="left")
    sets = parts.get_column("part").replace_strict(index, return_dtype=pl.Int64).to_numpy()
    units = units_of(inside.frame, partition.options).codes
    found = balance_of(
        strata_of(inside, partition.options), Assigned(sets, units, partition.names, partition.options.ratios)
    )
    stated, counted = (frame.select(_COUNTED).sort(_COUNTED[:3]) for frame in (partition.report.frame, found.frame))
    if stated.equals(counted):
        return Finding(rule, "passed", f"{plural(counted.height, 'count')} of the table are those of the manifest")
    both = stated.join(counted, on=_COUNTED[:3], how="full", suffix="_table", coalesce=True).sort(_COUNTED[:3])
    wrong = both.filter(
        pl.any_horizontal(pl.col(name).ne_missing(pl.col(f"{name}_table")) for name in _COUNTED[3:])
    ).to_dicts()
    first = [
        f"{row['column']} = {row['value']} in {row['set']}: {_held(row['count'], row['units'])}, "
        f"by the table {_held(row['count_table'], row['units_table'])}"
        for row in wrong[:_SHOWN]
    ]
    more = f"; and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
    return Finding(rule, "failed", f"counts of the manifest that the table does not have: {'; '.join(first)}{more}")


def _held(items: int | None, units: int | None) -> str:
    return "nothing" if items is None or units is None else f"{plural(items, 'item')} of {plural(units, 'unit')}"


def _independence(partition: Partition, table: AnnotationTable) -> Finding:
    rule = "subject independence"
    if partition.options.subjects == NONE:
        return Finding(rule, "not applicable", "stated when it was made: no two items show the same person", point="iv")
    frame = table.frame.join(partition.frame, on="item", how="inner", maintain_order="left")
    if not frame.height:
        return Finding(rule, "inconclusive", "the partition and the table have no item in common", point="iv")
    try:
        units = units_of(frame, partition.options)
    except InputError as error:
        return Finding(rule, "inconclusive", error.what, point="iv")
    subjects = pl.Series(units.subjects)
    torn = shared_values(frame, subjects)
    return judged(
        rule,
        tuple(sorted(item for items in torn.get_column("items").to_list() for item in items)),
        passed=f"each of {plural(subjects.n_unique(), 'subject')} is in one set only",
        failed=f"{plural(torn.height, 'subject')} in more than one set: {name_list(torn.get_column('value'), shown=5)}",
        point="iv",
    )


def _made_again(partition: Partition, table: AnnotationTable, *, same: bool) -> Finding:
    rule = "made again"
    if not same:
        return Finding(rule, "not applicable", _OTHER_DATA)
    if not partition.reproducible:
        return Finding(rule, "not applicable", "a clock ended its search: another run may end elsewhere")
    kept = None if partition.kept is None else partition.kept.frame
    try:
        found = make(table, options=partition.options, keep=kept)
    except InputError as error:
        return Finding(rule, "failed", f"it cannot be made again: {error.what}")
    both = partition.frame.join(found.frame, on="item", how="full", suffix="_again", coalesce=True).sort("item")
    moved = both.filter(pl.col("part").ne_missing(pl.col("part_again"))).get_column("item")
    return judged(
        rule,
        tuple(moved),
        passed=f"the same {plural(found.frame.height, 'item')} in the same sets",
        failed=f"{len(moved)} of {plural(both.height, 'item')} are in another set; made by another version?",
    )
