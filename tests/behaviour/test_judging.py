"""Which verdict a measurement gets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from affectcheck.behaviour import load_suites
from affectcheck.behaviour.judging import judge
from affectcheck.behaviour.measured import Measured, values_of
from affectcheck.behaviour.simultaneous import simultaneous
from affectcheck.records import Interval, NoiseFloor, Place, Threshold
from affectcheck.seeds import rng
from affectcheck.tallies import Confusion

NAMES = ("correctness-classification", "correctness-regression", "fairness-sex", "robustness-white-noise")
DEFINITIONS = {d.name: d for d in load_suites(NAMES)}


def measured(test: str, metric: str, value: float | None, *, kind: str = "categories", **fields: Any) -> Measured:
    task = DEFINITIONS[test].task_of(kind)
    comparison = next(c for c in task.comparison if c.metric == metric and c.per == "set")
    return Measured(comparison, Place(), value, support=500, **fields)


def status(test: str, one: Measured, mode: str = "corrected") -> str:
    return judge(one, DEFINITIONS[test], mode).status  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("low", "high", "value", "expected"),
    [
        (0.51, 0.7, 0.6, "passed"),
        (0.3, 0.49, 0.4, "failed"),
        (0.49, 0.7, 0.6, "inconclusive"),
        (0.4, 0.51, 0.45, "inconclusive"),
    ],
)
def test_an_interval_on_both_sides_of_the_limit_decides_nothing(
    low: float, high: float, value: float, expected: str
) -> None:
    one = measured(
        "correctness-classification", "uar", value, interval=Interval(low, high, clusters=30, unit="subject")
    )
    assert status("correctness-classification", one) == expected


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (-0.02, 0.02, "passed"),
        (0.01, 0.05, "inconclusive"),
        (-0.05, 0.05, "inconclusive"),
        (0.04, 0.08, "failed"),
        (-0.08, -0.04, "failed"),
        (-0.04, 0.02, "inconclusive"),
    ],
)
def test_a_limit_on_both_sides_of_0(low: float, high: float, expected: str) -> None:
    value = (low + high) / 2 if expected != "failed" else low
    one = measured("robustness-white-noise", "mean", value, kind="dimensions", interval=Interval(low, high))
    assert status("robustness-white-noise", one) == expected


def test_an_interval_that_leaps_over_the_passing_side_decides_nothing() -> None:
    one = measured("robustness-white-noise", "mean", 0.0, kind="dimensions", interval=Interval(-0.5, 0.5))
    assert status("robustness-white-noise", one) == "inconclusive"


def test_few_clusters_are_said_beside_the_interval() -> None:
    interval = Interval(0.6, 0.7, clusters=9, unit="subject", note="fewer than 20 subject clusters")
    verdict = judge(
        measured("correctness-classification", "uar", 0.65, interval=interval), DEFINITIONS[NAMES[0]], "corrected"
    )
    assert verdict.notes == ("95% interval 0.6000 to 0.7000 over 9 clusters (subject)", interval.note)


@pytest.mark.parametrize(
    ("value", "threshold", "floor", "expected", "words"),
    [
        (0.05, 0.07, 0.01, "passed", ""),
        (0.08, 0.07, 0.01, "failed", "does not meet"),
        (-0.08, 0.07, None, "failed", "does not meet"),
        (0.08, 0.07, 0.09, "inconclusive", "groups dealt out at random differ by up to 0.09"),
        (0.05, 0.16, 0.01, "inconclusive", "chance alone reaches 0.16"),
        (0.20, 0.16, 0.01, "failed", "does not meet"),
        (0.03, 0.02, 0.01, "failed", "though it is within the published limit of 0.075"),
    ],
)
def test_a_difference_between_groups(
    value: float, threshold: float, floor: float | None, expected: str, words: str
) -> None:
    one = measured(
        "fairness-sex",
        "uar",
        value,
        threshold=Threshold(threshold, "abs_lt", "simulated"),
        floor=None if floor is None else NoiseFloor(floor / 2, floor, 1000, "groups permuted"),
        detectable=0.1,
    )
    verdict = judge(one, DEFINITIONS["fairness-sex"], "corrected", baseline=0.01)
    assert verdict.status == expected
    assert words in verdict.reason
    assert (verdict.baseline, verdict.detectable) == (0.01, 0.1)
    assert ("noise floor" in "".join(verdict.notes)) == (floor is not None)


def test_what_has_no_value_is_not_applicable_and_has_no_notes_on_support() -> None:
    one = measured("fairness-sex", "uar", None, reason="no items")
    verdict = judge(one, DEFINITIONS["fairness-sex"], "corrected")
    assert (verdict.status, verdict.reason, verdict.notes) == ("not applicable", "no items", ())


def test_names_say_whether_a_value_a_difference_or_a_change_is_judged() -> None:
    for test, metric, name in (
        ("correctness-classification", "uar", "uar"),
        ("fairness-sex", "uar", "uar_difference"),
        ("robustness-white-noise", "uar", "uar_change"),
        ("robustness-white-noise", "unchanged", "unchanged"),
    ):
        assert judge(measured(test, metric, 0.0), DEFINITIONS[test], "published").metric == name


def test_a_threshold_of_a_definition_may_be_stated_in_a_fairness_test() -> None:
    one = measured("fairness-sex", "uar", 0.05)
    free = replace(one, comparison=one.comparison.model_copy(update={"threshold": "stated"}))
    assert status("fairness-sex", free) == "passed"
    assert status("fairness-sex", replace(free, value=0.08)) == "failed"


def test_bounds_hold_for_all_differences_at_once() -> None:
    draws = rng(1, "draws").standard_normal((20_000, 8)) * np.array([1, 1, 1, 1, 5, 5, 5, 0.1])
    judged = np.array([True] * 7 + [False])
    found = simultaneous(draws, judged, 0.95)
    inside = (np.abs(draws[:, judged]) <= found.bounds[judged]).all(axis=1).mean()
    assert inside == pytest.approx(0.95, abs=1e-3)
    assert found.family == 7
    assert np.isnan(found.bounds[7])
    assert found.bounds[4] == pytest.approx(5 * found.bounds[0], rel=0.05)


def test_a_value_as_large_as_the_quantile_is_kept() -> None:
    counts = rng(2, "draws").binomial(5, 0.25, (1000, 2, 4)) / 5
    apart = (counts - counts.mean(axis=1, keepdims=True)).reshape(1000, 8)
    bounds = simultaneous(apart, np.ones(8, bool), 0.99).bounds
    inside = (np.abs(apart) < bounds).all(axis=1)
    assert inside.mean() >= 0.99  # one value of these counts is met by more than one in a hundred
    assert (np.abs(apart) < bounds * (1 - 1e-6)).all(axis=1).mean() < 0.99


def test_undefined_draws_and_constant_differences_have_no_part_in_bounds() -> None:
    draws = rng(1, "draws").standard_normal((1000, 3))
    draws[:, 1] = np.nan
    draws[:, 2] = 0.0
    draws[::2, 0] = np.nan
    found = simultaneous(draws, np.array([True, True, True]), 0.99)
    assert np.isnan(found.bounds[1])
    assert found.bounds[2] == 0.0
    assert 2 < found.bounds[0] < 3
    assert found.family == 2


def test_a_mean_prediction_is_one_of_moments() -> None:
    with pytest.raises(TypeError):
        values_of("mean", Confusion.zero(2), 1, DEFINITIONS["fairness-sex"].corrected)


def test_distances_are_bounded_above_their_mean() -> None:
    draw = np.random.default_rng(0)
    signed, distance = draw.standard_normal((4000, 1)), 10 + draw.standard_normal((4000, 1))
    draws = np.concatenate([signed, distance], axis=1)
    both = np.ones(2, bool)
    alone = simultaneous(draws, both, 0.95, np.array([False, True])).bounds
    assert alone[0] == pytest.approx(2.15, abs=0.15)
    assert alone[1] == pytest.approx(12.15, abs=0.15)
    assert simultaneous(draws, both, 0.95).bounds[0] > 10
