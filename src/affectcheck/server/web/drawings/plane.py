"""A plane of scores and disparities: who is accurate, and for whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from affectcheck.server.web.drawings.marks import framed, text
from affectcheck.server.web.drawings.scale import Scale, scale_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markupsafe import Markup

    from affectcheck.server.boards.view import BoardRow, BoardView, Column

_HEIGHT: Final = 300
_FOOT: Final = 44
_LEFT: Final = 7.0  # percent of the width, for labels of the vertical axis
#: Width at which names must not cover one another; wider places leave more room.
_WIDTH: Final = 640
_LETTER: Final = 6.6
_LINE: Final = 15


@dataclass(frozen=True)
class Plane:
    """Scores against one disparity.

    Attributes:
        view: the board.
        place: of the disparity among the columns.
    """

    view: BoardView
    place: int

    @property
    def column(self) -> Column:
        """What the vertical axis is."""
        return self.view.disparity_columns[self.place]

    @property
    def rows(self) -> tuple[BoardRow, ...]:
        """Teams that have both values."""
        return tuple(
            row
            for row in self.view.rows
            if row.score.value is not None and row.disparities[self.place].value is not None
        )

    def draw(self) -> Markup:
        """The plane."""
        across = scale_of(row.score.value or 0.0 for row in self.rows)
        up = scale_of([0.0, *(row.disparities[self.place].value or 0.0 for row in self.rows)])
        body = [*self._axes(across, up), *self._marks(across, up)]
        count = len(self.rows)
        label = (
            f"{self.view.metric_title} against {self.column.title} over {self.column.attribute}, {count} teams; "
            "all values are in the table of numbers"
        )
        return framed("scatter", _HEIGHT, "".join(body), label)

    def _axes(self, across: Scale, up: Scale) -> Iterator[str]:
        floor = _HEIGHT - _FOOT
        for tick in up.ticks:
            y = _down(up, tick)
            yield f'<line class="grid" x1="{_LEFT}%" x2="100%" y1="{y:.1f}" y2="{y:.1f}"/>'
            yield text(f"{_LEFT - 1}%", round(y + 4, 1), up.label(tick), "tick", "end")
        for tick in across.ticks:
            x = _right(across, tick)
            yield f'<line class="grid" x1="{x}" x2="{x}" y1="8" y2="{floor}"/>'
            yield text(x, floor + 16, across.label(tick), "tick")
        better = "→ better" if self.view.higher_is_better else "← better"
        yield text("100%", _HEIGHT - 8, f"{self.view.metric_title}  {better}", "axis-name", "end")

    def _marks(self, across: Scale, up: Scale) -> Iterator[str]:
        taken: list[tuple[float, float, float]] = []
        for row in self.rows:
            value, gap = row.score.value or 0.0, row.disparities[self.place].value or 0.0
            x, y = _right(across, value), _down(up, gap)
            own = " own" if row.is_own else ""
            yield f'<circle class="point{own}" cx="{x}" cy="{y:.1f}" r="6"/>'
            at = float(x.rstrip("%")) / 100 * _WIDTH
            name = f"{row.place or ''} {_cut(row.team)}".strip()
            left = at + len(name) * _LETTER + 12 > _WIDTH
            start = at - 11 - len(name) * _LETTER if left else at + 11
            clear = _clear(taken, start, y, len(name) * _LETTER)
            short = name if clear else str(row.place or "")
            taken.append((start, y, len(short) * _LETTER))
            side = "end" if left else "start"
            yield (
                f'<svg x="{x}" y="{y:.1f}" class="mark">'
                f"{text(str(-11 if left else 11), 4, short, 'name far' if clear else 'name', side)}</svg>"
            )


def gap_places(view: BoardView) -> dict[str, int]:
    """Of each attribute the first column that is a gap: less of it is better, which is not so of means over groups."""
    found: dict[str, int] = {}
    for place, column in enumerate(view.disparity_columns):
        if column.better == "lower":
            found.setdefault(column.attribute, place)
    return found


def planes_of(view: BoardView) -> tuple[Plane, ...]:
    """One plane for each attribute: of its gap."""
    found = (Plane(view, place) for place in gap_places(view).values())
    return tuple(plane for plane in found if len(plane.rows) > 1)


def _right(scale: Scale, value: float) -> str:
    share = float(scale.percent(value).rstrip("%"))
    return f"{_LEFT + share * (100 - _LEFT) / 100:.2f}%"


def _down(scale: Scale, value: float) -> float:
    share = float(scale.percent(value).rstrip("%")) / 100
    return 8 + (1 - share) * (_HEIGHT - _FOOT - 8)


def _clear(taken: list[tuple[float, float, float]], x: float, y: float, width: float) -> bool:
    return all(abs(y - other) >= _LINE or x > start + length or x + width < start for start, other, length in taken)


def _cut(name: str) -> str:
    return name if len(name) <= 20 else f"{name[:19]}…"
