"""The fair protocol's partition: whole subjects, balanced, the same for any order of rows, another for every seed."""

from __future__ import annotations

import importlib
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affectcheck.annotations import AnnotationTable, make_table
from affectcheck.datasets import load_dataset
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.partitions import VARIED_PP, PartitionOptions, parse_protocol, partition
from affectcheck.partitions.exact import Proof
from affectcheck.schemes import Target, scheme

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Factory = Callable[..., AnnotationTable]


def shuffled(table: AnnotationTable, seed: int) -> AnnotationTable:
    return replace(table, frame=table.frame.sample(fraction=1.0, shuffle=True, seed=seed))


@pytest.mark.parametrize("subjects", [3, 10, 16, 60])
def test_whole_subjects_every_set_filled(corpus: Factory, subjects: int) -> None:
    table = corpus(subjects)
    found = partition(table)
    joined = table.frame.join(found.frame, on="item")
    assert joined.height == table.height == found.frame.height
    assert (joined.group_by("subject").agg(pl.col("part").n_unique())["part"] == 1).all()
    assert {name for name in found.names if len(found.items(name))} == set(found.names)


@pytest.mark.parametrize("subjects", [10, 16, 45])
def test_the_order_of_rows_does_not_matter(corpus: Factory, subjects: int) -> None:
    table = corpus(subjects)
    options = PartitionOptions(seed=3)
    found = partition(table, options=options)
    again = partition(shuffled(table, 5), options=options)
    assert again.frame.equals(found.frame)
    assert again.data_digest == found.data_digest
    assert again.report.frame.equals(found.report.frame)


def test_the_order_of_rows_does_not_matter_without_subjects(portraits: Factory) -> None:
    table = portraits()
    options = PartitionOptions(subjects="none", seed=4)
    assert partition(shuffled(table, 1), options=options).frame.equals(partition(table, options=options).frame)


@pytest.mark.parametrize("subjects", [10, 16, 45])
def test_seeds_give_different_partitions_of_nearly_the_same_balance(corpus: Factory, subjects: int) -> None:
    table = corpus(subjects)
    found = [partition(table, options=PartitionOptions(seed=seed, tolerance_pp=VARIED_PP)) for seed in range(10)]
    assert len({tuple(one.frame["part"]) for one in found}) == 10
    costs = [one.report.cost_pp for one in found]
    assert max(costs) <= min(costs) + VARIED_PP + 1e-9
    assert len({len(one.report.uncovered) for one in found}) == 1


def test_every_seed_gives_the_optimum_unless_it_may_vary(corpus: Factory) -> None:
    table = corpus(10)
    costs = {partition(table, options=PartitionOptions(seed=seed)).report.cost_pp for seed in range(4)}
    assert max(costs) - min(costs) < 1e-9


def test_many_subjects_have_a_search_of_their_own_each_seed(corpus: Factory) -> None:
    table = corpus(140, items=3)
    one, other = (partition(table, options=PartitionOptions(seed=seed)) for seed in (0, 1))
    assert not one.frame.equals(other.frame)
    assert max(one.report.cost_pp, other.report.cost_pp) < 1.0


def test_balance_is_near_the_protocol(corpus: Factory) -> None:
    report = partition(corpus(45)).report
    assert report.cost_pp < 3.0
    assert report.size_deviation < 0.02
    assert not report.uncovered


def test_few_subjects_are_looked_at_exhaustively(corpus: Factory) -> None:
    assert any("every assignment" in note for note in partition(corpus(6)).notes)


def test_more_subjects_come_with_a_bound_or_a_proof(corpus: Factory) -> None:
    assert any("best mean deviation found" in note for note in partition(corpus(16)).notes)
    alike = pl.DataFrame({"item": [f"{n:03d}" for n in range(60)], "subject": [f"s{n % 20:02d}" for n in range(60)]})
    assert partition(make_table(alike, targets=[])).report.cost_pp < 1e-9
    assert any("proven optimal" in note for note in partition(make_table(alike, targets=[])).notes)


def test_a_programme_that_finds_nothing_leaves_the_search(corpus: Factory, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = Proof(None, 0.0, proven=False)
    module = importlib.import_module("affectcheck.partitions.solving")
    monkeypatch.setattr(module, "prove_if_promising", lambda *_, **__: nothing)
    found = partition(corpus(17, seed=5))
    assert found.report.cost_pp < 10


# A15
ONE_A_SET = {"S1": "train", "S2": "test", "S3": "validation"}


def three_subjects(path: Path) -> AnnotationTable:
    frame = pl.read_csv(path).rename({"name": "item"}).with_columns(pl.col("expression").replace("happy", "happiness"))
    return make_table(frame, targets=[Target("expression", scheme("expressions-4"))])


@pytest.mark.shared
@pytest.mark.parametrize("seed", [0, 1, 7])
def test_three_subjects_get_the_best_of_all_assignments(cases: Path, seed: int) -> None:
    table = three_subjects(cases / "A15_three_subjects.csv")
    for rows in (table, shuffled(table, seed)):
        found = partition(rows, options=PartitionOptions(seed=seed))
        parts = dict(rows.frame.join(found.frame, on="item").select("subject", "part").unique().iter_rows())
        assert parts == ONE_A_SET
    sizes = [len(found.items(name)) for name in found.names]
    assert sizes == [12, 6, 7]
    targets = (Fraction(55, 100), Fraction(15, 100), Fraction(30, 100))
    deviation = sum(abs(Fraction(size, 25) - target) for size, target in zip(sizes, targets, strict=True))
    assert deviation == Fraction(9, 50)


def test_more_sets_than_subjects_name_both_numbers(corpus: Factory) -> None:
    options = PartitionOptions(protocol="40-30-20-10", names=("a", "b", "c", "d"))
    with pytest.raises(InputError, match="too few subjects for 4 sets: 3"):
        partition(corpus(3), options=options)


# A14
def disfa_like() -> AnnotationTable:
    items = [
        f"{side}VideoSN{person:03d}/{number:05d}.jpg"
        for person in range(1, 7)
        for side in ("Left", "Right")
        for number in (1, 2)
    ]
    frame = pl.DataFrame({"item": items, "AU12": [0, 1] * 12, "gender": (["Male"] * 4 + ["Female"] * 4) * 3})
    return make_table(frame, targets=[], groups=("gender",))


def test_without_subjects_and_a_word_about_them_it_refuses() -> None:
    with pytest.raises(InputError, match="does not say whose items these are") as caught:
        partition(disfa_like())
    assert "subjects='none'" in caught.value.expected
    assert "SN" in caught.value.expected


@pytest.mark.parametrize("rule", [r"SN\d+", r"(SN\d+)/"])
def test_a_rule_finds_the_person_of_both_views(rule: str) -> None:
    table = disfa_like()
    found = partition(table, options=PartitionOptions(subjects=rule))
    person = table.frame["item"].str.extract(r"(SN\d+)").alias("person")
    parts = table.frame.with_columns(person).join(found.frame, on="item")
    assert (parts.group_by("person").agg(pl.col("part").n_unique())["part"] == 1).all()
    assert parts["person"].n_unique() == 6
    assert all(len(found.items(name)) % 4 == 0 for name in found.names)


@pytest.mark.shared
def test_the_collected_case_of_two_views(cases: Path) -> None:
    frame = pl.read_csv(cases / "A14_disfa_like.csv").rename({"name": "item"})
    table = make_table(frame, targets=[], groups=("gender",))
    found = partition(table, options=PartitionOptions(subjects=r"SN\d+"))
    assert all(len(found.items(name)) % 4 == 0 for name in found.names)


def test_a_rule_that_misses_items_names_them() -> None:
    with pytest.raises(InputError, match=r"finds no subject in 24 of 24 items") as caught:
        partition(disfa_like(), options=PartitionOptions(subjects=r"SM\d+"))
    assert "LeftVideoSN001/00001.jpg" in caught.value.where


def test_a_rule_for_media_needs_media() -> None:
    with pytest.raises(InputError, match="no column 'media'"):
        partition(disfa_like(), options=PartitionOptions(subjects=r"SN\d+", subject_source="media"))


def test_two_persons_of_one_recording_stay_together_unless_told_otherwise() -> None:
    rows = [
        {"item": f"v{video}_{side}-{frame}", "media": f"v{video}.mp4", "subject": f"v{video}_{side}"}
        for video in range(8)
        for side in ("left", "right")
        for frame in range(3)
    ]
    table = make_table(pl.DataFrame(rows), targets=[])
    found = partition(table)
    parts = table.frame.join(found.frame, on="item")
    assert (parts.group_by("media").agg(pl.col("part").n_unique())["part"] == 1).all()
    assert "16 subjects make 8 units, as some share the same media" in found.notes
    apart = partition(table, options=PartitionOptions(together=()))
    assert not any("units" in note for note in apart.notes)


def test_segments_of_one_recording_stay_together_without_subjects() -> None:
    rows = [{"item": f"v{video}#{cut}", "media": f"v{video}.wav"} for video in range(9) for cut in range(4)]
    table = make_table(pl.DataFrame(rows), targets=[])
    parts = table.frame.join(partition(table, options=PartitionOptions(subjects="none")).frame, on="item")
    assert (parts.group_by("media").agg(pl.col("part").n_unique())["part"] == 1).all()


def test_items_of_unknown_subjects_stay_together(corpus: Factory) -> None:
    table = corpus(8)
    with_subject = pl.when(pl.col("item").str.ends_with("-000")).then(None).otherwise(pl.col("subject"))
    table = replace(table, frame=table.frame.with_columns(with_subject.alias("subject")))
    found = partition(table)
    parts = table.frame.join(found.frame, on="item").filter(pl.col("subject").is_null())
    assert parts["part"].n_unique() == 1
    assert "8 items name no subject; they stay together in one set" in found.notes


# A17
def test_a_missing_or_unsure_value_is_a_stratum_of_its_own(corpus: Factory) -> None:
    report = partition(corpus(45)).report
    ages = set(report.frame.filter(pl.col("column") == "age")["value"])
    assert ages == {"20-29", "30-39", "40-49", "missing"}
    sizes = report.frame.filter(pl.col("column") == "items").select("set", "count")
    by_age = report.frame.filter(pl.col("column") == "age").group_by("set").agg(pl.col("count").sum())
    assert sorted(by_age.iter_rows()) == sorted(sizes.iter_rows())


def test_a_group_called_missing_is_not_the_missing_value(corpus: Factory) -> None:
    table = corpus(12)
    frame = table.frame.with_columns(pl.col("age").replace("20-29", "missing"))
    report = partition(replace(table, frame=frame)).report
    ages = set(report.frame.filter(pl.col("column") == "age")["value"])
    assert ages == {"missing", "missing (null)", "30-39", "40-49"}


def test_unsplittable_values_are_named(corpus: Factory) -> None:
    table = corpus(12)
    rare = pl.when(pl.col("subject") == "s003").then(pl.lit("70+")).otherwise(pl.col("age")).alias("age")
    found = partition(replace(table, frame=table.frame.with_columns(rare)))
    named = [entry for entry in found.report.unsplittable if entry.value == "70+"]
    assert named[0].units == 1
    assert len(named[0].sets) == 2
    assert any(note.startswith("unsplittable: age = 70+: 1 unit, missing in") for note in found.notes)


@pytest.mark.slow
def test_every_value_of_enough_subjects_is_in_every_set(corpus: Factory) -> None:
    table = corpus(30)
    rare = (
        pl.when(pl.col("subject").is_in(["s003", "s010", "s020"]))
        .then(pl.lit("70+"))
        .otherwise(pl.col("age"))
        .alias("age")
    )
    table = replace(table, frame=table.frame.with_columns(rare))
    for seed in range(5):
        report = partition(table, options=PartitionOptions(seed=seed)).report
        assert report.frame.filter(pl.col("value") == "70+")["units"].to_list() == [1, 1, 1]
        assert not report.uncovered


# items without subjects


@pytest.mark.parametrize("items", [30, 900])
def test_without_subjects_joint_cells_are_divided(portraits: Factory, items: int) -> None:
    table = portraits(items)
    found = partition(table, options=PartitionOptions(subjects="none"))
    assert found.report.size_deviation < (0.05 if items == 30 else 0.002)
    cells = table.frame.join(found.frame, on="item").group_by("sex", "expression")
    whole = cells.agg(pl.len().alias("size"), pl.col("part").n_unique().alias("sets"))
    if items == 900:
        assert (whole.filter(pl.col("size") >= 3)["sets"] == 3).all()
        assert found.report.max_deviation < 0.01


def test_without_subjects_seeds_move_items_not_counts(portraits: Factory) -> None:
    table = portraits()
    one, other = (partition(table, options=PartitionOptions(subjects="none", seed=seed)) for seed in (0, 1))
    assert not one.frame.equals(other.frame)
    assert one.report.frame.equals(other.report.frame)


def test_without_labels_and_groups_only_the_size_counts(portraits: Factory) -> None:
    found = partition(portraits(), options=PartitionOptions(subjects="none", targets=(), groups=()))
    assert [len(found.items(name)) for name in found.names] == [495, 135, 270]
    assert found.report.max_deviation == 0.0


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(st.data())
def test_any_table_is_divided_completely(data: st.DataObject) -> None:
    items = data.draw(st.integers(3, 260))
    subjects = data.draw(st.none() | st.integers(3, 60))
    draw = np.random.default_rng(data.draw(st.integers(0, 99)))
    columns = {"item": [f"i{n}" for n in range(items)], "sex": draw.choice(["female", "male"], items).tolist()}
    if subjects is not None:
        columns["subject"] = [f"p{n % min(subjects, items)}" for n in range(items)]
    table = make_table(pl.DataFrame(columns), targets=[], groups=("sex",))
    how = "none" if subjects is None else "column"
    found = partition(
        table, options=PartitionOptions(subjects=how, seed=data.draw(st.integers(0, 9)), allow_contradictions=True)
    )
    assert sorted(found.frame["item"]) == sorted(columns["item"])
    assert all(len(found.items(name)) for name in found.names)


# options


@pytest.mark.parametrize("text", ["55-15", "a-b", "100", "55--15-60", "0-50-50", "", "nan-50-50"])
def test_protocols_that_do_not_add_up(text: str) -> None:
    with pytest.raises(InputError, match="not a protocol"):
        parse_protocol(text)


def test_another_protocol(corpus: Factory) -> None:
    found = partition(corpus(20), options=PartitionOptions(protocol="80-20", names=("train", "test")))
    assert found.names == ("train", "test")
    assert abs(len(found.items("train")) / found.frame.height - 0.8) < 0.05


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"names": ("train", "test")}, "has 3 sets, but the names are train, test"),
        ({"names": ("train", "test", "test")}, "one distinct name a set"),
        ({"tolerance_pp": -1.0}, "tolerance_pp is -1.0"),
        ({"tolerance_pp": float("nan")}, "tolerance_pp is nan"),
        ({"subjects": "SN(\\d+"}, "no regular expression"),
        ({"subject_source": "folder"}, "unknown source of subjects 'folder'"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        PartitionOptions(**options)
    assert message in str(caught.value)


def test_unknown_names(corpus: Factory) -> None:
    with pytest.raises(UnknownNameError, match="unknown group column 'race'"):
        partition(corpus(5), options=PartitionOptions(groups=("race",)))
    with pytest.raises(UnknownNameError, match="unknown target 'affect'"):
        partition(corpus(5), options=PartitionOptions(targets=("affect",)))
    with pytest.raises(UnknownNameError, match="unknown set of the partition 'dev'"):
        partition(corpus(5)).items("dev")


def test_the_rows_of_a_set_and_the_labelled_table(corpus: Factory) -> None:
    table = corpus(9)
    found = partition(table)
    tested = found.table(table, "test")
    assert tested.items.sort().to_list() == found.items("test").to_list()
    labelled = found.labelled(table)
    assert labelled.frame["item"].to_list() == table.frame["item"].to_list()
    assert set(labelled.frame.filter(pl.col("partition") == "test")["item"]) == set(found.items("test"))
    assert found.labelled(labelled).frame.equals(labelled.frame)


@pytest.mark.shared
@pytest.mark.parametrize(("name", "folder", "limit_pp"), [("ravdess", "ravdess-speech", 1.6), ("emodb", "emodb", 5.0)])
def test_real_corpora(shared_data: Path, name: str, folder: str, limit_pp: float) -> None:
    table = load_dataset(name, root=shared_data / "data" / folder)
    found = [partition(table, options=PartitionOptions(seed=seed, tolerance_pp=VARIED_PP)) for seed in range(10)]
    assert len({tuple(one.frame["part"]) for one in found}) == 10
    assert max(one.report.cost_pp for one in found) < limit_pp
    assert not any(one.report.uncovered for one in found)
