"""Performance and differences between groups over published models: one board as planes, all boards as correlations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.atomic import write_text
from affectcheck.challenges.board_correlation import RankCorrelation
from affectcheck.reports import planes as drawings  # registered by being imported
from affectcheck.reports.board_planes import DIFFERENCES, TESTS
from affectcheck.reports.charts import Dot, DotChart, Panel
from affectcheck.reports.document import Cell, Column, Document, Figure, Lines, Row, Section, Table, Text
from affectcheck.reports.drawing import draw
from affectcheck.reports.figure_file import FORMATS, FigureFile, write_figure
from affectcheck.reports.marks import Mark, PointChart, PointPanel
from affectcheck.reports.page import render_page
from affectcheck.reports.wording import clean, number
from affectcheck.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from affectcheck.challenges.board_correlation import NoCorrelation
    from affectcheck.reports.board_planes import Difference, Planes

__all__ = ["PLOT_FORMATS", "board_document", "boards_document", "write_board_plot", "write_boards_plot"]

PLOT_FORMATS: Final = (".html", *FORMATS)
_DRAWINGS: Final = (drawings,)
_HOW: Final = "Spearman's rank correlation, 95 % interval"
_CAUTIONS: Final = (
    "Values are those that were published, without intervals: how much of a difference is chance at these sizes is not "
    "known. A low difference does not say that a model treats everybody alike; groups are those that annotators or a model "
    "perceived.",
    "The intervals take models for independent of each other. Those of one family are not, so that they are rather too narrow.",
)


def write_board_plot(planes: Planes, path: Path, own: Mapping[str, float] | None = None) -> None:
    """Write the plot of one board.

    Args:
        planes: the board.
        path: a page (.html) or a figure (.svg, .png, .pdf).
        own: performance of one's own models, whose difference is not known: a line each.

    Raises:
        InputError: another ending.
        ExtraMissingError: the extra ``report`` is not installed.
        WriteError: the disk is full or not writable.
    """
    chart = _chart(planes, own or {})
    if path.suffix.lower() == ".html":
        write_text(path, render_page(board_document(planes, own or {})))
        return
    rows = len({one.measure for one in planes.differences})
    columns = len(planes.differences) // rows if rows > 1 else min(len(planes.differences), 3)
    title = _title(planes)
    notes = (_reading(planes), *_CAUTIONS)
    write_figure(FigureFile(title, draw(chart), notes, f"{title}. {_all_said(planes)}", columns), path)


def write_boards_plot(boards: Sequence[Planes], path: Path) -> None:
    """Write the correlations of all boards; see ``write_board_plot``."""
    if path.suffix.lower() == ".html":
        write_text(path, render_page(boards_document(boards)))
        return
    title = "Performance and lower difference between groups, over published models"
    notes = (_forest_caption(boards), *_CAUTIONS)
    said = f"{title}. {' '.join(_all_said(planes) for planes in boards)}"
    write_figure(FigureFile(title, draw(_forest(boards)), notes, said, 4), path)


def board_document(planes: Planes, own: Mapping[str, float]) -> Document:
    """The page of one board."""
    figure = Figure(_chart(planes, own), _reading(planes), _values(planes), folded=True)
    sections = (
        Section(
            "planes",
            f"Models by {planes.score} and {planes.reading.title}",
            (figure, *(Text(one, "note") for one in _CAUTIONS)),
        ),
        Section("correlations", "Rank correlations", (Text(planes.reading.positive), _correlations([planes]))),
        *((Section("notes", "What does not add up in the source", (Lines(planes.notes),)),) if planes.notes else ()),
    )
    return _document(_title(planes), sections)


def boards_document(boards: Sequence[Planes]) -> Document:
    """The page of all boards."""
    figure = Figure(_forest(boards), _forest_caption(boards), _correlations(boards), folded=True)
    section = Section(
        "boards", "Do better models show a lower difference?", (figure, *(Text(c, "note") for c in _CAUTIONS))
    )
    return _document("Performance and differences between groups over published models", (section,))


def _forest_caption(boards: Sequence[Planes]) -> str:
    count = sum(one.lower for planes in boards for one in planes.differences)
    return (
        f"{_HOW}, of performance with each difference between groups over the models of each board. {DIFFERENCES.positive} Triangle: the "
        f"interval leaves out zero; of {count} intervals about {max(round(count / 20), 1)} would by chance alone."
    )


def _title(planes: Planes) -> str:
    return f"{planes.title}: {planes.score} and {planes.reading.title}"


def _document(title: str, sections: tuple[Section, ...]) -> Document:
    return clean(
        Document(
            title,
            "affectcheck board",
            sections,
            footer=f"Written by affectcheck {__version__}",
            rounding="Values are as published; correlations are rounded to three decimals.",
        )
    )


def _reading(planes: Planes) -> str:
    """What a plane shows, in words."""
    measures = ", ".join(dict.fromkeys(one.measure for one in planes.differences))
    return (
        f"One point a model ({len(planes.models)} of {planes.source}): {planes.score} to the right, {measures} upwards; "
        f"{planes.reading.upwards}. Named: the best performance and {planes.reading.named}. {planes.reading.positive}"
    )


def _chart(planes: Planes, own: Mapping[str, float]) -> PointChart:
    panels = tuple(_panel(planes, one) for one in planes.differences)
    return PointChart(panels, planes.score, f"{planes.score} and {planes.source}.", tuple(own.items()))


def _panel(planes: Planes, one: Difference) -> PointPanel:
    marks = [Mark(*row) for row in zip(planes.models, planes.performance, one.values, strict=True)]
    best = max(marks, key=lambda mark: mark.x)
    least = min(marks, key=lambda mark: mark.y if one.lower else -mark.y)
    named = frozenset({best.label, least.label})
    return PointPanel(one.title, f"rank correlation {_short(one.correlation)}", one.measure, tuple(marks), named)


def _short(found: RankCorrelation | NoCorrelation) -> str:
    if isinstance(found, RankCorrelation):
        low, high = (f"{end:+.2f}" for end in (found.low, found.high))
        return f"{found.value:+.2f} [{low}, {high}]".replace("-", "\N{MINUS SIGN}")
    return f"undefined: {found.reason}"


def _all_said(planes: Planes) -> str:
    return f"{planes.title}: {'; '.join(f'{one.title} {_short(one.correlation)}' for one in planes.differences)}."


def _forest(boards: Sequence[Planes]) -> DotChart:
    """Correlations with intervals, a panel an attribute; those of other tests than of groups by themselves."""
    panels: dict[str, list[Dot]] = {}
    for planes in boards:
        for one in planes.differences:
            if one.lower:
                place, label = _place(planes, one)
                panels.setdefault(place, []).append(_dot(label, one.correlation))
    made = tuple(Panel(title, tuple(dots)) for title, dots in panels.items())
    return DotChart(made, f"{_HOW}. {DIFFERENCES.positive}", signed=True, reach=1.0)


def _place(planes: Planes, one: Difference) -> tuple[str, str]:
    if planes.reading is TESTS:
        return "speech: failed fairness tests", one.attribute
    return one.attribute, f"{planes.name}, {one.measure}"


def _dot(label: str, found: RankCorrelation | NoCorrelation) -> Dot:
    if isinstance(found, RankCorrelation):
        return Dot(label, found.value, found.low, found.high)
    return Dot(label, None)


def _values(planes: Planes) -> Table:
    columns = (
        Column("Model"),
        *(Column(one, "number") for one in (planes.score, *(d.title for d in planes.differences))),
    )
    rows = []
    for place in sorted(range(len(planes.models)), key=lambda place: -planes.performance[place]):
        values = (planes.performance[place], *(one.values[place] for one in planes.differences))
        rows.append(Row((Cell(planes.models[place]), *(Cell(f"{value:.3f}") for value in values))))
    return Table(f"Every model, the best {planes.score} first, as published ({planes.source})", columns, tuple(rows))


def _correlations(boards: Sequence[Planes]) -> Table:
    columns = (
        Column("Board and difference"),
        Column("Models", "number"),
        Column("Rank correlation", "number"),
        Column("95 % interval", "number"),
    )
    rows = [
        Row((Cell(f"{planes.name}, {one.title}"), Cell(str(one.correlation.models)), *_cells(one.correlation)))
        for planes in boards
        for one in planes.differences
        if one.lower or len(boards) == 1
    ]
    return Table(f"{_HOW}, of performance with each difference over the models of a board", columns, tuple(rows))


def _cells(found: RankCorrelation | NoCorrelation) -> tuple[Cell, Cell]:
    if isinstance(found, RankCorrelation):
        ends = f"{number(found.low, signed=True)} to {number(found.high, signed=True)}"
        return Cell(number(found.value, signed=True)), Cell(ends)
    return Cell(f"undefined: {found.reason}"), Cell("\N{EN DASH}")
