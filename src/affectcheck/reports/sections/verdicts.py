"""Verdicts of the behaviour tests: by family, by test, then every comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.records import STATUSES
from affectcheck.reports.document import Cell, Column, Details, Row, Section, Table, Text
from affectcheck.reports.glossary import anchor_of, title_of
from affectcheck.reports.reading import tally
from affectcheck.reports.wording import count_text, limit_text, number, percent, place_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.records import Verdict
    from affectcheck.reports.document import Block
    from affectcheck.reports.reading import Reading

_ORDER: Final = {"failed": 0, "inconclusive": 1, "passed": 2, "not applicable": 3}


def family_anchor(family: str) -> str:
    """Fragment of a family's part."""
    return f"family-{anchor_of(family).removeprefix('term-')}"


def build(reading: Reading) -> Section | None:
    """The section; none where no tests were run."""
    if not reading.record.verdicts:
        return None
    parts = tuple(_family(reading, family) for family in reading.families)
    lead = (
        "Limits are strict and judge unrounded values. Only a passed comparison counts as passed; inconclusive ones "
        "and those that could not be made are counted on their own."
    )
    return Section("verdicts", "Behaviour tests", parts, lead)


def _family(reading: Reading, family: str) -> Section:
    verdicts = reading.verdicts_of(family)
    tests = tuple(dict.fromkeys(verdict.test for verdict in verdicts))
    blocks: list[Block] = [Text(_shares(reading, family, tests))]
    for index, test in enumerate(tests, start=1):
        mine = reading.verdicts_of(family, test)
        counts = tally(mine).counts
        blocks.append(
            Details(
                title_of(test),
                (_table(reading, test, mine), *_sources(mine)),
                anchor=f"{family_anchor(family)}-{index}",
                opened=bool(counts["failed"]),
                counts=tuple((status, counts[status]) for status in STATUSES),
            )
        )
    return Section(family_anchor(family), family.capitalize(), tuple(blocks))


def _shares(reading: Reading, family: str, tests: Sequence[str]) -> str:
    whole = tally(reading.verdicts_of(family))
    if not whole.executed:
        return "No comparison of this family could be made."
    shares = [
        t.counts["passed"] / t.executed
        for t in (tally(reading.verdicts_of(family, name)) for name in tests)
        if t.executed
    ]
    said = f"{percent(whole.counts['passed'] / whole.executed)} of {count_text(whole.executed, 'comparison')} passed"
    said += f"; averaged over tests, {percent(sum(shares) / len(shares))}."
    if whole.random_made:
        said += f" The random model would pass {percent(whole.random_passed / whole.random_made)} of the {whole.random_made:,} it was given."
    return said


def _sources(verdicts: Sequence[Verdict]) -> tuple[Text, ...]:
    sources = dict.fromkeys(v.threshold.source for v in verdicts if v.threshold and v.threshold.source)
    modes = dict.fromkeys(v.mode for v in verdicts if v.mode)
    said = [f"Limits: {'; '.join(sources)}." if sources else "", f"Mode: {', '.join(modes)}." if modes else ""]
    text = " ".join(filter(None, said))
    return (Text(text, "plain"),) if text else ()


def _table(reading: Reading, test: str, verdicts: Sequence[Verdict]) -> Table:
    several = len({verdict.data for verdict in verdicts}) > 1
    rows = [_row(reading, v, several=several) for v in sorted(verdicts, key=lambda v: _ORDER.get(v.status, 9))]
    columns = (
        Column("Comparison"),
        Column("Verdict", "status"),
        Column("Value", "number"),
        Column("Limit", "number"),
        Column("Random model", "number"),
        Column("n", "number"),
        Column("Detectable difference", "number"),
        Column("Reason"),
    )
    return Table(f"Comparisons of {title_of(test)}", columns, tuple(rows))


def _row(reading: Reading, verdict: Verdict, *, several: bool) -> Row:
    where = place_text(verdict.place)
    detail = ", ".join(filter(None, (where, verdict.data if several else "")))
    dash = "\N{EN DASH}"
    value = dash if verdict.value is None else number(verdict.value)
    needs = f"needs {verdict.minimum_support:,}" if verdict.support < verdict.minimum_support else ""
    reason = "; ".join(filter(None, (verdict.reason, *verdict.notes)))
    return Row(
        (
            Cell(title_of(verdict.metric), detail=detail),
            Cell(verdict.status, status=verdict.status),
            Cell(value, reading.link(verdict.signature)),
            Cell(limit_text(verdict.threshold)),
            Cell(dash if verdict.baseline is None else number(verdict.baseline)),
            Cell(f"{verdict.support:,}", detail=needs, weak=bool(needs)),
            Cell(dash if verdict.detectable is None else number(verdict.detectable)),
            Cell(reason or dash),
        ),
        verdict.status,
    )
