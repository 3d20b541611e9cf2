"""How to read a report: the metrics that occur, the words of its tables, and how the numbers were made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.reports.document import Definition, Definitions, Section
from affectcheck.reports.glossary import anchor_of, better_of, entry_of, is_difference
from affectcheck.reports.terms import METHODS, WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from affectcheck.reports.reading import Reading
    from affectcheck.reports.terms import Occasion, Term


def build(reading: Reading) -> Section:
    """The section, three lists."""
    occasions = occasions_of(reading)
    lists = [
        Section("guide-metrics", "Metrics", (Definitions(_metrics(reading)),)),
        Section("guide-words", "Words", (Definitions(_terms(WORDS, occasions)),)),
        Section("guide-methods", "How the numbers were made", (Definitions(_terms(METHODS, occasions)),)),
    ]
    return Section("guide", "How to read this", tuple(one for one in lists if one.blocks[0].items))  # type: ignore[union-attr]  # definitions


def _metrics(reading: Reading) -> tuple[Definition, ...]:
    record = reading.record
    found: dict[str, Definition] = {}
    for name in dict.fromkeys(one.metric for one in (*record.scores, *record.verdicts, *record.comparisons)):
        entry = entry_of(name)
        if entry is not None:
            better = f" Better: {entry.better}." if entry.better else ""
            found.setdefault(entry.title, Definition(entry.title, entry.text + better, anchor_of(entry.title)))
    return tuple(found.values())


def _terms(terms: Iterable[Term], occasions: set[Occasion]) -> tuple[Definition, ...]:
    return tuple(Definition(one.name, one.text, anchor_of(one.name)) for one in terms if one.when in occasions)


def occasions_of(reading: Reading) -> set[Occasion]:
    """What occurs in a record that takes an explanation."""
    record = reading.record
    over_groups = [s for s in record.scores if s.place.attribute and not s.place.group]
    occurs: dict[Occasion, bool] = {
        "": True,
        "baseline": reading.has_baseline,
        "verdicts": bool(record.verdicts),
        "comparisons": bool(record.comparisons),
        "ranks": bool(record.ranks),
        "steps": reading.has_before,
        "ceilings": reading.has_ceiling,
        "units": reading.kind == "units",
        "crossed": any("*" in name for name in reading.attributes),
        "disparities": any(better_of(s.metric) == "lower" and not is_difference(s.metric) for s in over_groups),
        "conventions": len({s.signature.convention for s in record.scores} - {""}) > 1,
    }
    return {occasion for occasion, found in occurs.items() if found}
