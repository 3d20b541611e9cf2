"""Models beside each other: differences on the same items with tests, and the rank of each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from affectcheck.records import Place
from affectcheck.reports.charts import Dot, DotChart, Panel
from affectcheck.reports.document import Cell, Column, Details, Figure, Lines, Row, Section, Table
from affectcheck.reports.glossary import better_of, title_of
from affectcheck.reports.sections.cells import DASH
from affectcheck.reports.wording import count_text, interval_text, method_text, number, p_text, percent, place_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from affectcheck.records import Comparison, Rank
    from affectcheck.reports.document import Block
    from affectcheck.reports.reading import Reading

#: p-values after Holm's correction up to this are read as a difference.
SIGNIFICANT: Final = 0.05
NO_DIFFERENCE: Final = "no difference detected at this support"
PANELS: Final = 4
_DIFFERING: Final = re.compile(r", of which \d+ differ(?=.* draws$)")
_LEAD: Final = (
    "All models answered the same items. They are resampled together, and the test exchanges two models' answers on "
    "whole clusters, so that what the items have in common cancels. A difference is read from its p-value after "
    "Holm's correction over the pairs of one metric and place; above 0.05 none was detected at this support, which is "
    "no evidence that there is none."
)


def build(reading: Reading) -> Section | None:
    """The section; none where no models were compared."""
    found = reading.record.comparisons
    if not found:
        return None
    overall = [one for one in found if one.place == Place()]
    blocks: list[Block] = []
    if overall:
        blocks += _overall(reading, overall)
    blocks += _ranks("Ranks over all items", [r for r in reading.record.ranks if r.place == Place()])
    for attribute, is_part in dict.fromkeys((c.place.attribute, bool(c.place.part)) for c in found):
        if attribute or is_part:
            blocks.append(_folded(reading, attribute, is_part))
    blocks += _lines(found)
    return Section("comparisons", "Models compared", tuple(blocks), _LEAD)


def _overall(reading: Reading, found: Sequence[Comparison]) -> list[Block]:
    table = _table(reading, "Differences over all items", found)
    if not any(one.interval for one in found):
        return [table]
    caption = "Differences over all items, first model minus second. Lines over 0 are no evidence of a difference."
    return [Figure(DotChart(_panels(found), caption, signed=True), caption, table, folded=False)]


def _panels(found: Sequence[Comparison]) -> tuple[Panel, ...]:
    panels: dict[str, list[Dot]] = {}
    for one in found:
        low, high = (one.interval.low, one.interval.high) if one.interval else (None, None)
        title = variant(one.metric, one.signature.convention)
        panels.setdefault(title, []).append(Dot(pair_text(one), one.difference, low, high))
    return tuple(Panel(title, tuple(dots)) for title, dots in list(panels.items())[:PANELS])


def _folded(reading: Reading, attribute: str, is_part: bool) -> Details:
    """Differences and ranks by group, by part or by both, behind a line."""
    by = [f"by {attribute}"] if attribute else []
    by += [f"of each {reading.part}"] if is_part else []
    title = f"Differences {' '.join(by)}"

    def mine(places: Iterable[Comparison | Rank]) -> list[Comparison | Rank]:
        return [one for one in places if one.place.attribute == attribute and bool(one.place.part) == is_part]

    table = _table(reading, title, mine(reading.record.comparisons))  # type: ignore[arg-type]  # all are comparisons
    ranks = _ranks(f"Ranks {' '.join(by)}", mine(reading.record.ranks))  # type: ignore[arg-type]  # all are ranks
    return Details(title, (table, *ranks))


def variant(metric: str, convention: str) -> str:
    """Title of a metric, with the convention where it is not the default one."""
    return title_of(metric) + (f" ({convention})" if convention not in ("", "paper") else "")


def pair_text(one: Comparison) -> str:
    """Which model minus which."""
    return f"{one.first} \N{MINUS SIGN} {one.second}"


def reading_of_comparison(one: Comparison) -> str:
    """What a comparison says."""
    if one.difference is None:
        return f"undefined: {one.reason}"
    if one.p_holm is None:
        return "not tested"
    if one.p_holm > SIGNIFICANT:
        return NO_DIFFERENCE
    ahead = one.first if (one.difference > 0) == (better_of(one.metric) == "higher") else one.second
    return f"{ahead} is better" if better_of(one.metric) in ("higher", "lower") else "the two differ"


def _table(reading: Reading, caption: str, found: Sequence[Comparison]) -> Table:
    columns = (
        Column("Metric"),
        Column("Models"),
        Column("First", "number"),
        Column("Second", "number"),
        Column("Difference", "number"),
        Column("Interval", "number"),
        Column("p", "number"),
        Column("p, Holm", "number"),
        Column("Reading"),
    )
    methods = dict.fromkeys(method_text(one.interval) for one in found if one.interval)
    said = f". {'; '.join(methods)}" if methods else ""
    return Table(f"{caption}{said}", columns, tuple(_row(reading, one) for one in found))


def _row(reading: Reading, one: Comparison) -> Row:
    values = [DASH if value is None else Cell(number(value)) for value in (one.first_value, one.second_value)]
    difference = DASH
    if one.difference is not None:
        difference = Cell(number(one.difference, signed=True), reading.link(one.signature))
    head = Cell(variant(one.metric, one.signature.convention), detail=place_text(one.place))
    interval = Cell(interval_text(one.interval, signed=True)) if one.interval else DASH
    tested = [DASH if p is None else Cell(p_text(p)) for p in (one.p_value, one.p_holm)]
    return Row((head, Cell(pair_text(one)), *values, difference, interval, *tested, Cell(reading_of_comparison(one))))


def _ranks(caption: str, found: Sequence[Rank]) -> list[Block]:
    """One row a metric and place, one column a model."""
    models = tuple(dict.fromkeys(rank.model for rank in found))
    rows: dict[tuple[str, str, Place], dict[str, Rank]] = {}
    for rank in found:
        rows.setdefault((rank.metric, rank.convention, rank.place), {})[rank.model] = rank
    shown = [(key, row) for key, row in rows.items() if any(rank.rank is not None for rank in row.values())]
    if not shown:
        return []
    level = next(iter(found)).level
    columns = (Column("Metric"), *(Column(model, "number") for model in models))
    table = tuple(
        Row(
            (
                Cell(variant(metric, convention), detail=place_text(place)),
                *(_rank_cell(row[model]) for model in models),
            )
        )
        for (metric, convention, place), row in shown
    )
    told = f"{caption}, 1 is best. In brackets the {percent(level)} interval of the rank; below it the score"
    return [Table(told, columns, table)]


def _rank_cell(rank: Rank) -> Cell:
    if rank.rank is None:
        return Cell("\N{EN DASH}", detail="undefined" if rank.value is None else number(rank.value))
    return Cell(rank_text(rank), detail=number(rank.value or 0.0))


def rank_text(rank: Rank) -> str:
    """A rank with its interval, such as ``1 [1, 2]``."""
    return f"{rank.rank} [{rank.low}, {rank.high}]" if rank.low is not None else str(rank.rank)


def _lines(found: Sequence[Comparison]) -> list[Block]:
    """How the tests were made, and what must be read with them."""
    said = [f"p-values: {test}" for test in ways_of_testing(found)]
    families = sorted({one.family for one in found if one.p_holm is not None})
    if families:
        told = " or ".join(str(size) for size in families)
        said.append(
            f"Holm's correction: over the {told} {'pair' if families == [1] else 'pairs'} of one metric and place"
        )
    blocks: list[Block] = [Lines(tuple(said), "How the tests were made")] if said else []
    care = notes(found)
    return [*blocks, Lines(care, "Read with care")] if care else blocks


def ways_of_testing(found: Iterable[Comparison]) -> tuple[str, ...]:
    """How p-values were made, each way once, whatever the number of units in which two models differ."""
    return tuple(dict.fromkeys(_DIFFERING.sub("", one.test) for one in found if one.test))


def notes(found: Iterable[Comparison]) -> tuple[str, ...]:
    """Reasons and cautions, each once with the number of comparisons that it is about."""
    about: dict[str, int] = {}
    for one in found:
        sentences = [*one.notes, *([one.reason] if one.reason else [])]
        if one.interval and one.interval.note:
            sentences.append(one.interval.note)
        if one.interval and one.interval.undefined_resamples:
            sentences.append("undefined in some resamples, which are left out")
        for sentence in sentences:
            about[sentence] = about.get(sentence, 0) + 1
    return tuple(f"{text[:1].upper()}{text[1:]} ({count_text(n, 'comparison')})" for text, n in about.items())
