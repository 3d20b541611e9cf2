"""A plane with named marks, as plain values, and where the names stand so that none covers another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Characters of a name beside its mark; the table beside a figure has it in full.
LONGEST: Final = 18
_END: Final = 9  # of them from its end, where names of runs of one model differ


@dataclass(frozen=True)
class Mark:
    """A mark with its name.

    Attributes:
        label: the name.
        x, y: its place.
    """

    label: str
    x: float
    y: float


@dataclass(frozen=True)
class MarkPanel:
    """The marks of one plane."""

    title: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class MarkChart:
    """Planes with named marks, side by side, of one horizontal range; the vertical axis is a share.

    Attributes:
        panels: in order.
        titles: of the horizontal and the vertical axis.
        description: read by screen readers, before the marks.
    """

    panels: tuple[MarkPanel, ...]
    titles: tuple[str, str]
    description: str

    @property
    def ends(self) -> tuple[float, float]:
        """Of the horizontal axis: all marks with some room."""
        values = [mark.x for panel in self.panels for mark in panel.marks]
        low, high = min(values), max(values)
        room = (high - low) / 8 or 0.05
        return low - room, high + room


@dataclass(frozen=True)
class PointPanel:
    """One plane of many marks, of which a few are named.

    Attributes:
        title: of the panel.
        detail: a quieter line below it, such as a correlation.
        axis: title of the vertical axis.
        marks: in order.
        named: labels of those whose name stands beside them.
    """

    title: str
    detail: str
    axis: str
    marks: tuple[Mark, ...]
    named: frozenset[str] = frozenset()


@dataclass(frozen=True)
class PointChart:
    """Planes of one horizontal axis side by side, each with a vertical axis of its own.

    Attributes:
        panels: in order.
        axis: title of the horizontal axis.
        description: read by screen readers, before the marks.
        rules: places on the horizontal axis that are marked by a rule, with their names.
    """

    panels: tuple[PointPanel, ...]
    axis: str
    description: str
    rules: tuple[tuple[str, float], ...] = ()

    @property
    def ends(self) -> tuple[float, float]:
        """Of the horizontal axis: all marks and rules with some room."""
        return padded([mark.x for panel in self.panels for mark in panel.marks] + [place for _, place in self.rules])


def padded(values: list[float]) -> tuple[float, float]:
    """The range of values with some room on both sides.

    Example:
        >>> padded([0.5, 0.5])
        (0.45, 0.55)
    """
    low, high = min(values), max(values)
    room = (high - low) / 10 or 0.05
    return low - room, high + room


@dataclass(frozen=True)
class Name:
    """Where the name of a mark stands, in a column beside the panel.

    Attributes:
        mark: the mark.
        text: its name, cut where it is long.
        height: of the name's middle, as a share of the panel's height from below.
    """

    mark: Mark
    text: str
    height: float


def names_of(marks: Iterable[Mark], line: float) -> tuple[Name, ...]:
    """Names in a column, each as high as its mark or, where they would overlap, just over the one below.

    Args:
        marks: of one panel; ``y`` is a share.
        line: the height of a line as a share of the panel's.

    Example:
        >>> [name.height for name in names_of([Mark("a", 0.2, 0.5), Mark("b", 0.2, 0.5)], 0.1)]
        [0.5, 0.6]
    """
    ordered = sorted(marks, key=lambda mark: (mark.y, -mark.x))  # of equal ones, the line from afar passes above
    heights: list[float] = []
    for mark in ordered:
        heights.append(max(mark.y, heights[-1] + line) if heights else mark.y)
    ceiling = 1.0
    for place in reversed(range(len(heights))):  # a stack that is too high is moved down
        heights[place] = min(heights[place], ceiling)
        ceiling = heights[place] - line
    return tuple(Name(m, cut_middle(m.label), round(h, 6)) for m, h in zip(ordered, heights, strict=True))


def cut_middle(text: str) -> str:
    """A name that has room: what sets the names of runs apart is often at their end.

    Example:
        >>> cut_middle("a-very-long-model-name (run-2)")
        'a-very-l…e (run-2)'
    """
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST - 1 - _END].rstrip()}…{text[-_END:].lstrip()}"
