"""The group that scores worst by each metric, and how each group differs from all of them together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.records import Score
from affectcheck.reports.document import Cell, Column, Details, Row, Table
from affectcheck.reports.glossary import better_of
from affectcheck.reports.sections.cells import DASH, interval_cell, support_cell, value_cell
from affectcheck.reports.sections.group_scores import MANY
from affectcheck.reports.wording import band_text, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.records import Scored
    from affectcheck.reports.document import Block
    from affectcheck.reports.reading import Reading


def worst_groups(
    reading: Reading, attribute: str, by_group: Sequence[Scored], worst: Sequence[Scored] = ()
) -> tuple[Block, ...]:
    """One row a metric: its worst group, its best, and all items.

    Args:
        reading: the record.
        attribute: the attribute.
        by_group: scores of its groups.
        worst: scores of the worst group, with what the worst of groups dealt out at random would score.
    """
    found: dict[str, list[Score]] = {}
    for score in by_group:
        if isinstance(score, Score) and not score.place.part and badness(score) is not None:
            found.setdefault(reading.variant(score), []).append(score)
    chances = {reading.variant(s).replace(" of the worst group", ""): s for s in worst if not s.place.part}
    rows = [Row(_cells(reading, name, scores, chances.get(name))) for name, scores in found.items() if len(scores) > 1]
    if not rows:
        return ()
    chance = any(isinstance(s, Score) and s.floor for s in chances.values())
    columns = (
        Column("Metric"),
        Column("Worst group"),
        Column("Value", "number"),
        Column("Interval", "number"),
        Column("n", "number"),
        *((Column("Chance, mean … 95\N{NO-BREAK SPACE}%", "number"),) if chance else ()),
        Column("Best group"),
        Column("All items", "number"),
    )
    if not chance:
        rows = [Row((*row.cells[:5], *row.cells[6:])) for row in rows]
    said = (
        "The interval is that of the group had it been named before; of many small groups one is bad by chance alone."
    )
    return (Table(f"Worst group by {attribute}, metric by metric. {said}", columns, tuple(rows)),)


def badness(score: Score) -> float | None:
    """How bad a value is, in the metric's own direction; None where there is none."""
    signs = {"higher": -score.value, "lower": score.value, "nearer to 0": abs(score.value)}
    return signs.get(better_of(score.metric))


def _cells(reading: Reading, name: str, scores: Sequence[Score], chance: Scored | None) -> tuple[Cell, ...]:
    worst = max(scores, key=lambda score: badness(score) or 0.0)
    best = min(scores, key=lambda score: badness(score) or 0.0)
    whole = next((s for s in reading.overall if reading.variant(s) == name), None)
    floor = chance.floor if isinstance(chance, Score) else None
    return (
        Cell(name),
        Cell(worst.place.group),
        value_cell(reading, worst),
        interval_cell(worst),
        support_cell(worst),
        DASH if floor is None else Cell(band_text(floor)),
        Cell(best.place.group, detail=number(best.value)),
        value_cell(reading, whole),
    )


def shifts(reading: Reading, attribute: str, scores: Sequence[Scored]) -> tuple[Block, ...]:
    """How each group differs from all groups together: whole metrics open, single parts folded."""
    whole = [score for score in scores if not score.place.part]
    parts = [score for score in scores if score.place.part]
    blocks: list[Block] = []
    if whole:
        table = _shift_table(reading, f"Each group minus all groups together, by {attribute}", whole)
        many = len(table.rows) > MANY
        blocks.append(Details(f"Each group minus all groups together, by {attribute}", (table,)) if many else table)
    for variant in dict.fromkeys(reading.variant(score) for score in parts):
        mine = [score for score in parts if reading.variant(score) == variant]
        title = f"{variant}, of each {reading.part} by {attribute}"
        names = tuple(dict.fromkeys(score.place.part for score in mine))
        blocks.append(Details(title, (_grid(reading, title, mine, names),)))
    return tuple(blocks)


def _shift_table(reading: Reading, caption: str, scores: Sequence[Scored]) -> Table:
    variants = tuple(dict.fromkeys(reading.variant(score) for score in scores))
    cells = {(score.place.group, reading.variant(score)): score for score in scores}
    groups = tuple(dict.fromkeys(score.place.group for score in scores))
    columns = (Column("Group"), *(Column(variant.partition(",")[0], "number") for variant in variants))
    rows = tuple(
        Row((Cell(group), *(value_cell(reading, cells.get((group, variant)), compact=True) for variant in variants)))
        for group in groups
    )
    told = f"{caption}. The group is part of all, so that a large one can differ from it but little"
    return Table(told, columns, rows)


def _grid(reading: Reading, caption: str, scores: Sequence[Scored], names: Sequence[str]) -> Table:
    groups = tuple(dict.fromkeys(score.place.group for score in scores))
    cells = {(score.place.group, score.place.part): score for score in scores}
    columns = (Column("Group"), *(Column(name, "number") for name in names))
    rows = tuple(
        Row((Cell(group), *(value_cell(reading, cells.get((group, name)), compact=True) for name in names)))
        for group in groups
    )
    return Table(caption, columns, rows)
