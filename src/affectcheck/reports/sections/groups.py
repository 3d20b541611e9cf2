"""Scores by group: values with intervals, then how the groups differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from affectcheck.records import Score
from affectcheck.reports.charts import Dot, DotChart, Panel
from affectcheck.reports.document import Cell, Column, Details, Figure, Row, Section, Table, Text
from affectcheck.reports.glossary import better_of, is_difference
from affectcheck.reports.remarks import methods
from affectcheck.reports.sections.cells import DASH, note_lines, score_table, support_cell, value_cell, weak
from affectcheck.reports.sections.disparities import differences, disparities
from affectcheck.reports.sections.tables import rows_of
from affectcheck.reports.wording import count_text, interval_text, place_text, plain, score_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.records import Scored
    from affectcheck.reports.document import Block
    from affectcheck.reports.reading import Reading

PANELS: Final = 4


def build(reading: Reading) -> Section | None:
    """The section, one part an attribute; none where no groups were scored."""
    parts = tuple(_attribute(reading, index, name) for index, name in enumerate(reading.attributes, start=1))
    lead = (
        "Groups are as perceived or annotated in the data. Few items or few speakers make wide intervals, and a "
        "difference that was not detected may still be there."
    )
    return Section(reading.anchored("groups"), reading.titled("Groups"), parts, lead) if parts else None


def _attribute(reading: Reading, index: int, attribute: str) -> Section:
    mine = reading.select(lambda place: place.attribute == attribute)
    signed = [score for score in mine if is_difference(score.metric)]
    by_group = [score for score in mine if score.place.group and not is_difference(score.metric)]
    over_groups = [score for score in mine if not score.place.group and not is_difference(score.metric)]
    means = [score for score in over_groups if better_of(score.metric) == "higher"]
    blocks: list[Block] = [
        *_sizes(reading, attribute),
        *_values(reading, attribute, by_group),
        *_means(reading, attribute, means),
        *disparities(reading, attribute, [score for score in over_groups if score not in means]),
        *differences(reading, attribute, signed),
        *note_lines(reading, mine),
    ]
    return Section(reading.anchored(f"group-{index}"), f"By {attribute}", tuple(blocks))


def _sizes(reading: Reading, attribute: str) -> tuple[Text, ...]:
    """What the record's table of groups says of this attribute."""
    rows = [row for row in rows_of(reading.record.tables.get("groups")) if str(row.get("attribute")) == attribute]
    rows = [row for row in rows if row.get("scored", True) or row.get("count")]
    kinds = {kept: [row for row in rows if bool(row.get("scored", True)) is kept] for kept in (True, False)}
    said = [
        f"{word}: {', '.join(_size(row) for row in kinds[kept])}."
        for kept, word in ((True, "Items"), (False, "Left out, since the value names no group"))
        if kinds[kept]
    ]
    return (Text(" ".join(said)),) if said else ()


def _size(row: dict[str, Any]) -> str:
    return f"{row.get('group')} ({plain(row.get('count'))})"


def _means(reading: Reading, attribute: str, scores: Sequence[Scored]) -> tuple[Block, ...]:
    def name(score: Scored) -> str:
        return ", ".join(filter(None, (reading.variant(score), score.place.part)))

    if not scores:
        return ()
    return (
        score_table(reading, scores, f"Means over the groups of {attribute}, each group counting the same", name=name),
    )


def _values(reading: Reading, attribute: str, scores: Sequence[Scored]) -> tuple[Block, ...]:
    groups = tuple(dict.fromkeys(score.place.group for score in scores))
    whole = [score for score in scores if not score.place.part]
    parts = [score for score in scores if score.place.part]
    blocks: list[Block] = []
    if whole:
        table = _pivot(reading, attribute, whole, groups)
        blocks.append(
            Figure(_dots(reading, attribute, whole, groups), _caption(reading, attribute, whole), table, folded=False)
        )
    if parts and reading.kind == "dimensions":
        first = [score for score in parts if score.metric == reading.headline] or parts
        blocks.append(Figure(_dots(reading, attribute, first, groups), _caption(reading, attribute, first)))
    for variant in dict.fromkeys(reading.variant(score) for score in parts):
        mine = [score for score in parts if reading.variant(score) == variant]
        table = _parts_table(f"{variant} of each {reading.part} by {attribute}", reading, mine, groups)
        blocks.append(Details(table.caption, (table,)))
    return tuple(blocks)


def _caption(reading: Reading, attribute: str, scores: Sequence[Scored]) -> str:
    """What the marks of a figure of dots mean."""
    how = methods(scores)
    said = [f"Scores by {attribute}. Dots: values, hollow below 30 items"]
    said += [f"lines: {how}"] if how else []
    said += ["squares and dashed lines: all items"]
    said += ["diamonds: the random model"] if reading.has_baseline else []
    return f"{'; '.join(said)}."


def _dots(reading: Reading, attribute: str, scores: Sequence[Scored], groups: Sequence[str]) -> DotChart:
    names = list(dict.fromkeys((reading.variant(score), score.place.part) for score in scores))[:PANELS]
    panels = []
    for variant, part in names:
        mine = {s.place.group: s for s in scores if (reading.variant(s), s.place.part) == (variant, part)}
        dots = [_whole_dot(reading, variant, part), *(dot(reading, mine.get(group), group) for group in groups)]
        panels.append(Panel(f"{variant}, {part}" if part else variant, tuple(found for found in dots if found)))
    drawn = [score for score in scores if (reading.variant(score), score.place.part) in names]
    return DotChart(tuple(panels), f"Scores by {attribute}. {'; '.join(_said(reading, score) for score in drawn)}")


def _said(reading: Reading, score: Scored) -> str:
    interval = interval_text(score.interval) if isinstance(score, Score) else ""
    return f"{reading.variant(score)}, {place_text(score.place)}: {score_text(score)} {interval}".rstrip()


def _whole_dot(reading: Reading, variant: str, part: str) -> Dot | None:
    pool = reading.parts if part else reading.overall
    found = [score for score in pool if reading.variant(score) == variant and score.place.part == part]
    return dot(reading, found[0], "all", whole=True) if found else None


def dot(reading: Reading, score: Scored | None, label: str, *, whole: bool = False, n: bool = True) -> Dot:
    """The dot of a score in a chart; an undefined score has no value."""
    if score is None:
        return Dot(label, None, whole=whole)
    label = f"{label} (n={score.support:,})" if n else label
    if not isinstance(score, Score):
        return Dot(label, None, weak=weak(score), whole=whole)
    base = reading.baseline(score)
    low, high = (score.interval.low, score.interval.high) if score.interval else (None, None)
    random = base.value if isinstance(base, Score) else None
    return Dot(label, score.value, low, high, random, weak(score), whole)


def _pivot(reading: Reading, attribute: str, scores: Sequence[Scored], groups: Sequence[str]) -> Table:
    variants = tuple(dict.fromkeys(reading.variant(score) for score in scores))
    cells = {(score.place.group, reading.variant(score)): score for score in scores}
    whole = {reading.variant(score): score for score in reading.overall}
    rows = []
    for group in groups:
        support = next(support_cell(score) for score in scores if score.place.group == group)
        row = [value_cell(reading, cells.get((group, variant)), compact=True) for variant in variants]
        rows.append(Row((Cell(group), support, *row)))
    if set(variants) & set(whole):
        support = next((support_cell(score) for score in whole.values()), DASH)
        row = [value_cell(reading, whole.get(variant), compact=True) for variant in variants]
        rows.append(Row((Cell("all items"), support, *row)))
    columns = (Column(attribute), Column("n", "number"), *(Column(variant, "number") for variant in variants))
    return Table(f"Scores by {attribute}, with interval and random model", columns, tuple(rows))


def _parts_table(caption: str, reading: Reading, scores: Sequence[Scored], groups: Sequence[str]) -> Table:
    names = tuple(dict.fromkeys(score.place.part for score in scores))
    cells = {(score.place.part, score.place.group): score for score in scores}
    rows = []
    for name in names:
        row = []
        for group in groups:
            score = cells.get((name, group))
            cell = value_cell(reading, score, compact=True)
            support = count_text(score.support, "item") if score else ""
            detail = "\n".join(filter(None, (cell.detail, support)))
            row.append(Cell(cell.text, cell.link, detail=detail, weak=cell.weak))
        rows.append(Row((Cell(name), *row)))
    columns = (Column(reading.part.capitalize()), *(Column(group, "number") for group in groups))
    return Table(caption, columns, tuple(rows))
