"""The statistics table of paper 1, Tables I to III, as a grid: partitions and their sets across, values down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from affectcheck.partitions.balance import SIZE
from affectcheck.reports.wording import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.partitions.counted import Described, Statistics

_PRESENT = "present"


@dataclass(frozen=True)
class Count:
    """One cell: a count and its share of the set; both None where a source does not give it."""

    count: int | None
    share: float | None = None


@dataclass(frozen=True)
class Line:
    """One row of the grid; ``under`` is the attribute that it is a value of."""

    under: str
    label: str
    cells: tuple[Count, ...]


@dataclass(frozen=True)
class Grid:
    """The table.

    Attributes:
        spans: partitions, and how many sets each has.
        heads: the sets, in order.
        lines: sizes first, then the values of each column.
    """

    spans: tuple[tuple[str, int], ...]
    heads: tuple[str, ...]
    lines: tuple[Line, ...]


def grid_of(statistics: Statistics, *, regions: bool = False) -> Grid:
    """The grid of some statistics.

    Args:
        statistics: of one or several partitions.
        regions: with a row for every region of the plane; without them, only what people name.
    """
    counted = dict.fromkeys(division.unit for division in statistics.divisions)
    plain = len(counted) == 1
    spans = tuple(
        (division.name if plain else f"{division.name} ({division.unit})", len(division.sets))
        for division in statistics.divisions
    )
    heads = tuple(part for division in statistics.divisions for part in division.sets)
    lines = [*_sizes(statistics, next(iter(counted)) if plain else SIZE[0])]
    for column in statistics.columns:
        if column.role not in {"size", *(() if regions else ("region",))}:
            lines += _column(statistics, column)
    return clean(Grid(spans, heads, tuple(lines)))


def regions_of(statistics: Statistics) -> Grid | None:
    """A grid of the regions alone; None where there are none."""
    whole = grid_of(statistics, regions=True)
    names = {column.name for column in statistics.columns if column.role == "region"}
    lines = tuple(line for line in whole.lines if line.under in names)
    return Grid(whole.spans, whole.heads, lines) if lines else None


def _sizes(statistics: Statistics, noun: str) -> Iterator[Line]:
    column = statistics.columns[0]
    yield next(iter(_lines(statistics, column, SIZE[1], "", noun)))
    people = statistics.frame.filter(column=SIZE[0]).get_column("subjects")
    if people.null_count() < len(people):
        held = {
            (row["partition"], row["set"]): row["subjects"]
            for row in statistics.frame.filter(column=SIZE[0]).to_dicts()
        }
        cells = (held.get((one.name, part)) for one in statistics.divisions for part in one.sets)
        yield Line("", "subjects", tuple(Count(cell) for cell in cells))


def _column(statistics: Statistics, column: Described) -> Iterator[Line]:
    for value in statistics.values(column.name):
        if column.role == "unit":
            label = column.name if value == _PRESENT else f"{column.name}, {value}"
            yield from _lines(statistics, column, value, column.of, label)
        else:
            yield from _lines(statistics, column, value, column.name, value)


def _lines(statistics: Statistics, column: Described, value: str, under: str, label: str) -> Iterator[Line]:
    cells = []
    for division in statistics.divisions:
        counts, sizes = statistics.counts(division.name, column.name), statistics.sizes(division.name)
        for part in division.sets:
            count, size = counts.get((part, value)), sizes.get(part)
            share = count / size if count is not None and size and column.role != "size" else None
            cells.append(Count(count, share))
    yield Line(under, label, tuple(cells))
