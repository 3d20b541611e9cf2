"""How two groups differ: signed differences with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.records import Score
from affectcheck.reports.charts import Dot, DotChart, Panel
from affectcheck.reports.document import Cell, Column, Details, Figure, Row, Table
from affectcheck.reports.glossary import better_of
from affectcheck.reports.remarks import methods
from affectcheck.reports.sections.cells import baseline_cell, interval_cell, support_cell, value_cell, weak

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.records import Scored
    from affectcheck.reports.document import Block
    from affectcheck.reports.reading import Reading

PANELS: Final = 4
NO_DIFFERENCE: Final = "no difference detected at this support"


def differences(reading: Reading, attribute: str, scores: Sequence[Scored]) -> tuple[Block, ...]:
    """Figure and table of the signed differences of an attribute; those of single parts folded."""
    whole = [score for score in scores if not score.place.part]
    parts = [score for score in scores if score.place.part]
    blocks: list[Block] = []
    if whole or (parts and reading.kind == "dimensions"):
        drawn = whole or [score for score in parts if score.metric == f"{reading.headline}_difference"] or parts
        caption = f"Signed differences by {attribute}: the first group minus the second"
        marks = f"Dots, their lines over 0: {NO_DIFFERENCE}; triangles: a difference was detected."
        table = _difference_table(reading, caption, drawn)
        chart = DotChart(_difference_panels(reading, drawn), caption, signed=True)
        blocks.append(Figure(chart, f"{caption}. {marks}", table, folded=False))
        parts = [score for score in parts if score not in drawn]
    if parts:
        title = f"Signed differences of each {reading.part} by {attribute}"
        blocks.append(Details(title, (_difference_table(reading, title, parts),)))
    return tuple(blocks)


def _difference_panels(reading: Reading, scores: Sequence[Scored]) -> tuple[Panel, ...]:
    """Metrics on one scale share a panel; errors, in the unit of the data, have one of their own."""
    panels: dict[str, list[Dot]] = {}
    several = len({score.place.group for score in scores}) > 1
    for score in scores:
        shared = better_of(score.metric.removesuffix("_difference")) == "higher"
        group = score.place.group
        title = group if shared and not several else reading.variant(score)
        label = _name(reading, score).replace(" difference", "") if shared and not several else group
        panels.setdefault(title, []).append(difference_dot(reading, score, label))
    return tuple(Panel(title, tuple(dots)) for title, dots in list(panels.items())[:PANELS])


def _name(reading: Reading, score: Scored) -> str:
    return ", ".join(filter(None, (reading.variant(score), score.place.part)))


def difference_dot(reading: Reading, score: Scored, label: str) -> Dot:
    """The dot of a signed difference."""
    if not isinstance(score, Score):
        return Dot(label, None)
    base = reading.baseline(score)
    low, high = (score.interval.low, score.interval.high) if score.interval else (None, None)
    return Dot(label, score.value, low, high, base.value if isinstance(base, Score) else None, weak(score))


def reading_of_difference(score: Scored) -> str:
    """What an interval says about a signed difference."""
    if not isinstance(score, Score):
        return "undefined"
    if score.interval is None:
        return "inconclusive: the support gives no interval"
    return NO_DIFFERENCE if score.interval.low <= 0 <= score.interval.high else "difference detected"


def _difference_table(reading: Reading, caption: str, scores: Sequence[Scored]) -> Table:
    rows = []
    for score in scores:
        cells = [
            Cell(_name(reading, score), detail=score.place.group),
            value_cell(reading, score, compact=not isinstance(score, Score)),
            interval_cell(score),
            support_cell(score),
            Cell(reading_of_difference(score)),
        ]
        if reading.has_baseline:
            cells.insert(3, baseline_cell(reading, score))
        rows.append(Row(tuple(cells)))
    columns = [
        Column("Difference"),
        Column("Value", "number"),
        Column("Interval", "number"),
        Column("n", "number"),
        Column("Reading"),
    ]
    if reading.has_baseline:
        columns.insert(3, Column("Random model", "number"))
    how = methods(scores)
    return Table(f"{caption}. {how}" if how else caption, tuple(columns), tuple(rows))
