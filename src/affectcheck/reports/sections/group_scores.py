"""What each group scores: dots with intervals, and tables by group and by part."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from affectcheck.records import Score
from affectcheck.reports.charts import Dot, DotChart, Panel
from affectcheck.reports.document import Cell, Column, Details, Figure, Row, Table
from affectcheck.reports.remarks import methods
from affectcheck.reports.sections.cells import DASH, beside, support_cell, value_cell, weak
from affectcheck.reports.wording import count_text, interval_text, place_text, score_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.records import Scored
    from affectcheck.reports.document import Block
    from affectcheck.reports.reading import Reading

PANELS: Final = 4
#: More groups than this stand in rows, and one metric alone is drawn.
MANY: Final = 9


def values(reading: Reading, attribute: str, scores: Sequence[Scored]) -> tuple[Block, ...]:
    """Dots and table of the groups' scores over all parts; of dimensions, also those of each."""
    groups = tuple(dict.fromkeys(score.place.group for score in scores))
    whole = [score for score in scores if not score.place.part]
    blocks: list[Block] = []
    if whole:
        drawn = whole
        if len(groups) > MANY:
            drawn = [score for score in whole if score.metric == reading.headline] or whole[: len(groups)]
        table = _pivot(reading, attribute, whole, groups)
        chart = _dots(reading, attribute, drawn, groups)
        blocks.append(Figure(chart, _caption(reading, attribute, whole), table, folded=False))
    parts = [score for score in scores if score.place.part]
    if parts and reading.kind == "dimensions":
        first = [score for score in parts if score.metric == reading.headline] or parts
        blocks.append(Figure(_dots(reading, attribute, first, groups), _caption(reading, attribute, first)))
    return tuple(blocks)


def parts_by_group(reading: Reading, attribute: str, scores: Sequence[Scored]) -> tuple[Details, ...]:
    """Scores of each class, unit or dimension in each group, a folded table a metric."""
    groups = tuple(dict.fromkeys(score.place.group for score in scores))
    parts = [score for score in scores if score.place.part]
    found = []
    for variant in dict.fromkeys(reading.variant(score) for score in parts):
        mine = [score for score in parts if reading.variant(score) == variant]
        table = _parts_table(f"{variant} of each {reading.part} by {attribute}", reading, mine, groups)
        found.append(Details(table.caption, (table,)))
    return tuple(found)


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
    undefined = {group: _why_undefined([s for s in scores if s.place.group == group]) for group in groups}
    told = any(undefined.values())
    rows = []
    for group in groups:
        support = next(support_cell(score) for score in scores if score.place.group == group)
        row = [value_cell(reading, cells.get((group, variant)), compact=True) for variant in variants]
        if undefined[group]:
            row = [replace(cell, detail="", weak=True) for cell in row]
        reason = [Cell(undefined[group] or DASH.text, weak=bool(undefined[group]))] if told else []
        rows.append(Row((Cell(group, weak=bool(undefined[group])), support, *row, *reason)))
    if set(variants) & set(whole):
        support = next((support_cell(score) for score in whole.values()), DASH)
        row = [value_cell(reading, whole.get(variant), compact=True) for variant in variants]
        rows.append(Row((Cell("all items"), support, *row, *([DASH] if told else []))))
    columns = (Column(attribute), Column("n", "number"), *(Column(variant, "number") for variant in variants))
    reasons = (Column("Why undefined"),) if told else ()
    beside_it = " and random model" if reading.has_baseline else ""
    return Table(f"Scores by {attribute}, with interval{beside_it}", (*columns, *reasons), tuple(rows))


def _why_undefined(scores: Sequence[Scored]) -> str:
    """Why a whole group has no value, where one reason holds for all metrics."""
    reasons = {"" if isinstance(score, Score) else score.reason for score in scores}
    return reasons.pop() if len(reasons) == 1 else ""


def _parts_table(caption: str, reading: Reading, scores: Sequence[Scored], groups: Sequence[str]) -> Table:
    """Parts in rows and groups in columns; the other way round where there are many groups."""
    names = tuple(dict.fromkeys(score.place.part for score in scores))
    cells = {(score.place.part, score.place.group): score for score in scores}
    if len(groups) > MANY:
        defined = {score.place.group for score in scores if isinstance(score, Score)}
        kept = [group for group in groups if group in defined]
        rows = [
            Row((Cell(group), *(_part_cell(reading, cells.get((name, group))) for name in names))) for group in kept
        ]
        left = (
            f". {count_text(len(groups) - len(kept), 'group')} without any value left out"
            if len(kept) < len(groups)
            else ""
        )
        return Table(f"{caption}{left}", (Column("Group"), *(Column(name, "number") for name in names)), tuple(rows))
    rows = [Row((Cell(name), *(_part_cell(reading, cells.get((name, group))) for group in groups))) for name in names]
    columns = (Column(reading.part.capitalize()), *(Column(group, "number") for group in groups))
    return Table(caption, columns, tuple(rows))


def _part_cell(reading: Reading, score: Scored | None) -> Cell:
    cell = value_cell(reading, score, compact=True)
    support = count_text(score.support, "item") if score else ""
    if not isinstance(score, Score):
        return Cell(cell.text, cell.link, detail="\n".join(filter(None, (cell.detail, support))), weak=cell.weak)
    return Cell(cell.text, cell.link, detail=beside(*cell.detail.split("\n"), support), weak=cell.weak)
