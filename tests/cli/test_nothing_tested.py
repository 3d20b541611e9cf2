"""Where no test applied, it is said."""

from __future__ import annotations

from affectcheck.cli.nothing_tested import nothing_tested
from affectcheck.records import Verdict


def verdict(test: str, status: str, reason: str = "") -> Verdict:
    return Verdict(test=test, family="robustness", metric="uar", status=status, reason=reason, value=None)  # type: ignore[arg-type]


def test_a_run_without_an_applicable_test_says_so_with_the_most_frequent_reason() -> None:
    lacking = [verdict("a", "not applicable", "no pictures"), verdict("b", "not applicable", "no pictures")]
    other = verdict("c", "not applicable", "no labels")
    told = "warning: nothing was tested, none of the 3 tests applies: no pictures"
    assert nothing_tested([other, *lacking]) == told
    assert nothing_tested([other]) == "warning: nothing was tested, the test does not apply: no labels"


def test_a_run_with_an_applicable_test_or_without_tests_says_nothing() -> None:
    assert nothing_tested([]) == ""
    assert nothing_tested([verdict("a", "not applicable", "x"), verdict("b", "passed")]) == ""
