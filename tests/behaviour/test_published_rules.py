"""Published values judged by the limits and rules of the tests' own files."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from affectcheck.behaviour import load_suites, parse_definition
from affectcheck.behaviour.published_layout import comparison_of, layout
from affectcheck.behaviour.published_rules import judge_values, judged_frame
from affectcheck.behaviour.published_shares import Tally, mean_over_tests, pooled, table_five, tally_tests
from affectcheck.behaviour.published_values import PublishedValue
from affectcheck.errors import InputError, UnknownNameError
from made_definitions import CONSISTENCY, made_definition

TESTS = load_suites(
    [
        "correctness-classification",
        "correctness-regression",
        "fairness-sex",
        "robustness-gain",
        "correctness-consistency",
    ]
)
RECALL = {"task": "emotion", "test": "correctness_classification", "metric": "Recall per Class"}
SEX_BIN = {"test": "fairness_sex", "metric": "Precision Per Bin Female"}
GAIN = {"test": "robustness_small_changes", "metric": "Percentage Unchanged Predictions Gain"}
RANGE = {"task": "arousal", "test": "correctness_consistency", "metric": "Samples in Expected High Range"}


def value(number: float | None, **changes: Any) -> PublishedValue:
    fields = {
        "task": "valence",
        "model": "m",
        "test": "correctness_regression",
        "data": "iemocap",
        "metric": "Mean Absolute Error",
        "part": "",
        "value": number,
        "row": 7,
    }
    return PublishedValue(**(fields | changes))


def sex(number: float | None, metric: str, part: str = "", task: str = "emotion") -> PublishedValue:
    return value(number, task=task, test="fairness_sex", metric=metric, part=part)


@pytest.mark.parametrize(
    ("one", "status"),
    [
        (value(0.099), "passed"),
        (value(0.1), "failed"),  # strict
        (value(0.501, metric="Concordance Correlation Coeff"), "passed"),  # three decimals in this test
        (value(0.5001, metric="Concordance Correlation Coeff"), "failed"),  # 0.500 once rounded
        (value(None), "not applicable"),
        (sex(-0.17, "Recall Per Class Female", "anger"), "passed"),
        (sex(-0.18, "Recall Per Class Male", "anger"), "failed"),
        (sex(0.0751, "Unweighted Average Recall Male"), "failed"),  # 0.08 once rounded
        (sex(0.09, "Precision Per Bin Female", "(0.25, 0.5]", "arousal"), "passed"),
        (sex(None, "Precision Per Bin Female", "(0.25, 0.5]", "arousal"), "not applicable"),
        (value(0.96, test="robustness_small_changes", metric="Percentage Unchanged Predictions Gain"), "passed"),
    ],
)
def test_values_are_judged_by_the_limits_of_the_tests(one: PublishedValue, status: str) -> None:
    (found,) = judge_values([one], TESTS, "published")
    assert found.status == status
    assert not found.absent


def test_corrected_mode_rounds_nothing() -> None:
    near = value(0.5001, metric="Concordance Correlation Coeff")
    assert [judge_values([near], TESTS, mode)[0].status for mode in ("published", "corrected")] == ["failed", "passed"]


def test_a_limit_that_a_test_states_is_the_limit_that_is_applied() -> None:
    strict = TESTS[1].model_dump(mode="json", exclude_none=True)
    strict["task"][0]["comparison"] = [{"metric": "mae", "rule": "lt", "limit": 0.05}]
    own = parse_definition(strict, where="own")
    assert judge_values([value(0.06)], [own], "published")[0].status == "failed"
    strict["task"][0]["comparison"][0]["limits"] = {"valence": 0.07}
    own = parse_definition(strict, where="own")
    assert judge_values([value(0.06)], [own], "published")[0].status == "passed"


def test_a_category_that_a_set_does_not_have_is_no_comparison() -> None:
    task = {
        "kind": "dimensions",
        "dimensions": ["valence"],
        "ranges": [{"name": "low", "dimension": "valence", "categories": ["fear"], "high": 0.45}],
        "comparison": [{"metric": "in_range", "per": "range", "rule": "gt", "limit": 0.75}],
    }
    own = made_definition(**CONSISTENCY, name="correctness-consistency", task=[task])
    here = {"test": "correctness_consistency", "metric": "Samples in Expected Low Range", "part": "fear"}
    judged = judge_values([value(0.8, **here), value(None, data="meld", **here)], [own], "published")
    (tally,) = tally_tests(judged)
    assert (tally.passed, tally.not_applicable, tally.configured, tally.executed) == (1, 1, 1, 1)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"test": "fairness_height"}, "unknown published test 'fairness_height'"),
        ({"metric": "Mean Absolute Eror"}, "did you mean 'Mean Absolute Error'"),
        ({"metric": "Mean Absolute Error Female"}, "unknown metric of correctness_regression"),
        ({"metric": "Mean Value"}, "unknown comparison of correctness-regression 'mean per set'"),
        ({"test": "correctness_distribution", "metric": "Mean Value"}, "unknown test 'correctness-distribution'"),
        ({"task": "emotion"}, "has no task for categories"),
        ({"part": "anger"}, "the subkey 'anger' of 'Mean Absolute Error', which is of a whole set"),
        (RECALL | {"part": ""}, "no subkey of 'Recall per Class'\n  expected: one of anger, happiness"),
        (RECALL | {"part": "angerr"}, "unknown class of 'Recall per Class': 'angerr'"),
        (RECALL | {"part": "anger", "value": 60.0}, "the value of 'Recall per Class' is 60"),
        (SEX_BIN | {"part": "(0.2, 0.5]"}, "did you mean '(0.25, 0.5]'"),
        (SEX_BIN | {"part": "(0.75, inf]", "value": 2.5}, "at most 2 in size"),
        (GAIN | {"value": 96.0}, "percent; write 0.6, not 60"),
        (RANGE | {"part": "sadness"}, "unknown range of 'Samples in Expected High Range': 'sadness'"),
    ],
)
def test_a_name_that_no_test_has_is_told_with_its_row(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError) as raised:
        judge_values([value(**({"number": 0.1} | _renamed(changes)))], TESTS, "published")
    assert told in str(raised.value)
    assert "values.csv, row 7" in str(raised.value)


def _renamed(changes: dict[str, Any]) -> dict[str, Any]:
    """The value by the name of the argument, and the file."""
    return {"number" if name == "value" else name: one for name, one in changes.items()} | {"file": "values.csv"}


def test_an_unknown_metric_is_told_the_metrics_of_its_test() -> None:
    with pytest.raises(UnknownNameError) as raised:
        judge_values([value(0.1, metric="CCC")], TESTS, "published")
    assert "Concordance Correlation Coeff" in str(raised.value)
    assert "Recall" not in str(raised.value)


def test_classes_that_a_test_leaves_open_may_be_any() -> None:
    own = TESTS[0].model_dump(mode="json", exclude_none=True)
    own["task"][0]["classes"] = []
    opened = parse_definition(own, where="own")
    assert judge_values([value(0.6, **RECALL, part="boredom")], [opened], "published")[0].status == "passed"


def test_every_name_of_the_layout_leads_to_a_test_name_once() -> None:
    names = layout()
    known = [name for one in names.tests.values() for name in ([one] if isinstance(one, str) else one.values())]
    assert len(known) == len(set(known)) == 33
    assert names.published_name("robustness-white-noise-small") == "robustness_small_changes"
    assert names.published_name("correctness-temporal-behaviour") == ""
    assert names.title("correctness_classification", "Precision per class").metric == "precision"
    with pytest.raises(UnknownNameError):
        comparison_of(value(1.0, metric="Gain"), names, {})


def test_the_frame_has_a_row_for_each_comparison_with_its_limit() -> None:
    frame = judged_frame(judge_values([value(0.05), value(None, data="meld")], TESTS, "published"))
    assert frame.get_column("verdict").to_list() == ["passed", "not applicable"]
    assert frame.get_column("limit").to_list() == [0.1, 0.1]
    assert frame.get_column("behaviour_test").unique().to_list() == ["correctness-regression"]


def tally(model: str, task: str, test: str, passed: int, failed: int) -> Tally:
    return Tally(model, task, test, test.partition("_")[0], passed, failed, 0)


def test_pooled_and_mean_over_tests_weigh_tests_differently() -> None:
    held = [tally("m", "valence", "fairness_a", 98, 2), tally("m", "valence", "fairness_b", 0, 2)]
    assert pooled(held) == Fraction(98, 102)
    assert mean_over_tests(held) == Fraction(49, 100)
    assert mean_over_tests([*held, tally("m", "valence", "fairness_c", 0, 0)]) == Fraction(49, 100)
    assert pooled([]) is None
    assert mean_over_tests([]) is None


def test_undecided_comparisons_are_executed_and_not_passed() -> None:
    one = Tally("m", "valence", "t", "fairness", 1, 1, 0, 0, 2)
    assert (one.executed, one.share) == (4, Fraction(1, 4))


def test_rounding_goes_test_by_test_then_task_by_task_then_over_the_tasks() -> None:
    tasks = ("arousal", "dominance", "valence")
    held = [tally("m", task, f"fairness_{n}", n, 3 - n) for task in tasks for n in (1, 2, 2)]
    held += [tally("m-cat", "emotion", "fairness_a", 1, 5)]
    # .333 + .667 + .667 = 1.667, a third of which is .5557; unrounded shares would give .5556
    cells = table_five(held)
    assert cells["fairness"]["m"] == (0.556, 0.556, 0.556, 0.167, 0.459)
    assert cells["all tests"]["m"] == (0.556, 0.556, 0.556, 0.167, 0.459)
    assert cells["correctness"]["m"] == (None,) * 5
    assert list(cells["fairness"]) == ["m"]


def test_a_model_with_its_own_categories_needs_no_twin() -> None:
    held = [tally("m", "emotion", "fairness_a", 1, 0), tally("m-cat", "emotion", "fairness_a", 0, 1)]
    assert table_five(held)["fairness"]["m"][3] == 1.0
