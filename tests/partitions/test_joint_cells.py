"""Joint cells of labels and groups by set."""

from __future__ import annotations

from collections import Counter

import polars as pl
import pytest

from affectcheck.annotations import AnnotationTable, make_table
from affectcheck.partitions import AuditOptions, Chance, PartitionOptions, audit
from affectcheck.partitions.joint_cells import lacking, set_columns
from affectcheck.schemes import Target, UnitScheme, scheme
from affectcheck.seeds import rng

QUICK = AuditOptions(chance=Chance(draws=10))


def corpus(with_subjects: bool, *, extra: dict[str, object] | None = None) -> AnnotationTable:
    draw = rng(4, "joint cells")
    number = 300
    subject = [f"s{n % 25:02d}" for n in range(number)]
    columns = {
        "item": [f"{n:04d}" for n in range(number)],
        "expression": draw.choice(["anger", "neutral", "sadness"], number, p=[0.7, 0.28, 0.02]).tolist(),
        "sex": [("f", "m", None)[int(name[1:]) % 3] for name in subject],
        "age": [("20-29", "30-39")[int(name[1:]) % 2] for name in subject],
        "partition": [("train", "test", "train", "validation")[int(name[1:]) % 4] for name in subject],
        **({"subject": subject} if with_subjects else {}),
        **(extra or {}),
    }
    return make_table(
        pl.DataFrame(columns), targets=[Target("expression", scheme("expressions-4"))], groups=("sex", "age")
    )


@pytest.mark.parametrize("with_subjects", [False, True])
def test_every_cell_is_counted_as_a_plain_loop_counts(with_subjects: bool) -> None:
    table = corpus(with_subjects)
    found = audit(table, options=QUICK).joint
    items: Counter[tuple[str, ...]] = Counter()
    by_set: Counter[tuple[str, ...]] = Counter()
    holders: dict[tuple[str, ...], set[str]] = {}
    for row in table.frame.to_dicts():
        cell = (row["expression"], row["sex"] or "missing", row["age"])
        items[cell] += 1
        by_set[*cell, row["partition"]] += 1
        holders.setdefault(cell, set()).add(row["subject"] if with_subjects else row["item"])
    assert found.height == len(items)
    for row in found.to_dicts():
        cell = (row["expression"], row["sex"], row["age"])
        assert row["cell"] == " × ".join(cell)
        assert row["items"] == items[cell]
        assert row["units"] == len(holders[cell])
        assert row["splittable"] == (row["units"] >= 3)
        assert all(row[part] == by_set[*cell, part] for part in ("train", "validation", "test"))
    assert set_columns(found, 3) == ["train", "validation", "test"]


def test_cells_that_a_set_lacks_are_named_largest_first() -> None:
    table = corpus(with_subjects=False)
    moved = pl.when(pl.col("expression") == "sadness").then(pl.lit("train")).otherwise("partition").alias("partition")
    found = audit(
        make_table(table.frame.with_columns(moved), targets=table.targets, groups=table.groups), options=QUICK
    )
    short = lacking(found.joint, 3)
    assert short["items"].to_list() == sorted(short["items"].to_list(), reverse=True)
    finding = found["joint cells in every set"]
    assert finding.status == "inconclusive"
    assert f"a set lacks {short.height} of these" in finding.reason


def test_every_cell_in_every_set_passes() -> None:
    rows = [(sex, age, part) for sex in "fm" for age in ("1", "2") for part in ("train", "validation", "test")]
    frame = pl.DataFrame(rows, schema=["sex", "age", "partition"], orient="row").with_row_index("item")
    found = audit(make_table(frame.cast({"item": pl.String}), targets=[], groups=("sex", "age")), options=QUICK)
    assert found["joint cells in every set"].reason == (
        "4 of 4 cells are held by at least 3 units, and every set has each of these"
    )


def test_many_missing_cells_are_counted_not_listed() -> None:
    rows = [(f"{n // 3:03d}", "x", "train" if n % 3 else "test") for n in range(300)]
    rows += [("000", "x", "validation")]
    frame = pl.DataFrame(rows, schema=["sex", "age", "partition"], orient="row").with_row_index("item")
    found = audit(make_table(frame.cast({"item": pl.String}), targets=[], groups=("sex", "age")), options=QUICK)
    assert found["joint cells in every set"].reason.endswith("and 94 more")


def test_one_attribute_alone_makes_no_joint_cells() -> None:
    frame = pl.DataFrame({"item": list("abc"), "sex": list("ffm"), "partition": ["train", "validation", "test"]})
    found = audit(make_table(frame, targets=[], groups=("sex",)), options=QUICK)
    assert found.joint.height == 0
    assert found["joint cells in every set"].status == "not applicable"


def test_an_action_units_cells_hold_the_items_that_show_it() -> None:
    frame = pl.DataFrame(
        {
            "item": list("abcdef"),
            "AU1": [1, 1, 1, 0, None, 0],
            "AU2": [1, 0, 0, 0, 0, 0],
            "AU4": [None, 0, 0, 0, 0, 0],
            "sex": list("ffmmmf"),
            "partition": ["train", "validation", "test"] * 2,
        }
    )
    table = make_table(frame, targets=[Target("au", UnitScheme("three", ("AU1", "AU2", "AU4")))], groups=("sex",))
    rows = {row["cell"]: row for row in audit(table, options=QUICK).joint.to_dicts()}
    assert {cell: row["items"] for cell, row in rows.items()} == {"AU1 × f": 2, "AU1 × m": 1, "AU2 × f": 1}
    assert (rows["AU1 × f"]["au"], rows["AU1 × f"]["sex"]) == ("AU1", "f")


def test_each_target_has_cells_of_its_own() -> None:
    extra = {"valence": [0.5, -0.5, None] * 100, "arousal": [0.1] * 300}
    table = corpus(with_subjects=True, extra=extra)
    targets = [*table.targets.values(), Target("affect", scheme("valence-arousal"))]
    table = make_table(table.frame, targets=targets, groups=table.groups)
    options = AuditOptions(partition=PartitionOptions(targets=("expression", "affect")), chance=Chance(draws=10))
    found = audit(table, options=options).joint
    assert found.columns[:5] == ["cell", "expression", "valence × arousal", "sex", "age"]
    assert found.filter(pl.col("expression").is_null())["items"].sum() == 300
    assert found.filter(pl.col("valence × arousal").is_null())["items"].sum() == 300


def test_a_set_that_is_called_like_an_attribute() -> None:
    frame = pl.DataFrame(
        {"item": list("abcd"), "sex": list("ffmm"), "age": list("1212"), "partition": ["sex", "items"] * 2}
    )
    found = audit(make_table(frame, targets=[], groups=("sex", "age")), options=QUICK)
    assert set_columns(found.joint, 2) == ["items (set)", "sex (set)"]
    assert found["joint cells in every set"].status == "not applicable" or found.joint.height == 4
