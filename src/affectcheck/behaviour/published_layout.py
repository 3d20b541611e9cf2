"""Which of our tests and comparisons a published value belongs to: names only, the limits are those of the tests."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from affectcheck.behaviour.measured import bin_names
from affectcheck.behaviour.published_values import TASKS
from affectcheck.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from affectcheck.behaviour.definition import Comparison, Definition
    from affectcheck.behaviour.published_values import PublishedValue

_FILE: Final = Path(__file__).parent / "published" / "layout.toml"


@dataclass(frozen=True)
class Title:
    """A metric of the published layout, taken apart.

    Attributes:
        metric: what is compared, by our name.
        per: what it may be taken per.
        ending: range, group, sentiment or perturbation that the title ends in.
    """

    metric: str
    per: tuple[str, ...]
    ending: str


@dataclass(frozen=True)
class Layout:
    """Names of the published layout.

    Attributes:
        tests: published test to our test, or to our tests by the ending of the metric.
        endings: published test to endings of its metrics that do not choose a test.
        metrics: beginning of the metric to our metric and what it is taken per.
    """

    tests: Mapping[str, str | Mapping[str, str]]
    endings: Mapping[str, tuple[str, ...]]
    metrics: Mapping[str, Mapping[str, Any]]

    def title(self, test: str, metric: str, compared: Collection[str] = ()) -> Title:
        """Take a metric's title apart.

        Args:
            test: published test.
            metric: the title.
            compared: metrics of the test by our names, of which an error tells the titles; empty for all.

        Raises:
            UnknownNameError: the layout has no such test or metric.
        """
        if test not in self.tests:
            raise UnknownNameError.of("published test", test, self.tests)
        endings = self._endings(test)
        for beginning, found in self._by_length:
            if not metric.casefold().startswith(beginning.casefold()):
                continue
            ending = metric[len(beginning) :].strip()
            if ending in endings:
                return Title(found["metric"], tuple(found["per"]), ending)
        told = [title for title, one in self.metrics.items() if not compared or one["metric"] in compared]
        known = [f"{beginning} {ending}".strip() for beginning in told for ending in endings]
        raise UnknownNameError.of(f"metric of {test}", metric, known)

    def name(self, test: str, ending: str) -> str:
        """Our name of a published test."""
        named = self.tests[test]
        return named if isinstance(named, str) else named[ending]

    def compared(self, test: str, definitions: Mapping[str, Definition]) -> set[str]:
        """Our names of what a published test compares."""
        named = self.tests.get(test, ())
        known = (definitions[one] for one in ([named] if isinstance(named, str) else [*named]) if one in definitions)
        return {comparison.metric for one in known for task in one.task for comparison in task.comparison}

    def published_name(self, name: str) -> str:
        """The published test that one of our tests is a part of; empty if it is of none."""
        return self._published.get(name, "")

    def _endings(self, test: str) -> tuple[str, ...]:
        named = self.tests[test]
        return tuple(named) if not isinstance(named, str) else self.endings.get(test, ("",))

    @cached_property
    def _by_length(self) -> list[tuple[str, Mapping[str, Any]]]:
        return sorted(self.metrics.items(), key=lambda entry: -len(entry[0]))

    @cached_property
    def _published(self) -> dict[str, str]:
        return {
            ours: test
            for test, named in self.tests.items()
            for ours in ([named] if isinstance(named, str) else named.values())
        }


def layout() -> Layout:
    """The layout of the published result tables."""
    found = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return Layout(found["tests"], {test: tuple(ends) for test, ends in found["endings"].items()}, found["metrics"])


def comparison_of(
    value: PublishedValue, names: Layout, definitions: Mapping[str, Definition]
) -> tuple[Definition, Comparison]:
    """The test and the comparison that a value belongs to.

    Args:
        value: the value.
        names: names of the published layout.
        definitions: tests by name.

    Raises:
        UnknownNameError: no such test, metric or task.
    """
    title = names.title(value.test, value.metric, names.compared(value.test, definitions))
    name = names.name(value.test, title.ending)
    if name not in definitions:
        raise UnknownNameError.of("test", name, definitions)
    definition = definitions[name]
    task = definition.task_of(TASKS[value.task])
    if task is None:
        raise InputError(f"{definition.name!r} has no task for {TASKS[value.task]}", expected="a task that it tests")
    for comparison in task.comparison:
        if comparison.metric == title.metric and comparison.per in title.per:
            return definition, comparison
    told = [f"{one.metric} per {one.per}" for one in task.comparison]
    raise UnknownNameError.of(f"comparison of {name}", f"{title.metric} per {' or '.join(title.per)}", told)


def require_part(value: PublishedValue, names: Layout, definition: Definition, comparison: Comparison) -> None:
    """Raise if a value belongs to no class, bin or category that a comparison is made of, or wrongly to one.

    Args:
        value: the value.
        names: names of the published layout.
        definition: its test.
        comparison: its comparison.

    Raises:
        InputError: it does not.
    """
    known = _parts(value, names, definition, comparison)
    if known is None or value.part in known:
        return
    if comparison.per == "set":
        raise InputError(
            f"the subkey {value.part!r} of {value.metric!r}, which is of a whole set", expected="no subkey"
        )
    if not value.part:
        raise InputError(f"no subkey of {value.metric!r}", expected=f"one of {', '.join(known)}")
    raise UnknownNameError.of(f"{comparison.per} of {value.metric!r}:", value.part, known)


def _parts(
    value: PublishedValue, names: Layout, definition: Definition, comparison: Comparison
) -> tuple[str, ...] | None:
    """The parts that a comparison has; None where the test leaves them open."""
    task = definition.task_of(TASKS[value.task])
    if task is None or comparison.per == "set":
        return ("",)
    if comparison.per == "class":
        return task.classes or None
    if comparison.per == "bin":
        closed = bin_names(task.bin_edges)
        return (*closed, closed[-1].replace(")", "]"))
    wanted = names.title(value.test, value.metric).ending.casefold().removesuffix(" range")
    ranges = [one for one in task.ranges if one.name == wanted and one.dimension in ("", value.task)]
    return tuple(category for one in ranges for category in one.categories)
