"""How groups differ: disparities over their noise floors, and signed differences with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.records import Score
from affectcheck.reports.charts import Dot, DotChart, Floor, FloorChart, Panel
from affectcheck.reports.document import Cell, Column, Details, Figure, Row, Table
from affectcheck.reports.glossary import better_of
from affectcheck.reports.remarks import methods
from affectcheck.reports.sections.cells import DASH, baseline_cell, interval_cell, support_cell, value_cell, weak
from affectcheck.reports.wording import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.records import Scored
    from affectcheck.reports.charts import Decision
    from affectcheck.reports.document import Block
    from affectcheck.reports.reading import Reading

PANELS: Final = 4
NO_DIFFERENCE: Final = "no difference detected at this support"
_DECISIONS: Final[dict[str, tuple[Decision, str]]] = {
    "failed": ("exceeds", "exceeds the limit and the noise floor"),
    "passed": ("within", "within the limit: no unfairness detected at this support"),
    "inconclusive": ("inconclusive", "inconclusive"),
}


def disparities(reading: Reading, attribute: str, scores: Sequence[Scored]) -> tuple[Block, ...]:
    """Figure and table of the disparities of an attribute; those of single parts folded."""
    whole = [score for score in scores if not score.place.part]
    parts = [score for score in scores if score.place.part]
    blocks: list[Block] = []
    if whole:
        table = _disparity_table(reading, f"Disparities by {attribute}", whole)
        floors = [_floor(reading, score) for score in whole if isinstance(score, Score) and score.floor]
        blocks.append(_floor_figure(attribute, floors, table) if floors else table)
    if parts:
        table = _disparity_table(reading, f"Disparities of each {reading.part} by {attribute}", parts)
        blocks.append(Details(table.caption, (table,)))
    return tuple(blocks)


def _floor_figure(attribute: str, floors: Sequence[Floor], table: Table) -> Figure:
    said = "; ".join(f"{f.label}: {number(f.value)}, noise floor up to {number(f.quantile)}, {f.words}" for f in floors)
    caption = (
        f"Disparities by {attribute}. Bands: what a model that treats all groups alike would reach at these group "
        "sizes, up to its 95 % mark; ticks: the mean of that. Triangles exceed, diamonds are inconclusive, dots are "
        "within: a point inside its band is no evidence of a difference."
    )
    return Figure(
        FloorChart(tuple(floors), f"Disparities over their noise floors. {said}"), caption, table, folded=False
    )


def _floor(reading: Reading, score: Score) -> Floor:
    decision, words = decide(reading, score)
    mean, quantile = (score.floor.mean, score.floor.quantile) if score.floor else (0.0, 0.0)
    return Floor(_name(reading, score), score.value, mean, quantile, decision, words)


def _name(reading: Reading, score: Scored) -> str:
    return ", ".join(filter(None, (reading.variant(score), score.place.part)))


def decide(reading: Reading, score: Score) -> tuple[Decision, str]:
    """The three-way decision: that of the verdict on the same score, else whether the noise floor is exceeded."""
    for verdict in reading.record.verdicts:
        same = verdict.metric == score.metric and verdict.place == score.place
        if same and verdict.signature == str(score.signature) and verdict.status in _DECISIONS:
            return _DECISIONS[verdict.status]
    if score.decision is not None:
        return score.decision.outcome, f"{score.decision.outcome}: {score.decision.reason}"
    if score.floor is None:
        return "", "no noise floor was made"
    if score.value > score.floor.quantile:
        return "", "above what groups dealt out at random reach; no limit applies to this scaling"
    return "", "no more than groups dealt out at random reach at this support; no limit applies to this scaling"


def _disparity_table(reading: Reading, caption: str, scores: Sequence[Scored]) -> Table:
    rows = []
    for score in scores:
        floor = score.floor if isinstance(score, Score) else None
        words = decide(reading, score)[1] if isinstance(score, Score) else "undefined"
        cells = [
            Cell(_name(reading, score)),
            value_cell(reading, score, compact=not isinstance(score, Score)),
            Cell(number(floor.mean)) if floor else DASH,
            Cell(number(floor.quantile)) if floor else DASH,
            support_cell(score),
            Cell(words),
        ]
        if reading.has_baseline:
            cells.insert(4, baseline_cell(reading, score))
        rows.append(Row(tuple(cells)))
    columns = [
        Column("Disparity"),
        Column("Value", "number"),
        Column("Noise floor, mean", "number"),
        Column("Noise floor, 95\N{NO-BREAK SPACE}%", "number"),
        Column("n", "number"),
        Column("Reading"),
    ]
    if reading.has_baseline:
        columns.insert(4, Column("Random model", "number"))
    return Table(caption, tuple(columns), tuple(rows))


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
