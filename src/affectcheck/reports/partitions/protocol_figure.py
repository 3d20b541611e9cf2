"""The protocol drawn for one's own data: from the database to the sets, with its counts (after paper 1, Figure 1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.partitions.counted import NOWHERE
from affectcheck.reports.diagram_parts import Arrow, Box, Diagram, DiagramChart, Words
from affectcheck.reports.document import Figure
from affectcheck.reports.wording import clean, count_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.partitions.counted import Division, Statistics
    from affectcheck.partitions.task_split import TaskSplit
    from affectcheck.reports.diagram_parts import Words as Text

WIDTH = 340
_GAP = 28
_LINE = 14
LOOKS = ("first", "second", "third")


def protocol_figure(statistics: Statistics, division: Division, splits: Sequence[TaskSplit], asked: str) -> Figure:
    """The steps from database to sets.

    Args:
        statistics: of the data.
        division: the partition that is drawn.
        splits: its task splits.
        asked: what the partition was asked to be, such as ``55-15-30, seed 0``; empty where nobody knows.
    """
    steps = [_database(statistics, division), _annotation(statistics, division), _split(splits)]
    shapes: list[Box | Text | Arrow] = []
    top = 4.0
    for lines in steps:
        height = _LINE * len(lines) + 14
        shapes.append(Box(30, top, WIDTH - 60, height, lines, "raised"))
        top += height + _GAP
        shapes.append(Arrow(WIDTH / 2, top - _GAP, WIDTH / 2, top - 2))
    shapes.append(Words(WIDTH / 2 + 8, top - _GAP / 2 + 4, asked, small=True))
    boxes, bottom = _sets(statistics, division, top)
    diagram = Diagram((*shapes, *boxes), WIDTH, bottom + 4, _said(steps, statistics, division, asked))
    caption = f"From {statistics.name or 'the database'} to the sets of the partition {division.name}"
    return clean(Figure(DiagramChart((diagram,)), caption))


def _database(statistics: Statistics, division: Division) -> tuple[str, ...]:
    sizes = statistics.sizes(division.name)
    people = f" of {count_text(statistics.people, 'subject')}" if statistics.people else ""
    told = f"{sum(sizes.values()):,} {division.unit}{people}"
    return (f"Database: {statistics.name}" if statistics.name else "Database", told)


def _annotation(statistics: Statistics, division: Division) -> tuple[str, ...]:
    groups = [one.name for one in statistics.columns if one.role == "group"]
    lines = [f"{name}: {count_text(len(statistics.values(name, division.name)), 'value')}" for name in groups]
    return ("Annotation: perceived demographics", *(lines or ["none"]))


def _split(splits: Sequence[TaskSplit]) -> tuple[str, ...]:
    nouns = {"label": "label", "unit": "unit", "region": "region"}
    lines = [
        f"{split.column}: {count_text(len(split.rows), nouns[split.role])}, {count_text(split.cells, 'cell')}"
        for split in splits
    ]
    groups = " × ".join(level.attribute for level in splits[0].levels) if splits else ""
    if groups:
        lines.append(f"a cell: one of these × {groups}")
    return ("Task split", *(lines or ["no labels"]))


def _sets(statistics: Statistics, division: Division, top: float) -> tuple[list[Box | Text | Arrow], float]:
    """A box a set, as many in a row as have room, and one for what is in none."""
    sizes = statistics.sizes(division.name)
    whole = sum(count for part, count in sizes.items() if part != NOWHERE)
    shapes: list[Box | Text | Arrow] = []
    across = min(len(division.sets), 3)
    width = (WIDTH - 8 * (across - 1)) / across
    for place, part in enumerate(division.sets):
        row, column = divmod(place, across)
        share = f"{sizes[part] / whole:.1%}" if whole and part != NOWHERE else ""
        target = f"asked {division.ratios[place]:.0%}" if place < len(division.ratios) else ""
        lines = tuple(filter(None, (part, f"{sizes[part]:,}", share, target)))
        look = LOOKS[place % len(LOOKS)] if part != NOWHERE else "plain"
        shapes.append(Box(column * (width + 8), top + row * 78, width, 70, lines, look))  # type: ignore[arg-type]
    return shapes, top + 78 * ((len(division.sets) - 1) // across + 1)


def _said(steps: Sequence[tuple[str, ...]], statistics: Statistics, division: Division, asked: str) -> str:
    sizes = statistics.sizes(division.name)
    sets = "; ".join(f"{part}: {sizes[part]:,} {division.unit}" for part in division.sets)
    told = ". Then: ".join("; ".join(lines) for lines in steps)
    return f"Steps from the database to the sets. {told}. Then{f', {asked}' if asked else ''}, the sets: {sets}."
