"""Linear light and the pixels of sRGB that stand for it (IEC 61966-2-1)."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

#: How much red, green and blue count for brightness (Rec. ITU-R BT.709).
LUMA: Final = np.array([0.2126, 0.7152, 0.0722])


def to_light(pixels: np.ndarray) -> np.ndarray:
    """Linear light, 0 to 1, float32, of 8-bit pixels of any shape.

    Example:
        >>> to_light(np.array([0, 188, 255], np.uint8)).round(3)
        array([0.   , 0.503, 1.   ], dtype=float32)
    """
    light: np.ndarray = _light_of_levels()[pixels]
    return light


def to_pixels(light: np.ndarray) -> np.ndarray:
    """8-bit pixels of linear light; what lies beyond 0 to 1 is cut off.

    Example:
        >>> to_pixels(np.array([0.0, 0.503, 2.0]))
        array([  0, 188, 255], dtype=uint8)
    """
    light = np.clip(light, 0.0, 1.0)
    curved = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    pixels: np.ndarray = np.rint(255 * curved).astype(np.uint8)
    return pixels


@cache
def _light_of_levels() -> np.ndarray:
    levels = np.arange(256) / 255
    light = np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4)
    found: np.ndarray = light.astype(np.float32)
    found.setflags(write=False)
    return found
