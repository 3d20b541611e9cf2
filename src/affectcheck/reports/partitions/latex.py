r"""The statistics table for papers: booktabs, in the layout of paper 1, Tables I and II."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.reports.latex.cells import ABSENT, escape
from affectcheck.reports.partitions.grid import grid_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.partitions.counted import Statistics
    from affectcheck.reports.partitions.grid import Count, Grid

_FIXED = 2  # columns before the first set: attribute and value


def statistics_latex(statistics: Statistics, *, shares: bool = True) -> str:
    r"""The table as a ``table*`` environment; it needs the package ``booktabs``.

    Args:
        statistics: of one or several partitions.
        shares: with the share of each count in its set, in percent.
    """
    grid = grid_of(statistics)
    return "\n".join(
        (*_opening(statistics, grid, shares=shares), *_rows(grid, shares=shares), *_closing(statistics), "")
    )


def _opening(statistics: Statistics, grid: Grid, *, shares: bool) -> Iterator[str]:
    yield r"% statistics of partitions; layout of paper 1, Tables I and II; needs \usepackage{booktabs}"
    yield r"\begin{table*}"
    yield r"\centering"
    name = escape(statistics.name) or "the data"
    told = " Share of the items of the set, in \\%, in parentheses." if shares else ""
    yield rf"\caption{{Data statistics of {name} by partition and set.{told} {ABSENT} not given.}}"
    yield rf"\begin{{tabular}}{{ll{'r' * len(grid.heads)}}}"
    yield r"\toprule"
    titles = (rf"\multicolumn{{{width}}}{{c}}{{{escape(title)}}}" for title, width in grid.spans)
    yield " & ".join((r"\multicolumn{2}{l}{Partition}", *titles)) + r" \\"
    first, rules = _FIXED + 1, []
    for _, width in grid.spans:
        rules.append(rf"\cmidrule(lr){{{first}-{first + width - 1}}}")
        first += width
    yield " ".join(rules)
    yield " & ".join((r"\multicolumn{2}{l}{Set}", *map(escape, grid.heads))) + r" \\"
    yield r"\midrule"


def _rows(grid: Grid, *, shares: bool) -> Iterator[str]:
    under = ""
    for line in grid.lines:
        first = ""
        if line.under != under:
            under = first = line.under
            yield r"\midrule"
        yield (
            " & ".join((escape(first), escape(line.label), *(_cell(one, shares=shares) for one in line.cells))) + r" \\"
        )


def _cell(count: Count, *, shares: bool) -> str:
    if count.count is None:
        return ABSENT
    return f"{count.count}" + (f" ({100 * count.share:.1f})" if shares and count.share is not None else "")


def _closing(statistics: Statistics) -> Iterator[str]:
    yield r"\bottomrule"
    yield r"\end{tabular}"
    yield r"\end{table*}"
    if statistics.digest:
        yield f"% data: {' '.join(statistics.name.split())}@{statistics.digest}"
    lines = (*([statistics.source] if statistics.source else []), *statistics.notes)
    yield from (f"% {' '.join(line.split())}" for line in lines)
