"""Consistency: predictions of dimensions beside annotated classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affectcheck.behaviour import SuiteOptions, load_suites
from affectcheck.behaviour.correctness import measure_correctness
from affectcheck.behaviour.judging import judge
from affectcheck.behaviour.material import Material, round_predictions
from affectcheck.behaviour.measured import Setting
from spoken_items import spoken

(TEST,) = load_suites(["correctness-consistency"])
(TASK,) = TEST.task
LABELS = ("anger", "boredom", "disgust", "fear", "frustration", "happiness", "neutral", "sadness", "surprise", "calm")
DIMENSIONS = ("arousal", "dominance", "valence")
LOW, HIGH = (-np.inf, 0.45), (0.55, np.inf)

#: Table II of paper 2, read anew.
TABLE_2 = {
    "anger": {"valence": "low", "arousal": "high", "dominance": "high"},
    "boredom": {"valence": "neutral", "arousal": "low"},
    "disgust": {"valence": "low"},
    "fear": {"valence": "low", "arousal": "high", "dominance": "low"},
    "frustration": {"valence": "low"},
    "happiness": {"valence": "high", "dominance": "neutral"},
    "neutral": {"valence": "neutral", "arousal": "neutral", "dominance": "neutral"},
    "sadness": {"valence": "low", "arousal": "low", "dominance": "low"},
    "surprise": {"arousal": "high", "dominance": "neutral"},
}


def made(truth: np.ndarray, prediction: np.ndarray, labels: tuple[str, ...] = LABELS, each: int = 4) -> Material:
    return Material(spoken(len(truth), each), truth, prediction, DIMENSIONS, categories=labels)


def measured(material: Material, mode: Any = "corrected", **changes: Any) -> list[Any]:
    rules = TEST.rules(mode).model_copy(update=changes)
    return measure_correctness(material, Setting(TEST, TASK, rules, SuiteOptions(mode=mode, resamples=50)))


def test_the_ranges_are_those_of_the_table() -> None:
    stated = {(dim, c): one.name for one in TASK.ranges for dim in [one.dimension] for c in one.categories}
    assert stated == {(dim, c): name for c, row in TABLE_2.items() for dim, name in row.items()}
    assert len(TASK.ranges) == 9


@pytest.mark.parametrize(("mode", "neutral"), [("corrected", (0.3, 0.6)), ("published", (0.3, 0.7))])
@given(seed=st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_shares_are_those_of_a_count(mode: str, neutral: tuple[float, float], seed: int) -> None:
    draw = np.random.default_rng(seed)
    truth = draw.integers(-1, len(LABELS), size=60)
    prediction = draw.integers(0, 101, size=(60, 3)) / 100
    ends = {"low": LOW, "high": HIGH, "neutral": neutral}
    expected = {}
    for d, dimension in enumerate(DIMENSIONS):
        for code, label in enumerate(LABELS):
            name = TABLE_2.get(label, {}).get(dimension)
            own = prediction[truth == code, d]
            if name and own.size:
                expected[f"{dimension} {label}"] = np.mean([ends[name][0] <= v <= ends[name][1] for v in own])
    found = measured(made(truth, prediction), mode, minimum_per_class=0)
    assert {one.place.part: one.value for one in found} == pytest.approx(expected)
    assert sum(one.support for one in found if one.place.part.startswith("valence")) == sum(
        int(np.sum(truth == code)) for code, label in enumerate(LABELS) if "valence" in TABLE_2.get(label, {})
    )


def test_both_ends_of_a_range_belong_to_it_in_either_precision() -> None:
    truth = np.full(6, LABELS.index("neutral"))
    values = np.array([0.3, 0.6, 0.7, 0.29, 0.61, 0.71])
    prediction = np.column_stack([values] * 3)
    assert {one.value for one in measured(made(truth, prediction), minimum_per_class=0)} == {2 / 6}
    single = round_predictions(prediction, TEST.published)
    assert single.dtype == np.float32
    assert {one.value for one in measured(made(truth, single), "published")} == {4 / 6}
    calm = np.full(6, LABELS.index("sadness"))
    lows = round_predictions(np.column_stack([[0.45, 0.46, 0.0, -0.2, 0.44, 1.0]] * 3), TEST.published)
    assert {one.value for one in measured(made(calm, lows), "published")} == {4 / 6}


def test_the_range_is_told_and_nothing_is_expected_of_other_classes() -> None:
    truth = np.repeat([LABELS.index("anger"), LABELS.index("calm"), -1], 20)
    found = measured(made(truth, np.full((60, 3), 0.9)))
    assert [one.place.part for one in found] == ["arousal anger", "dominance anger", "valence anger"]
    assert "expected: high, at least 0.55" in found[0].notes
    assert "expected: low, at most 0.45" in found[2].notes
    assert "20 items without a label of the tested classes are left out" in found[0].notes
    assert [one.value for one in found] == [1.0, 1.0, 0.0]
    neutral = measured(made(np.full(20, LABELS.index("neutral")), np.full((20, 3), 0.5)))
    assert "expected: neutral, at least 0.3 and at most 0.6" in neutral[0].notes


def test_a_class_with_few_items_is_not_judged() -> None:
    truth = np.repeat([LABELS.index("anger"), LABELS.index("fear")], [30, 9])
    found = {one.place.part: one for one in measured(made(truth, np.full((39, 3), 0.9)))}
    assert found["arousal fear"].reason == "9 items, the test takes at least 10"
    assert found["arousal anger"].value == 1.0
    assert found["arousal anger"].interval is not None


def test_classes_of_which_nothing_is_expected_leave_one_reason() -> None:
    (found,) = measured(made(np.full(20, LABELS.index("calm")), np.full((20, 3), 0.9)))
    assert found.reason == "no items of a class that a range is expected of"


def test_spellings_of_dimensions_and_classes_meet() -> None:
    labels = ("Anger", "NEUTRAL")
    material = made(np.repeat([0, 1], 20), np.full((40, 3), 0.9), labels)
    named = Material(
        material.frame, material.truth, material.prediction, ("Valence", "Arousal", "x"), categories=labels
    )
    assert [one.place.part for one in measured(named)] == [
        "Valence Anger",
        "Valence NEUTRAL",
        "Arousal NEUTRAL",
        "Arousal Anger",
    ]


def test_a_mode_may_move_the_ends_of_one_dimension_alone() -> None:
    one = TEST.published.ranges[0].model_copy(update={"dimension": "valence", "high": 0.95})
    material = made(np.full(20, LABELS.index("neutral")), np.full((20, 3), 0.9))
    found = {m.place.part: m.value for m in measured(material, ranges=(one,))}
    assert found == {"arousal neutral": 0.0, "dominance neutral": 0.0, "valence neutral": 1.0}


def test_the_order_of_rows_changes_nothing() -> None:
    draw = np.random.default_rng(3)
    truth, prediction = draw.integers(0, 9, size=200), draw.random((200, 3))
    material = made(truth, prediction)
    turned = material.take(draw.permutation(200))
    assert measured(turned) == measured(material)


def test_a_random_model_meets_the_neutral_range_as_often_as_a_normal_curve_says() -> None:
    from affectcheck.behaviour.chance import guessed

    material = made(np.full(4000, LABELS.index("neutral")), np.zeros((4000, 3)))
    for mode, share in (("corrected", 0.628), ("published", 0.783)):
        rules = TEST.rules(mode)
        found = measured(guessed(material, "dimensions", rules, seed=1), mode)
        assert [one.value for one in found] == pytest.approx([share] * 3, abs=0.03)


def test_verdicts_name_the_range_rule() -> None:
    material = made(np.full(40, LABELS.index("anger")), np.full((40, 3), 0.9))
    verdicts = [judge(one, TEST, "corrected") for one in measured(material)]
    assert [one.status for one in verdicts] == ["passed", "passed", "failed"]
    assert str(verdicts[0].threshold) == "x > 0.75"
    assert {one.metric for one in verdicts} == {"in_range"}
