"""Correctness tests pass for good models, fail for bad ones, and say when the support cannot decide."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from affectcheck.schemes import CategoryScheme, Target

CLASSIFICATION, REGRESSION = "correctness-classification", "correctness-regression"


def test_a_good_classifier_passes_every_comparison(speech: Any, outcome: Any) -> None:
    found = outcome(CLASSIFICATION, speech, speech.predictions(speech.right(0.9)))
    assert found.statuses() == {"passed"}
    assert len(found.verdicts) == 4 + 4 + 1 + 1
    uar = found.one("uar")
    assert uar.value == pytest.approx(0.925, abs=0.03)
    assert uar.baseline == pytest.approx(0.25, abs=0.05)
    assert uar.support == speech.table.height
    assert uar.threshold is not None
    assert str(uar.threshold) == "x > 0.5"
    assert uar.mode == "corrected"
    assert uar.data.startswith("made@")
    assert "test=correctness-classification" in uar.signature.replace("%3D", "=")
    assert "over 40 clusters (subject)" in uar.notes[0]


def test_the_random_model_fails_every_comparison(speech: Any, outcome: Any) -> None:
    found = outcome(CLASSIFICATION, speech, speech.predictions(speech.right(0.0)))
    assert found.statuses() == {"failed"}
    assert "does not meet x > 0.5" in found.one("uar").reason


def test_a_model_that_says_one_class_fails_and_its_undefined_precisions_are_not_applicable(
    speech: Any, outcome: Any
) -> None:
    found = outcome(CLASSIFICATION, speech, speech.predictions(np.zeros(len(speech.truth), np.int64)))
    assert found.one("recall", part="anger").status == "passed"
    assert found.one("recall", part="neutral").status == "failed"
    never = found.one("precision", part="neutral")
    assert never.status == "not applicable"
    assert never.value is None
    assert never.reason
    assert found.one("uap").status == "failed"


def test_a_value_near_its_limit_is_inconclusive(speech: Any, outcome: Any) -> None:
    found = outcome(CLASSIFICATION, speech, speech.predictions(speech.right(1 / 3)))
    uar = found.one("uar")
    assert uar.status == "inconclusive"
    assert "both sides of x > 0.5" in uar.reason


def test_without_intervals_the_value_decides_and_says_so(outcome: Any, world: Any) -> None:
    few = world(speakers=4, each=100)
    found = outcome(CLASSIFICATION, few, few.predictions(few.right(0.9))).one("uar")
    assert found.status == "passed"
    assert any("no interval: 4 subject clusters" in note for note in found.notes)


def test_few_items_of_a_class_are_not_applicable(outcome: Any, world: Any) -> None:
    small = world(speakers=6, each=5)
    found = outcome(CLASSIFICATION, small, small.predictions(small.right(0.9)))
    recalls = found.of("recall")
    assert {one.status for one in recalls} == {"not applicable"}
    assert all(f"{one.support} items, the test takes at least 10" == one.reason for one in recalls)
    assert all(one.minimum_support == 10 for one in recalls)


def test_few_items_in_all_are_not_applicable(outcome: Any, world: Any) -> None:
    few = world(speakers=3, each=2)
    found = outcome(CLASSIFICATION, few, few.predictions(few.right(0.1)))
    assert {one.status for one in found.verdicts} == {"not applicable"}
    assert "the test takes at least 10" in found.one("uar").reason


def test_a_class_without_items_is_left_out_of_the_means(speech: Any, outcome: Any) -> None:
    kept = speech.truth != 3
    world = speech.only(kept)
    prediction = speech.predictions(speech.truth).select(world.table.items)
    found = outcome(CLASSIFICATION, world, prediction)
    assert found.one("uar").value == 1.0
    gone = found.one("recall", part="sadness")
    assert (gone.status, gone.reason) == ("not applicable", "no items of this class")


def test_items_without_label_or_prediction_are_counted(speech: Any, outcome: Any) -> None:
    labels = speech.table.frame.get_column("expression").to_list()
    labels[:7] = [None] * 7
    frame = speech.table.frame.with_columns(pl.Series("expression", labels, dtype=pl.Enum(speech.labels)))
    world = speech.with_frame(frame)
    prediction = speech.predictions(speech.right(0.9)).select(speech.table.items[5:])
    uar = outcome(CLASSIFICATION, world, prediction).one("uar")
    assert uar.support == speech.table.height - 7
    assert "5 of 1600 items have no prediction and are left out" in uar.notes
    assert "2 items without a label of the tested classes are left out" in uar.notes


def test_predictions_of_untested_classes_are_wrong_answers(speech: Any, outcome: Any) -> None:
    labels = (*speech.labels, "boredom")
    codes = speech.truth.copy()
    codes[:400] = 4
    found = outcome(CLASSIFICATION, speech, speech.predictions(codes, parts=labels))
    assert found.one("uar").value == pytest.approx(0.75, abs=0.03)
    assert found.one("uap").value == 1.0  # an answer outside is no answer of a tested class
    published = outcome(CLASSIFICATION, speech, speech.predictions(codes, parts=labels), mode="published")
    assert published.one("uar").value == pytest.approx(0.75 * 4 / 5, abs=0.03)  # five labels were seen
    assert published.one("uap").value == pytest.approx(4 / 5, abs=0.01)


def test_spellings_of_the_model_meet_those_of_the_target(speech: Any, outcome: Any) -> None:
    spelt = ("Angry", "happy", "neutral ", "SAD")
    found = outcome(CLASSIFICATION, speech, speech.predictions(speech.truth, parts=spelt))
    assert found.one("uar").value == 1.0


def test_eight_classes_are_all_tested_in_corrected_mode_and_four_as_published(outcome: Any, world: Any) -> None:
    base = world()
    labels = ("anger", "calm", "disgust", "fear", "happiness", "neutral", "sadness", "surprise")
    truth = np.arange(len(base.truth)) % 8
    frame = base.table.frame.with_columns(pl.Series("expression", [labels[t] for t in truth], dtype=pl.Enum(labels)))
    target = Target("expression", CategoryScheme("eight", labels))
    eight = replace(base.with_frame(frame, targets={"expression": target}), truth=truth, labels=labels)
    corrected = outcome(CLASSIFICATION, eight, eight.predictions(truth))
    assert len(corrected.of("recall")) == 8
    published = outcome(CLASSIFICATION, eight, eight.predictions(truth), mode="published")
    assert {one.place.part for one in published.of("recall")} == {"anger", "happiness", "neutral", "sadness"}
    assert published.one("uar").support == 4 * len(truth) // 8


@pytest.mark.parametrize(("spread", "status"), [(0.03, "passed"), (0.6, "failed")])
def test_regression_passes_and_fails(affect: Any, outcome: Any, spread: float, status: str) -> None:
    found = outcome(REGRESSION, affect, affect.predictions(affect.near(spread)))
    assert found.statuses() == {status}
    assert {one.place.part for one in found.verdicts} == {"arousal", "dominance", "valence"}
    assert len(found.verdicts) == 9
    assert found.one("ccc", part="valence").baseline == pytest.approx(0, abs=0.1)


def test_a_constant_prediction_has_a_ccc_of_0_and_no_correlation(affect: Any, outcome: Any) -> None:
    found = outcome(REGRESSION, affect, affect.predictions(np.full_like(affect.truth, 0.5)))
    assert found.one("ccc", part="arousal").status == "failed"
    pcc = found.one("pcc", part="arousal")
    assert pcc.status == "not applicable"
    assert "constant" in pcc.reason


def test_one_item_has_no_concordance_in_either_mode(outcome: Any, world: Any) -> None:
    one = world("dimensions", speakers=1, each=1)
    for mode in ("corrected", "published"):
        found = outcome(REGRESSION, one, one.predictions(one.near(0.3)), mode=mode)
        assert {v.status for v in found.verdicts if v.metric != "mae"} == {"not applicable"}
    assert found.one("ccc", part="arousal").reason == "arousal: only 1 item"


def test_items_without_a_value_are_counted_by_dimension(affect: Any, outcome: Any) -> None:
    frame = affect.table.frame.with_columns(
        pl.when(pl.int_range(pl.len()) < 9).then(None).otherwise(pl.col("valence")).alias("valence")
    )
    world = affect.with_frame(frame)
    found = outcome(REGRESSION, world, affect.predictions(affect.near(0.03)))
    assert found.one("ccc", part="valence").support == 1591
    assert "9 items without a value of valence are left out" in found.one("ccc", part="valence").notes
    assert found.one("ccc", part="arousal").support == 1600


def test_other_ranges_are_mapped_onto_that_of_the_limits(affect: Any, outcome: Any) -> None:
    from affectcheck.schemes import scheme

    frame = affect.table.frame.with_columns((pl.col(d) * 2 - 1) for d in ("arousal", "dominance", "valence"))
    targets = {"affect": Target("affect", scheme("affect-3-centred"))}
    centred = affect.with_frame(frame, targets=targets)
    near = affect.near(0.03)
    here = outcome(REGRESSION, affect, affect.predictions(near))
    for values, own in ((near * 2 - 1, {"low": -1.0}), (near, {}), (near * 4 + 1, {"low": 1.0, "high": 5.0})):
        there = outcome(REGRESSION, centred, affect.predictions(values, **own))
        assert there.one("mae", part="arousal").value == pytest.approx(here.one("mae", part="arousal").value)


def test_media_then_items_are_resampled_where_subjects_are_not_known(speech: Any, outcome: Any) -> None:
    for dropped, unit in ((["subject"], "media"), (["subject", "media"], "item")):
        frame = speech.table.frame.drop(dropped)
        world = speech.with_frame(frame)
        uar = outcome(CLASSIFICATION, world, speech.predictions(speech.right(0.9)), resamples=50).one("uar")
        assert f"clusters ({unit})" in uar.notes[0]


def test_the_order_of_the_table_and_of_the_predictions_does_not_matter(speech: Any, outcome: Any) -> None:
    prediction = speech.predictions(speech.right(0.7))
    straight = outcome(CLASSIFICATION, speech, prediction)
    shuffled = type(prediction)(prediction.frame.sample(fraction=1, shuffle=True, seed=1), prediction.card)
    assert outcome(CLASSIFICATION, speech.turned(), shuffled).verdicts == straight.verdicts


def test_without_resamples_the_value_alone_decides(speech: Any, outcome: Any) -> None:
    found = outcome(
        ["correctness-classification", "fairness-sex"], speech, speech.predictions(speech.right(0.9)), resamples=0
    )
    uar = next(one for one in found.verdicts if one.metric == "uar")
    assert uar.status == "passed"
    assert "no interval: none was asked for; the value alone decides, for these items only" in uar.notes
    assert any("noise floor" in note for one in found.of("uar_difference") for note in one.notes)
