"""Means and deviations of dimensions by set."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import polars as pl
import pytest

from affectcheck.annotations import AnnotationTable, make_table
from affectcheck.partitions import AuditOptions, Chance, audit
from affectcheck.partitions.shifts import _by_units, in_words
from affectcheck.schemes import Target, scheme
from affectcheck.seeds import rng


def affect(valence: list[float | None], parts: list[str], subjects: list[str] | None = None) -> AnnotationTable:
    columns = {
        "item": [f"{n:05d}" for n in range(len(parts))],
        "valence": valence,
        "arousal": [0.25] * len(parts),
        "partition": parts,
        **({} if subjects is None else {"subject": subjects}),
    }
    return make_table(pl.DataFrame(columns), targets=[Target("affect", scheme("valence-arousal"))])


def rows_of(table: AnnotationTable, draws: int = 1000) -> dict[tuple[str, str, str], dict[str, float]]:
    found = audit(table, options=AuditOptions(chance=Chance(draws=draws))).shifts
    return {(row["column"], row["set"], row["against"]): row for row in found.to_dicts()}


def test_means_and_deviations_are_numpys() -> None:
    draw = rng(2, "shift")
    values = np.round(draw.uniform(-1, 1, 60), 3)
    parts = ["train"] * 40 + ["test"] * 20
    row = rows_of(affect([*values.tolist()], parts))["valence", "train", "test"]
    assert row["mean"] == pytest.approx(values[:40].mean())
    assert row["against_sd"] == pytest.approx(values[40:].std())
    assert row["difference"] == pytest.approx(values[:40].mean() - values[40:].mean())
    null = [
        values[order[:40]].mean() - values[order[40:]].mean() for order in (draw.permutation(60) for _ in range(9000))
    ]
    assert row["null_high"] == pytest.approx(np.quantile(np.abs(null), 0.95), rel=0.05)
    assert row["p_value"] == pytest.approx(np.mean(np.abs(null) >= abs(row["difference"])), abs=0.02)
    overall = rows_of(affect([*values.tolist()], parts))["valence", "train", "all"]
    assert overall["null_high"] == pytest.approx(np.quantile(np.abs(null) / 3, 0.95), rel=0.05)


def test_whole_subjects_are_dealt() -> None:
    subjects = ["a"] * 3 + ["b"] * 2 + ["c"] + ["d"] * 2
    values = [0.9, 0.7, 0.8, -0.5, -0.3, 0.1, 0.0, 0.2]
    parts = ["train"] * 5 + ["test"] * 3
    row = rows_of(affect(values, parts, subjects))["valence", "train", "test"]
    named, null = np.array(subjects), []
    for chosen in combinations("abcd", 2):
        inside = np.isin(named, chosen)
        null.append(abs(np.array(values)[inside].mean() - np.array(values)[~inside].mean()))
    assert row["p_value"] == pytest.approx(np.mean([one >= abs(row["difference"]) - 1e-12 for one in null]))
    assert row["null_high"] == pytest.approx(max(null))
    many = [f"s{n:02d}" for n in range(40)]
    drawn = rows_of(affect([n / 40 for n in range(40)], ["train", "test"] * 20, many * 1), draws=50)
    assert 0 < drawn["valence", "train", "test"]["p_value"] <= 1


def test_drawn_subjects_have_a_p_value_that_is_never_0() -> None:
    subjects = [f"s{n // 2:02d}" for n in range(60)]
    values = [0.9] * 30 + [-0.9] * 30
    row = rows_of(affect(values, ["train"] * 30 + ["test"] * 30, subjects), draws=200)["valence", "train", "test"]
    assert row["p_value"] == pytest.approx(1 / 201)


def test_no_known_value_and_no_spread() -> None:
    rows = rows_of(affect([None, None, 0.5, 0.1], ["train", "train", "test", "test"]))
    row = rows["valence", "train", "test"]
    assert row["difference"] is None
    assert in_words(row) == "valence: undefined, as train or test has no known value"
    assert rows["arousal", "train", "test"]["p_value"] == 1.0
    assert rows["arousal", "train", "test"]["null_high"] == 0.0
    unknown = rows_of(affect([None] * 4, ["train", "test"] * 2, ["a", "b", "c", "d"]))
    assert unknown["valence", "train", "all"]["difference"] is None


def test_a_null_that_is_never_defined_is_not_told() -> None:
    subjects = ["a", "a", "b", "b"]
    rows = rows_of(affect([0.5, 0.1, None, 0.3], ["train", "train", "test", "test"], subjects))
    row = rows["valence", "train", "test"] | {"null_high": None}
    assert in_words(row) == "valence of train 0.300 ± 0.200, of test 0.300 ± 0.000"
    assert _by_units(0.1, np.array([np.nan]), exact=True) == {"null_high": None, "p_value": None}


def test_the_label_shift_tells_of_means() -> None:
    draw = rng(9, "shifted")
    values = np.concatenate([draw.uniform(-1, 0.2, 300), draw.uniform(-0.2, 1, 200)])
    found = audit(affect(values.tolist(), ["train"] * 300 + ["test"] * 200))
    shift = found["label shift"]
    assert shift.status == "failed"
    assert "further than 95 % of random divisions" in shift.reason
    assert "valence of train -0." in shift.reason
    assert found["demographic shift"].status == "not applicable"
