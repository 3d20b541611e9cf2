"""Distribution: class shares, means and histograms of predictions against the truth."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from affectcheck.behaviour import SuiteOptions, load_suites
from affectcheck.behaviour.correctness import measure_correctness
from affectcheck.behaviour.histograms import bin_codes
from affectcheck.behaviour.judging import judge
from affectcheck.behaviour.material import Material, round_predictions
from affectcheck.behaviour.measured import Setting
from spoken_items import spoken
from unlabelled_items import LABELS

(TEST,) = load_suites(["correctness-distribution"])
CLASSES, VALUES = TEST.task


def values(truth: Any, prediction: Any, mode: Any = "corrected", **changes: Any) -> dict[str, Any]:
    sides = [np.asarray(side, np.float64)[:, None] for side in (truth, prediction)]
    sides[1] = round_predictions(sides[1], TEST.rules(mode))
    material = Material(spoken(len(sides[0])), *sides, ("valence",))
    rules = TEST.rules(mode).model_copy(update={"minimum_per_group": 0} | changes)
    found = measure_correctness(material, Setting(TEST, VALUES, rules, SuiteOptions(mode=mode, resamples=50)))
    return {one.comparison.metric: one for one in found}


def classes(truth: Any, prediction: Any, mode: Any = "corrected", others: int = 0, **changes: Any) -> dict[str, Any]:
    material = Material(spoken(len(truth)), np.asarray(truth), np.asarray(prediction), LABELS, others)
    rules = TEST.rules(mode).model_copy(update={"minimum_per_group": 0} | changes)
    found = measure_correctness(material, Setting(TEST, CLASSES, rules, SuiteOptions(mode=mode, resamples=50)))
    return {one.place.part: one for one in found}


def js_distance(p: list[float], q: list[float]) -> float:
    """By the formula, one bin at a time, in logarithms of base 2."""
    p, q = [x / math.fsum(p) for x in p], [x / math.fsum(q) for x in q]
    total = 0.0
    for a, b in zip(p, q, strict=True):
        m = (a + b) / 2
        total += (a * math.log2(a / m) / 2 if a else 0.0) + (b * math.log2(b / m) / 2 if b else 0.0)
    return math.sqrt(max(total, 0.0))


@given(seed=st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_ten_bins_of_hundredths(seed: int) -> None:
    draw = np.random.default_rng(seed)
    hundredths = draw.integers(-5, 106, size=(50, 2))
    bins = np.clip(hundredths // 10, 0, 9)
    counts = [np.bincount(side, minlength=10).tolist() for side in bins.T]
    found = values(*(hundredths / 100).T)
    assert found["jsd"].value == pytest.approx(js_distance(*counts), abs=1e-9)
    assert found["mean"].value == pytest.approx(float(np.mean(hundredths[:, 1] - hundredths[:, 0])) / 100, abs=1e-12)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_published_are_nine_bins_and_the_rest_is_dropped(seed: int) -> None:
    """In hundredths that lie on no edge, where single precision would decide."""
    draw = np.random.default_rng(seed)
    hundredths = draw.integers(-5, 106, size=(50, 2))
    hundredths += (hundredths % 10 == 0) * 1
    kept = [side[(side >= 0) & (side <= 90)] for side in hundredths.T]
    assume(all(side.size for side in kept))
    counts = [np.bincount((side - 1) // 10, minlength=9).tolist() for side in kept]
    found = values(*(hundredths / 100).T, "published")
    assert found["jsd"].value == pytest.approx(js_distance(*counts), abs=1e-9)


def test_single_precision_decides_at_the_edges_as_published() -> None:
    edges = np.array(TEST.published.histogram_edges)
    tenths = np.arange(10) / 10
    assert bin_codes(tenths, edges, published=True).tolist() == [0, 1, 2, 3, 4, 4, 6, 6, 8, 8]
    assert bin_codes(tenths, np.append(edges, 1.0), published=False).tolist() == list(range(10))
    assert bin_codes(np.array([-0.01, 0.91, 1.0]), edges, published=True).tolist() == [9, 9, 9]


def test_the_collected_cases_by_hand() -> None:
    truth, prediction = [0.15, 0.95, 0.97, 1.0], [0.15, 0.12, 0.18, 0.11]
    assert values(truth, prediction)["jsd"].value == pytest.approx(0.740806952380577, abs=1e-12)
    assert values(truth, prediction, "published")["jsd"].value == 0.0
    outside = values([0.95, 0.05, 0.95, 0.05], [1.02, -0.01, 0.95, 0.05])["jsd"]
    assert outside.value == 0.0
    assert "2 predictions outside 0 to 1 counted in the outermost bin" in outside.notes
    assert not any("outside" in note for note in values(truth, prediction)["mean"].notes)
    dropped = values([0.95, 0.1, 0.2, 0.3], [0.1, 0.2, 0.95, 0.99], "published")["jsd"]
    assert {"1 truths outside 0 to 0.9 dropped", "2 predictions outside 0 to 0.9 dropped"} <= set(dropped.notes)


@pytest.mark.shared
def test_the_collected_case_of_bins(shared_data: Any) -> None:
    case = json.loads((shared_data / "cases" / "bugs" / "A20.json").read_text(encoding="utf-8"))
    third = case["input"]["case3"]
    found = values([float(v) for v in third["truth"]], [float(v) for v in third["pred"]])["jsd"]
    assert found.value == pytest.approx(case["expected"]["case3_distance"], abs=1e-12)


def test_nothing_within_the_histogram_is_no_value() -> None:
    found = values([0.95, 0.97], [0.95, 0.2], "published")
    assert found["jsd"].reason == "truth or prediction has no value within the histogram"
    assert found["mean"].value == pytest.approx(-0.385)


def test_a_distance_of_0_is_a_value_and_passes() -> None:
    same = np.linspace(0, 0.9, 40)
    for mode in ("corrected", "published"):
        for one in values(same, same, mode).values():
            verdict = judge(one, TEST, mode)
            assert verdict.status == "passed"
            assert verdict.value == pytest.approx(0.0, abs=0.005)
    assert {judge(one, TEST, "corrected").metric for one in values(same, same).values()} == {"jsd", "mean_difference"}


@pytest.mark.parametrize("mode", ["corrected", "published"])
@given(seed=st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_class_shares_are_those_of_a_count(mode: str, seed: int) -> None:
    draw = np.random.default_rng(seed)
    truth, prediction = draw.integers(0, 4, size=40), draw.integers(0, 6, size=40)
    found = classes(truth, prediction, mode, others=2)
    expected = {
        label: sum(p == code for p in prediction) / 40 - sum(t == code for t in truth) / 40
        for code, label in enumerate(LABELS)
    }
    assert {part: one.value for part, one in found.items()} == pytest.approx(expected, abs=1e-12)


def test_a_class_that_only_the_model_knows_is_compared_and_one_that_none_knows_is_not() -> None:
    truth = np.repeat([0, 2], 20)
    found = classes(truth, np.where(np.arange(40) < 4, 1, truth))
    assert found["happiness"].value == pytest.approx(0.1)
    assert found["anger"].value == pytest.approx(-0.1)
    assert found["sadness"].reason == "neither annotated nor predicted"
    verdict = judge(found["happiness"], TEST, "corrected")
    assert verdict.metric == "share_difference"


def test_items_without_labels_are_left_out_of_both_sides() -> None:
    truth, prediction = np.array([0, 1, -1, -1] * 10), np.array([0, 1, 2, 3] * 10)
    found = classes(truth, prediction)
    assert {one.value for part, one in found.items() if part in ("anger", "happiness")} == {0.0}
    assert found["neutral"].value is None
    assert found["anger"].support == 20


def test_no_items_leave_a_reason() -> None:
    found = classes(np.full(4, -1), np.zeros(4, np.int64), minimum_per_group=10)
    assert {one.reason for one in found.values()} == {"neither annotated nor predicted"}
    empty = values([np.nan] * 4, [0.5] * 4, minimum_per_group=10)
    assert {one.reason for one in empty.values()} == {"0 items, the test takes at least 10"}


def test_intervals_are_over_speakers_and_supports_are_stated() -> None:
    draw = np.random.default_rng(1)
    truth = np.clip(draw.normal(0.5, 0.15, 400), 0, 1)
    found = values(truth, np.clip(truth + 0.1, 0, 1), minimum_per_group=10)
    for one in found.values():
        assert one.interval is not None
        assert (one.interval.unit, one.interval.clusters, one.support, one.minimum) == ("subject", 100, 400, 10)
    assert judge(found["mean"], TEST, "corrected").status == "failed"


def test_the_order_of_rows_changes_no_histogram_and_no_share() -> None:
    draw = np.random.default_rng(2)
    rows = draw.permutation(200)
    sides = draw.random((2, 200, 1))
    codes = draw.integers(0, 4, size=(2, 200))
    for task, (truth, prediction), parts in ((VALUES, sides, ("valence",)), (CLASSES, codes, LABELS)):
        material = Material(spoken(200), truth, prediction, parts)
        setting = Setting(TEST, task, TEST.corrected, SuiteOptions(resamples=50))
        straight, turned = (measure_correctness(one, setting) for one in (material, material.take(rows)))
        for one, other in zip(straight, turned, strict=True):
            assert other.value == pytest.approx(one.value, abs=1e-12)
            assert other.interval.low == pytest.approx(one.interval.low, abs=1e-12)


def test_whole_runs(speech: Any, affect: Any, outcome: Any) -> None:
    good = outcome("correctness-distribution", speech, speech.predictions(speech.right(0.9)))
    assert good.statuses() == {"passed"}
    assert good.one("share_difference", part="anger").baseline == pytest.approx(0.0, abs=0.1)
    one_class = outcome("correctness-distribution", speech, speech.predictions(np.zeros(len(speech.truth), np.int64)))
    assert one_class.one("share_difference", part="anger").status == "failed"
    near = outcome("correctness-distribution", affect, affect.predictions(affect.near(0.01)))
    assert near.statuses() == {"passed"}
    assert len(near.verdicts) == 6
