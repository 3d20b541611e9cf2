"""Differences that random models stay within, by the size of the groups, for the figures of a report."""

from __future__ import annotations

from collections import defaultdict
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from affectcheck.behaviour.simulating import Simulating, simulate_limits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from affectcheck.behaviour import Plan, PlannedTest
    from affectcheck.records import Verdict

THRESHOLDS: Final = "behaviour_thresholds"
COLUMNS: Final = ("test", "metric", "groups", "size", "limit", "actual", "models", "quantile")
#: Items of each group that are simulated, and random models: enough for a curve, not for a limit.
SIZES: Final = (20, 50, 100, 200, 500, 1000)
REPETITIONS: Final = 200


def thresholds_table(
    plan: Plan, verdicts: Iterable[Verdict], kind: str, *, seed: int = 0
) -> dict[str, dict[str, list[Any]]]:
    """The curve of every comparison that a fairness test of a run made, under the table's name (paper 2, Fig. 1).

    Simulated are as many groups as the run compared, of one size, with the classes and bins of the paper.

    Args:
        plan: the tests of the run.
        verdicts: what came of them.
        kind: what the model predicts.
        seed: the run's.

    Returns:
        A row for each test, metric and size; nothing where no groups were compared. ``actual`` is the size of the
        smallest group at hand.
    """
    made = defaultdict(list)
    for verdict in verdicts:
        if verdict.value is not None and verdict.place.group:
            made[verdict.test].append(verdict)
    tests = [test for test in plan.applicable if test.definition.family == "fairness" and made[test.definition.name]]
    rows = [row for test in tests for row in _rows(test, made[test.definition.name], kind, seed)]
    return {THRESHOLDS: {"columns": list(COLUMNS), "rows": rows}} if rows else {}


def _rows(test: PlannedTest, verdicts: list[Verdict], kind: str, seed: int) -> Iterator[list[Any]]:
    groups = len({verdict.place.group for verdict in verdicts})
    if groups < 2:
        return
    compared = {verdict.metric.removesuffix("_difference") for verdict in verdicts}
    actual = _smallest(verdicts)
    for size in SIZES:
        simulating = Simulating(groups=groups, samples=size, repetitions=REPETITIONS, rounds=1, seed=seed)
        for found in simulate_limits([test.definition], simulating, task=kind):
            if found.comparison.metric in compared and isfinite(found.family):
                limit = round(found.family, 4)
                drawn = (simulating.repetitions * simulating.rounds, simulating.quantile)
                yield [test.definition.name, found.comparison.metric, groups, size, limit, actual, *drawn]


def _smallest(verdicts: list[Verdict]) -> int:
    """Items of the smallest group: comparisons over all classes tell them, else the largest of each group's."""
    whole = [verdict for verdict in verdicts if " " not in verdict.place.part]
    sizes: dict[str, int] = {}
    for verdict in whole or verdicts:
        sizes[verdict.place.group] = max(sizes.get(verdict.place.group, 0), verdict.support)
    return min(sizes.values())
