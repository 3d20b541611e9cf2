"""Make a drawn SVG fit to stand in a page: stable ids, the page's colours, and nothing but shapes and text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

from affectcheck.digest import digest_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Colours that a chart is drawn with, and the style variables that take their place, so that a figure follows the
#: page between light and dark.
INK: Final = "#010101"
SOFT: Final = "#020202"
RULE: Final = "#030303"
ACCENT: Final = "#040404"
WARM: Final = "#050505"
BAND: Final = "#060606"
PAPER: Final = "#070707"
VARIABLES: Final = {
    INK: "var(--ink)",
    SOFT: "var(--soft)",
    RULE: "var(--rule)",
    ACCENT: "var(--accent)",
    WARM: "var(--warm)",
    BAND: "var(--band)",
    PAPER: "var(--paper)",
}
_NAMESPACE: Final = "http://www.w3.org/2000/svg"
_TAGS: Final = frozenset({"svg", "g", "path", "line", "rect", "text", "tspan", "defs", "clipPath"})
_ATTRIBUTES: Final = frozenset(
    [
        "aria-hidden",
        "aria-label",
        "aria-roledescription",
        "clip-path",
        "d",
        "dominant-baseline",
        "fill",
        "fill-opacity",
        "font-size",
        "font-style",
        "font-weight",
        "height",
        "id",
        "opacity",
        "role",
        "stroke",
        "stroke-dasharray",
        "stroke-miterlimit",
        "stroke-opacity",
        "stroke-width",
        "text-anchor",
        "transform",
        "viewBox",
        "width",
        "x",
        "x1",
        "x2",
        "y",
        "y1",
        "y2",
    ]
)
_DEFAULTS: Final = {("opacity", "1"), ("stroke-width", "1"), ("font-weight", "normal"), ("fill-opacity", "1")}
_NUMBER: Final = re.compile(r"-?\d+\.\d{2,}")
_REFERENCE: Final = re.compile(r"url\(#([^)]+)\)")


def inline_svg(drawn: str, description: str) -> str:
    """The SVG as it may stand in a page.

    Args:
        drawn: what the renderer wrote; user texts in it are escaped by the renderer, and again here.
        description: what a screen reader says of the whole.
    """
    root = ET.fromstring(drawn)  # noqa: S314  # our own renderer's output, without a document type
    for element in list(root.iter()):
        element.tag = element.tag.removeprefix(f"{{{_NAMESPACE}}}")
    _prune(root)
    for element in root.iter():
        _restyle(element)
    _rename_ids(root)
    root.attrib = {
        "viewBox": root.get("viewBox", ""),
        "width": root.get("width", ""),
        "height": root.get("height", ""),
        "role": "graphics-document",
        "aria-roledescription": "chart",
        "aria-label": description,
    }
    return ET.tostring(root, encoding="unicode")


def _prune(parent: ET.Element) -> None:
    for child in list(parent):
        _prune(child)
        empty_path = child.tag == "path" and child.get("d", "") in ("", "M0,0h0v0h0Z")
        unpainted = child.get("class") == "background" and child.get("fill") is None and child.get("stroke") is None
        empty_group = child.tag == "g" and not len(child)
        if child.tag not in _TAGS or child.get("display") == "none" or empty_path or unpainted or empty_group:
            parent.remove(child)


def _restyle(element: ET.Element) -> None:
    style = []
    kept = {}
    for name, value in element.attrib.items():
        if name in ("fill", "stroke") and value in VARIABLES:
            style.append(f"{name}:{VARIABLES[value]}")
        elif name in _ATTRIBUTES and (name, value) not in _DEFAULTS:
            kept[name] = value if name == "aria-label" else _NUMBER.sub(_shorten, value)
    if element.tag == "g" and kept.get("transform") == "translate(0,0)":
        del kept["transform"]
    if style:
        kept["style"] = ";".join(style)
    element.attrib = kept


def _shorten(match: re.Match[str]) -> str:
    return f"{float(match[0]):.2f}".rstrip("0").rstrip(".")


def _rename_ids(root: ET.Element) -> None:
    """The renderer numbers ids by process: name them by content, so that output is stable and figures do not clash."""
    order = {element.get("id", ""): str(index) for index, element in enumerate(_with_id(root))}
    for element in root.iter():
        if element.get("id") in order:
            element.set("id", order[element.get("id", "")])
        if "clip-path" in element.attrib:
            element.set("clip-path", _REFERENCE.sub(lambda m: order.get(m[1], ""), element.get("clip-path", "")))
    prefix = f"f{digest_bytes(ET.tostring(root))[:10]}"
    for element in root.iter():
        if "id" in element.attrib:
            element.set("id", f"{prefix}-{element.get('id')}")
        if "clip-path" in element.attrib:
            element.set("clip-path", f"url(#{prefix}-{element.get('clip-path')})")


def _with_id(root: ET.Element) -> Iterator[ET.Element]:
    return (element for element in root.iter() if "id" in element.attrib)
