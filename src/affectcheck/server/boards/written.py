"""A board as CSV, JSON or LaTeX: the rows of the page, with the digits that it shows."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import fields
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from affectcheck.challenges import told
from affectcheck.reports.latex.cells import escape

if TYPE_CHECKING:
    from affectcheck.server.boards.view import BoardRow, BoardView, Cell, Column

#: What spreadsheets take a cell for a formula by.
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
#: Of the JSON's layout.
FORMAT: Final = 1


def board_csv(view: BoardView) -> str:
    """A board as CSV in UTF-8 with a header, a row a team, then a row a baseline; numbers with a decimal point.

    Texts that a spreadsheet would take for a formula begin with an apostrophe.
    """
    written = io.StringIO(newline="")
    writer = csv.writer(written)
    beside = [*view.part_columns, *view.group_columns, *view.disparity_columns]
    writer.writerow([*_HEAD, *(guarded(name) for one in beside for name in _names(one))])
    for row in (*view.rows, *view.baselines):
        cells = [*row.parts, *row.groups, *row.disparities]
        writer.writerow([*_about(row), *(value for cell in cells for value in _values(cell))])
    return written.getvalue()


def board_json(view: BoardView) -> str:
    """A board as JSON on one line: all that the view holds, times in UTC."""
    whole = {"format": FORMAT, **_fields(view)}
    return json.dumps(whole, default=_plain, ensure_ascii=False, allow_nan=False) + "\n"


def board_latex(view: BoardView) -> str:
    """A board as a table for papers, with the lines of ``booktabs``; the best value of a column is bold."""
    beside = [*view.part_columns, *view.group_columns, *view.disparity_columns]
    heads = ["", "Team", "Method", view.metric_title, *(_title(one) for one in beside)]
    directions = ["higher" if view.higher_is_better else "lower", *(one.better for one in beside)]
    best = [_best(view, place, better) for place, better in enumerate(directions)]
    lines = [
        f"% {' '.join(view.title.split())}, as of {told(view.as_of).utc}, version {view.version}",
        rf"\begin{{tabular}}{{rll{'r' * len(directions)}}}",
        r"\toprule",
        _line([escape(head) for head in heads]),
        r"\midrule",
        *(_latex_row(row, best) for row in view.rows),
        *([r"\midrule"] if view.rows and view.baselines else []),
        *(_latex_row(row, best) for row in view.baselines),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def guarded(text: str) -> str:
    """A text that no spreadsheet takes for a formula.

    Example:
        >>> guarded("=1+1"), guarded("team")
        ("'=1+1", 'team')
    """
    return f"'{text}" if text.startswith(FORMULA) else text


_HEAD: Final = (
    "kind",
    "place",
    "place_low",
    "place_high",
    "team",
    "affiliation",
    "method",
    "link",
    "uni_task",
    "pretraining",
    "other_data",
    "submission",
    "received",
    "used",
    "limit",
    "split",
    "source",
    "score",
    "score_low",
    "score_high",
)


def _about(row: BoardRow) -> list[str]:
    declared = row.declared
    uni_task = "" if declared.uni_task is None else "yes" if declared.uni_task else "no"
    used = (_number(row.used), _number(row.limit)) if row.kind == "team" else ("", "")
    texts = (row.team, row.affiliation, declared.method, declared.link, uni_task, declared.pretraining)
    return [
        row.kind,
        *(_number(one) for one in (row.place, row.place_low, row.place_high)),
        *(guarded(one) for one in (*texts, declared.other_data)),
        row.submission,
        told(row.received).iso if row.received else "",
        *used,
        *(guarded(one) for one in (row.split, row.source)),
        *(_number(one) for one in (row.score.value, row.score.low, row.score.high)),
    ]


def _names(column: Column) -> tuple[str, ...]:
    name = " ".join(one for one in (column.metric, column.attribute, column.group, column.part) if one)
    return name, f"{name} items"


def _values(cell: Cell) -> tuple[str, str]:
    return _number(cell.value), _number(cell.support)


def _number(value: float | None) -> str:
    return "" if value is None else repr(value)


def _plain(value: Any) -> Any:
    return told(value).iso if isinstance(value, datetime) else _fields(value)


def _fields(value: Any) -> dict[str, Any]:
    return {one.name: getattr(value, one.name) for one in fields(value)}


def _title(column: Column) -> str:
    return " ".join(one for one in (column.title, column.attribute, column.group, column.part) if one)


def _cells(row: BoardRow) -> tuple[Cell, ...]:
    return (row.score, *row.parts, *row.groups, *row.disparities)


def _best(view: BoardView, place: int, better: str) -> str:
    """The text of the best value of a column over the teams; equal texts are equally good."""
    found = [(cell.value, cell.text) for row in view.rows for cell in [_cells(row)[place]] if cell.value is not None]
    if not found or not better:
        return ""
    return (max if better == "higher" else min)(found)[1]


def _latex_row(row: BoardRow, best: list[str]) -> str:
    cells = [
        rf"\textbf{{{cell.text}}}" if row.kind == "team" and cell.value is not None and cell.text == text else cell.text
        for cell, text in zip(_cells(row), best, strict=True)
    ]
    name = f"{row.team} ({row.split})" if row.kind == "baseline" else row.team
    place = "" if row.place is None else str(row.place)
    return _line([place, escape(name), escape(row.declared.method), *(one.replace("–", "--") for one in cells)])


def _line(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"
