"""Partitions that are handed over: frames, files, columns of any names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affectcheck.annotations import AnnotationTable, make_table
from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from affectcheck.partitions import AuditOptions, Chance, PartitionOptions, audit, statistics
from affectcheck.partitions.counted import in_order
from affectcheck.partitions.given_file import read_partition
from affectcheck.records.codec import strict_json
from affectcheck.records.verdict import STATUSES
from affectcheck.schemes import Target, UnitScheme, scheme
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from pathlib import Path

QUICK = AuditOptions(chance=Chance(draws=10))


def table_of(number: int = 12, parts: list[str | None] | None = None) -> AnnotationTable:
    columns = {"item": [f"{n:02d}" for n in range(number)], "sex": ["f", "m"] * (number // 2)}
    frame = pl.DataFrame(columns if parts is None else columns | {"partition": parts})
    return make_table(frame, targets=[], groups=("sex",))


def test_a_frame_is_a_partition() -> None:
    table = table_of()
    given = pl.DataFrame({"item": table.items, "part": [" train", "dev", "eval "] * 4})
    found = audit(table, given, options=QUICK)
    assert found.names == ("train", "dev", "eval")
    assert found["sets of the protocol"].status == "passed"
    assert found["sizes"].status == "failed"


def test_items_on_one_side_only_are_named() -> None:
    table = table_of()
    items = [*table.items[2:], "x1", "x2"]
    given = pl.DataFrame({"item": items, "part": ["train", "validation", "test"] * 4})
    found = audit(table, given, options=QUICK)
    assert found["every item in a set"].items == ("00", "01")
    assert found["every item in the table"].items == ("x1", "x2")
    assert found["every item in the table"].reason == "2 items of the partition not in the table: x1; x2"
    assert found.offending.to_dicts() == [
        {"rule": "every item in a set", "value": "in no set", "item": "00", "set": None},
        {"rule": "every item in a set", "value": "in no set", "item": "01", "set": None},
        {"rule": "every item in the table", "value": "not in the table", "item": "x1", "set": "validation"},
        {"rule": "every item in the table", "value": "not in the table", "item": "x2", "set": "test"},
    ]
    many = pl.DataFrame({"item": [*table.items, *[f"y{n:02d}" for n in range(30)]], "part": ["train"] * 42})
    told = audit(table, many, options=QUICK)["every item in the table"].reason
    assert told == "30 items of the partition not in the table, such as y00, y01, y02, y03, y04"


def test_no_item_in_common_says_what_both_are_called() -> None:
    given = pl.DataFrame({"item": ["a.jpg"], "part": ["train"]})
    with pytest.raises(InputError, match="no item of the table is in any set") as caught:
        audit(table_of(), given)
    assert "00, 01, 02" in caught.value.expected
    assert "a.jpg" in caught.value.cause
    with pytest.raises(InputError) as caught:
        audit(table_of(), given.with_columns(part=pl.lit(" ")))
    assert caught.value.cause == "the partition names no set"


def test_an_item_in_two_sets_is_refused_and_twice_in_one_is_not() -> None:
    table = table_of()
    given = pl.DataFrame({"item": [*table.items, "03"], "part": ["train", "validation", "test"] * 4 + ["train"]})
    assert audit(table, given, options=QUICK)["every item in a set"].status == "passed"
    with pytest.raises(InputError, match=r"rows contradict each other on 1 item: 03 \(test, train\)"):
        audit(
            table, given.with_columns(part=pl.when(pl.int_range(pl.len()) == 12).then(pl.lit("test")).otherwise("part"))
        )


def test_a_frame_without_its_columns() -> None:
    with pytest.raises(UnknownNameError, match="unknown column of the partition 'part'"):
        audit(table_of(), pl.DataFrame({"item": ["00"], "split": ["train"]}))


@pytest.mark.parametrize(
    ("parts", "names", "reason"),
    [
        (["all"] * 12, ("all",), "the set is all, not train, validation, test"),
        (["x", "y"] * 6, ("x", "y"), "the sets are x, y, not train, validation, test"),
        (
            ["test1", "Train", "test2", "dev"] * 3,
            ("Train", "dev", "test1", "test2"),
            "the sets are Train, dev, test1, test2, not train, validation, test",
        ),
        (
            ["train", "val", "dev"] * 4,
            ("train", "dev", "val"),
            "the sets are train, dev, val, not train, validation, test",
        ),
    ],
)
def test_any_number_of_sets_of_any_names(parts: list[str], names: tuple[str, ...], reason: str) -> None:
    found = audit(table_of(parts=parts), options=QUICK)
    assert found.names == names
    assert found["sets of the protocol"].reason == reason
    assert found["sizes"].status == "not applicable"
    pairs = len(names) * (len(names) - 1) // 2
    assert found.distances.filter(pl.col("against") != "all").height == pairs
    assert found.balance.frame["set"].n_unique() == len(names)
    if len(names) == 1:
        assert found["demographic shift"].reason == "there are no two sets with known values"


def test_sets_of_other_names_that_the_options_declare() -> None:
    options = AuditOptions(partition=PartitionOptions(protocol="50-50", names=("a", "b")), chance=Chance(draws=10))
    found = audit(table_of(parts=["b", "a"] * 6), options=options)
    assert found.names == ("a", "b")
    assert found["sizes"].status == "passed"
    assert found["sets of the protocol"].status == "failed", "the protocol has three"


def test_one_set_of_whole_subjects() -> None:
    table = table_of(parts=["all"] * 12)
    named = make_table(table.frame.with_columns(subject=pl.col("item").str.head(1)), targets=[], groups=("sex",))
    found = audit(named, options=QUICK)
    assert found["subject independence"].status == "passed"
    assert found.distances["total_variation"].to_list() == [0.0]


def any_table(number: int, sets: int, seed: int, subjects: int | None) -> AnnotationTable:
    """A table with gaps everywhere and a partition drawn at random."""
    draw = rng(seed, "any partition")
    columns = {
        "item": [f"{n:02d}" for n in range(number)],
        "partition": draw.integers(0, sets, number).astype(str).tolist(),
        "sex": draw.choice(["f", "m", "Unsure", None], number).tolist(),
        "expression": draw.choice(["anger", "neutral", None], number, p=[0.6, 0.2, 0.2]).tolist(),
        "AU1": draw.choice([1, 0, None], number).tolist(),
        "valence": draw.choice([-1.0, 0.0, 1.0, None], number).tolist(),
        "arousal": draw.uniform(-1, 1, number).tolist(),
        "media": draw.choice(["a_left/001.jpg", "a_right/001.jpg", "b/002.jpg", "b/001.jpg", None], number).tolist(),
    }
    if subjects:
        columns["subject"] = draw.integers(0, subjects, number).astype(str).tolist()
    frame = pl.DataFrame(columns, schema_overrides={"AU1": pl.Int8, "valence": pl.Float64, "expression": pl.String})
    targets = [
        Target("expression", scheme("expressions-4")),
        Target("au", UnitScheme("one", ("AU1",))),
        Target("affect", scheme("valence-arousal")),
    ]
    return make_table(frame, targets=targets, groups=("sex",))


def test_divisions_that_leave_a_set_without_a_known_value_have_no_mean_there() -> None:
    """Sums of values from which a shift was taken may be 1e-17 over no items, which is not infinite but nothing."""
    wanted = PartitionOptions(targets=("expression", "au", "affect"))
    found = audit(any_table(17, 4, 0, None), options=AuditOptions(wanted, chance=Chance(draws=20)))
    bands = found.shifts.get_column("null_high").drop_nulls()
    assert len(bands) > 0
    assert bands.is_finite().all()


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_partition_is_judged(data: st.DataObject) -> None:
    number, sets = data.draw(st.integers(1, 60)), data.draw(st.integers(1, 5))
    seed, subjects = data.draw(st.integers(0, 10**6)), data.draw(st.none() | st.integers(1, 20))
    table = any_table(number, sets, seed, subjects)
    wanted = PartitionOptions(targets=("expression", "au", "affect"))
    found = audit(table, options=AuditOptions(wanted, chance=Chance(draws=20)))
    strict_json(found.plain())
    assert all(finding.status in STATUSES and finding.reason for finding in found.findings)
    leaked = table.frame.group_by("subject").agg(pl.col("partition").n_unique()) if subjects else None
    if leaked is not None:
        failed = found["subject independence"].status == "failed"
        assert failed == bool((leaked["partition"] > 1).any())
    defined = found.distances.drop_nulls()
    for name in ("total_variation", "jensen_shannon", "null_mean", "null_high", "p_value"):
        assert defined[name].is_between(0, 1 + 1e-12).all()
    sizes = found.balance.frame.filter(pl.col("value") == "all")
    assert sizes["count"].sum() == number
    assert found.joint.filter(pl.col("expression").is_not_null())["items"].sum() == number


# files


def test_a_file_is_read_by_the_usual_names_or_by_stated_ones(tmp_path: Path) -> None:
    (tmp_path / "split.csv").write_text("Image name,Usage,Split\na,Training,1\nb,PublicTest,2\n")
    found = read_partition(tmp_path / "split.csv", item="Image name", part="Usage")
    assert found.to_dicts() == [{"item": "a", "part": "Training"}, {"item": "b", "part": "PublicTest"}]
    (tmp_path / "usual.tsv").write_text("File\tSplit\n001\ttrain\n")
    assert read_partition(tmp_path / "usual.tsv", delimiter="\t").row(0) == ("001", "train")
    pl.DataFrame({"name": [7], "fold": [1]}).write_parquet(tmp_path / "p.parquet")
    assert read_partition(tmp_path / "p.parquet").row(0) == ("7", "1")


def test_files_that_are_no_partition(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError):
        read_partition(tmp_path / "none.csv")
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="no column is called item, file") as caught:
        read_partition(tmp_path / "x.csv")
    assert "--item-column" in caught.value.expected
    with pytest.raises(InputError, match="no column is called part"):
        read_partition(tmp_path / "x.csv", item="a")
    with pytest.raises(UnknownNameError, match="unknown column of the partition 'c'"):
        read_partition(tmp_path / "x.csv", item="c")
    (tmp_path / "x.parquet").write_bytes(b"no parquet")
    with pytest.raises(InputError, match="cannot read"):
        read_partition(tmp_path / "x.parquet")


def test_a_file_that_contradicts_itself_or_places_nothing_is_named(tmp_path: Path) -> None:
    file = tmp_path / "split.csv"
    rows = "".join(f"{item},{part}\n" for item in "abcdefg" for part in ("train", " test", "train"))
    file.write_text(f"item,part\n{rows}h,\nh,train\n")
    with pytest.raises(InputError) as caught:
        read_partition(file)
    assert caught.value.where == str(file)
    assert "on 8 items: a (test, train), b" in str(caught.value)
    assert "and 3 more" in str(caught.value)
    file.write_text("item,part\na,train \na,train\n")
    assert read_partition(file).rows() == [("a", "train")]
    for text, told in (("item,part\n", "0 rows"), ("item,part\na,\nb, \n", "2 rows, and none puts an item in a set")):
        file.write_text(text)
        with pytest.raises(InputError, match=told) as caught:
            read_partition(file)
        assert caught.value.where == str(file)


def test_numbered_sets_stand_in_the_order_of_their_numbers() -> None:
    table = table_of()
    given = pl.DataFrame({"item": table.items, "part": [f"fold{n}" for n in range(12)]})
    found = audit(table, given, options=QUICK)
    assert found.names == tuple(f"fold{n}" for n in range(12))
    assert statistics(table, {"given": given}).divisions[0].sets == found.names
    assert in_order(["1", "01", "2"]) == in_order(["2", "01", "1"]) == ("01", "1", "2")


def test_no_joint_cell_that_could_be_in_every_set_is_no_pass() -> None:
    items = [f"{n}" for n in range(8)]
    groups = {"sex": ["f", "m"] * 4, "age": ["old", "old", "young", "young"] * 2}
    frame = pl.DataFrame({"item": items, "partition": ["train", "validation", "test", "test"] * 2, **groups})
    found = audit(make_table(frame, targets=[], groups=tuple(groups)), options=QUICK)["joint cells in every set"]
    assert found.status == "not applicable"
    assert found.reason == "none of 4 cells is held by as many units as there are sets, 3"
