"""Verdicts of the behaviour tests: by family, by test, then every comparison."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from affectcheck.records import STATUSES
from affectcheck.reports.document import Cell, Column, Details, Lines, Links, Row, Section, Table, Text
from affectcheck.reports.glossary import anchor_of, title_of
from affectcheck.reports.reading import tally
from affectcheck.reports.wording import count_text, judged_text, limit_text, number, percent, place_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.records import Verdict
    from affectcheck.reports.document import Block
    from affectcheck.reports.reading import Reading, Tally

_ORDER: Final = {"failed": 0, "inconclusive": 1, "passed": 2, "not applicable": 3}
COMMON: Final = 3  # a note on so many comparisons stands once below their table
DASH: Final = "\N{EN DASH}"


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
    tests = tuple(dict.fromkeys(verdict.test for verdict in reading.verdicts_of(family)))
    blocks: list[Block] = [Text(_shares(reading, family, tests))]
    for index, test in enumerate(tests, start=1):
        mine = reading.verdicts_of(family, test)
        counts = tally(mine)
        title = test_title(test, family)
        blocks.append(
            Details(
                title,
                (
                    *_pages(reading, test, mine),
                    verdict_table(reading, f"Comparisons of {title} ({family})", mine),
                    *sources(mine),
                ),
                anchor=f"{family_anchor(family)}-{index}",
                opened=bool(counts.counts["failed"]),
                counts=tuple((status, counts.counts[status]) for status in STATUSES),
                aside=random_text(counts),
            )
        )
    return Section(family_anchor(family), family.capitalize(), tuple(blocks))


def _pages(reading: Reading, test: str, verdicts: Sequence[Verdict]) -> tuple[Block, ...]:
    """The way to the pages on a test; nothing where there are none."""
    found = [link for pages in reading.beside for link in pages.links(test, verdicts)]
    return (Links(tuple(found)),) if found else ()


def test_title(test: str, family: str) -> str:
    """Name of a test without the family that it stands under; those of faces say so, as sound may be tested beside."""
    of_faces = test.startswith(f"face-{family}-")
    title = title_of(test.removeprefix(f"face-{family}-" if of_faces else f"{family}-").replace("-", " "))
    return f"{title} (faces)" if of_faces else title


def random_text(counts: Tally) -> str:
    """How many the random model passes, beside the counts; empty where it was not run."""
    return f"random model: {counts.random_passed:,} of {counts.random_made:,}" if counts.random_made else ""


def _shares(reading: Reading, family: str, tests: Sequence[str]) -> str:
    whole = tally(reading.verdicts_of(family))
    if not whole.executed:
        return "No comparison of this family could be made."
    counts = [tally(reading.verdicts_of(family, name)) for name in tests]
    shares = [one.counts["passed"] / one.executed for one in counts if one.executed]
    said = f"{percent(whole.counts['passed'] / whole.executed)} of {count_text(whole.executed, 'comparison')} passed"
    said += f"; averaged over tests, {percent(sum(shares) / len(shares))}" if len(shares) > 1 else ""
    if whole.random_made:
        said += f". The random model passes {percent(whole.random_passed / whole.random_made)}"
        said += "" if whole.random_made == whole.executed else f" of the {whole.random_made:,} it was given"
    return f"{said}."


def sources(verdicts: Sequence[Verdict]) -> tuple[Block, ...]:
    """Where the limits come from, and what holds for many of the comparisons."""
    sources = dict.fromkeys(v.threshold.source for v in verdicts if v.threshold and v.threshold.source)
    modes = dict.fromkeys(v.mode for v in verdicts if v.mode)
    found: list[Block] = [Lines(_common_notes(verdicts), "Read with care")] if _common_notes(verdicts) else []
    found += [Lines(tuple(sources), "Where the limits come from")] if sources else []
    found += [Text(f"Mode of the rules: {', '.join(modes)}.")] if modes else []
    return tuple(found)


def _common_notes(verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    counts = Counter(note for verdict in verdicts for note in verdict.notes)
    return tuple(note for note, count in counts.items() if count >= COMMON)


def verdict_table(reading: Reading, caption: str, verdicts: Sequence[Verdict]) -> Table:
    """Failed comparisons first; a column that would be empty is left out."""
    wanted = (
        True,
        True,
        True,
        True,
        any(verdict.baseline is not None for verdict in verdicts),
        True,
        any(verdict.detectable is not None for verdict in verdicts),
        any(verdict.reruns for verdict in verdicts),
        any(verdict.reason or verdict.notes for verdict in verdicts),
    )
    columns = (
        Column("Comparison"),
        Column("Verdict", "status"),
        Column("Value", "number"),
        Column("Limit", "number"),
        Column("Random model", "number"),
        Column("n", "number"),
        Column("Detectable difference", "number"),
        Column("Other draws", "number"),
        Column("Reason"),
    )
    several = len({verdict.data for verdict in verdicts}) > 1
    common = _common_notes(verdicts)
    rows = []
    for verdict in sorted(verdicts, key=lambda one: _ORDER.get(one.status, len(_ORDER))):
        notes = tuple(note for note in verdict.notes if note not in common)
        cells = _cells(reading, replace(verdict, notes=notes), verdict.data if several else "")
        rows.append(Row(tuple(cell for cell, kept in zip(cells, wanted, strict=True) if kept), verdict.status))
    return Table(caption, tuple(column for column, kept in zip(columns, wanted, strict=True) if kept), tuple(rows))


def _draws(verdict: Verdict) -> str:
    """Where the value lies when the perturbation is drawn again."""
    if not verdict.reruns:
        return DASH
    low, high = min(verdict.reruns), max(verdict.reruns)
    return number(low) if len(verdict.reruns) == 1 else f"{number(low)} to {number(high)}"


def _cells(reading: Reading, verdict: Verdict, data: str) -> tuple[Cell, ...]:
    said = "; ".join(verdict.notes)
    needs = f"needs {verdict.minimum_support:,}" if verdict.support < verdict.minimum_support else ""
    return (
        Cell(title_of(verdict.metric), detail=", ".join(filter(None, (place_text(verdict.place), data)))),
        Cell(verdict.status, status=verdict.status),
        Cell(judged_text(verdict.value, verdict.threshold), reading.link(verdict.signature)),
        Cell(limit_text(verdict.threshold, verdict.value, verdict.baseline)),
        Cell(judged_text(verdict.baseline, verdict.threshold)),
        Cell(f"{verdict.support:,}", detail=needs, weak=bool(needs)),
        Cell(DASH if verdict.detectable is None else number(verdict.detectable)),
        Cell(_draws(verdict)),
        Cell(verdict.reason or said or DASH, detail=said if verdict.reason else ""),
    )
