"""Verdicts of several runs beside each other, as tables of a record: passed comparisons, and what differs by pair."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from affectcheck.behaviour.gate import compare_verdicts
from affectcheck.errors import InputError
from affectcheck.records import Score
from affectcheck.reports.reading import Reading, tally

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from affectcheck.behaviour.gate import Gate
    from affectcheck.records import RunRecord

#: Names of the tables: passed comparisons of each test and model, the headline score of each model, and by pair.
PASSES: Final = "behaviour_passes"
HEADLINES: Final = "behaviour_headlines"
PAIRS: Final = "behaviour_pairs"
DIFFERING: Final = "behaviour_differing"
_PASSES: Final = ("model", "family", "test", "passed", "made", "not_applicable")
_HEADLINES: Final = ("model", "metric", "value")
_PAIRS: Final = ("first", "second", "only_first", "only_second", "same", "near", "one_sided", "note")
_DIFFERING: Final = (
    "first", "second", "test", "metric", "attribute", "group", "part",
    "first_verdict", "second_verdict", "first_value", "second_value", "near", "reason",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Judged:
    """A run with verdicts.

    Attributes:
        model: its name in the comparison.
        record: the run.
    """

    model: str
    record: RunRecord


def verdict_tables(runs: Sequence[Judged]) -> dict[str, dict[str, list[Any]]]:
    """Tables for the report of a comparison; none where fewer than two runs have verdicts."""
    judged = [one for one in runs if one.record.verdicts]
    if len(judged) < 2:
        return {}
    pairs = [(first, second, *_compared(first, second)) for first, second in combinations(judged, 2)]
    return {
        HEADLINES: _table(_HEADLINES, [row for one in judged for row in _headlines(one)]),
        PASSES: _table(_PASSES, [row for one in judged for row in _passes(one)]),
        PAIRS: _table(_PAIRS, [_pair(first.model, second.model, gate, note) for first, second, gate, note in pairs]),
        DIFFERING: _table(
            _DIFFERING,
            [row for one, other, gate, _ in pairs if gate is not None for row in _differing(one.model, other.model, gate)],
        ),
    }  # fmt: skip


def _table(columns: tuple[str, ...], rows: list[list[Any]]) -> dict[str, list[Any]]:
    return {"columns": list(columns), "rows": rows}


def _headlines(one: Judged) -> Iterator[list[Any]]:
    """The headline scores of a run: that over all parts, or else that of each."""
    for score in Reading(one.record).headlines if one.record.scores else ():
        name = " ".join(filter(None, (score.metric, score.place.part)))
        yield [one.model, name, score.value if isinstance(score, Score) else None]


def _passes(one: Judged) -> Iterator[list[Any]]:
    tests = dict.fromkeys((verdict.family, verdict.test) for verdict in one.record.verdicts)
    for family, test in tests:
        found = tally(v for v in one.record.verdicts if (v.family, v.test) == (family, test))
        yield [one.model, family, test, found.counts["passed"], found.executed, found.counts["not applicable"]]


def _compared(first: Judged, second: Judged) -> tuple[Gate | None, str]:
    """What differs, or why the verdicts of two runs say nothing beside each other."""
    try:
        return compare_verdicts(first.record.verdicts, second.record.verdicts), ""
    except InputError as error:
        return None, error.what


def _pair(first: str, second: str, gate: Gate | None, note: str) -> list[Any]:
    if gate is None:
        return [first, second, None, None, None, None, None, note]
    one_sided = len(gate.appeared) + len(gate.gone)
    same = len(gate.unchanged) - len(gate.near)
    return [first, second, len(gate.broken), len(gate.fixed), same, len(gate.near), one_sided, note]


def _differing(first: str, second: str, gate: Gate) -> Iterator[list[Any]]:
    for one in (*gate.broken, *gate.fixed, *gate.near):
        place = (one.place.attribute, one.place.group, one.place.part)
        values = (one.before, one.after, one.value_before, one.value_after)
        yield [first, second, one.test, one.metric, *place, *values, one.near, one.reason]
