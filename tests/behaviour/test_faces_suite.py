"""The suite of faces: what is perturbed how far, what is compared, and the words that fit pictures."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from affectcheck.augmentations import PICTURE_AUGMENTATIONS, make_perturbation
from affectcheck.behaviour import SuiteOptions, explain, load_suite, load_suites, plan, run

TESTS = {one.name: one for one in load_suite("faces")}
ROBUSTNESS = [one for one in TESTS.values() if one.kind == "perturbation"]
SLIGHT = [one for one in ROBUSTNESS if one.name.endswith("-slight") or one.name == "face-robustness-flip"]
HIDING = ("mask", "sunglasses", "occlude-eyes", "occlude-half", "occlude-mouth")


def test_every_perturbation_of_pictures_is_tested() -> None:
    assert {one.perturbation.augmentation for one in ROBUSTNESS if one.perturbation} == set(
        PICTURE_AUGMENTATIONS.names()
    )
    slight = {one.perturbation.augmentation for one in SLIGHT if one.perturbation}
    assert set(PICTURE_AUGMENTATIONS.names()) - slight == {"grey", *HIDING}


@pytest.mark.parametrize("test", TESTS.values(), ids=lambda one: one.name)
def test_tests_of_faces_are_for_pictures_and_say_where_their_limits_are_from(test: Any) -> None:
    assert test.data.media == ("image", "frames")
    assert test.published.not_judged
    assert test.notes
    assert all(one.source for task in test.task for one in task.comparison)


@pytest.mark.parametrize("test", ROBUSTNESS, ids=lambda one: one.name)
def test_limits_are_those_of_table_4_for_changes_of_their_size(test: Any) -> None:
    hides = test.perturbation.augmentation in HIDING
    unchanged = 0.95 if test in SLIGHT else 0.5 if hides else 0.9
    for task in test.task:
        limits = {one.metric: one.limit for one in task.comparison}
        assert limits.pop("unchanged") == unchanged
        assert limits.pop("mean", 0.05 if hides else 0.03) == (0.05 if hides else 0.03)
        assert set(limits.values()) <= {-0.05}
        assert bool(limits) == (test not in SLIGHT)
        assert all(one.source.startswith("as paper 2, Table I") for one in task.comparison)
    assert test.data.labels == (False if test in SLIGHT else "where known")
    assert make_perturbation(test.perturbation.augmentation, test.perturbation.parameters).media == ("image", "frames")


def test_the_levels_of_a_change_that_is_seen_lie_beyond_those_of_a_slight_one() -> None:
    for test in ROBUSTNESS:
        slight = TESTS.get(f"{test.name}-slight")
        if slight is None:
            continue
        for level, values in test.perturbation.parameters.items():
            before = slight.perturbation.parameters[level]
            assert not set(values) & set(before)


def reason(name: str, card: Any, table: Any, **options: Any) -> str:
    (planned,) = plan(load_suites([name]), card, table, options=SuiteOptions(**options)).tests
    return planned.reason


def test_tests_of_faces_are_not_for_models_of_sound(speech: Any) -> None:
    hearing, seeing = speech.card(media=("audio",)), speech.card(media=("image",))
    name = "face-correctness-classification"
    assert reason(name, hearing, speech.table) == "the model takes no image or frames, which the test is about"
    assert reason(name, seeing, speech.table) == ""
    assert reason(name, speech.card(media=()), speech.table) == ""
    assert reason("face-robustness-jpeg", hearing, speech.table).endswith("perturbed pictures would not reach it")
    assert reason("robustness-gain", seeing, speech.table).endswith("perturbed sound would not reach it")
    assert reason(name, seeing, speech.table, mode="published") == "no results of this test were published"


def test_without_labels_unchanged_predictions_are_still_counted(speech: Any, outcome: Any) -> None:
    codes = speech.right(0.8)
    before, after = (speech.predictions(one, media=("image",)) for one in (codes, np.roll(codes, 1)))
    bare = replace(speech, table=replace(speech.table, targets={}))
    found = outcome("face-robustness-jpeg", bare, before, perturbed=after)
    assert found.one("unchanged").status == "failed"
    for metric in ("uar_change", "uap_change"):
        assert found.one(metric).status == "not applicable"
        assert found.one(metric).reason == "no labels of what the model predicts"
    labelled = outcome("face-robustness-jpeg", speech, before, perturbed=before)
    assert labelled.statuses() == {"passed"}
    assert labelled.one("uar_change").value == 0.0
    assert outcome("face-robustness-mask", speech, before, perturbed=before).statuses() == {"passed"}


def test_values_without_labels(affect: Any, outcome: Any) -> None:
    near = affect.predictions(affect.near(0.05), media=("image",))
    bare = replace(affect, table=replace(affect.table, targets={}))
    found = outcome("face-robustness-jpeg", bare, near, perturbed=near)
    assert found.statuses("unchanged") == {"passed"}
    assert found.statuses("ccc_change") == {"not applicable"}
    assert outcome("face-robustness-jpeg", affect, near, perturbed=near).statuses("ccc_change") == {"passed"}


def test_a_target_of_another_kind_is_no_label(speech: Any, affect: Any) -> None:
    frame = affect.table.frame
    planned = plan(load_suites(["face-robustness-jpeg"]), speech.card(media=("image",)), affect.table)
    assert planned.tests[0].target is None
    assert planned.tests[0].reason == ""
    assert frame.height


def test_words_fit_pictures(speech: Any) -> None:
    jpeg = explain(TESTS["face-robustness-jpeg"])
    assert "the value on perturbed pictures minus the value on the pictures as they are is judged" in jpeg
    assert "items whose pictures were really changed" in jpeg
    assert "Takes: labels where there are any" in jpeg
    assert "Needs: the medium image or frames." in jpeg
    everything = "\n".join(map(explain, TESTS.values()))
    for word in ("sound", "clip", "speakers with", "recorded"):
        assert word not in everything
    assert "videos with at least 4 frames" in explain(TESTS["face-correctness-temporal-behaviour"])
    nobody = replace(speech.table, frame=speech.table.frame.drop("subject", "media"))
    seeing = speech.card(media=("image",))
    assert "does not say who is seen" in reason("face-correctness-subject-average", seeing, nobody)
    assert "does not say which videos there are" in reason("face-correctness-video-average", seeing, nobody)


def test_averages_over_videos(speech: Any, outcome: Any) -> None:
    rows = np.arange(speech.table.height)
    frame = speech.table.frame.with_columns(video=pl.Series([f"v{row // 40}" for row in rows])).drop("subject")
    world = speech.with_frame(frame)
    right = world.predictions(speech.truth, media=("image",))
    found = outcome("face-correctness-video-average", world, right)
    assert found.statuses() == {"passed"}
    assert found.one("mae", part="anger").support == 40
    assert "over the means of 40 videos" in found.one("mae", part="anger").notes
    some = world.with_frame(frame.with_columns(video=pl.when(pl.col("video") == "v0").then(None).otherwise("video")))
    told = outcome("face-correctness-video-average", some, right).one("mae", part="anger")
    assert "40 items without a known video are left out" in told.notes
    few = outcome(
        "face-correctness-subject-average",
        speech.only(rows < 120),
        speech.only(rows < 120).predictions(speech.truth[:120], media=("image",)),
    )
    assert few.verdicts[0].reason == "3 subjects with at least 32 items, the test takes 6"


def test_unchanged_pictures_are_left_out_in_words_of_pictures(speech: Any) -> None:
    from affectcheck.predictions import NOT_APPLICABLE
    from affectcheck.records import Fault

    (planned,) = plan(load_suites(["face-robustness-grey"]), speech.card(media=()), speech.table).tests
    assert planned.reason
    clean = speech.predictions(speech.truth, media=("image",))
    key = make_perturbation("grey", {}).key
    rest = replace(clean, frame=clean.frame[10:], faults=tuple(
        Fault(item, NOT_APPLICABLE, "grey already") for item in clean.frame.get_column("item")[:10]
    ))  # fmt: skip
    options = SuiteOptions(perturbed={key: rest}, resamples=50)
    done = run(
        plan(load_suites(["face-robustness-grey"]), clean.card, speech.table, options=options),
        None,
        speech.table,
        clean,
        options,
    )
    assert any("10 items whose pictures were not changed are left out" in one.notes for one in done)
    none = replace(clean, frame=clean.frame.head(0))
    options = SuiteOptions(perturbed={key: none}, resamples=50)
    done = run(
        plan(load_suites(["face-robustness-grey"]), clean.card, speech.table, options=options),
        None,
        speech.table,
        clean,
        options,
    )
    assert {one.status for one in done} == {"not applicable"}


def test_a_test_for_what_is_annotated_nowhere(speech: Any) -> None:
    (definition,) = load_suites(["fairness-sex"])
    data = definition.data.model_copy(update={"labels": "where unknown"})
    unknown = definition.model_copy(update={"data": data})
    (planned,) = plan([unknown], speech.card(), speech.table).tests
    assert planned.reason.startswith("what the model predicts is annotated")
    (bare,) = plan([unknown], speech.card(), replace(speech.table, targets={})).tests
    assert (bare.reason, bare.target) == ("", None)
    assert "is not annotated" in explain(unknown)


def test_pictures_are_no_videos(speech: Any) -> None:
    seeing = speech.card(media=("image",))
    told = reason("face-correctness-video-average", seeing, speech.table)
    assert told == "there are no videos of several items: each item is one of its own"
    videos = speech.table.frame.with_columns(video=pl.col("subject"))
    assert reason("face-correctness-video-average", seeing, replace(speech.table, frame=videos)) == ""
