"""Published values judged by our tests, with the limits and rules of the tests' own files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.behaviour.judging import rounded, stated
from affectcheck.behaviour.published_layout import comparison_of, layout
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from affectcheck.behaviour.definition import Comparison, Definition, Mode
    from affectcheck.behaviour.published_layout import Layout
    from affectcheck.behaviour.published_values import PublishedValue
    from affectcheck.records import Status, Threshold

_SCHEMA: Final = {
    "model": pl.String,
    "task": pl.String,
    "test": pl.String,
    "dataset": pl.String,
    "metric": pl.String,
    "part": pl.String,
    "value": pl.Float64,
    "verdict": pl.String,
    "rule": pl.String,
    "limit": pl.Float64,
    "limit_source": pl.String,
    "behaviour_test": pl.String,
    "family": pl.String,
}


@dataclass(frozen=True)
class Judged:
    """A published value and its verdict.

    Attributes:
        value: the value.
        test: our test.
        family: of the test.
        status: ``passed``, ``failed`` or ``not applicable``.
        threshold: the limit.
        absent: nothing was skipped here: the data set has no item of the category, so there is no such comparison.
    """

    value: PublishedValue
    test: str
    family: str
    status: Status
    threshold: Threshold
    absent: bool = False


def judge_values(values: Iterable[PublishedValue], definitions: Sequence[Definition], mode: Mode) -> tuple[Judged, ...]:
    """Judge every value by the rules of a mode.

    In ``corrected`` mode nothing is rounded and a sign counts; the limits are the stated ones, since the sizes that
    others could be simulated for are not in the table.

    Args:
        values: the values.
        definitions: the tests; limits and rules are theirs.
        mode: ``published`` or ``corrected``.

    Raises:
        InputError: a test, a metric or a task is none of theirs; the message names the row.
    """
    names, known = layout(), {one.name: one for one in definitions}
    found: dict[tuple[str, str, str], tuple[Definition, Comparison]] = {}
    judged = []
    for value in values:
        key = value.task, value.test, value.metric
        if key not in found:
            found[key] = _found(value, names, known)
        judged.append(_judge(value, *found[key], mode))
    return tuple(judged)


def _found(
    value: PublishedValue, names: Layout, definitions: Mapping[str, Definition]
) -> tuple[Definition, Comparison]:
    try:
        return comparison_of(value, names, definitions)
    except InputError as error:
        error.where = f"row {value.row}"
        raise


def _judge(value: PublishedValue, definition: Definition, comparison: Comparison, mode: Mode) -> Judged:
    rules = definition.rules(mode)
    threshold = stated(comparison, rules, value.part, value.task)
    number = rounded(value.value, comparison.metric, rules)
    if number is None:
        absent = definition.kind == "consistency"
        return Judged(value, definition.name, definition.family, "not applicable", threshold, absent)
    status: Status = "passed" if threshold.met_by(number) else "failed"
    return Judged(value, definition.name, definition.family, status, threshold)


def judged_frame(judged: Iterable[Judged]) -> pl.DataFrame:
    """Every comparison with its limit and verdict, one row each."""
    rows = [
        (
            one.value.model,
            one.value.task,
            one.value.test,
            one.value.data,
            one.value.metric,
            one.value.part or None,
            one.value.value,
            one.status,
            one.threshold.rule,
            one.threshold.value,
            one.threshold.source,
            one.test,
            one.family,
        )
        for one in judged
    ]
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row")
