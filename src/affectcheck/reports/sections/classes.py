"""Scores by class, unit or dimension; the confusion matrix; truth against prediction."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from affectcheck.reports.charts import BarChart, Bars, Cloud, CloudChart, DotChart, MatrixChart, Panel
from affectcheck.reports.document import Cell, Column, Details, Figure, Row, Section, Table, Text
from affectcheck.reports.reading import methods
from affectcheck.reports.sections.cells import DASH, note_lines, value_cell
from affectcheck.reports.sections.groups import PANELS, dot
from affectcheck.reports.wording import count_text, number, percent, score_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from affectcheck.records import Scored
    from affectcheck.reports.document import Block
    from affectcheck.reports.reading import Reading

TITLES: Final = {"categories": "Classes", "units": "Action units", "dimensions": "Dimensions"}
POINTS: Final = 1_200  # more points than this are counted in squares: the file stays small and no point hides another
CELLS: Final = 32  # squares a side


def build(reading: Reading) -> Section | None:
    """The section; none where the record holds nothing of it."""
    tables = reading.record.tables
    blocks: list[Block] = [
        *_scores(reading),
        *_confusions(rows_of(tables.get("confusion")), _declared(reading)),
        *_clouds(reading, rows_of(tables.get("scatter"))),
        *_histograms(rows_of(tables.get("histogram"))),
        *note_lines(reading, reading.parts),
    ]
    return Section("classes", TITLES[reading.kind], tuple(blocks)) if blocks else None


def rows_of(table: dict[str, list[Any]] | None) -> list[dict[str, Any]]:
    """Rows of a record's table as mappings; empty where there is none."""
    if not table:
        return []
    return [dict(zip(table["columns"], row, strict=False)) for row in table["rows"]]


def _declared(reading: Reading) -> tuple[str, ...]:
    parts = reading.header.model.get("parts") or ()
    return tuple(str(part) for part in parts)


def _scores(reading: Reading) -> tuple[Block, ...]:
    scores = reading.parts
    if not scores:
        return ()
    variants = tuple(dict.fromkeys(reading.variant(score) for score in scores))
    names = tuple(dict.fromkeys(score.place.part for score in scores))
    cells = {(score.place.part, reading.variant(score)): score for score in scores}
    panels = []
    for variant in variants[:PANELS]:
        panels.append(Panel(variant, tuple(dot(reading, cells.get((name, variant)), name) for name in names)))
    what = TITLES[reading.kind].casefold()
    how = methods(scores)
    caption = f"Scores by {what}. Dots: values{f'; lines: {how}' if how else ''}.{' Diamonds: the random model.' if reading.has_baseline else ''}"
    said = "; ".join(f"{reading.variant(score)} {score.place.part}: {score_text(score)}" for score in scores)
    table = _part_table(reading, variants, names, cells)
    return (Figure(DotChart(tuple(panels), f"Scores by {what}. {said}"), caption, table, folded=False),)


def _part_table(
    reading: Reading, variants: Sequence[str], names: Sequence[str], cells: dict[tuple[str, str], Scored]
) -> Table:
    rows = []
    for name in names:
        mine = [cells.get((name, variant)) for variant in variants]
        support = max((score.support for score in mine if score), default=None)
        n = DASH if support is None else Cell(f"{support:,}")
        rows.append(Row((Cell(name), n, *(value_cell(reading, score, compact=True) for score in mine))))
    what = TITLES[reading.kind].casefold()
    columns = (Column("Part"), Column("n", "number"), *(Column(variant, "number") for variant in variants))
    return Table(f"Scores by {what}, with interval and random model", columns, tuple(rows))


def _confusions(rows: list[dict[str, Any]], declared: tuple[str, ...]) -> tuple[Block, ...]:
    kinds: dict[tuple[str, str], Counter[tuple[str, str]]] = {}
    for row in rows:
        place = (str(row.get("attribute") or ""), str(row.get("group") or ""))
        kinds.setdefault(place, Counter())[str(row["truth"]), str(row["prediction"])] += int(row["count"])
    seen = dict.fromkeys(label for counts in kinds.values() for pair in counts for label in pair)
    labels = tuple(label for label in declared if label in seen) if set(seen) <= set(declared) else tuple(seen)
    labels = declared if declared and set(seen) <= set(declared) else labels
    blocks: list[Block] = []
    for (attribute, group), counts in kinds.items():
        where = f" ({attribute} = {group})" if group else ""
        figure = confusion_figure(labels, counts, where)
        blocks.append(Details(f"Confusion matrix{where}", (figure,)) if group else figure)
    return tuple(blocks)


def confusion_figure(labels: Sequence[str], counts: Counter[tuple[str, str]], where: str = "") -> Figure:
    """The matrix as a figure with its table."""
    grid = tuple(tuple(counts[truth, prediction] for prediction in labels) for truth in labels)
    said = "; ".join(
        f"{truth}: {percent(row[index] / sum(row))} found"
        for index, (truth, row) in enumerate(zip(labels, grid, strict=True))
        if sum(row)
    )
    chart = MatrixChart(tuple(labels), grid, f"Confusion matrix{where} of {len(labels)} classes. {said}")
    caption = (
        f"Confusion matrix{where}: rows are the truth, columns the prediction. Counts; colour is the share of the row."
    )
    rows = [
        Row((Cell(truth), *(Cell(f"{value:,}") for value in row), Cell(f"{sum(row):,}")))
        for truth, row in zip(labels, grid, strict=True)
    ]
    columns = (Column("Truth"), *(Column(label, "number") for label in labels), Column("Sum", "number"))
    return Figure(chart, caption, Table(f"Counts{where}: truth by row, prediction by column", columns, tuple(rows)))


def _clouds(reading: Reading, rows: list[dict[str, Any]]) -> tuple[Block, ...]:
    pairs: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if row.get("truth") is not None and row.get("prediction") is not None:
            pairs.setdefault(str(row.get("dimension", "")), []).append((float(row["truth"]), float(row["prediction"])))
    if not pairs:
        return ()
    total = sum(len(points) for points in pairs.values())
    low, high = _range(reading, pairs.values())
    cell = 0.0 if total <= POINTS else (high - low) / CELLS
    clouds = tuple(Cloud(name, _points(points, low, high, cell), low, high) for name, points in pairs.items())
    counted = ", counted in squares" if cell else ""
    caption = f"Truth against prediction{counted}. On the line, they are equal."
    said = ", ".join(f"{name}: {count_text(len(points), 'item')}" for name, points in pairs.items())
    table = _cloud_table(pairs)
    return (Figure(CloudChart(clouds, f"Truth against prediction. {said}", cell), caption, table),)


def _range(reading: Reading, groups: Iterable[Sequence[tuple[float, float]]]) -> tuple[float, float]:
    values = [value for points in groups for pair in points for value in pair]
    low, high = reading.header.model.get("low"), reading.header.model.get("high")
    low = min(values) if not isinstance(low, int | float) else min(low, *values)
    high = max(values) if not isinstance(high, int | float) else max(high, *values)
    return (float(low), float(high)) if low < high else (float(low) - 0.5, float(low) + 0.5)


def _points(
    points: Sequence[tuple[float, float]], low: float, high: float, cell: float
) -> tuple[tuple[float, float, int], ...]:
    if not cell:
        return tuple((truth, prediction, 1) for truth, prediction in points)
    last = CELLS - 1
    counts = Counter((min(int((t - low) / cell), last), min(int((p - low) / cell), last)) for t, p in points)
    return tuple((low + x * cell, low + y * cell, count) for (x, y), count in sorted(counts.items()))


def _cloud_table(pairs: dict[str, list[tuple[float, float]]]) -> Table:
    """Quartiles rather than a thousand rows: what a reader without the picture can use."""
    columns = tuple(
        Column(title, "number" if index else "text")
        for index, title in enumerate(
            ("Dimension", "Items", "Truth: lowest", "median", "highest", "Prediction: lowest", "median", "highest")
        )
    )
    rows = []
    for name, points in pairs.items():
        cells = [Cell(name), Cell(f"{len(points):,}")]
        for side in (0, 1):
            values = sorted(point[side] for point in points)
            cells += [Cell(number(value)) for value in (values[0], values[len(values) // 2], values[-1])]
        rows.append(Row(tuple(cells)))
    return Table("Items drawn, and the range of truth and prediction", columns, tuple(rows))


def _histograms(rows: list[dict[str, Any]]) -> tuple[Block, ...]:
    kinds: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        if {"low", "high", "truth", "prediction"} <= row.keys():
            kinds.setdefault(str(row.get("dimension", "")), []).append(row)
    if not kinds:
        return (Text("The record's histogram has columns that this report does not draw.", "note"),) if rows else ()
    panels, table_rows = [], []
    for name, mine in kinds.items():
        bins = tuple(f"{float(row['low']):.3g}\N{EN DASH}{float(row['high']):.3g}" for row in mine)
        totals = [sum(row[side] for row in mine) or 1 for side in ("truth", "prediction")]
        shares = [
            tuple(row[side] / total for row in mine)
            for side, total in zip(("truth", "prediction"), totals, strict=True)
        ]
        panels.append(Bars(name, bins, *shares))
        for row, label in zip(mine, bins, strict=True):
            table_rows.append(Row((Cell(name), Cell(label), Cell(f"{row['truth']:,}"), Cell(f"{row['prediction']:,}"))))
    columns = (Column("Dimension"), Column("Bin"), Column("Truth", "number"), Column("Prediction", "number"))
    caption = "Distribution of truth and prediction over the scale."
    return (Figure(BarChart(tuple(panels), caption), caption, Table("Items in each bin", columns, tuple(table_rows))),)
