"""Published values judged by our tests, with the limits and rules of the tests' own files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.behaviour.judging import rounded, stated
from affectcheck.behaviour.published_layout import comparison_of, layout, require_part
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from affectcheck.behaviour.definition import Comparison, Definition, Mode
    from affectcheck.behaviour.published_layout import Layout
    from affectcheck.behaviour.published_values import PublishedValue
    from affectcheck.records import Status, Threshold

#: Metrics in the unit of the predictions.
_UNBOUNDED: Final = frozenset({"mae", "mde", "mean"})
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
        InputError: a test, a metric, a task or a part is none of theirs, or a value is beyond what its metric can be;
            the message names the row.
    """
    names, known = layout(), {one.name: one for one in definitions}
    found: dict[tuple[str, ...], tuple[Definition, Comparison]] = {}
    judged = []
    for value in values:
        key = value.task, value.test, value.metric, value.part
        if key not in found:
            found[key] = _found(value, names, known)
        judged.append(_judge(value, *found[key], mode))
    return tuple(judged)


def _found(
    value: PublishedValue, names: Layout, definitions: Mapping[str, Definition]
) -> tuple[Definition, Comparison]:
    try:
        found = comparison_of(value, names, definitions)
        require_part(value, names, *found)
    except InputError as error:
        error.where = value.where
        raise
    return found


def _judge(value: PublishedValue, definition: Definition, comparison: Comparison, mode: Mode) -> Judged:
    _require_possible(value, definition, comparison)
    rules = definition.rules(mode)
    threshold = stated(comparison, rules, value.part, value.task)
    number = rounded(value.value, comparison.metric, rules)
    if number is None:
        absent = definition.kind == "consistency"
        return Judged(value, definition.name, definition.family, "not applicable", threshold, absent)
    status: Status = "passed" if threshold.met_by(number) else "failed"
    return Judged(value, definition.name, definition.family, status, threshold)


def _require_possible(value: PublishedValue, definition: Definition, comparison: Comparison) -> None:
    """Shares, scores and correlations are at most 1 in size, and what two of them differ by at most 2."""
    whole = definition.family == "correctness" or comparison.metric == "unchanged"
    largest = 1.0 if whole else 2.0
    if value.value is not None and comparison.metric not in _UNBOUNDED and abs(value.value) > largest:
        raise InputError(
            f"the value of {value.metric!r} is {value.value:g}",
            where=value.where,
            expected=f"at most {largest:g} in size: values are fractions",
            cause="percent; write 0.6, not 60",
        )


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
