"""Distances of distributions, by hand, and what chance gives."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import polars as pl
import pytest

from affectcheck.annotations import AnnotationTable, make_table
from affectcheck.partitions import AuditOptions, Chance, PartitionOptions, audit
from affectcheck.partitions.case import case_of
from affectcheck.partitions.distances import (
    MOST_SETS,
    Counted,
    distances_of,
    farthest,
    in_words,
    judgement,
    pairs_of,
)
from affectcheck.partitions.fragments import Block, Fragments
from affectcheck.schemes import Target, UnitScheme
from affectcheck.seeds import rng


def people(sexes: list[str], parts: list[str], subjects: list[str] | None = None) -> AnnotationTable:
    columns = {"item": [f"{n:04d}" for n in range(len(sexes))], "sex": sexes, "partition": parts}
    frame = pl.DataFrame(columns if subjects is None else columns | {"subject": subjects})
    return make_table(frame, targets=[], groups=("sex",))


def rows_of(table: AnnotationTable, **options: object) -> dict[tuple[str, str], dict[str, float]]:
    found = case_of(table, None, AuditOptions(**options)).distances
    return {(row["set"], row["against"]): row for row in found.to_dicts()}


def test_both_distances_by_hand() -> None:
    # train: 3 of 4 female; test: 1 of 4
    table = people(list("fffmfmmm"), ["train"] * 4 + ["test"] * 4)
    rows = rows_of(table)
    assert set(rows) == {("train", "all"), ("train", "test"), ("test", "all")}
    assert rows["train", "test"]["total_variation"] == pytest.approx(0.5)
    # 3/4 log2(3/4 : 1/2) + 1/4 log2(1/4 : 1/2), the same for both
    assert rows["train", "test"]["jensen_shannon"] == pytest.approx(0.75 * np.log2(1.5) - 0.25)
    assert rows["train", "all"]["total_variation"] == pytest.approx(0.25)
    assert rows["train", "all"]["items"] == rows["train", "all"]["units"] == 4


def test_the_null_of_items_is_hypergeometric() -> None:
    table = people(list("fffmfmmm"), ["train"] * 4 + ["test"] * 4)
    row = rows_of(table, chance=Chance(draws=20_000))["train", "test"]
    # of 70 ways: 36 with 2 female in train, 16 + 16 with 1 or 3, 2 with 0 or 4
    assert row["null_mean"] == pytest.approx((32 * 0.5 + 2 * 1.0) / 70, abs=0.01)
    assert row["p_value"] == pytest.approx(34 / 70, abs=0.02)
    assert row["null_high"] == 0.5


def test_whole_subjects_are_dealt_every_way_once_where_they_are_few() -> None:
    sexes, subjects = list("ffmmmf"), ["a", "a", "b", "c", "c", "d"]
    parts = ["train", "train", "train", "test", "test", "test"]
    row = rows_of(people(sexes, parts, subjects))["train", "test"]
    counts = np.array([[2, 0], [0, 1], [0, 2], [1, 0]])
    null = []
    for deal in set(permutations([0, 0, 1, 1])):
        inside = np.array(deal)
        shares = [counts[inside == k].sum(axis=0) / counts[inside == k].sum() for k in (0, 1)]
        null.append(np.abs(shares[0] - shares[1]).sum() / 2)
    assert len(null) == 6
    assert row["total_variation"] == pytest.approx(1 / 3)
    assert row["null_mean"] == pytest.approx(np.mean(null))
    assert row["null_high"] == pytest.approx(max(null))
    assert row["p_value"] == pytest.approx(np.mean([one >= 1 / 3 - 1e-12 for one in null]))
    assert (row["items"], row["units"]) == (3, 2)


@pytest.mark.parametrize("with_subjects", [False, True])
def test_a_random_partition_is_as_near_as_a_random_division(with_subjects: bool) -> None:
    draw = rng(3, "random partitions")
    far = 0
    for _ in range(120):
        subjects = [f"s{n % 40:02d}" for n in range(120)] if with_subjects else None
        sex = draw.choice(["f", "m"], 40).tolist() * 3 if with_subjects else draw.choice(["f", "m"], 120).tolist()
        part = draw.permutation(["train"] * 22 + ["validation"] * 6 + ["test"] * 12).tolist() * 3
        if not with_subjects:
            part = draw.permutation(part).tolist()
        far += rows_of(people(sex, part, subjects), chance=Chance(draws=99))["train", "test"]["p_value"] <= 0.05
    assert far <= 13, "5 % are expected, and ties make it fewer"


def test_the_null_does_not_depend_on_the_order_of_rows_but_on_the_seed() -> None:
    draw = rng(1, "rows")
    subjects = [f"s{n % 30:02d}" for n in range(300)]
    parts = ["train" if int(name[1:]) % 3 else "test" for name in subjects]
    sexes = draw.choice(["f", "m"], 300).tolist()
    table = people(sexes, parts, subjects)
    first = audit(table).distances
    mixed = make_table(table.frame.sample(fraction=1.0, shuffle=True, seed=2), targets=[], groups=("sex",))
    assert audit(mixed).distances.equals(first)
    other = audit(table, options=AuditOptions(chance=Chance(seed=1))).distances
    assert not other.equals(first)
    assert other["null_mean"].to_numpy() == pytest.approx(first["null_mean"].to_numpy(), abs=0.01)


def test_an_action_unit_counts_where_it_is_known() -> None:
    frame = pl.DataFrame(
        {"item": list("abcdefgh"), "AU1": [1, 0, None, None, 1, 1, 1, 0], "partition": ["train"] * 4 + ["test"] * 4}
    )
    found = audit(make_table(frame, targets=[Target("au", UnitScheme("one", ("AU1",)))]))
    row = next(row for row in found.distances.to_dicts() if row["against"] == "test")
    assert row["total_variation"] == pytest.approx(0.25)
    assert (row["items"], row["units"]) == (2, 2)
    assert found["distribution of AU1"].status == "failed"
    assert "missing is 50.0% of train and 25.0% of all items" in found["distribution of AU1"].reason


def test_a_set_without_known_values_has_no_distance() -> None:
    frame = pl.DataFrame({"item": list("abcd"), "AU1": [None, None, 1, 0], "partition": ["train"] * 2 + ["test"] * 2})
    table = make_table(frame, targets=[Target("au", UnitScheme("one", ("AU1",)))])
    rows = {(row["set"], row["against"]): row for row in audit(table).distances.to_dicts()}
    assert rows["train", "test"]["total_variation"] is None
    assert rows["train", "test"]["p_value"] is None
    assert in_words(rows["train", "test"]) == "train from test: undefined, as one of them has no known value"
    assert audit(table)["label shift"].status == "not applicable"


def test_a_defined_distance_whose_null_is_never_defined() -> None:
    row = {"set": "a", "against": "all", "total_variation": 0.5, "p_value": None}
    assert in_words(row) == "a from all items: total variation 0.500"
    assert judgement(row) == "as near as a random division would be"
    assert farthest([row]) is None


def test_many_sets_are_compared_with_all_and_with_the_first() -> None:
    assert len(pairs_of(MOST_SETS)) == MOST_SETS * (MOST_SETS - 1) // 2
    assert pairs_of(MOST_SETS + 1) == tuple((0, other) for other in range(1, MOST_SETS + 1))
    assert pairs_of(0) == ()


def test_nothing_to_compare() -> None:
    table = make_table(pl.DataFrame({"item": list("ab"), "partition": ["train", "test"]}), targets=[])
    assert audit(table).distances.height == 0
    counted = Counted(Fragments.of(np.array([0, 0]), np.array([0, 1]), 2), np.ones((2, 1)), (), ("a", "b"))
    assert distances_of(counted, Chance()).height == 0


def test_draws_in_which_a_set_gets_no_known_value_are_left_out() -> None:
    # only subject 0 has known values in one of its sets
    fragments = Fragments.of(np.array([0, 0, 1, 1, 2, 2]), np.array([0, 0, 1, 1, 1, 1]), 2)
    counts = np.array([[1, 0, 2], [0, 2, 2], [0, 2, 2]])
    block = Block("AU1", ("present", "absent"), 0, "unit", present=0, unknown=1)
    rows = distances_of(Counted(fragments, counts, (block,), ("a", "b")), Chance()).to_dicts()
    assert rows[0]["total_variation"] == 0.0
    assert rows[1]["total_variation"] is None


def test_recordings_without_subjects_are_dealt_whole() -> None:
    frame = pl.DataFrame(
        {
            "item": [f"{n:02d}" for n in range(12)],
            "media": [f"{n // 3}.wav" for n in range(12)],
            "sex": ["f"] * 6 + ["m"] * 6,
            "partition": ["train"] * 6 + ["test"] * 6,
        }
    )
    table = make_table(frame, targets=[], groups=("sex",))
    found = audit(table)
    assert found.units == {"recordings": 4}
    row = next(row for row in found.distances.to_dicts() if row["against"] == "test")
    assert row["p_value"] == pytest.approx(2 / 6), "two of six ways to deal four recordings"
    apart = AuditOptions(partition=PartitionOptions(together=("session",)))
    assert case_of(table, None, apart).fragments.alone
