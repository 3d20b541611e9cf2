"""Tables of statistics as blocks of a document and as lines for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.partitions.deviations import deviations, regions, unsplittable
from affectcheck.reports.document import Cell, Column, Row, Table
from affectcheck.reports.partitions.grid import grid_of, regions_of
from affectcheck.reports.wording import count_text, percent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.partitions.counted import Statistics
    from affectcheck.partitions.deviations import Deviations
    from affectcheck.reports.partitions.grid import Count, Grid

DASH = "\N{EN DASH}"


def statistics_table(statistics: Statistics, *, shares: bool = True) -> Table:
    """Every value in every set of every partition, the partitions beside each other."""
    told = "; each share is of the items of its set" if shares else ""
    caption = f"Items of every value in every set{told}. {DASH}: not given."
    return _table(grid_of(statistics), caption, shares=shares)


def regions_table(statistics: Statistics) -> Table | None:
    """Every region of the plane in every set; None where there are none."""
    grid = regions_of(statistics)
    return _table(grid, "Items of every region that holds any, in every set", shares=True) if grid else None


def _table(grid: Grid, caption: str, *, shares: bool) -> Table:
    rows, under = [], ""
    for line in grid.lines:
        if line.under != under:
            under = line.under
            rows.append(Row((Cell(under),), heading=True))
        rows.append(Row((Cell(line.label), *(_cell(count, shares=shares) for count in line.cells))))
    columns = (Column("Value"), *(Column(head, "number") for head in grid.heads))
    return Table(caption, columns, tuple(rows), grid.spans)


def _cell(count: Count, *, shares: bool) -> Cell:
    if count.count is None:
        return Cell(DASH)
    detail = percent(count.share) if shares and count.share is not None else ""
    return Cell(f"{count.count:,}", detail=detail)


def text_rows(statistics: Statistics, *, shares: bool = True) -> tuple[list[str], list[list[str]]]:
    """Head and rows of the table for a terminal."""
    grid = grid_of(statistics)
    names = [title for title, width in grid.spans for _ in range(width)]
    head = ["", "", *(f"{name}: {part}" for name, part in zip(names, grid.heads, strict=True))]
    rows, under = [], ""
    for line in grid.lines:
        first = line.under if line.under != under else ""
        under = line.under
        rows.append([first, line.label, *(_text(count, shares=shares) for count in line.cells)])
    return head, rows


def _text(count: Count, *, shares: bool) -> str:
    if count.count is None:
        return DASH
    return f"{count.count:,}" + (f" ({count.share:.1%})" if shares and count.share is not None else "")


def deviation_table(statistics: Statistics) -> Table | None:
    """How far every partition is from its protocol, by the same measures; None where nothing can be measured."""
    rows = tuple(Row(tuple(map(Cell, cells))) for cells in deviation_rows(statistics))
    if not rows:
        return None
    caption = (
        "Deviations in percentage points, over every value and set. Share: of a value in a set, from its share of all "
        "sets. Allocation: the part of a value's items that is in a set, from the set's target. Values that fewer subjects "
        "hold than there are sets are passed over, where the subjects are known."
    )
    kinds = ("text", "text", *["number"] * 7, "text")
    columns = tuple(Column(title, kind) for title, kind in zip(DEVIATION_HEAD, kinds, strict=True))  # type: ignore[arg-type]
    return Table(caption, columns, rows)


DEVIATION_HEAD = (
    "Partition",
    "Targets",
    "Share, largest",
    "Share, mean",
    "Allocation, largest",
    "Allocation, mean",
    "Size, largest",
    "Smallest count",
    "Empty",
    "Largest allocation",
)


def deviation_rows(statistics: Statistics) -> Iterator[tuple[str, ...]]:
    """One row a partition that can be measured."""
    apart = regions(statistics)
    named = frozenset((one.name, value) for one in statistics.columns for value in statistics.values(one.name)) - apart
    for division in statistics.divisions:
        rare = unsplittable(statistics, division)
        for name, skip in ((division.name, rare | apart), (f"{division.name}, regions", rare | named)):
            found = deviations(statistics, division, skip=skip)
            if found is not None:
                yield (name, *_measured(found))


def _measured(found: Deviations) -> tuple[str, ...]:
    column, value, part = found.worst
    measured = (found.share_max, found.share_mean, found.allocation_max, found.allocation_mean, found.size)
    return (
        "-".join(f"{100 * target:.3g}" for target in found.targets),
        *(f"{100 * number:.2f}" for number in measured),
        f"{found.smallest:,}",
        f"{found.empty} of {count_text(found.cells, 'cell')}",
        f"{column if value == 'present' else f'{column} = {value}'} in {part}",
    )
