"""The task split drawn for one's own data: labels or regions into the sets (after paper 1, Figures 2 and 3)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import polars as pl

from affectcheck.partitions.counted import NOWHERE
from affectcheck.reports.diagram_parts import Arrow, Box, Diagram, DiagramChart, Square, Words
from affectcheck.reports.diagrams import SMALL, cut, fits
from affectcheck.reports.document import Cell, Column, Figure, Row, Table
from affectcheck.reports.partitions.protocol_figure import LOOKS, WIDTH
from affectcheck.reports.wording import clean, count_text, percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from affectcheck.partitions.counted import Statistics
    from affectcheck.partitions.task_split import Level, TaskSplit
    from affectcheck.reports.diagram_parts import Words as Text

_LEFT = 112
_ROW = 24
_BAR = 18
_MOST = 24
_ACROSS = 4
_BOX = 36
_SIDE = 25
_REGION = 2  # squares of the counted plane a side of a region of the protocol


def split_figure(split: TaskSplit, statistics: Statistics) -> Figure:
    """How every label went into the sets, and one label followed through the groups.

    Args:
        split: of one target.
        statistics: of the same data, for the plane of regions.
    """
    planes = split.role == "region" and " × " in split.column and statistics.plane.height
    first = _plane(split, statistics) if planes else _rows(split)
    what = {"label": "each label", "unit": "each unit", "region": "each region"}[split.role]
    groups = ", ".join(level.attribute for level in split.levels)
    marks = ". Dashed: where the protocol divides" if split.division.ratios and not planes else ""
    caption = (
        f"The task split of {split.column} in {split.division.name}: {what} is divided by {groups or 'nothing else'}, and "
        f"each cell into {', '.join(split.division.real)}; {split.chosen} is followed, always to where most of it is{marks}"
    )
    return clean(Figure(DiagramChart((first, _branch(split))), caption, _numbers(split)))


def _rows(split: TaskSplit) -> Diagram:
    """A bar a label, divided into the sets, under dashed marks where the protocol would divide it."""
    shown = split.rows[:_MOST]
    shapes: list[Box | Text | Arrow] = [*_heads(split)]
    bottom = 34.0 + _ROW * len(shown)
    for place, (value, counts) in enumerate(shown):
        top = 34.0 + _ROW * place
        total = sum(counts)
        number = f"{total:,}"
        room = _LEFT - 12 - len(number) * SMALL * 0.56
        shapes.append(Words(0, top + 13, cut(value, room), bold=value == split.chosen))
        shapes.append(Words(_LEFT - 6, top + 13, number, "end", small=True))
        shapes += _bar(counts, top)
    shapes += list(_marks(split, bottom))
    if len(split.rows) > _MOST:
        shapes.append(Words(0, bottom + 14, f"and {len(split.rows) - _MOST} more", small=True))
        bottom += 18
    return Diagram(
        tuple(shapes),
        WIDTH,
        bottom + 6,
        f"How each of {len(split.rows)} values of {split.column} is divided: {_told(split)}",
    )


def _heads(split: TaskSplit) -> Iterator[Text]:
    yield Words(0, 12, cut(split.column, _LEFT - 10), bold=True)
    names = split.division.real
    wide = (WIDTH - _LEFT) / len(names)
    for place, name in enumerate(names):
        anchor = "start" if place == 0 else "end" if place == len(names) - 1 else "middle"
        x = _LEFT + (0 if place == 0 else WIDTH - _LEFT if anchor == "end" else wide * (place + 0.5))
        yield Words(x, 12, cut(name, wide, SMALL), anchor, small=True)  # type: ignore[arg-type]


def _bar(counts: Sequence[int], top: float, left: float = _LEFT) -> list[Box]:
    total, x = sum(counts), left
    boxes = []
    for place, count in enumerate(counts):
        wide = (WIDTH - left) * count / total if total else 0.0
        text = f"{count:,}"
        lines = (text,) if fits(text, wide, SMALL) else ()
        if count:
            boxes.append(Box(x, top, wide, _BAR, lines, LOOKS[place % len(LOOKS)], small=True))  # type: ignore[arg-type]
        x += wide
    return boxes


def _marks(split: TaskSplit, bottom: float) -> Iterator[Arrow]:
    for place in range(1, len(split.division.ratios)):
        x = _LEFT + (WIDTH - _LEFT) * sum(split.division.ratios[:place])
        yield Arrow(x, 18, x, bottom, head=False)


def _branch(split: TaskSplit) -> Diagram:
    """From one label through the groups to one cell and its sets."""
    total = sum(next(counts for value, counts in split.rows if value == split.chosen))
    shapes: list[Box | Text | Arrow] = [
        Box(70, 2, WIDTH - 140, 40, (split.chosen, f"{total:,} {split.division.unit}"), "chosen")
    ]
    top, followed = 42.0, split.chosen
    for level in split.levels:
        shapes.append(Arrow(WIDTH / 2, top, WIDTH / 2, top + 20))
        shapes.append(Words(0, top + 15, _step(followed, level.attribute), bold=True))
        boxes, top = _level(level, top + 23)
        shapes += boxes
        followed = level.chosen
    shapes.append(Arrow(WIDTH / 2, top, WIDTH / 2, top + 20))
    shapes.append(Words(0, top + 15, "into the sets", bold=True))
    shapes += _leaf(split, top + 23)
    said = [f"{split.chosen}: {total:,} {split.division.unit}"]
    said += [
        f"by {one.attribute}: {', '.join(f'{v} {n:,}' for v, n in one.values)}; {one.chosen} is followed"
        for one in split.levels
    ]
    said.append(
        "the cell: " + ", ".join(f"{n:,} in {name}" for name, n in zip(split.division.real, split.cell, strict=True))
    )
    return Diagram(tuple(shapes), WIDTH, top + 84, ". ".join(said))


def _step(followed: str, attribute: str) -> str:
    """What a step divides by what, in half of the width."""
    told = f"{followed} by {attribute}"
    return told if fits(told, WIDTH / 2 - 12) else cut(f"by {attribute}", WIDTH / 2 - 12)


def _level(level: Level, top: float) -> tuple[list[Box], float]:
    across = min(_ACROSS, len(level.values))
    width = (WIDTH - 6 * (across - 1)) / across
    boxes = []
    for place, (value, count) in enumerate(level.values):
        row, column = divmod(place, across)
        look = "chosen" if value == level.chosen else "plain"
        boxes.append(Box(column * (width + 6), top + row * (_BOX + 5), width, _BOX, (value, f"{count:,}"), look))  # type: ignore[arg-type]
    return boxes, top + math.ceil(len(level.values) / across) * (_BOX + 5) - 5


def _leaf(split: TaskSplit, top: float) -> Iterator[Box]:
    total = sum(split.cell)
    across = len(split.cell)
    width = (WIDTH - 6 * (across - 1)) / across
    for place, (name, count) in enumerate(zip(split.division.real, split.cell, strict=True)):
        share = f"{count / total:.0%} of {total:,}" if total else ""
        yield Box(place * (width + 6), top, width, 54, (name, f"{count:,}", share), LOOKS[place % len(LOOKS)])  # type: ignore[arg-type]


def _plane(split: TaskSplit, statistics: Statistics) -> Diagram:
    """The plane in regions of two by two squares, darker for more items, with the followed region in a frame."""
    side = statistics.square * _REGION
    low = statistics.low
    inside = statistics.plane.filter(pl.col("partition") == split.division.name, pl.col("set") != NOWHERE)
    steps = [((pl.col(name) - low) / side + 1e-9).floor().cast(pl.Int64).alias(name) for name in ("valence", "arousal")]
    counts = (
        inside.with_columns(steps).group_by("valence", "arousal").agg(pl.col("count").sum()).sort("valence", "arousal")
    )
    most = max(counts.get_column("count").to_list(), default=1)
    number, left, top = 10, 46.0, 24.0
    held = {(v, a): n for v, a, n in counts.iter_rows()}
    shapes: list[Square | Text] = [
        Square(left + v * _SIDE, top + (number - 1 - a) * _SIDE, _SIDE, math.sqrt(held.get((v, a), 0) / most))
        for v in range(number)
        for a in range(number)
    ]
    v, a = (round((corner - low) / side) for corner in _corner(split.chosen))
    shapes.append(Square(left + v * _SIDE, top + (number - 1 - a) * _SIDE, _SIDE, chosen=True))
    shapes += list(_scale(low, side, (left, top)))
    said = (
        f"The plane of valence and arousal in regions of {side:g} by {side:g}; {len(held)} of {number**2} hold items. The region "
        f"{split.chosen} holds most, {held.get((v, a), 0):,}, and is framed"
    )
    return Diagram(tuple(shapes), WIDTH, top + number * _SIDE + 38, said)


def _corner(text: str) -> tuple[float, float]:
    """Lower corner of a region by its name, such as ``[0.2, 0.4) × [-0.2, 0)``."""
    valence, arousal = (float(part.split(",")[0].lstrip("[")) for part in text.split(" × "))
    return valence, arousal


def _scale(low: float, side: float, corner: tuple[float, float]) -> Iterator[Text]:
    left, top = corner
    bottom = top + 10 * _SIDE
    for step in range(0, 11, 2):
        text = f"{low + step * side:.1f}".replace("-", "\N{MINUS SIGN}")
        yield Words(left + step * _SIDE, bottom + 14, text, "middle", small=True)
        yield Words(left - 6, bottom - step * _SIDE + 4, text, "end", small=True)
    yield Words(left + 5 * _SIDE, bottom + 30, "valence", "middle")
    yield Words(0, 12, "arousal")


def _told(split: TaskSplit) -> str:
    names = split.division.real
    rows = [
        f"{value}: {', '.join(f'{n:,} {name}' for name, n in zip(names, counts, strict=True))}"
        for value, counts in split.rows[:_MOST]
    ]
    return "; ".join(rows)


def _numbers(split: TaskSplit) -> Table:
    names = split.division.real
    rows = []
    for value, counts in split.rows:
        total = sum(counts)
        cells = (Cell(f"{count:,}", detail=percent(count / total) if total else "") for count in counts)
        rows.append(Row((Cell(value), Cell(f"{total:,}"), *cells)))
    heads = (Column(split.column), Column("All sets", "number"), *(Column(name, "number") for name in names))
    return Table(
        f"{count_text(len(split.rows), 'value')} of {split.column}, and the share of each that is in each set",
        heads,
        tuple(rows),
    )
