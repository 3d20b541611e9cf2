"""Shares of comparisons, pooled and as a mean over tests."""

from __future__ import annotations

from affectcheck.records import Status, Threshold, Verdict
from affectcheck.reports import share_lines
from affectcheck.reports.sections.shares import shares

LIMIT = Threshold(0.5, "gt", "stated")


def verdicts(test: str, *states: Status, random: float | None = 0.6) -> list[Verdict]:
    return [Verdict(test, "correctness", "uar", one, threshold=LIMIT, baseline=random) for one in states]


def test_tests_of_few_comparisons_weigh_as_much_in_the_mean() -> None:
    held = verdicts("a", "passed", "passed", "passed", "failed")
    held += verdicts("b", "failed", "not applicable", random=0.4) + verdicts("c", "not applicable")
    passed, made, skipped = shares(held)
    assert (passed.pooled, passed.over_tests) == (3 / 5, (3 / 4 + 0) / 2)
    assert (passed.random_pooled, passed.random_over_tests) == (4 / 5, 1 / 2)
    assert (made.pooled, made.over_tests) == (5 / 7, (1 + 1 / 2 + 0) / 3)
    assert (skipped.pooled, skipped.over_tests) == (2 / 7, (0 + 1 / 2 + 1) / 3)
    assert share_lines(held)[1].split() == [
        "passed,",
        "of",
        "those",
        "made",
        "60",
        "%",
        "38",
        "%",
        "80",
        "%",
        "50",
        "%",
    ]


def test_nothing_has_no_share() -> None:
    for one in shares([]):
        assert (one.pooled, one.over_tests, one.random_pooled) == (None, None, None)
    assert share_lines(verdicts("a", "not applicable"))[1].endswith("-")
