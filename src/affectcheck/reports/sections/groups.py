"""Scores by group: values, disparities over their noise floors, and signed differences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.records import Score
from affectcheck.reports.charts import Dot, DotChart, Floor, FloorChart, Panel
from affectcheck.reports.document import Cell, Column, Details, Figure, Row, Section, Table, Text
from affectcheck.reports.glossary import is_difference
from affectcheck.reports.reading import methods
from affectcheck.reports.sections.cells import (
    DASH,
    baseline_cell,
    interval_cell,
    note_lines,
    support_cell,
    value_cell,
    weak,
)
from affectcheck.reports.sections.summary import reading_of_difference
from affectcheck.reports.wording import interval_text, number, place_text, score_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.records import Scored
    from affectcheck.reports.charts import Decision
    from affectcheck.reports.document import Block
    from affectcheck.reports.reading import Reading

PANELS: Final = 4
_WORDS: Final[dict[str, str]] = {
    "failed": "exceeds the limit and the noise floor",
    "passed": "within the limit: no unfairness detected at this support",
    "inconclusive": "inconclusive",
}
_DECISIONS: Final[dict[str, Decision]] = {"failed": "exceeds", "passed": "within", "inconclusive": "inconclusive"}


def build(reading: Reading) -> Section | None:
    """The section, one part an attribute; none where no groups were scored."""
    parts = tuple(_attribute(reading, index, name) for index, name in enumerate(reading.attributes, start=1))
    lead = "Groups are as perceived or annotated in the data. Few items or few speakers make wide intervals."
    return Section("groups", "Groups", parts, lead) if parts else None


def _attribute(reading: Reading, index: int, attribute: str) -> Section:
    mine = reading.select(lambda place: place.attribute == attribute)
    signed = [score for score in mine if is_difference(score.metric)]
    by_group = [score for score in mine if score.place.group and not is_difference(score.metric)]
    disparities = [score for score in mine if not score.place.group and not is_difference(score.metric)]
    blocks: list[Block] = [
        *_values(reading, attribute, by_group),
        *_disparities(reading, attribute, disparities),
        *_differences(reading, attribute, signed),
        *note_lines(reading, mine),
    ]
    return Section(f"group-{index}", f"By {attribute}", tuple(blocks))


def _values(reading: Reading, attribute: str, scores: Sequence[Scored]) -> tuple[Block, ...]:
    groups = tuple(dict.fromkeys(score.place.group for score in scores))
    whole = [score for score in scores if not score.place.part]
    parts = [score for score in scores if score.place.part]
    blocks: list[Block] = []
    if whole:
        chart = _dots(reading, whole, groups, f"Scores by {attribute}")
        blocks.append(
            Figure(chart, _caption(reading, attribute, whole), _pivot(reading, attribute, whole, groups), folded=False)
        )
    elif parts:
        first = [score for score in parts if score.metric == reading.headline] or parts
        chart = _dots(reading, first, groups, f"Scores by {attribute}")
        blocks.append(Figure(chart, _caption(reading, attribute, first), None))
    for variant in dict.fromkeys(reading.variant(score) for score in parts):
        mine = [score for score in parts if reading.variant(score) == variant]
        table = _parts_table(reading, variant, attribute, mine, groups)
        blocks.append(
            table if not whole and len(blocks) < 2 else Details(f"{variant} of each part by {attribute}", (table,))
        )
    return tuple(blocks)


def _caption(reading: Reading, attribute: str, scores: Sequence[Scored]) -> str:
    how = methods(scores)
    random = " Diamonds: the random model." if reading.has_baseline else ""
    return f"Scores by {attribute}. Dots: values{f'; lines: {how}' if how else ''}.{random}"


def _dots(reading: Reading, scores: Sequence[Scored], groups: Sequence[str], description: str) -> DotChart:
    names = dict.fromkeys((reading.variant(score), score.place.part) for score in scores)
    panels = []
    for variant, part in list(names)[:PANELS]:
        mine = {s.place.group: s for s in scores if (reading.variant(s), s.place.part) == (variant, part)}
        dots = [_whole_dot(reading, variant, part)] + [dot(reading, mine.get(group), group) for group in groups]
        panels.append(Panel(f"{variant}, {part}" if part else variant, tuple(d for d in dots if d)))
    said = "; ".join(
        f"{reading.variant(s)} {place_text(s.place)}: {score_text(s)} {interval_text(getattr(s, 'interval', None))}".strip()
        for s in scores
        if (reading.variant(s), s.place.part) in list(names)[:PANELS]
    )
    return DotChart(tuple(panels), f"{description}. {said}")


def _whole_dot(reading: Reading, variant: str, part: str) -> Dot | None:
    pool = reading.parts if part else reading.overall
    found = [s for s in pool if reading.variant(s) == variant and s.place.part == part]
    return dot(reading, found[0], "all", whole=True) if found else None


def dot(reading: Reading, score: Scored | None, label: str, *, whole: bool = False) -> Dot:
    """The dot of a score in a chart; an undefined score has no value."""
    if score is None:
        return Dot(label, None, whole=whole)
    label = f"{label} (n={score.support:,})"
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


def _parts_table(
    reading: Reading, variant: str, attribute: str, scores: Sequence[Scored], groups: Sequence[str]
) -> Table:
    names = tuple(dict.fromkeys(score.place.part for score in scores))
    cells = {(score.place.part, score.place.group): score for score in scores}
    rows = []
    for name in names:
        row = []
        for group in groups:
            score = cells.get((name, group))
            cell = value_cell(reading, score, compact=True)
            n = f"n={score.support:,}" if score else ""
            row.append(Cell(cell.text, cell.link, detail=" · ".join(filter(None, (cell.detail, n))), weak=cell.weak))
        rows.append(Row((Cell(name), *row)))
    columns = (Column("Part"), *(Column(group, "number") for group in groups))
    return Table(f"{variant} of each part by {attribute}", columns, tuple(rows))


def _disparities(reading: Reading, attribute: str, scores: Sequence[Scored]) -> tuple[Block, ...]:
    if not scores:
        return ()
    table = _disparity_table(reading, attribute, scores)
    floors = [score for score in scores if isinstance(score, Score) and score.floor is not None]
    if not floors:
        return (table,)
    rows = tuple(_floor(reading, score) for score in floors)
    said = "; ".join(
        f"{row.label}: {number(row.value)}, noise floor up to {number(row.quantile)}, {row.words}" for row in rows
    )
    chart = FloorChart(rows, f"Disparities by {attribute} over their noise floors. {said}")
    caption = (
        f"Disparities by {attribute}. Bands: what a model that treats all groups alike would reach at these group "
        "sizes (mean, and 95 % mark); points: this model. A point inside its band is no evidence of a difference."
    )
    return (Figure(chart, caption, table, folded=False),)


def _floor(reading: Reading, score: Score) -> Floor:
    decision, words = decide(reading, score)
    assert_floor = score.floor
    mean, quantile = (assert_floor.mean, assert_floor.quantile) if assert_floor else (0.0, 0.0)
    return Floor(reading.variant(score), score.value, mean, quantile, decision, words)


def decide(reading: Reading, score: Score) -> tuple[Decision, str]:
    """The three-way decision: that of the verdict on the same score, else whether the noise floor is exceeded."""
    for verdict in reading.record.verdicts:
        same = verdict.signature == str(score.signature) and verdict.place == score.place
        if same and verdict.metric == score.metric and verdict.status in _DECISIONS:
            return _DECISIONS[verdict.status], _WORDS[verdict.status]
    if score.floor is None:
        return "", "no noise floor"
    if score.value > score.floor.quantile:
        return "exceeds", "above the noise floor: groups differ"
    return "within", "within the noise floor: no unfairness detected at this support"


def _disparity_table(reading: Reading, attribute: str, scores: Sequence[Scored]) -> Table:
    rows = []
    for score in scores:
        floor = score.floor if isinstance(score, Score) else None
        words = decide(reading, score)[1] if isinstance(score, Score) else "undefined"
        rows.append(
            Row(
                (
                    Cell(reading.variant(score)),
                    value_cell(reading, score),
                    Cell(number(floor.mean)) if floor else DASH,
                    Cell(number(floor.quantile)) if floor else DASH,
                    *((baseline_cell(reading, score),) if reading.has_baseline else ()),
                    support_cell(score),
                    Cell(words),
                )
            )
        )
    columns = (
        Column("Disparity"),
        Column("Value", "number"),
        Column("Noise floor, mean", "number"),
        Column("Noise floor, 95 %", "number"),
        *((Column("Random model", "number"),) if reading.has_baseline else ()),
        Column("n", "number"),
        Column("Reading"),
    )
    return Table(f"Disparities by {attribute}", columns, tuple(rows))


def _differences(reading: Reading, attribute: str, scores: Sequence[Scored]) -> tuple[Block, ...]:
    whole = [score for score in scores if not score.place.part]
    parts = [score for score in scores if score.place.part]
    blocks: list[Block] = []
    if whole:
        panels = []
        for variant in list(dict.fromkeys(reading.variant(score) for score in whole))[:PANELS]:
            mine = [score for score in whole if reading.variant(score) == variant]
            panels.append(Panel(variant, tuple(dot(reading, score, score.place.group) for score in mine)))
        caption = f"Signed differences between groups of {attribute}: first minus second. Lines that cross 0: {reading_note()}."
        table = _difference_table(reading, attribute, whole)
        blocks.append(Figure(DotChart(tuple(panels), caption, signed=True), caption, table, folded=False))
    if parts:
        table = _difference_table(reading, attribute, parts)
        blocks.append(Details(f"Signed differences of each part by {attribute}", (table,)))
    if not whole and not parts:
        blocks.append(Text(f"No signed differences between groups of {attribute} were scored.", "note"))
    return tuple(blocks)


def reading_note() -> str:
    """What an interval over zero means."""
    return "no difference detected at this support"


def _difference_table(reading: Reading, attribute: str, scores: Sequence[Scored]) -> Table:
    rows = []
    for score in scores:
        name = ", ".join(filter(None, (reading.variant(score), score.place.part)))
        words = reading_of_difference(score) if isinstance(score, Score) else "undefined"
        base = (baseline_cell(reading, score),) if reading.has_baseline else ()
        rows.append(
            Row(
                (
                    Cell(name, detail=score.place.group),
                    value_cell(reading, score),
                    interval_cell(score),
                    *base,
                    support_cell(score),
                    Cell(words),
                )
            )
        )
    columns = (
        Column("Difference"),
        Column("Value", "number"),
        Column("Interval", "number"),
        *((Column("Random model", "number"),) if reading.has_baseline else ()),
        Column("n", "number"),
        Column("Reading"),
    )
    how = methods(scores)
    return Table(f"Signed differences by {attribute}{f'. {how}' if how else ''}", columns, tuple(rows))
