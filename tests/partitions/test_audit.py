"""Audits of given partitions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.annotations import make_table
from affectcheck.errors import InputError
from affectcheck.media.audio import decode_audio
from affectcheck.partitions import AuditOptions, PartitionOptions, audit, partition
from affectcheck.schemes import Target, scheme

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

    Factory = Callable[..., AnnotationTable]

LOOSE = AuditOptions(max_deviation=0.3, size_tolerance=0.2, minimum_support=1)


def own(table: AnnotationTable, names: dict[str, str] | None = None) -> AnnotationTable:
    """The table with a partition of its own, under other names."""
    labelled = partition(table).labelled(table)
    return replace(labelled, frame=labelled.frame.with_columns(pl.col("partition").replace(names or {})))


def test_our_own_partition_passes(corpus: Factory) -> None:
    table = corpus(45)
    digests = {item: item for item in table.items}
    found = audit(table, partition(table), digests=digests)
    assert {finding.status for finding in found.findings} == {"passed"}, found.failed
    assert found.failed == ()
    assert [finding.rule for finding in found.findings] == [
        "every item in a set",
        "sets of the protocol",
        "sizes",
        "subject independence",
        "no recording in two sets",
        "no content in two sets",
        "distribution of expression",
        "distribution of sex",
        "distribution of age",
        "support in every set",
        "manual labels only",
    ]


def test_names_that_databases_use_are_understood(corpus: Factory) -> None:
    found = audit(own(corpus(45), {"train": "Training", "validation": "dev"}), options=LOOSE)
    assert found["sets of the protocol"].status == "passed"
    assert found["sizes"].status == "passed"
    assert set(found.balance.frame["set"]) == {"Training", "dev", "test"}


def test_two_sets_are_not_the_protocol(corpus: Factory) -> None:
    found = audit(own(corpus(20), {"validation": "train"}), options=LOOSE)
    assert found["sets of the protocol"].status == "failed"
    assert "the sets are test, train, not train, validation, test" in found["sets of the protocol"].reason
    assert found["sizes"].status == "not applicable"
    assert found.balance.size_deviation == 0.0


def test_an_empty_set_fails(corpus: Factory) -> None:
    table = corpus(9)
    given = partition(table)
    all_train = given.frame.with_columns(pl.lit("train").alias("part"))
    found = audit(table, replace(given, frame=all_train))
    assert found["sets of the protocol"].reason == "empty: validation, test"
    assert found["sizes"].status == "failed"


def test_items_in_no_set_are_named(corpus: Factory) -> None:
    table = own(corpus(9))
    lost = table.items.sort()[3]
    frame = table.frame.with_columns(pl.when(pl.col("item") != lost).then("partition").alias("partition"))
    found = audit(replace(table, frame=frame))
    assert found["every item in a set"].items == (lost,)


def test_a_subject_in_two_sets(corpus: Factory) -> None:
    table = own(corpus(9))
    one = table.frame.filter(pl.col("partition") == "train").row(0, named=True)
    part = pl.when(pl.col("item") == one["item"]).then(pl.lit("test")).otherwise("partition").alias("partition")
    finding = audit(replace(table, frame=table.frame.with_columns(part)))["subject independence"]
    assert finding.status == "failed"
    assert one["item"] in finding.items
    assert one["subject"] in finding.reason


def test_a_recording_in_two_sets() -> None:
    frame = pl.DataFrame(
        {
            "item": ["a#0", "a#1", "b#0", "c#0"],
            "media": ["a.wav", "a.wav", "b.wav", None],
            "partition": ["train", "test", "validation", "test"],
        }
    )
    table = make_table(frame, targets=[])
    finding = audit(table)["no recording in two sets"]
    assert finding.status == "failed"
    assert finding.items == ("a#0", "a#1")
    assert finding.reason == "1 recordings are in more than one set, 1 pairs of items: a.wav"


def test_what_cannot_be_judged(portraits: Factory) -> None:
    table = portraits(60)
    given = partition(table, options=PartitionOptions(subjects="none"))
    found = audit(table, given)
    assert found["subject independence"].status == "inconclusive"
    assert found["no recording in two sets"].status == "not applicable"
    assert found["no content in two sets"].status == "inconclusive"
    stated = AuditOptions(partition=PartitionOptions(subjects="none", targets=()))
    assert audit(table, given, options=stated)["subject independence"].status == "not applicable"
    assert audit(table, given, digests={table.items[0]: "x"})["no content in two sets"].status == "inconclusive"


def test_labels_and_their_making(corpus: Factory) -> None:
    table = own(corpus(9))
    automatic = {"expression": Target("expression", scheme("expressions-4"), provenance="automatic")}
    finding = audit(replace(table, targets=automatic))["manual labels only"]
    assert (finding.status, finding.reason) == ("failed", "expression: automatic")
    named = AuditOptions(partition=PartitionOptions(targets=("expression",)))
    assert audit(table, options=named)["manual labels only"].status == "passed"
    bare = make_table(table.frame.drop("expression"), targets=[], groups=("sex",))
    assert audit(bare)["manual labels only"].status == "not applicable"


def test_thin_support_is_listed(corpus: Factory) -> None:
    finding = audit(own(corpus(9)), options=AuditOptions(minimum_support=1000))["support in every set"]
    assert finding.status == "failed"
    assert "fewer than 1000 items" in finding.reason
    assert "more" in finding.reason


def test_a_skewed_distribution_fails_with_its_numbers() -> None:
    sexes = ["female"] * 60 + ["male"] * 40
    parts = ["train"] * 55 + ["validation"] * 5 + ["validation"] * 10 + ["test"] * 30
    frame = pl.DataFrame({"item": [f"{n:03d}" for n in range(100)], "sex": sexes, "partition": parts})
    finding = audit(make_table(frame, targets=[], groups=("sex",)))["distribution of sex"]
    assert finding.status == "failed"
    assert finding.reason == "female is 0.0% of test and 60.0% of all items; limit 5.0%"


def test_no_partition_at_all(corpus: Factory) -> None:
    with pytest.raises(InputError, match="no partition of its own"):
        audit(corpus(5))
    table = corpus(5)
    nothing = table.frame.with_columns(pl.lit(None, dtype=pl.String).alias("partition"))
    with pytest.raises(InputError, match="no item of the table is in any set"):
        audit(replace(table, frame=nothing))


# A16


@pytest.mark.shared
def test_the_same_content_under_other_names(cases: Path) -> None:
    frame = pl.read_csv(cases / "A16_split.csv").rename({"file": "item"}).with_columns(pl.col("item").alias("media"))
    table = make_table(frame, targets=[])
    digests = {item: decode_audio(cases / item).digest for item in table.items}
    finding = audit(table, digests=digests)["no content in two sets"]
    assert finding.status == "failed"
    assert finding.items == ("audio/A16_x1.wav", "audio/A16_x2_renamed_with_tags.wav", "audio/A16_x3.flac")
    assert "3 pairs of items" in finding.reason
