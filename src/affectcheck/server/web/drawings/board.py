"""A board, drawn: each team's score with its interval on one axis, and its groups on another beside it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from affectcheck.server.web.drawings.marks import framed, key, shape, text
from affectcheck.server.web.drawings.plane import gap_places
from affectcheck.server.web.drawings.scale import Scale, scale_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markupsafe import Markup

    from affectcheck.server.boards.view import BoardRow, BoardView, Cell, Column

_ROW: Final = 26
_GROUP_ROW: Final = 22
_AXIS: Final = 34
#: Lines of the axis reach so far beyond a drawing; its place in the row cuts them off.
_BEYOND: Final = 90
#: Parts that have room beside a score; more of them are in the table alone.
MOST_PARTS: Final = 3


@dataclass(frozen=True)
class Attribute:
    """Groups of one attribute.

    Attributes:
        name: of the column of the labels.
        places: of its groups among the group columns.
        names: of its groups.
        disparity: place of the disparity that stands beside them; None where none is shown.
    """

    name: str
    places: tuple[int, ...]
    names: tuple[str, ...]
    disparity: int | None

    @property
    def legend(self) -> list[tuple[Markup, str]]:
        """The mark of each group, and its name."""
        return [(key(place), name) for place, name in enumerate(self.names)]


@dataclass(frozen=True)
class Line:
    """A row of the board, with what is drawn in it.

    Attributes:
        row: what it shows.
        tied: whether another row has its place; ``tied_next``: whether the one below has.
        chart: the score on the axis.
        groups: a drawing for each attribute.
        gaps: the disparity of each attribute.
    """

    row: BoardRow
    tied: bool
    tied_next: bool
    chart: Markup
    groups: tuple[Markup, ...]
    gaps: tuple[Cell, ...]


@dataclass(frozen=True)
class BoardDrawing:
    """What the page of a board draws.

    Attributes:
        view: the board.
    """

    view: BoardView

    @cached_property
    def scale(self) -> Scale:
        """The axis of scores, which holds all of them, their intervals and the baselines."""
        return scale_of(value for row in (*self.view.rows, *self.view.baselines) for value in _values(row.score))

    @cached_property
    def group_scale(self) -> Scale:
        """The axis of groups, which is the same for all attributes."""
        return scale_of(cell.value for row in self.view.rows for cell in row.groups if cell.value is not None)

    @cached_property
    def attributes(self) -> tuple[Attribute, ...]:
        """Attributes with groups, in their order."""
        names = dict.fromkeys(column.attribute for column in self.view.group_columns)
        return tuple(self._attribute(name) for name in names)

    def _attribute(self, name: str) -> Attribute:
        places = tuple(place for place, column in enumerate(self.view.group_columns) if column.attribute == name)
        names = tuple(self.view.group_columns[place].group for place in places)
        return Attribute(name, places, names, gap_places(self.view).get(name))

    @property
    def gap_columns(self) -> tuple[Column, ...]:
        """The disparity that stands beside the groups of each attribute."""
        return tuple(self.view.disparity_columns[one.disparity] for one in self.attributes if one.disparity is not None)

    @property
    def shows_parts(self) -> bool:
        """Whether parts stand beside scores."""
        return 0 < len(self.view.part_columns) <= MOST_PARTS

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """All rows."""
        rows = self.view.rows
        places = [row.place for row in rows]
        return tuple(
            Line(
                row,
                tied=row.place is not None and places.count(row.place) > 1,
                tied_next=row.place is not None and row.place in places[at + 1 : at + 2],
                chart=self._chart(row),
                groups=tuple(self._groups(row, one) for one in self.attributes),
                gaps=tuple(row.disparities[one.disparity] for one in self.attributes if one.disparity is not None),
            )
            for at, row in enumerate(rows)
        )

    @property
    def axis(self) -> Markup:
        """The axis above the scores, with the names of baselines that have room."""
        body = list(_ticks(self.scale, _AXIS, lines=False))
        if self.view.baselines:
            first = self.view.baselines[0]
            at = self.scale.percent(_number(first.score))
            # One of another part of the data is no limit that teams have passed or not; its name says so.
            of = "" if first.comparable or not first.split else f" ({first.split})"
            name = "baseline" if len(self.view.baselines) == 1 else "baselines"
            body.append(text(at, 11, f"{name}{of}", "base-name", _side(at)))
        return framed("axis", _AXIS, "".join(body), "")

    @property
    def group_axis(self) -> Markup:
        """The axis above the groups."""
        return framed("axis", _AXIS, "".join(_ticks(self.group_scale, _AXIS, lines=False)), "")

    def _chart(self, row: BoardRow) -> Markup:
        middle = _ROW / 2
        body = [*_ticks(self.scale, _ROW, labels=False)]
        for baseline in self.view.baselines:
            at = self.scale.percent(_number(baseline.score))
            body.append(f'<line class="base" x1="{at}" x2="{at}" y1="{-_BEYOND}" y2="{_ROW + _BEYOND}"/>')
        cell = row.score
        if cell.low is not None and cell.high is not None:
            low, high = self.scale.percent(cell.low), self.scale.percent(cell.high)
            body.append(f'<line class="spread" x1="{low}" x2="{high}" y1="{middle}" y2="{middle}"/>')
        if cell.value is not None:
            body.append(f'<circle class="point" cx="{self.scale.percent(cell.value)}" cy="{middle}" r="5.5"/>')
        return framed("scores", _ROW, "".join(body), f"Score {told(cell, self.view.digits)}")

    def _groups(self, row: BoardRow, attribute: Attribute) -> Markup:
        middle = _GROUP_ROW / 2
        body = [*_ticks(self.group_scale, _GROUP_ROW, labels=False)]
        cells = [row.groups[place] for place in attribute.places]
        known = [cell.value for cell in cells if cell.value is not None]
        if known:
            ends = self.group_scale.percent(min(known)), self.group_scale.percent(max(known))
            body.append(f'<line class="range" x1="{ends[0]}" x2="{ends[1]}" y1="{middle}" y2="{middle}"/>')
        for place, (cell, name) in enumerate(zip(cells, attribute.names, strict=True)):
            if cell.value is not None:
                body.append(shape(place, self.group_scale.percent(cell.value), f"{middle:g}", f"{name} {cell.text}"))
        words = ", ".join(f"{name} {cell.text}" for name, cell in zip(attribute.names, cells, strict=True))
        return framed("group-scores", _GROUP_ROW, "".join(body), f"{attribute.name}: {words}")


def told(cell: Cell, digits: int) -> str:
    """A value with its interval, in words."""
    if cell.value is None:
        return f"is not defined: {cell.reason}"
    if cell.low is None or cell.high is None:
        return cell.text
    return f"{cell.text}, 95 % interval {cell.low:.{digits}f} to {cell.high:.{digits}f}"


def _side(at: str) -> str:
    """Where words at a point begin, so that they do not leave the drawing."""
    share = float(at.rstrip("%"))
    return "start" if share < 25 else "end" if share > 75 else "middle"


def _number(cell: Cell) -> float:
    return cell.value if cell.value is not None else float("nan")


def _values(cell: Cell) -> Iterator[float]:
    for value in (cell.value, cell.low, cell.high):
        if value is not None:
            yield value


def _ticks(scale: Scale, height: int, *, lines: bool = True, labels: bool = True) -> Iterator[str]:
    for tick in scale.ticks:
        at = scale.percent(tick)
        if lines:
            yield f'<line class="grid" x1="{at}" x2="{at}" y1="{-_BEYOND}" y2="{height + _BEYOND}"/>'
        if labels:
            yield text(at, height - 6, scale.label(tick), "tick")
