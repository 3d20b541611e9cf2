"""Filled shapes and strokes with smooth edges: drawn by Pillow on a finer grid, then averaged down."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.errors import ExtraMissingError

if TYPE_CHECKING:
    from affectcheck.datasets.drawn_faces_appearance import Colour

#: Side up to which a picture is drawn on a grid of this many cells a pixel along each side.
_FINENESS: Final = ((128, 4), (256, 3), (1 << 16, 2))
_ROUND: Final = np.linspace(0.0, 2 * np.pi, 24, endpoint=False)
_CIRCLE: Final = np.stack([np.cos(_ROUND), np.sin(_ROUND)], axis=1)


def pillow() -> Any:
    """The package that draws.

    Raises:
        ExtraMissingError: it is not installed.
    """
    try:
        import PIL.Image  # noqa: PLC0415  # of an extra
        import PIL.ImageDraw  # noqa: PLC0415  # of an extra
    except ImportError as error:
        raise ExtraMissingError.of("drawing faces", "image", "pillow") from error
    return PIL


@cache
def _along(knots: int, points: int) -> np.ndarray:
    """(points, knots) weights that interpolate linearly between knots."""
    place, at = np.linspace(0.0, 1.0, points), np.linspace(0.0, 1.0, knots)
    return np.stack([np.interp(place, at, row) for row in np.eye(knots)], axis=1)


class Canvas:
    """A square picture to draw on.

    Args:
        size: pixels of a side.
        background: its colour.
    """

    def __init__(self, size: int, background: Colour) -> None:
        self.size = size
        self._fine = next(fine for largest, fine in _FINENESS if size <= largest)
        package = pillow()
        side = (size * self._fine, size * self._fine)
        self._picture = package.Image.new("RGB", side, background)
        self._draw = package.ImageDraw.Draw(self._picture)
        self._blend = package.ImageDraw.Draw(self._picture, "RGBA")
        self._mask = package.Image.new("L", side, 0)
        self._mask_draw = package.ImageDraw.Draw(self._mask)

    def fill(self, points: np.ndarray, colour: Colour, alpha: float = 1.0, *, solid: bool = False) -> None:
        """Fill a shape.

        Args:
            points: (n, 2) corners in pixels, whose centres lie on whole numbers.
            colour: of the shape.
            alpha: how much of what lies below it hides.
            solid: whether the shape is a body, which light shapes.
        """
        if alpha <= 0:
            return
        corners = self._corners(points)
        if alpha >= 1:
            self._draw.polygon(corners, fill=colour)
        else:
            self._blend.polygon(corners, fill=(*colour, round(255 * alpha)))
        if solid:
            self._mask_draw.polygon(corners, fill=255)

    def stroke(self, points: np.ndarray, colour: Colour, widths: tuple[float, ...], alpha: float = 1.0) -> None:
        """Draw lines whose width changes along them.

        Args:
            points: (n, 2) along a line, or (lines, n, 2).
            colour: of the lines.
            widths: in pixels, spread evenly along a line.
            alpha: how much of what lies below them they hide.
        """
        slope = np.empty_like(points)
        slope[..., 1:-1, :] = points[..., 2:, :] - points[..., :-2, :]
        slope[..., 0, :] = points[..., 1, :] - points[..., 0, :]
        slope[..., -1, :] = points[..., -1, :] - points[..., -2, :]
        half = _along(len(widths), points.shape[-2]) @ widths
        half = half / (2 * np.maximum(np.hypot(slope[..., 0], slope[..., 1]), 1e-9))
        side = slope[..., ::-1] * (-1.0, 1.0) * half[..., None]
        edges = np.concatenate([points + side, (points - side)[..., ::-1, :]], axis=-2)
        for edge in edges.reshape(-1, edges.shape[-2], 2):
            self.fill(edge, colour, alpha)

    def disc(self, centre: np.ndarray, radius: float, colour: Colour, alpha: float = 1.0) -> None:
        """Fill a circle."""
        self.fill(centre + radius * _CIRCLE, colour, alpha)

    def pixels(self) -> np.ndarray:
        """(size, size, 3) float32 colours, from 0 to 255."""
        return np.asarray(self._picture.reduce(self._fine), np.float32)

    def bodies(self) -> np.ndarray:
        """(size, size) float32 shares of each pixel that bodies cover."""
        return np.asarray(self._mask.reduce(self._fine), np.float32) / np.float32(255)

    def _corners(self, points: np.ndarray) -> list[float]:
        cells = np.rint((points + 0.5) * self._fine - 0.5)
        found: list[float] = cells.ravel().tolist()
        return found
