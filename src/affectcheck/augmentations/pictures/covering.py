"""Covers that are drawn over a part of a face, with soft edges, whatever its tilt and size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from affectcheck.media.opencv import opencv

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Points are drawn on a grid this many binary digits finer than the pixels.
_SHIFT: Final = 4
#: Pixels beyond which an outline is not followed: farther out, places on the finer grid would not fit in 32 bits.
_FAR: Final = 30_000.0


class Cover(NamedTuple):
    """A shape of one colour.

    Attributes:
        outline: (n, 2) x and y of a polygon in pixels.
        colour: red, green and blue, 0 to 255.
        opacity: 1 hides what lies behind.
    """

    outline: np.ndarray
    colour: tuple[int, int, int]
    opacity: float = 1.0


def covered(pixels: np.ndarray, covers: Iterable[Cover]) -> np.ndarray:
    """(height, width, 3) uint8 a picture with shapes drawn over it, one after the other."""
    made = pixels.copy()
    for cover in covers:
        if cover.opacity == 1.0:
            _fill(made, cover)
        else:
            opaque = made.copy()
            _fill(opaque, cover)
            made = opencv().addWeighted(opaque, cover.opacity, made, 1 - cover.opacity, 0.0)
    return made


def _fill(pixels: np.ndarray, cover: Cover) -> None:
    cv2 = opencv()
    corners = np.rint(np.clip(cover.outline, -_FAR, _FAR) * (1 << _SHIFT)).astype(np.int32)
    cv2.fillPoly(pixels, [corners], cover.colour, lineType=cv2.LINE_AA, shift=_SHIFT)


def ellipse(middle: tuple[float, float], radii: tuple[float, float], points: int = 48) -> np.ndarray:
    """(points, 2) outline of an ellipse whose axes are those of the frame."""
    turns = np.linspace(0, 2 * np.pi, points, endpoint=False)
    return np.column_stack([middle[0] + radii[0] * np.cos(turns), middle[1] + radii[1] * np.sin(turns)])


def rectangle(left: float, top: float, right: float, bottom: float) -> np.ndarray:
    """(4, 2) corners of a rectangle."""
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
