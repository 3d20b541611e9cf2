"""What is done with a plan: other draws beside values, pitch measured where it is wanted, numbers behind figures."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl

from affectcheck.behaviour import (
    Examined,
    SuiteOptions,
    examine,
    figure_tables,
    items_behind,
    load_suites,
    plan,
    running,
)
from affectcheck.records import Fault
from affectcheck.schemes import Target, scheme

if TYPE_CHECKING:
    import pytest

    from affectcheck.annotations.table import AnnotationTable


def test_other_draws_are_told_where_they_fall_on_the_other_side(speech: Any) -> None:
    same = speech.predictions(speech.truth, media=("audio",))
    other = speech.predictions((speech.truth + 1) % 4, media=("audio",))
    options = SuiteOptions(reruns=2, resamples=20)
    planned = plan(load_suites(["robustness-white-noise", "robustness-gain"]), same.card, speech.table, options=options)
    noise = [one for one in planned.perturbations if "white-noise" in one.key]
    assert [one.repetition for one in noise] == [0, 1, 2]
    given = {one.key: other if one.repetition == 2 else same for one in planned.perturbations}
    examined = examine(planned, None, speech.table, same, replace(options, perturbed=given))
    unchanged = {one.test: one for one in examined.verdicts if one.metric == "unchanged"}
    drawn = unchanged["robustness-white-noise"]
    assert (drawn.status, drawn.reruns) == ("passed", (1.0, 0.0))
    assert "1 of 2 other draws of the perturbation fall on the other side of the limit" in drawn.notes


def test_a_perturbation_without_draws_is_not_drawn_again(speech: Any) -> None:
    same = speech.predictions(speech.truth, media=("audio",))
    options = SuiteOptions(reruns=2, resamples=20)
    planned = plan(load_suites(["robustness-tilt-up"]), same.card, speech.table, options=options)
    assert len(planned.perturbations) == 1
    given = replace(options, perturbed={planned.perturbations[0].key: same})
    assert all(one.reruns == () for one in examine(planned, None, speech.table, same, given).verdicts)
    assert plan(load_suites(["correctness-classification"]), same.card, speech.table).tests[0].drawn_again(1) is None


def test_pitch_is_measured_once_where_the_table_lacks_it(speech: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def measured(table: AnnotationTable, **options: Any) -> AnnotationTable:
        asked.append(table.height)
        number = pl.col("subject").str.slice(1).cast(pl.Float64)
        return replace(table, frame=table.frame.with_columns(f0_hz=100 + 4 * number))

    monkeypatch.setattr(running, "add_pitch", measured)
    prediction = speech.predictions(speech.right(0.8))
    planned = plan(load_suites(["fairness-pitch"]), prediction.card, speech.table)
    assert "fundamental frequency: measured on 1600 items" in str(planned)
    examined = examine(planned, None, speech.table, prediction, SuiteOptions(resamples=20))
    assert asked == [1600]
    assert {one.place.group for one in examined.verdicts if one.value is not None} == {"low", "medium", "high"}


def test_classes_that_nobody_has_are_not_drawn(affect: Any) -> None:
    said = pl.Series("said", ["anger", "sadness"] * 800, dtype=pl.Enum(["anger", "happiness", "neutral", "sadness"]))
    target = Target("said", scheme("expressions-4"))
    table = affect.with_frame(affect.table.frame.with_columns(said), targets={"said": target}).table
    prediction = affect.predictions(affect.near(0.1))
    planned = plan(load_suites(["correctness-consistency"]), prediction.card, table)
    examined = examine(planned, None, table, prediction, SuiteOptions(resamples=20))
    rows = figure_tables(planned, examined)["behaviour_expected"]["rows"]
    assert {row[1] for row in rows} == {"anger", "sadness"}
    assert {row[0] for row in rows} == {"arousal", "dominance", "valence"}
    assert figure_tables(planned, Examined((), examined.predictions)) == {}


def test_only_classes_have_changes_to_be_counted(affect: Any, speech: Any) -> None:
    for world, values, drawn in ((affect, affect.near(0.1), False), (speech, speech.right(0.7), True)):
        prediction = world.predictions(values, media=("audio",))
        planned = plan(load_suites(["robustness-gain"]), prediction.card, world.table)
        given = {one.key: prediction for one in planned.perturbations}
        examined = examine(planned, None, world.table, prediction, SuiteOptions(resamples=20, perturbed=given))
        assert ("behaviour_changes" in figure_tables(planned, examined)) == drawn


def test_items_behind_a_verdict_are_those_of_a_group_that_was_made(speech: Any) -> None:
    number = pl.col("subject").str.slice(1).cast(pl.Int64)
    tongue = pl.when(number < 20).then(pl.lit("zh-CN")).when(number < 30).then(pl.lit("zh-TW")).otherwise(pl.lit("en"))
    frame = speech.table.frame.with_columns(f0_hz=100.0 + 4 * number, language=tongue)
    table = speech.with_frame(frame, groups=("sex", "language")).table
    prediction = speech.predictions(speech.right(0.5))
    planned = plan(load_suites(["fairness-pitch", "fairness-language", "fairness-sex"]), prediction.card, table)
    found = examine(planned, None, table, prediction, SuiteOptions(resamples=20))
    pitch, language, _ = planned.tests
    made = {(one.test, one.place.group): one for one in found.verdicts}
    low = items_behind(made["fairness-pitch", "low"], pitch, found).frame
    assert 0 < low.height < 800
    assert set(low.get_column("group")) == {"low"}
    chinese = items_behind(made["fairness-language", "zh"], language, found).frame
    assert set(chinese.get_column("group")) == {"zh"}
    assert chinese.get_column("subject").n_unique() == 30
    absent = replace(found, table=replace(table, frame=frame.drop("f0_hz")))
    assert items_behind(made["fairness-pitch", "low"], pitch, absent).frame.get_column("group").null_count() > 0


def test_what_is_noted_of_media_as_they_are_is_not_told_again_for_each_change(affect: Any) -> None:
    clean = affect.predictions(affect.near(0.1), media=("image",))
    whole = Fault("i00003", "media caution", "face: none is found", "warning")
    aligned = replace(whole, item="i00004", message="points of the face: none are known")
    predictions = {"": replace(clean, faults=(whole,)), "mask()": replace(clean, faults=(whole, aligned))}
    (told,) = Examined((), predictions).cautions
    assert (told.item, told.kind) == ("i00004", "media caution")
    assert told.message == "points of the face: none are known; so 1 of 1600 predictions under mask()"
    (alone,) = Examined((), {"mask()": replace(clean, faults=(whole,))}).cautions
    assert alone.item == "i00003"


def test_cautions_of_predictions_on_changed_sound_are_counted(affect: Any) -> None:
    values = affect.near(0.1)
    beyond = values.copy()
    beyond[:7, 0] = 1.5
    clean = affect.predictions(values, media=("audio",), low=0.0, high=1.0)
    warned = Fault("i00003", "outside the declared range", "arousal 1.5 beyond 0 to 1", "warning")
    lost = Fault("i00005", "unreadable audio", "no sound")
    changed = replace(
        affect.predictions(beyond, media=("audio",)), faults=(warned, replace(warned, item="i00004"), lost)
    )
    found = Examined((), {"": replace(clean, faults=(warned,)), "gain(gain_db=2.0)|seed=0|repetition=0": changed})
    (told,) = found.cautions
    assert (told.item, told.kind, told.severity) == ("i00003", "outside the declared range", "warning")
    assert told.message == (
        "arousal 1.5 beyond 0 to 1; so 2 of 1600 predictions under gain(gain_db=2.0)|seed=0|repetition=0"
    )
