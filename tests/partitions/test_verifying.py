"""Whether a partition still fits a table, and whether it comes out again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.annotations import make_table
from affectcheck.partitions import PartitionOptions, partition, verify
from affectcheck.schemes import Target, scheme

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.annotations import AnnotationTable
    from affectcheck.partitions import Finding, Partition

    Factory = Callable[..., AnnotationTable]


def statuses(findings: tuple[Finding, ...]) -> dict[str, str]:
    return {finding.rule: finding.status for finding in findings}


def test_a_fitting_partition_passes_every_check(corpus: Factory) -> None:
    table = corpus(9)
    found = statuses(verify(partition(table), table, again=True))
    assert found.pop("what is kept") == "not applicable"
    assert set(found.values()) == {"passed"}
    assert "made again" in found


def test_a_changed_table_is_found_out(corpus: Factory) -> None:
    table = corpus(9)
    found = partition(table)
    first = table.items[0]
    frame = table.frame.with_columns(pl.col("item").replace(first, "new"))
    findings = verify(found, replace(table, frame=frame))
    by_rule = {finding.rule: finding for finding in findings}
    assert statuses(findings) == {
        "same data": "failed",
        "every item in a set": "failed",
        "every item in the table": "failed",
        "what is left out": "passed",
        "what is kept": "not applicable",
        "balance as stated": "not applicable",
        "subject independence": "passed",
    }
    assert by_rule["every item in a set"].items == ("new",)
    assert by_rule["every item in the table"].items == (first,)
    assert "the table has digest" in by_rule["same data"].reason


def test_a_subject_in_two_sets_is_found_out(corpus: Factory) -> None:
    table = corpus(9)
    found = partition(table)
    moved = found.items("train")[0]
    part = pl.when(pl.col("item") == moved).then(pl.lit("test")).otherwise("part").alias("part")
    independence = verify(replace(found, frame=found.frame.with_columns(part)), table)[-1]
    assert independence.status == "failed"
    assert moved in independence.items
    assert "1 subject in more than one set" in independence.reason


def test_independence_that_cannot_be_judged(corpus: Factory, portraits: Factory) -> None:
    table = portraits(30)
    stated = partition(table, options=PartitionOptions(subjects="none"))
    assert verify(stated, table)[-1].status == "not applicable"
    found = partition(corpus(9))
    assert verify(found, table)[-1].status == "inconclusive"
    nameless = replace(corpus(9), frame=corpus(9).frame.drop("subject"))
    assert verify(found, nameless)[-1].status == "inconclusive"


def of_rule(rule: str, found: tuple[Finding, ...]) -> Finding:
    return next(finding for finding in found if finding.rule == rule)


@pytest.fixture
def mixed(corpus: Factory) -> AnnotationTable:
    """Seven subjects, of each of whom the first item has an automatic label."""
    table = corpus(7)
    made = pl.when(pl.col("item").str.ends_with("-000")).then(pl.lit("automatic")).otherwise(None)
    return replace(table, frame=table.frame.with_columns(made.alias("expression_provenance")))


def test_items_that_are_left_out_are_in_no_set_on_purpose(mixed: AnnotationTable) -> None:
    found = partition(mixed)
    assert found.left_out == {"expression: automatic": 7}
    assert found.notes[0] == "left out: 7 items, expression: automatic"
    told = verify(found, mixed)
    assert of_rule("every item in a set", told).reason == f"all {mixed.height - 7} items are in a set, 7 items left out"
    assert of_rule("what is left out", told).reason == "7 for expression: automatic"
    assert (
        of_rule("what is left out", verify(partition(mixed, options=PartitionOptions(targets=())), mixed)).status
        == "passed"
    )


def test_other_items_left_out_are_found_out(mixed: AnnotationTable) -> None:
    found = partition(mixed)
    told = of_rule("what is left out", verify(replace(found, left_out={"expression: automatic": 8}), mixed))
    assert (told.status, told.reason) == (
        "failed",
        "left out is by the table 7 for expression: automatic; by the manifest 8 for expression: automatic",
    )
    nothing = replace(found, left_out={}, left_out_digest="other")
    assert of_rule("what is left out", verify(nothing, mixed)).reason.endswith("by the manifest nothing")


def test_an_automatic_label_in_a_set_is_found_out(mixed: AnnotationTable) -> None:
    found = partition(mixed, options=PartitionOptions(provenance=("manual", "automatic")))
    strict = replace(found, options=PartitionOptions())
    told = of_rule("what is left out", verify(strict, mixed))
    assert told.status == "failed"
    assert told.reason == "7 items in a set whose labels are not manual"
    assert len(told.items) == 7


def test_what_is_kept_is_where_it_was(corpus: Factory) -> None:
    table = corpus(6)
    found = partition(table, keep=partition(table).frame.head(3))
    assert of_rule("what is kept", verify(found, table)).reason.startswith("3 items where they were, digest ")
    moved = found.frame.with_columns(part=pl.lit("test"))
    told = of_rule("what is kept", verify(replace(found, frame=moved), table))
    kept = found.kept.frame
    assert told.items == tuple(kept.filter(pl.col("part") != "test")["item"])
    assert told.status == ("failed" if told.items else "passed")


def test_a_balance_that_the_table_does_not_have_is_found_out(corpus: Factory) -> None:
    table = corpus(6)
    found = partition(table)
    frame = found.report.frame.with_columns(count=pl.when(pl.int_range(pl.len()) == 0).then(0).otherwise("count"))
    told = of_rule("balance as stated", verify(replace(found, report=replace(found.report, frame=frame)), table))
    assert told.status == "failed"
    right = found.report.frame.row(0, named=True)
    assert told.reason == (
        "counts of the manifest that the table does not have: expression = anger in train: 0 items of "
        f"{right['units']} units, by the table {right['count']} items of {right['units']} units"
    )
    wide = found.report.frame.with_columns(units=pl.col("units") + 1)
    told = of_rule("balance as stated", verify(replace(found, report=replace(found.report, frame=wide)), table))
    first, *others = told.reason.split("; ")
    row = wide.sort("set", "column", "value").row(0, named=True)
    place = f"{row['column']} = {row['value']} in {row['set']}"
    assert first.endswith(
        f"{place}: {row['count']} items of {row['units']} units, by the table {row['count']} items of 1 unit"
    )
    assert len(others) == 3
    assert others[-1] == f"and {wide.height - 3} more"
    more = pl.concat([found.report.frame, found.report.frame.head(1).with_columns(value=pl.lit("awe"))])
    told = of_rule("balance as stated", verify(replace(found, report=replace(found.report, frame=more)), table))
    assert told.reason.endswith(f"expression = awe in train: {right['count']} items of 2 units, by the table nothing")


def test_a_table_without_the_labels_fails_at_once(corpus: Factory) -> None:
    found = partition(corpus(6), options=PartitionOptions(targets=("expression",)))
    told = verify(found, make_table({"item": ["a"], "subject": ["s"]}, targets=[]))
    assert statuses(told) == {"same data": "failed", "same columns": "failed"}


def test_a_table_without_common_items_cannot_be_judged(corpus: Factory) -> None:
    other = make_table(
        {"item": ["a"], "subject": ["s"], "expression": ["anger"]},
        targets=[Target("expression", scheme("expressions-4"))],
    )
    told = of_rule("subject independence", verify(partition(corpus(6)), other))
    assert (told.status, told.reason) == ("inconclusive", "the partition and the table have no item in common")


# made again


def again(found: Partition, table: AnnotationTable) -> Finding:
    return verify(found, table, again=True)[-1]


def test_a_partition_comes_out_again(mixed: AnnotationTable) -> None:
    for keep in (None, partition(mixed, options=PartitionOptions(seed=5)).frame.head(4)):
        found = partition(mixed, options=PartitionOptions(seed=2), keep=keep)
        assert again(found, mixed).status == "passed"
        assert again(found, mixed).reason == f"the same {found.frame.height} items in the same sets"


def test_one_that_was_made_otherwise_does_not(corpus: Factory) -> None:
    table = corpus(6)
    found = partition(table)
    item, part = found.frame.row(0)
    other = "train" if part == "test" else "test"
    moved = found.frame.with_columns(part=pl.when(pl.col("item") == item).then(pl.lit(other)).otherwise("part"))
    changed = replace(found, frame=moved.filter(pl.col("item") != found.frame["item"][1]))
    told = again(changed, table)
    assert told.status == "failed"
    assert told.items == tuple(found.frame["item"][:2])


def test_what_cannot_be_made_again_is_said(corpus: Factory) -> None:
    table = corpus(6)
    found = partition(table)
    assert again(replace(found, reproducible=False), table).status == "not applicable"
    assert again(replace(found, data_digest="other"), table).status == "not applicable"
    keep = partition(table).frame
    torn = partition(table, keep=keep)
    frame = torn.kept.frame.with_columns(part=pl.Series(["train", "test"] * keep.height).head(keep.height))
    told = again(replace(torn, kept=replace(torn.kept, frame=frame)), table)
    assert told.status == "failed"
    assert told.reason.startswith("it cannot be made again: 6 of 6 subjects in two sets")
