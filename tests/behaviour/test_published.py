"""The published mode repeats the published results, their rounding included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from affectcheck.behaviour import load_suites
from affectcheck.behaviour.judging import judge, rounded
from affectcheck.behaviour.material import Material, round_predictions
from affectcheck.behaviour.measured import Measured, bin_names, bins_of
from affectcheck.behaviour.robustness import Pair, unchanged
from affectcheck.records import Place
from spoken_items import spoken

(CLASSIFICATION,) = load_suites(["correctness-classification"])
(REGRESSION,) = load_suites(["correctness-regression"])
(SEX,) = load_suites(["fairness-sex"])
(GAIN,) = load_suites(["robustness-gain"])


def verdict(definition: Any, metric: str, value: float, mode: str, *, kind: str = "categories") -> Any:
    comparison = next(c for c in definition.task_of(kind).comparison if c.metric == metric)
    return judge(Measured(comparison, Place(), value, support=1000), definition, mode)


@pytest.mark.parametrize(
    ("definition", "metric", "kind", "value", "published", "corrected"),
    [
        # > 0.5 means about 0.505 and more after rounding to 2 decimals, halves to the even digit
        (CLASSIFICATION, "uar", "categories", 0.5049, "failed", "passed"),
        (CLASSIFICATION, "uar", "categories", 0.5051, "passed", "passed"),
        (CLASSIFICATION, "uar", "categories", 0.5, "failed", "failed"),
        (CLASSIFICATION, "recall", "categories", 0.505, "failed", "passed"),
        # three decimals in the regression test
        (REGRESSION, "ccc", "dimensions", 0.5004, "failed", "passed"),
        (REGRESSION, "ccc", "dimensions", 0.5006, "passed", "passed"),
        (REGRESSION, "mae", "dimensions", 0.0996, "failed", "passed"),
        (REGRESSION, "mae", "dimensions", 0.0994, "passed", "passed"),
        # thresholds that end in 5 at the third decimal are not shifted
        (SEX, "recall", "categories", 0.1749, "passed", "passed"),
        (SEX, "recall", "categories", -0.1751, "failed", "failed"),
        (SEX, "uap", "categories", 0.0451, "failed", "passed"),
        (SEX, "uap", "categories", -0.0449, "passed", "passed"),
    ],
)
def test_scores_are_rounded_before_they_are_compared(
    definition: Any, metric: str, kind: str, *, value: float, published: str, corrected: str
) -> None:
    assert verdict(definition, metric, value, "published", kind=kind).status == published
    assert verdict(definition, metric, value, "corrected", kind=kind).status == corrected
    assert verdict(definition, metric, value, "corrected", kind=kind).value == value


def test_the_rounded_score_is_shown_in_published_mode() -> None:
    found = verdict(CLASSIFICATION, "uar", 0.5049, "published")
    assert (found.value, found.mode) == (0.5, "published")
    assert rounded(-0.001, "uar", CLASSIFICATION.published) == 0.0
    assert rounded(None, "uar", CLASSIFICATION.published) is None


def test_predictions_are_float32_of_two_decimals_in_published_mode() -> None:
    values = np.array([0.123456, 0.125, 0.995, 0.375])
    found = round_predictions(values, REGRESSION.published)
    assert found.dtype == np.float32
    assert found.tolist() == pytest.approx([0.12, 0.12, 1.0, 0.38], abs=0.006)
    assert round_predictions(values, REGRESSION.corrected) is values


def test_float32_differences_count_35_of_96_steps_of_5_hundredths_as_unchanged() -> None:
    tolerance = GAIN.task_of("dimensions").comparison[0]
    grid = np.round(np.arange(101) / 100, 2)

    def count(dtype: type) -> int:
        before, after = grid[:-5].astype(dtype), grid[5:].astype(dtype)
        pair, turned = (Pair(*map(_of, sides)) for sides in ((before, after), (after, before)))
        assert unchanged(pair, tolerance).tolist() == unchanged(turned, tolerance).tolist()
        return int(unchanged(pair, tolerance).sum())

    assert count(np.float32) == 35  # of 96, as the published results count
    assert count(np.float64) == 50


def _of(prediction: np.ndarray) -> Material:
    return Material(spoken(len(prediction)), np.zeros(len(prediction)), prediction, ("arousal",))


def test_bins_are_closed_on_the_right_and_open_at_the_ends() -> None:
    edges = (0.25, 0.5, 0.75)
    assert bins_of(np.array([-0.1, 0.25, 0.2501, 0.5, 0.75, 0.7501, 1.2], np.float32), edges).tolist() == [
        0,
        0,
        1,
        1,
        2,
        3,
        3,
    ]
    assert bin_names(edges) == ("(-inf, 0.25]", "(0.25, 0.5]", "(0.5, 0.75]", "(0.75, inf)")


def test_a_class_never_predicted_counts_as_0_and_fails_as_published(speech: Any, outcome: Any) -> None:
    codes = np.where(speech.truth == 3, 0, speech.truth)
    found = outcome("correctness-classification", speech, speech.predictions(codes), mode="published")
    never = found.one("precision", part="sadness")
    assert (never.value, never.status) == (0.0, "failed")
    assert found.one("uap").value == pytest.approx((1 + 1 + 0.5 + 0) / 4, abs=0.02)


def test_labels_are_those_seen_in_truth_or_prediction(speech: Any, outcome: Any) -> None:

    kept = speech.truth < 2
    world = speech.only(kept)
    found = outcome(
        "correctness-classification",
        world,
        speech.predictions(speech.truth).select(world.table.items),
        mode="published",
    )
    assert found.one("uar").value == 1.0  # two labels were seen, not four


def test_no_interval_and_no_inconclusive_in_published_mode(speech: Any, outcome: Any) -> None:
    found = outcome("correctness", speech, speech.predictions(speech.right(1 / 3)), mode="published")
    assert found.statuses() <= {"passed", "failed", "not applicable"}
    assert not any("interval" in note or "floor" in note for one in found.verdicts for note in one.notes)
