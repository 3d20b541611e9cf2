"""A figure as a file of its own: SVG that follows light and dark, or PNG and PDF in light; the same input, the same bytes.

Panels stand in rows below a title; notes stand below them. Nothing is loaded from elsewhere, and nothing is a script.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

from affectcheck.atomic import write_bytes
from affectcheck.errors import ExtraMissingError, InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

FORMATS: Final = (".svg", ".png", ".pdf")
_EDGE: Final = 16
_GAP: Final = 14
_LINE: Final = 16
_LETTER: Final = 6.0  # pixels of a letter of a note on the mean
_CAPITAL: Final = 9.0  # the same of a title
_HEAD: Final = 20  # pixels of a line of a title
_SCALE: Final = 2.0  # pixels of a PNG for each of the figure's
_BLOCK: Final = re.compile(r":root \{(.*?)\}", re.DOTALL)
_COLOUR: Final = re.compile(r"--([a-z-]+): (#[0-9a-f]{6})")
_VARIABLE: Final = re.compile(r"var\(--([a-z-]+)\)")
_FONT: Final = "Arial, 'Liberation Sans', Helvetica, sans-serif"


@dataclass(frozen=True)
class FigureFile:
    """What stands in the file.

    Attributes:
        title: above the panels.
        panels: SVG of each, as ``drawing.draw`` makes them.
        notes: sentences below them.
        description: read by screen readers.
        columns: panels in a row.
    """

    title: str
    panels: tuple[str, ...]
    notes: tuple[str, ...]
    description: str
    columns: int = 3


def write_figure(figure: FigureFile, path: Path) -> None:
    """Write a figure, whole or not at all.

    Args:
        figure: what to write.
        path: a file that ends in .svg, .png or .pdf.

    Raises:
        InputError: another ending.
        ExtraMissingError: the extra ``report`` is not installed.
        WriteError: the disk is full or not writable.
    """
    kind = path.suffix.lower()
    if kind not in FORMATS:
        raise InputError(f"cannot write a figure to {path}", expected=f"a file that ends in {', '.join(FORMATS)}")
    if kind == ".svg":
        write_bytes(path, f"{figure_svg(figure)}\n".encode())
        return
    plain = _VARIABLE.sub(lambda found: palette()[0][found[1]], figure_svg(figure, style=False))
    try:
        import vl_convert  # noqa: PLC0415  # an optional package, and slow to import
    except ImportError as error:
        raise ExtraMissingError.of("drawing figures", "report", "vl-convert-python") from error
    drawn = vl_convert.svg_to_png(plain, scale=_SCALE) if kind == ".png" else vl_convert.svg_to_pdf(plain)
    write_bytes(path, drawn)


def figure_svg(figure: FigureFile, *, style: bool = True) -> str:
    """The figure as one SVG.

    Args:
        figure: what to draw.
        style: whether it carries the colours of light and dark; without it, colours are variables that nobody defines.
    """
    sizes = [_size(panel) for panel in figure.panels]
    width = _width(sizes, figure.columns)
    room = int((width - 2 * _EDGE) / _LETTER)
    title = textwrap.wrap(figure.title, int(room * _LETTER / _CAPITAL))
    places, bottom = _placed(sizes, figure.columns, _EDGE + _LINE + _HEAD * len(title))
    notes = [line for note in figure.notes for line in textwrap.wrap(note, room)]
    height = bottom + _LINE * len(notes) + _EDGE
    root = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width:g} {height:g}",
            "width": f"{width:g}",
            "height": f"{height:g}",
            "role": "graphics-document",
            "aria-label": figure.description,
            "font-family": _FONT,
        },
    )
    ET.SubElement(root, "title").text = figure.title
    ET.SubElement(root, "desc").text = figure.description
    if style:
        ET.SubElement(root, "style").text = _style()
    ET.SubElement(root, "rect", {"width": f"{width:g}", "height": f"{height:g}", "style": "fill:var(--paper)"})
    for number, line in enumerate(title):
        _text(root, line, _EDGE + 14 + _HEAD * number, leads=True)
    for panel, (x, y) in zip(figure.panels, places, strict=True):
        element = ET.fromstring(panel)  # noqa: S314  # our own drawing, without a document type
        element.set("x", f"{x:g}")
        element.set("y", f"{y:g}")
        root.append(element)
    for number, line in enumerate(notes):
        _text(root, line, bottom + 8 + _LINE * number)
    return ET.tostring(root, encoding="unicode")


def _text(root: ET.Element, text: str, y: float, *, leads: bool = False) -> None:
    place = {"x": f"{_EDGE}", "y": f"{y:g}", "font-size": "16" if leads else "12"}
    look = {"font-weight": "bold", "style": "fill:var(--ink)"} if leads else {"style": "fill:var(--soft)"}
    ET.SubElement(root, "text", place | look).text = text


def _size(panel: str) -> tuple[float, float]:
    root = ET.fromstring(panel)  # noqa: S314  # see above
    return float(root.get("width", "0")), float(root.get("height", "0"))


def _widths(sizes: Sequence[tuple[float, float]], columns: int) -> list[float]:
    """Of each column."""
    return [max(width for width, _ in sizes[column::columns]) for column in range(min(columns, len(sizes)))]


def _width(sizes: Sequence[tuple[float, float]], columns: int) -> float:
    widths = _widths(sizes, columns)
    return 2 * _EDGE + sum(widths) + _GAP * (len(widths) - 1)


def _placed(sizes: Sequence[tuple[float, float]], columns: int, top: float) -> tuple[list[tuple[float, float]], float]:
    """Where each panel stands, and where they end."""
    widths = _widths(sizes, columns)
    places, y = [], top
    for begin in range(0, len(sizes), columns):
        row = sizes[begin : begin + columns]
        places += [(_EDGE + sum(widths[:column]) + _GAP * column, y) for column in range(len(row))]
        y += max(height for _, height in row) + _GAP
    return places, y


@cache
def palette() -> tuple[dict[str, str], dict[str, str]]:
    """Colours of the report's page by name, light and dark."""
    text = files("affectcheck.reports").joinpath("templates", "report.css").read_text(encoding="utf-8")
    light, dark = (dict(_COLOUR.findall(block)) for block in _BLOCK.findall(text)[:2])
    return light, dark


def _style() -> str:
    light, dark = ("".join(f"--{name}:{colour};" for name, colour in one.items()) for one in palette())
    return f":root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"
