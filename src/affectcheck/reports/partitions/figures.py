"""Figures of statistics: the valence-arousal plane of every set (paper 1, Figure 4) and labels by groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from affectcheck.partitions.counted import NOWHERE
from affectcheck.partitions.statistics import SQUARES
from affectcheck.reports.charts import Cloud, CloudChart, MatrixChart, MatrixCharts
from affectcheck.reports.document import Cell, Column, Details, Figure, Row, Table
from affectcheck.reports.wording import clean, count_text, percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from affectcheck.partitions.counted import Described, Division, Statistics

_PRESENT = "present"
#: Rows of a heat map; more would not be read.
MOST_ROWS = 40


def plane_figures(statistics: Statistics) -> tuple[Figure, ...]:
    """The plane of every set, one figure a partition, all in one scale."""
    frame = statistics.plane.filter(pl.col("set") != NOWHERE)
    if not frame.height:
        return ()
    size = pl.col("count").sum().over("partition", "set")
    frame = frame.with_columns(share=pl.col("count") / size)
    most = float(frame.get_column("share").max())  # type: ignore[arg-type]
    edge = (statistics.low, statistics.low + SQUARES * statistics.square)
    return tuple(
        _plane(division, frame.filter(partition=division.name), (most, edge, statistics.square))
        for division in statistics.divisions
        if frame.filter(partition=division.name).height
    )


def _plane(division: Division, frame: pl.DataFrame, scale: tuple[float, tuple[float, float], float]) -> Figure:
    most, (low, high), square = scale
    clouds, rows = [], []
    for part in division.real:
        inside = frame.filter(set=part)
        count, held = int(inside.get_column("count").sum()), inside.height
        points = tuple(inside.select("valence", "arousal", "share").iter_rows())
        title = f"{part} ({count:,})"
        clouds.append(Cloud(title, points, low, high, most))
        mean = [sum(row[axis] * row[2] for row in points) + square / 2 for axis in (0, 1)]
        rows.append(
            Row((Cell(part), Cell(f"{count:,}"), Cell(f"{held:,} of 400"), *(Cell(f"{value:.2f}") for value in mean)))
        )
    heads = (
        Column("Set"),
        *(Column(title, "number") for title in ("Items", "Squares that hold items", "Mean valence", "Mean arousal")),
    )
    caption = (
        f"Valence and arousal in {division.name}: share of each set's items in squares of {square:g}, stronger for more"
    )
    chart = CloudChart(clean(tuple(clouds)), clean(caption), square, ("Valence", "Arousal"), diagonal=False)
    return Figure(
        chart, clean(caption), Table("Where the items of each set are; means over the squares.", heads, tuple(rows))
    )


def heat_maps(statistics: Statistics) -> tuple[Details, ...]:
    """Labels by groups, counts and shares of each label, in every set; folded, one part a partition."""
    found = []
    for division in statistics.divisions:
        figures = tuple(_figures(statistics, division))
        if figures:
            title = clean(f"Labels by groups: {division.name}")
            found.append(Details(title, figures, aside=count_text(len(figures), "figure")))
    return tuple(found)


def _figures(statistics: Statistics, division: Division) -> Iterator[Figure]:
    frame = statistics.cross.filter(pl.col("partition") == division.name)
    for target in dict.fromkeys(one.of for one in statistics.columns if one.role in {"label", "unit"}):
        labels = [one for one in statistics.columns if one.of == target and one.role in {"label", "unit"}]
        for by in (one.name for one in statistics.columns if one.role == "group"):
            inside = frame.filter(pl.col("column").is_in([one.name for one in labels]), pl.col("by") == by)
            if inside.height:
                yield _heat(labels, inside, division, by)


def _heat(labels: Sequence[Described], frame: pl.DataFrame, division: Division, by: str) -> Figure:
    of = labels[0].of
    if labels[0].role == "unit":
        frame = frame.filter(value=_PRESENT).with_columns(value=pl.col("column"))
    rows = frame.get_column("value").unique(maintain_order=True).to_list()[:MOST_ROWS]
    columns = frame.get_column("by_value").unique(maintain_order=True).to_list()
    caption = f"{of} by {by} in {division.name}: items, and the share of each row"
    panels = []
    for part in division.real:
        counts = {
            (value, group): count
            for value, group, count in frame.filter(set=part).select("value", "by_value", "count").iter_rows()
        }
        cells = tuple(tuple(counts.get((row, column), 0) for column in columns) for row in rows)
        said = f"{of} by {by} in {part} of {division.name}, counts and shares of each row"
        panels.append(MatrixChart(tuple(rows), tuple(columns), cells, said, (of, by), (of, by), part))
    return clean(Figure(MatrixCharts(tuple(panels)), caption, _numbers(panels, of, division)))


def _numbers(panels: Sequence[MatrixChart], of: str, division: Division) -> Table:
    """The same as a table: a row a label, a column a group, one block a set."""
    columns = panels[0].columns
    rows = []
    for panel in panels:
        rows.append(Row((Cell(panel.title),), heading=True))
        for label, counts in zip(panel.rows, panel.counts, strict=True):
            total = sum(counts)
            cells = (Cell(f"{count:,}", detail=percent(count / total) if total else "") for count in counts)
            rows.append(Row((Cell(label), *cells)))
    heads = (Column(of), *(Column(column, "number") for column in columns))
    return Table(f"{of} by group in the sets of {division.name}", heads, tuple(rows))
