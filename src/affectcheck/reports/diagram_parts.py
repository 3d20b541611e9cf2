"""Parts of a diagram: boxes, words, arrows and squares on a plane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Box:
    """A box with lines of text; the first is its title.

    Attributes:
        x, y, width, height: in pixels.
        lines: texts, one below the other; a line too long is cut.
        look: fill and border.
        small: whether the title is as small as the other lines.
    """

    x: float
    y: float
    width: float
    height: float
    lines: tuple[str, ...] = ()
    look: Literal["plain", "raised", "chosen", "first", "second", "third", "none"] = "plain"
    small: bool = False


@dataclass(frozen=True)
class Words:
    """A text on its own; ``anchor`` as in SVG."""

    x: float
    y: float
    text: str
    anchor: Literal["start", "middle", "end"] = "start"
    small: bool = False
    bold: bool = False


@dataclass(frozen=True)
class Arrow:
    """A line from one place to another; with a head unless it is a mark."""

    x: float
    y: float
    to_x: float
    to_y: float
    head: bool = True


@dataclass(frozen=True)
class Square:
    """A square of a plane; ``share`` from 0 to 1 is how dark it is; the chosen one has a border."""

    x: float
    y: float
    side: float
    share: float = 0.0
    chosen: bool = False


@dataclass(frozen=True)
class Diagram:
    """A drawing of boxes, texts and arrows, no chart of a renderer.

    Attributes:
        shapes: in the order they are drawn.
        width, height: in pixels.
        description: what a screen reader says of the whole.
    """

    shapes: tuple[Box | Words | Arrow | Square, ...]
    width: float
    height: float
    description: str


@dataclass(frozen=True)
class DiagramChart:
    """Diagrams side by side."""

    panels: tuple[Diagram, ...]
