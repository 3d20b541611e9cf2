"""Shares of the comparisons that passed, were made and were not applicable: pooled, and as a mean over tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from affectcheck.reports.reading import tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from affectcheck.records import Verdict
    from affectcheck.reports.reading import Tally


@dataclass(frozen=True)
class Shares:
    """One share of the comparisons; None where there is nothing that it is a share of.

    Attributes:
        name: what it is the share of.
        pooled, over_tests: over all comparisons, and as a mean over the tests.
        random_pooled, random_over_tests: the same of the random model.
    """

    name: str
    pooled: float | None
    over_tests: float | None
    random_pooled: float | None = None
    random_over_tests: float | None = None


def shares(verdicts: Iterable[Verdict]) -> tuple[Shares, ...]:
    """Passed of those made, made, and not applicable.

    A test that was not made at all has no share of passed comparisons; in the other means it counts.

    Args:
        verdicts: of one run.
    """
    by_test: dict[tuple[str, str], list[Verdict]] = {}
    for one in verdicts:
        by_test.setdefault((one.family, one.test), []).append(one)
    tests = [tally(held) for held in by_test.values()]
    whole = tally(one for held in by_test.values() for one in held)
    return (
        Shares(
            "passed, of those made",
            _passed(whole),
            _mean(tests, _passed),
            _random(whole),
            _mean(tests, _random),
        ),
        Shares("made", _made(whole), _mean(tests, _made)),
        Shares("not applicable", _not_applicable(whole), _mean(tests, _not_applicable)),
    )


def _mean(tests: Sequence[Tally], share: Callable[[Tally], float | None]) -> float | None:
    known = [value for value in map(share, tests) if value is not None]
    return sum(known) / len(known) if known else None


def _passed(one: Tally) -> float | None:
    return one.counts["passed"] / one.executed if one.executed else None


def _random(one: Tally) -> float | None:
    return one.random_passed / one.random_made if one.random_made else None


def _made(one: Tally) -> float | None:
    number = sum(one.counts.values())
    return one.executed / number if number else None


def _not_applicable(one: Tally) -> float | None:
    number = sum(one.counts.values())
    return one.counts["not applicable"] / number if number else None
