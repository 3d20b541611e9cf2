"""How wide an interval the support of each value allows."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from affectcheck.annotations import AnnotationTable, make_table
from affectcheck.errors import InputError
from affectcheck.partitions import AdequacyLimits, AuditOptions, Chance, PartitionOptions, audit
from affectcheck.schemes import Target, scheme


def rows_of(table: AnnotationTable, **options: object) -> dict[tuple[str, str, str], dict[str, object]]:
    found = audit(table, options=AuditOptions(chance=Chance(draws=20), **options)).adequacy
    return {(row["column"], row["value"], row["set"]): row for row in found.to_dicts()}


def portraits(counts: dict[tuple[str, str], int]) -> AnnotationTable:
    rows = [(sex, part) for (sex, part), count in counts.items() for _ in range(count)]
    frame = pl.DataFrame(rows, schema=["sex", "partition"], orient="row").with_row_index("item")
    return make_table(frame.cast({"item": pl.String}), targets=[], groups=("sex",))


def test_the_width_is_wilsons_at_one_half() -> None:
    table = portraits({("f", "train"): 100, ("m", "train"): 92, ("f", "test"): 400, ("m", "test"): 1})
    rows = rows_of(table)
    z = 1.959963984540054
    for (_, _, _), row in rows.items():
        assert row["effective"] == row["items"] == row["units"]
        assert row["width"] == pytest.approx(z / np.sqrt(row["effective"] + z * z), rel=1e-9)
    assert rows["sex", "f", "train"]["verdict"] == "passed"
    assert rows["sex", "f", "train"]["width"] == pytest.approx(0.192, abs=5e-4)
    assert rows["items", "all", "test"]["items"] == 401


def test_ninety_three_items_are_what_the_limit_takes() -> None:
    rows = rows_of(portraits({("f", "train"): 93, ("m", "train"): 92, ("f", "test"): 93, ("m", "test"): 92}))
    assert rows["sex", "f", "train"]["verdict"] == "passed"
    assert rows["sex", "m", "train"]["verdict"] == "inconclusive"


def test_what_a_partition_wastes_fails_and_what_the_data_lack_does_not() -> None:
    table = portraits({("f", "train"): 390, ("m", "train"): 40, ("f", "test"): 10, ("m", "test"): 40})
    rows = rows_of(table)
    assert rows["sex", "f", "test"]["verdict"] == "inconclusive", "a tenth of 400 is not enough either"
    whole = PartitionOptions(protocol="50-50", names=("train", "test"))
    rows = rows_of(table, partition=whole)
    assert rows["sex", "f", "test"]["verdict"] == "failed"
    assert rows["sex", "f", "test"]["reason"] == "all sets together hold enough for a narrower interval in each"
    assert rows["sex", "m", "test"]["verdict"] == "inconclusive"
    finding = audit(table, options=AuditOptions(partition=whole))["adequate data and subjects"]
    assert finding.status == "failed"
    assert finding.point == "ii"
    assert "sex = f in test 0.53 (10 items, 10 units)" in finding.reason
    assert "sex = m" not in finding.reason


def test_enough_of_everything_passes() -> None:
    counts = {(sex, part): 120 for sex in "fm" for part in ("train", "validation", "test")}
    finding = audit(portraits(counts))["adequate data and subjects"]
    assert finding.status == "passed"
    assert finding.reason.startswith("9 of 9 values by set allow a 95 % interval of a share of at most 0.20")


@pytest.mark.parametrize("correlation", [0.0, 0.2, 1.0])
def test_subjects_count_by_their_correlation(correlation: float) -> None:
    # train: subjects of 10, 20 and 30 items: mean size by item (100 + 400 + 900) / 60 is 23.33; of females 10 and 30
    sizes = {"a": 10, "b": 20, "c": 30, "d": 30}
    rows = [
        (name, "m" if name == "b" else "f", "test" if name == "d" else "train")
        for name, n in sizes.items()
        for _ in range(n)
    ]
    frame = pl.DataFrame(rows, schema=["subject", "sex", "partition"], orient="row").with_row_index("item")
    table = make_table(frame.cast({"item": pl.String}), targets=[], groups=("sex",))
    found = rows_of(table, adequacy=AdequacyLimits(correlation=correlation))
    size = (100 + 900) / 40
    assert found["sex", "f", "train"]["effective"] == pytest.approx(40 / (1 + (size - 1) * correlation))
    whole = (100 + 400 + 900) / 60
    assert found["items", "all", "train"]["effective"] == pytest.approx(60 / (1 + (whole - 1) * correlation))
    assert found["items", "all", "train"]["units"] == 3


def test_what_measures_nothing_is_not_judged() -> None:
    frame = pl.DataFrame(
        {
            "item": [f"{n}" for n in range(12)],
            "expression": (["anger", "neutral", None] * 4),
            "race": ["Unsure"] * 4 + ["Asian"] * 7 + ["Black"],
            "valence": [0.1] * 12,
            "arousal": [0.2] * 12,
            "partition": ["train", "test"] * 6,
        }
    )
    targets = [Target("expression", scheme("expressions-4")), Target("affect", scheme("valence-arousal"))]
    table = make_table(frame, targets=targets, groups=("race",))
    rows = rows_of(table, partition=PartitionOptions(targets=("expression", "affect")))
    assert rows["expression", "missing", "train"]["reason"] == "not a class or group"
    assert rows["race", "Unsure", "train"]["reason"] == "not a class or group"
    assert rows["race", "Black", "test"]["reason"] == "held by 1 items, fewer than there are sets"
    region = next(row for (column, _, _), row in rows.items() if column == "valence × arousal")
    assert region["reason"] == "no share of a region is measured"
    assert {row["verdict"] for row in rows.values()} == {"not applicable", "inconclusive"}
    assert rows["race", "Black", "train"]["width"] == 1.0


@pytest.mark.parametrize(
    "options",
    [
        {"max_deviation": -0.1},
        {"size_tolerance": float("nan")},
        {"adequacy": AdequacyLimits(width=2.0)},
        {"adequacy": AdequacyLimits(correlation=1.5)},
        {"minimum_support": 0},
        {"chance": Chance(draws=0)},
        {"views": "("},
        {"videos": "(?=x)"},
    ],
)
def test_limits_that_cannot_be_kept(options: dict[str, object]) -> None:
    with pytest.raises(InputError):
        AuditOptions(**options)


def test_a_rule_that_is_no_expression_says_why() -> None:
    with pytest.raises(InputError, match="the rule for views is no regular expression: unclosed group"):
        AuditOptions(views="(")
