from __future__ import annotations

import math

import pytest

from affectcheck.errors import AffectcheckError
from affectcheck.records import Score, Signature, Threshold, Undefined, Verdict, count

SIGNATURE = Signature("uar")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_score_is_finite_or_does_not_exist(value: float) -> None:
    with pytest.raises(AffectcheckError, match="Undefined with a reason"):
        Score("uar", value, 3, SIGNATURE)


def test_score_and_undefined_say_which_they_are() -> None:
    assert Score("uar", 0.5, 3, SIGNATURE).defined
    assert not Undefined("uar", "no items", 0, SIGNATURE).defined


@pytest.mark.parametrize(
    ("rule", "passing", "failing"),
    [("gt", 0.51, 0.5), ("lt", 0.49, 0.5), ("abs_lt", -0.49, -0.5), ("abs_gt", -0.51, 0.5)],
)
def test_comparisons_are_strict(rule: str, passing: float, failing: float) -> None:
    threshold = Threshold(0.5, rule, "test")  # type: ignore[arg-type]
    assert threshold.met_by(passing)
    assert not threshold.met_by(failing)


def test_a_threshold_reads_as_a_formula() -> None:
    assert str(Threshold(0.075, "abs_lt", "")) == "|x| < 0.075"
    assert str(Threshold(0.5, "gt", "")) == "x > 0.5"


def test_every_state_is_counted_and_named_even_at_zero() -> None:
    verdicts = [Verdict("t", "fairness", "uar", "passed"), Verdict("t", "fairness", "uar", "inconclusive")]
    assert count(verdicts) == {"passed": 1, "failed": 0, "inconclusive": 1, "not applicable": 0}
