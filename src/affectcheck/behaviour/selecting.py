"""Part of a suite: tests by the pattern of their name, comparisons by their metric."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from affectcheck.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from affectcheck.behaviour.definition import Definition, Task


def select(
    definitions: Iterable[Definition], patterns: Sequence[str] = (), metrics: Sequence[str] = ()
) -> tuple[Definition, ...]:
    """The tests whose name matches a pattern, with their comparisons of some metrics.

    Args:
        definitions: the tests.
        patterns: names or patterns such as ``robustness-noise-*``; empty for all.
        metrics: compared metrics such as ``uar``; empty for all. Tests without one of them are left out.

    Raises:
        UnknownNameError: a pattern matches no test, or no test compares a metric.
    """
    known = tuple(definitions)
    for pattern in patterns:
        if not any(fnmatchcase(one.name, pattern) for one in known):
            raise UnknownNameError.of("test", pattern, [one.name for one in known], listed="affectcheck suites list")
    matching = [one for one in known if not patterns or any(fnmatchcase(one.name, p) for p in patterns)]
    if not metrics:
        return tuple(matching)
    compared = {one.metric for test in matching for task in test.task for one in task.comparison}
    for metric in metrics:
        if metric not in compared:
            raise UnknownNameError.of("compared metric", metric, compared)
    narrowed = (_narrowed(one, metrics) for one in matching)
    return tuple(one for one in narrowed if one is not None)


def _narrowed(definition: Definition, metrics: Sequence[str]) -> Definition | None:
    tasks = [_task(one, metrics) for one in definition.task]
    kept = tuple(one for one in tasks if one is not None)
    return definition.model_copy(update={"task": kept}) if kept else None


def _task(task: Task, metrics: Sequence[str]) -> Task | None:
    kept = tuple(one for one in task.comparison if one.metric in metrics)
    return task.model_copy(update={"comparison": kept}) if kept else None
