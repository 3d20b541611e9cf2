"""Draw a diagram as SVG: boxes, texts, arrows and squares, in the colours of the page."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree as ET

from affectcheck.reports.diagram_parts import Arrow, Box, Square, Words

if TYPE_CHECKING:
    from affectcheck.reports.diagram_parts import Diagram

SIZE: Final = 11
SMALL: Final = 10
LINE: Final = 14
#: Mean width of a character of Arial by its size: figures and small letters are a little over half as wide as high.
WIDTH: Final = 0.56
_PAD: Final = 6
#: Fill, border and width of the border. Sets differ in their fill, and their names stand in or over them.
_LOOKS: Final = {
    "plain": ("var(--paper)", "var(--soft)", "1"),
    "raised": ("var(--raised)", "var(--soft)", "1"),
    "chosen": ("var(--accent-wash)", "var(--accent)", "2"),
    "first": ("var(--band)", "var(--paper)", "1"),
    "second": ("var(--accent-wash)", "var(--paper)", "1"),
    "third": ("var(--unsure-wash)", "var(--paper)", "1"),
    "none": ("none", "none", "0"),
}


def diagram_svg(diagram: Diagram) -> str:
    """The diagram as it may stand in a page: no ids, no scripts, every text escaped."""
    size = {"width": _n(diagram.width + 2), "height": _n(diagram.height + 2)}  # room for borders at the edge
    box = f"-1 -1 {size['width']} {size['height']}"
    root = ET.Element("svg", {"viewBox": box, **size, "role": "img", "aria-label": diagram.description})
    for shape in diagram.shapes:
        _draw(shape, root)
    return ET.tostring(root, encoding="unicode")


def fits(text: str, width: float, size: int = SIZE) -> bool:
    """Whether a text has room."""
    return len(text) * size * WIDTH <= width


def cut(text: str, width: float, size: int = SIZE) -> str:
    """A text that has room, with an ellipsis where some of it is missing.

    Example:
        >>> cut("other/uncertain", 60)
        'other/un…'
    """
    if fits(text, width, size):
        return text
    return text[: max(int(width / (size * WIDTH)) - 1, 1)].rstrip() + "…"


@singledispatch
def _draw(shape: Any, root: ET.Element) -> None:
    raise TypeError(f"no drawing for {type(shape).__name__}")


@_draw.register
def _box(shape: Box, root: ET.Element) -> None:
    fill, border, width = _LOOKS[shape.look]
    style = f"fill:{fill};stroke:{border}"
    place = {"x": _n(shape.x), "y": _n(shape.y), "width": _n(shape.width), "height": _n(shape.height), "rx": "3"}
    ET.SubElement(root, "rect", {**place, "style": style, "stroke-width": width})
    top = shape.y + (shape.height - LINE * len(shape.lines)) / 2
    for number, line in enumerate(shape.lines):
        size = SIZE if number == 0 and not shape.small else SMALL
        text = line if shape.small else cut(line, shape.width - _PAD, size)
        middle = Words(shape.x + shape.width / 2, top + LINE * number + SIZE - 0.5, text, "middle", size == SMALL)
        _words(middle, root)


@_draw.register
def _words(shape: Words, root: ET.Element) -> None:
    style = f"fill:var(--{'soft' if shape.small else 'ink'})"
    size = str(SMALL if shape.small else SIZE)
    look = {"font-size": size, "text-anchor": shape.anchor, "style": style}
    if shape.bold:
        look["font-weight"] = "bold"
    ET.SubElement(root, "text", {"x": _n(shape.x), "y": _n(shape.y), **look}).text = shape.text


@_draw.register
def _arrow(shape: Arrow, root: ET.Element) -> None:
    ends = {"x1": _n(shape.x), "y1": _n(shape.y), "x2": _n(shape.to_x), "y2": _n(shape.to_y)}
    look = {"style": "stroke:var(--soft)", "stroke-width": "1.2"}
    if not shape.head:
        look["stroke-dasharray"] = "2 2"
    ET.SubElement(root, "line", {**ends, **look})
    if shape.head:
        x, y = shape.to_x, shape.to_y
        points = f"M{_n(x - 3.5)},{_n(y - 5)}L{_n(x + 3.5)},{_n(y - 5)}L{_n(x)},{_n(y)}Z"
        ET.SubElement(root, "path", {"d": points, "style": "fill:var(--soft)"})


@_draw.register
def _square(shape: Square, root: ET.Element) -> None:
    place = {"x": _n(shape.x), "y": _n(shape.y), "width": _n(shape.side), "height": _n(shape.side)}
    if shape.chosen:
        ET.SubElement(root, "rect", {**place, "style": "fill:none;stroke:var(--warm)", "stroke-width": "2.5"})
        return
    shade = {"style": "fill:var(--accent);stroke:var(--rule)", "fill-opacity": _n(shape.share), "stroke-width": "0.6"}
    ET.SubElement(root, "rect", {**place, **shade})


def _n(value: float) -> str:
    """A number without needless decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
