"""Audits of given partitions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.annotations import make_table
from affectcheck.errors import InputError
from affectcheck.partitions import AuditOptions, Contents, PartitionOptions, audit, content_of, copies_of, partition
from affectcheck.partitions.leaks import near_content
from affectcheck.records.codec import parse_strict_json, strict_json
from affectcheck.schemes import Target, scheme

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

    Factory = Callable[..., AnnotationTable]

LOOSE = AuditOptions(max_deviation=0.3, size_tolerance=0.2, minimum_support=1)


SETS = ("train", "test", "train", "validation", "train", "train", "test")


def own(table: AnnotationTable, names: dict[str, str] | None = None) -> AnnotationTable:
    """The table with a partition of its own by whole subjects, under other names."""
    part = pl.col("subject").str.slice(1).cast(pl.Int64).replace_strict(dict(enumerate(SETS * 20))).alias("partition")
    return replace(table, frame=table.frame.with_columns(part).with_columns(pl.col("partition").replace(names or {})))


def test_our_own_partition_passes(corpus: Factory) -> None:
    table = corpus(30)
    contents = Contents({item: item for item in table.items})
    found = audit(table, partition(table), contents=contents)
    assert found.failed == ()
    verdicts = {finding.rule: (finding.point, finding.status) for finding in found.findings}
    assert verdicts == {
        "every item in a set": ("i", "passed"),
        "every item in the table": ("i", "passed"),
        "sets of the protocol": ("i", "passed"),
        "adequate data and subjects": ("ii", "inconclusive"),
        "support in every set": ("ii", "passed"),
        "sizes": ("iii", "passed"),
        "distribution of expression": ("iii", "passed"),
        "distribution of sex": ("iii", "passed"),
        "distribution of age": ("iii", "passed"),
        "label shift": ("iii", "passed"),
        "demographic shift": ("iii", verdicts["demographic shift"][1]),
        "joint cells in every set": ("iii", verdicts["joint cells in every set"][1]),
        "subject independence": ("iv", "passed"),
        "subjects are people": ("iv", "passed"),
        "no recording in two sets": ("iv", "passed"),
        "no view of a recording in two sets": ("iv", "not applicable"),
        "persons of one video in one set": ("iv", "not applicable"),
        "no frames of one video in two sets": ("iv", "not applicable"),
        "no content in two sets": ("iv", "passed"),
        "no near copy in two sets": ("iv", "passed"),
        "manual labels only": ("v", "passed"),
        "metrics of the protocol": ("vi", "not applicable"),
        "one annotation format": ("vii", "passed"),
    }
    assert all(finding.reason for finding in found.findings)
    assert found.points["iv"] == "passed"
    assert found.points["ii"] == "inconclusive"
    assert found.points["vi"] == "not applicable"
    assert (found.names, found.data, found.units) == (("train", "validation", "test"), "corpus", {"subjects": 30})
    assert found.offending.height == 0


def test_all_of_it_is_strict_json(corpus: Factory) -> None:
    table = own(corpus(9))
    part = pl.when(pl.int_range(pl.len()) < 3).then(pl.lit("test")).otherwise("partition").alias("partition")
    found = audit(replace(table, frame=table.frame.with_columns(part)))
    told = parse_strict_json(strict_json(found.plain()))
    assert set(told) == {
        "data", "sets", "units", "points", "findings", "balance", "distances", "shifts", "joint", "adequacy", "offending",
    }  # fmt: skip
    assert told["points"]["iv"] == {"asks": "no subject in two sets", "status": "failed"}
    assert told["offending"][0].keys() == {"rule", "value", "item", "set"}
    assert len(told["distances"]) == found.distances.height


def test_names_that_databases_use_are_understood(corpus: Factory) -> None:
    found = audit(own(corpus(45), {"train": "Training", "validation": "dev"}), options=LOOSE)
    assert found["sets of the protocol"].status == "passed"
    assert found["sizes"].status == "passed"
    assert set(found.balance.frame["set"]) == {"Training", "dev", "test"}


def test_two_sets_are_not_the_protocol(corpus: Factory) -> None:
    found = audit(own(corpus(20), {"validation": "train"}), options=LOOSE)
    assert found["sets of the protocol"].status == "failed"
    assert "the sets are train, test, not train, validation, test" in found["sets of the protocol"].reason
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
    assert finding.reason == "1 recording is in more than one set, 1 pair of items: a.wav"


def test_what_cannot_be_judged(portraits: Factory) -> None:
    table = portraits(60)
    given = partition(table, options=PartitionOptions(subjects="none"))
    assert audit(table, given)["subject independence"].status == "not applicable", "stated when it was made"
    found = audit(table, given, options=AuditOptions())
    assert found["subject independence"].status == "inconclusive"
    assert found["subjects are people"].status == "not applicable"
    assert found["no recording in two sets"].status == "not applicable"
    assert found["no content in two sets"].reason == "the table names no media"
    assert found["no near copy in two sets"].status == "not applicable"
    assert found.units == {"items": 60}
    stated = AuditOptions(partition=PartitionOptions(subjects="none", targets=()))
    assert audit(table, given, options=stated)["subject independence"].status == "not applicable"
    assert audit(table, given, options=stated)["one annotation format"].status == "not applicable"
    named = replace(table, frame=table.frame.with_columns(media=pl.col("item")))
    found = audit(named, given)
    assert found["no content in two sets"].status == found["no near copy in two sets"].status == "inconclusive"
    some = Contents({table.items[0]: "x"}, unreadable={table.items[1]: "cut off"})
    finding = audit(named, given, contents=some)["no content in two sets"]
    assert finding.status == "inconclusive"
    assert finding.reason.startswith("59 of 60 items have no digest of their content; of 1 item the media could not")
    assert audit(named, given, digests={table.items[0]: "x"})["no near copy in two sets"].status == "inconclusive"


def test_subjects_that_are_unknown_or_no_people(corpus: Factory) -> None:
    table = own(corpus(45))
    rest = pl.when(pl.col("subject") != "s001").then("subject").alias("subject")
    one_set = audit(replace(table, frame=table.frame.with_columns(rest)))
    assert one_set["subject independence"].status == "passed", "those without a subject are in one set"
    rest = pl.when(pl.col("item").str.ends_with("-001")).then(None).otherwise("subject").alias("subject")
    found = audit(replace(table, frame=table.frame.with_columns(rest)))
    assert found.units == {"subjects": 45, "items without one": 45}
    finding = found["subject independence"]
    assert finding.status == "inconclusive"
    assert finding.reason.endswith("but 45 items name no subject and are in more than one set")
    files = audit(replace(table, frame=table.frame.with_columns(pl.col("item").alias("subject"))))
    assert files["subjects are people"].status == "inconclusive"
    assert "may be file names" in files["subjects are people"].reason


def test_labels_and_their_making(corpus: Factory) -> None:
    table = own(corpus(9))
    automatic = {"expression": Target("expression", scheme("expressions-4"), provenance="automatic")}
    found = audit(replace(table, targets=automatic))
    finding = found["manual labels only"]
    assert (finding.status, finding.reason) == ("failed", f"expression: automatic ({table.height} items)")
    assert finding.items == tuple(sorted(table.items))
    assert found.offending.filter(pl.col("rule") == finding.rule)["value"].unique().to_list() == [
        "expression: automatic"
    ]
    named = AuditOptions(partition=PartitionOptions(targets=("expression",)))
    assert audit(table, options=named)["manual labels only"].reason == "expression: manual"
    bare = make_table(table.frame.drop("expression"), targets=[], groups=("sex",))
    assert audit(bare)["manual labels only"].status == "not applicable"


def test_rows_that_were_left_out_for_their_labels_are_known(corpus: Factory) -> None:
    table = corpus(12)
    made = pl.when(pl.int_range(pl.len()) % 10 == 0).then(pl.lit("automatic")).alias("expression_provenance")
    mixed = make_table(table.frame.with_columns(made), targets=table.targets, groups=table.groups)
    given = partition(mixed)
    found = audit(mixed, given)
    count = int(mixed.frame["expression_provenance"].count())
    assert found["manual labels only"].status == "passed"
    assert f"left out of every set: expression: automatic ({count} items)" in found["manual labels only"].reason
    assert found["every item in a set"].status == "passed"
    assert found["every item in a set"].reason.endswith(f"{count} items whose labels are not manual left out")
    everything = partition(mixed, options=PartitionOptions(provenance=("manual", "automatic")))
    assert audit(mixed, everything)["manual labels only"].reason == "expression: manual or automatic"
    assert audit(mixed, everything, options=AuditOptions())["manual labels only"].status == "failed"
    short = given.frame.head(given.frame.height - 1)
    reason = audit(mixed, short)["every item in a set"].reason
    assert reason.endswith(f"items are in no set; {count} items whose labels are not manual left out")


def test_thin_support_is_listed(corpus: Factory) -> None:
    table = own(corpus(20))
    finding = audit(table, options=AuditOptions(minimum_support=1000))["support in every set"]
    assert finding.status == "inconclusive", "there is not so much in all sets together"
    assert "fewer than 1000 items" in finding.reason
    assert "more; all sets together hold too few" in finding.reason


def test_a_value_that_a_set_lacks_without_need_fails() -> None:
    parts = ["train"] * 6 + ["validation"] * 6 + ["test"] * 6
    frame = pl.DataFrame({"item": [f"{n:02d}" for n in range(18)], "sex": ["f"] * 3 + ["m"] * 15, "partition": parts})
    finding = audit(make_table(frame, targets=[], groups=("sex",)))["support in every set"]
    assert finding.status == "failed"
    assert "sex = f in validation: 0; sex = f in test: 0" in finding.reason


def test_values_that_too_few_units_hold_are_named_and_not_judged() -> None:
    parts = ["train"] * 6 + ["validation"] * 6 + ["test"] * 6
    races = ["a"] + ["b", "c"] * 8 + ["b"]
    frame = pl.DataFrame({"item": [f"{n:02d}" for n in range(18)], "race": races, "partition": parts})
    found = audit(make_table(frame, targets=[], groups=("race",)), options=AuditOptions(minimum_support=2))
    assert found["support in every set"].status == "passed"
    assert (
        "not judged, as fewer units hold them than there are sets: race = a: 1 unit"
        in found["support in every set"].reason
    )
    assert "not judged, as fewer units hold them than there are sets: a" in found["distribution of race"].reason
    alone = frame.with_columns(race=pl.lit("a"), subject=pl.lit("s"))
    finding = audit(make_table(alone, targets=[], groups=("race",)))["distribution of race"]
    assert finding.status == "not applicable"


def test_a_skewed_distribution_fails_with_its_numbers() -> None:
    sexes = ["female"] * 60 + ["male"] * 40
    parts = ["train"] * 55 + ["validation"] * 5 + ["validation"] * 10 + ["test"] * 30
    frame = pl.DataFrame({"item": [f"{n:03d}" for n in range(100)], "sex": sexes, "partition": parts})
    found = audit(make_table(frame, targets=[], groups=("sex",)))
    finding = found["distribution of sex"]
    assert finding.status == "failed"
    assert finding.reason.startswith("female is 0.0% of test and 60.0% of all items; limit 5.0%; ")
    assert finding.reason.endswith(": further than 95 % of random divisions")
    assert found["demographic shift"].status == "failed"
    assert found["demographic shift"].reason.startswith("sex: train from test: total variation 1.000")


def test_a_shift_that_chance_explains_is_inconclusive() -> None:
    sexes = ["f", "m"] * 4 + ["f", "f", "f", "m"]
    parts = ["train"] * 8 + ["validation"] * 2 + ["test"] * 2
    subjects = [f"s{n}" for n in range(12)]
    frame = pl.DataFrame({"item": subjects, "subject": subjects, "sex": sexes, "partition": parts})
    many = pl.concat([frame.with_columns(item=pl.col("item") + f"-{n}") for n in range(3)])
    finding = audit(make_table(many, targets=[], groups=("sex",)))["demographic shift"]
    assert finding.status == "inconclusive"
    assert "as near as a random division would be" in finding.reason


def test_no_partition_at_all(corpus: Factory) -> None:
    with pytest.raises(InputError, match="no partition of its own"):
        audit(corpus(5))
    table = corpus(5)
    nothing = table.frame.with_columns(pl.lit(None, dtype=pl.String).alias("partition"))
    with pytest.raises(InputError, match="no item of the table is in any set"):
        audit(replace(table, frame=nothing))


# A15


@pytest.mark.shared
def test_the_best_of_three_subjects(cases: Path) -> None:
    frame = pl.read_csv(cases / "A15_three_subjects.csv").rename({"name": "item"})
    frame = frame.with_columns(pl.col("expression").replace("happy", "happiness"))
    table = make_table(frame, targets=[Target("expression", scheme("expressions-4"))])
    part = pl.col("subject").replace_strict({"S1": "train", "S2": "test", "S3": "val"}).alias("part")
    found = audit(table, table.frame.select("item", part))
    sizes = found.balance.frame.filter(pl.col("value") == "all")
    assert dict(sizes.select("set", "count").iter_rows()) == {"train": 12, "val": 6, "test": 7}
    assert sizes["deviation"].abs().sum() == pytest.approx(9 / 50)
    assert found["sets of the protocol"].status == found["subject independence"].status == "passed"
    assert found["sizes"].status == "passed", "whole subjects allow nothing nearer"
    second = pl.col("subject").replace_strict({"S1": "train", "S2": "val", "S3": "test"}).alias("part")
    worse = audit(table, table.frame.select("item", second)).balance.frame.filter(pl.col("value") == "all")
    assert worse["deviation"].abs().sum() == pytest.approx(13 / 50)


# A16


@pytest.mark.shared
def test_the_same_content_under_other_names(cases: Path) -> None:
    frame = pl.read_csv(cases / "A16_split.csv").rename({"file": "item"}).with_columns(pl.col("item").alias("media"))
    table = make_table(frame, targets=[], root=cases)
    found = audit(table, contents=content_of(table))
    exact = found["no content in two sets"]
    assert exact.status == "failed"
    assert exact.items == ("audio/A16_x1.wav", "audio/A16_x2_renamed_with_tags.wav", "audio/A16_x3.flac")
    assert "3 pairs of items" in exact.reason
    near = found["no near copy in two sets"]
    assert near.status == "inconclusive"
    assert "audio/A16_x4_one_lsb.wav" in near.items
    assert not any("A16_y" in item for item in (*near.items, *exact.items))
    rows = found.offending.filter(pl.col("rule") == exact.rule)
    assert rows["value"].unique().to_list() == ["copies of audio/A16_x1.wav"]
    assert rows["set"].to_list() == ["train", "test", "validation"]


def test_copies_within_a_set_are_told_and_no_leak() -> None:
    frame = pl.DataFrame({"item": list("abcd"), "media": list("abcd"), "partition": ["train", "train", "test", "test"]})
    finding = audit(make_table(frame, targets=[]), digests={"a": "x", "b": "x", "c": "y", "d": "z"})[
        "no content in two sets"
    ]
    assert finding.status == "passed"
    assert (
        finding.reason
        == "4 items, no content in two sets; 1 item of content that another item of the set holds, no leak"
    )


def test_near_copies_are_listed_with_their_distance() -> None:
    copies = copies_of(Contents({}))
    near = {
        "item": ["a", "c"],
        "other": ["b", "d"],
        "part": ["train", "test"],
        "other_part": ["test", "test"],
        "kind": ["image", "sound"],
        "distance": [0.0123, 0.1],
    }
    frame = pl.DataFrame({"item": list("abcd"), "part": ["train", "test", "test", "test"]})
    held = Contents(dict(zip("abcd", "wxyz", strict=True)))
    found = near_content(frame, held, replace(copies, near=pl.DataFrame(near), left_out=3))
    assert found.finding.status == "inconclusive"
    assert found.finding.items == ("a", "b")
    assert found.finding.reason == (
        "1 pair of near copies in two sets, to be looked at: a ≈ b (image, 0.012); 1 pair within one set, no leak; "
        "3 pairs not looked at"
    )
    assert found.offending.rows() == [("a ≈ b (image, 0.012)", "a", "train"), ("a ≈ b (image, 0.012)", "b", "test")]
    alone = near_content(frame, held, replace(copies, near=pl.DataFrame(near).tail(1)))
    assert alone.finding.reason == "no pair of near copies is in two sets; 1 pair within one set, no leak"
    assert alone.finding.status == "passed"


def test_classes_and_units_that_no_item_shows_are_named() -> None:
    frame = pl.DataFrame(
        {
            "item": [f"{n:02d}" for n in range(60)],
            "partition": ["train", "validation", "test"] * 20,
            "expression": ["anger", "sadness"] * 30,
            **{unit: [None if unit == "AU2" else unit == "AU1"] * 60 for unit in scheme("au-12-disfa").units},
        }
    )
    targets = [Target("expression", scheme("expressions-4")), Target("action units", scheme("au-12-disfa"))]
    options = PartitionOptions(subjects="none", targets=("expression", "action units"))
    finding = audit(make_table(frame, targets=targets), options=AuditOptions(options))["support in every set"]
    one = audit(make_table(frame, targets=targets), options=AuditOptions(PartitionOptions(subjects="none")))
    assert one["one annotation format"].reason.endswith(
        "no rule here looks at, as they were not asked for: action units"
    )
    rest = [unit for unit in scheme("au-12-disfa").units if unit != "AU1"]
    classes = [label for label in scheme("expressions-4").labels if label not in {"anger", "sadness"}]
    named = [f"expression = {label}" for label in classes] + [f"{unit} = present" for unit in rest]
    assert finding.status == "passed"
    assert finding.reason == (
        "every label and group that can be in each set has at least 5 items there; of the scheme, but of no item: "
        f"{'; '.join(named[:8])} and {len(named) - 8} more"
    )


def test_what_was_not_compared_passes_nothing() -> None:
    frame = pl.DataFrame({"item": list("abcd"), "media": list("abcd"), "partition": ["train", "train", "test", "test"]})
    gone = dict.fromkeys("dcb", "x.avi: a video\n  expected: a sound")
    found = audit(make_table(frame, targets=[]), contents=Contents({"a": "x"}, unreadable=gone))
    told = "3 of 4 items have no digest of their content"
    why = "; of 3 items the media could not be read: b and 2 others: x.avi: a video"
    assert found["no content in two sets"].reason == f"{told}{why}"
    assert found["no near copy in two sets"].reason == f"no pair of near copies is in two sets; {told}"
    assert found["no content in two sets"].status == found["no near copy in two sets"].status == "inconclusive"
    two = audit(
        make_table(frame, targets=[]), contents=Contents({"a": "x"}, unreadable={"b": "cut", "c": "cut", "d": "no"})
    )
    assert two["no content in two sets"].reason.endswith("could not be read: b and 1 other: cut; d: no")


# A17


@pytest.mark.shared
def test_a_missing_gender_is_a_stratum_and_no_group(cases: Path) -> None:
    frame = pl.read_csv(cases / "A17_missing_gender.csv").rename({"id": "item"})
    table = make_table(frame, targets=[], groups=("gender",))
    found = audit(table, pl.DataFrame({"item": table.items, "part": ["train", "test"] * 5}))
    counts = found.balance.frame.filter(pl.col("column") == "gender").group_by("value").agg(pl.col("count").sum())
    assert dict(counts.iter_rows()) == {"F": 4, "M": 4, "missing": 2}
    rows = found.adequacy.filter(pl.col("value") == "missing")
    assert rows["verdict"].to_list() == ["not applicable"] * 2
