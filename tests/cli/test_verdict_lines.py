"""Verdicts on the screen: what failed one by one, what is alike in one line."""

from __future__ import annotations

from affectcheck.cli.verdict_lines import verdict_text
from affectcheck.records import Place, Threshold, Verdict

LIMITS = [Threshold(0.1 + 0.01 * n, "abs_lt", "simulated") for n in range(20)]


def differences(status: str = "passed", number: int = 14, **changes: object) -> list[Verdict]:
    return [
        Verdict("t", "fairness", "recall_difference", status, place=Place("age", f"a{n}", "anger"), value=0.01 * n - 0.05,
                threshold=LIMITS[n], support=20 + n, baseline=0.001 * n, **changes)  # type: ignore[arg-type]
        for n in range(number)
    ]  # fmt: skip


def lines(verdicts: list[Verdict]) -> list[str]:
    counts = {status: sum(one.status == status for one in verdicts) for status in {one.status for one in verdicts}}
    return verdict_text(verdicts, counts).splitlines()[2:]


def test_many_comparisons_of_one_kind_are_one_line() -> None:
    found = lines(differences())
    assert "age (14 comparisons)" in found[0]
    assert "-0.050 to 0.080" in found[0]
    assert "|x| < 0.1 to 0.23" in found[0]
    assert "20 to 33" in found[0]
    assert "nearest to its limit: age a0 anger" in found[0]
    assert found[2] == "14 passed (in 1 line; each by itself in the report of -o and with --json)"


def test_few_are_told_one_by_one_and_failures_always() -> None:
    assert sum("recall_difference" in line for line in lines(differences(number=12))) == 12
    failed = differences("failed", 13, reason="too far")
    assert sum(line.startswith("failed") for line in lines(failed)) == 13
    mixed = [*differences("failed", 2, reason="too far"), *differences("inconclusive", 13, reason="who knows")]
    found = lines(mixed)
    assert [line.split()[0] for line in found[:3]] == ["failed", "failed", "inconclusive"]
    assert "nearest to its limit: age a0 anger: who knows" in found[2]


def test_what_is_not_made_for_one_reason_is_one_line() -> None:
    reason = "0 subjects, the test takes 6"
    idle = [
        Verdict("t", "correctness", metric, "not applicable", reason, place=Place("", "", part), threshold=LIMITS[0])
        for metric in ("mae", "mde")
        for part in ("anger", "fear")
    ]
    line, _, told = lines(idle)[:3]
    assert told.startswith("4 not applicable (in 1 line;")
    assert "2 metrics  (4 comparisons)" in line
    assert line.endswith(reason)
    assert lines(idle[:2])[3] == "2 not applicable"


def test_numbers_that_are_the_same_are_told_once() -> None:
    alike = [
        Verdict("t", "fairness", "sp", "passed", place=Place("age", f"a{n}"), value=0.1, threshold=limit, support=5)
        for n, limit in enumerate([LIMITS[3]] * 12 + [None])
    ]
    line = lines(alike)[0]
    assert "0.100  |x| < 0.13" in line
    none = [Verdict("t", "fairness", "sp", "passed", place=Place("age", f"a{n}")) for n in range(13)]
    assert "(13 comparisons)" in lines(none)[0]
