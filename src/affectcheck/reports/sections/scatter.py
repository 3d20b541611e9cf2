"""Truth against prediction of dimensions, and their distributions."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from affectcheck.reports.charts import BarChart, Bars, Cloud, CloudChart
from affectcheck.reports.document import Cell, Column, Figure, Row, Table
from affectcheck.reports.wording import count_text, number

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from affectcheck.reports.document import Block
    from affectcheck.reports.reading import Reading

POINTS: Final = 1_500  # more points than this are counted in squares: the file stays small and no point hides another
CELLS: Final = 32  # squares a side
SIDES: Final = ("truth", "prediction")


def clouds(reading: Reading, rows: list[dict[str, Any]]) -> tuple[Block, ...]:
    """The scatter plots of a record's table of points."""
    pairs: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if row.get("truth") is not None and row.get("prediction") is not None:
            pairs.setdefault(str(row.get("dimension", "")), []).append((float(row["truth"]), float(row["prediction"])))
    if not pairs:
        return ()
    low, high = _range(reading, pairs.values())
    cell = 0.0 if sum(len(points) for points in pairs.values()) <= POINTS else (high - low) / CELLS
    found = tuple(Cloud(name, _points(points, low, high, cell), low, high) for name, points in pairs.items())
    caption = f"Truth against prediction{', items counted in squares' if cell else ''}. On the line, they are equal."
    said = ", ".join(f"{name}: {count_text(len(points), 'item')}" for name, points in pairs.items())
    return (Figure(CloudChart(found, f"Truth against prediction. {said}", cell), caption, _cloud_table(pairs)),)


def _range(reading: Reading, groups: Iterable[Sequence[tuple[float, float]]]) -> tuple[float, float]:
    values = [value for points in groups for pair in points for value in pair]
    declared = [reading.header.model.get(name) for name in ("low", "high")]
    values += [float(value) for value in declared if isinstance(value, int | float)]
    low, high = min(values), max(values)
    return (low, high) if low < high else (low - 0.5, low + 0.5)


def _points(
    points: Sequence[tuple[float, float]], low: float, high: float, cell: float
) -> tuple[tuple[float, float, int], ...]:
    if not cell:
        return tuple((truth, prediction, 1) for truth, prediction in points)
    last = CELLS - 1
    counts = Counter((min(int((t - low) / cell), last), min(int((p - low) / cell), last)) for t, p in points)
    return tuple((low + x * cell, low + y * cell, count) for (x, y), count in sorted(counts.items()))


def _cloud_table(pairs: dict[str, list[tuple[float, float]]]) -> Table:
    """Lowest, middle and highest rather than a thousand rows: what a reader without the picture can use."""
    columns = [Column("Dimension"), Column("Items", "number")]
    columns += [Column(f"{side}: {what}", "number") for side in SIDES for what in ("lowest", "median", "highest")]
    rows = []
    for name, points in pairs.items():
        cells = [Cell(name), Cell(f"{len(points):,}")]
        for side in (0, 1):
            values = sorted(point[side] for point in points)
            cells += [Cell(number(value)) for value in (values[0], values[len(values) // 2], values[-1])]
        rows.append(Row(tuple(cells)))
    return Table("Items drawn, and the range of truth and prediction", tuple(columns), tuple(rows))


def histograms(rows: list[dict[str, Any]]) -> tuple[Block, ...]:
    """The distributions of a record's table of bins."""
    kinds: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        if {"low", "high", *SIDES} <= row.keys():
            kinds.setdefault(str(row.get("dimension", "")), []).append(row)
    if not kinds:
        return ()
    panels, lines = [], []
    for name, mine in kinds.items():
        bins = tuple(f"{float(row['low']):.3g}\N{EN DASH}{float(row['high']):.3g}" for row in mine)
        truth, prediction = (_shares([row[side] for row in mine]) for side in SIDES)
        panels.append(Bars(name, bins, truth, prediction))
        for row, label in zip(mine, bins, strict=True):
            lines.append(Row((Cell(name), Cell(label), *(Cell(f"{row[side]:,}") for side in SIDES))))
    columns = (Column("Dimension"), Column("Bin"), Column("Truth", "number"), Column("Prediction", "number"))
    caption = "Distribution over the scale. Outlined: truth; filled: prediction."
    table = Table("Items in each bin", columns, tuple(lines))
    return (Figure(BarChart(tuple(panels), caption), caption, table),)


def _shares(counts: Sequence[float]) -> tuple[float, ...]:
    total = sum(counts) or 1
    return tuple(count / total for count in counts)
