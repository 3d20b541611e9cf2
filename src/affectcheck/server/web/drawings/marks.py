"""Shapes: each group has its own, since colour is never alone."""

from __future__ import annotations

from typing import Final

from markupsafe import Markup, escape

#: A path around the middle, for each shape.
_PATHS: Final = (
    ("dot", "M-4.6 0a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0 -9.2 0z"),
    ("square", "M-4.2-4.2h8.4v8.4h-8.4z"),
    ("diamond", "M0-5.8L5.8 0 0 5.8-5.8 0z"),
    ("triangle", "M0-5.4L5.4 4.4h-10.8z"),
    ("cross", "M-5-1.7h3.3v-3.3h3.4v3.3h3.3v3.4h-3.3v3.3h-3.4v-3.3h-3.3z"),
    ("wedge", "M0 5.4L5.4-4.4h-10.8z"),
    ("bar", "M-1.8-6h3.6v12h-3.6z"),
    ("slab", "M-6-1.8h12v3.6h-12z"),
)


def shape(place: int, at: str, y: str, label: str = "") -> Markup:
    """The shape of a group, by its place in the list, at a point."""
    name, path = _PATHS[place % len(_PATHS)]
    title = Markup("<title>{}</title>").format(label) if label else Markup()
    return Markup('<svg x="{}" y="{}" class="mark"><path class="shape {} tone-{}" d="{}">{}</path></svg>').format(
        at, y, name, place % 4, path, title
    )


def key(place: int) -> Markup:
    """The shape alone, for a legend."""
    name, path = _PATHS[place % len(_PATHS)]
    return Markup(
        '<svg class="key" width="16" height="16" viewBox="-8 -8 16 16" aria-hidden="true">'
        '<path class="shape {} tone-{}" d="{}"/></svg>'
    ).format(name, place % 4, path)


def framed(kind: str, height: int, body: str, label: str) -> Markup:
    """A drawing as wide as its place."""
    hidden = Markup('role="img" aria-label="{}"').format(label) if label else Markup('aria-hidden="true"')
    return Markup('<svg class="{}" width="100%" height="{}" {}>{}</svg>').format(kind, height, hidden, Markup(body))  # noqa: S704  # built here, texts escaped


def text(x: str, y: float, words: str, kind: str = "", anchor: str = "middle") -> str:
    """Words in a drawing."""
    return f'<text x="{x}" y="{y}" class="{kind}" text-anchor="{anchor}">{escape(words)}</text>'
