"""Covers that are drawn over a part of a face, with soft edges, whatever its tilt and size."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from affectcheck.augmentations.pictures.opencv import opencv

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Points are drawn on a grid this many binary digits finer than the pixels.
_SHIFT = 4


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
    """(height, width, 3) float32 a picture with shapes drawn over it, one after the other."""
    cv2 = opencv()
    made = pixels.astype(np.float32)
    for cover in covers:
        mask = np.zeros(pixels.shape[:2], np.uint8)
        corners = np.rint(np.clip(cover.outline, -1e4, 1e4) * (1 << _SHIFT)).astype(np.int32)
        cv2.fillPoly(mask, [corners], 255, lineType=cv2.LINE_AA, shift=_SHIFT)
        share = mask[..., None].astype(np.float32) * np.float32(cover.opacity / 255)
        made += share * (np.array(cover.colour, np.float32) - made)
    return made


def ellipse(middle: tuple[float, float], radii: tuple[float, float], points: int = 48) -> np.ndarray:
    """(points, 2) outline of an ellipse whose axes are those of the frame."""
    turns = np.linspace(0, 2 * np.pi, points, endpoint=False)
    return np.column_stack([middle[0] + radii[0] * np.cos(turns), middle[1] + radii[1] * np.sin(turns)])


def rectangle(left: float, top: float, right: float, bottom: float) -> np.ndarray:
    """(4, 2) corners of a rectangle."""
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
