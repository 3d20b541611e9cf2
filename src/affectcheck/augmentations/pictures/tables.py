"""Pixels by a table of what becomes of each level of 8 bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.media.opencv import opencv

if TYPE_CHECKING:
    import numpy as np


def looked_up(table: np.ndarray, pixels: np.ndarray) -> np.ndarray:
    """What becomes of pixels.

    Args:
        table: (256,) uint8, or (256, 3) for a table a colour.
        pixels: (height, width, 3) uint8.
    """
    found: np.ndarray = opencv().LUT(pixels, table if table.ndim == 1 else table[None])
    return found
