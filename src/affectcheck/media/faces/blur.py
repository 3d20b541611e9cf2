"""How blurred a crop is, from 0 (sharp) to 1 (flat), without another picture to compare it with."""

from __future__ import annotations

from typing import Final

import numpy as np

_WINDOW: Final = 11  # pixels of the mean that a picture is blurred with once more
_LUMA: Final = np.array([0.2126, 0.7152, 0.0722])  # ITU-R BT.709


def blur(pixels: np.ndarray) -> float:
    """How much of the difference between neighbours is left when a picture is blurred once more.

    What is sharp loses much by it, what is blurred already little. Crops of small faces count as blurred: they are.

    Args:
        pixels: (height, width, 3) uint8, at least 3 pixels on each side.

    Returns:
        0 for the sharpest, 1 for a flat picture; of the two directions the more blurred one.

    Source:
        Crete F, Dolmiere T, Ladret P, Nicolas M (2007). The blur effect: perception and estimation with a new
        no-reference perceptual blur metric. SPIE 6492.

    Example:
        >>> blur(np.full((112, 112, 3), 90, np.uint8))
        1.0
    """
    grey = pixels @ _LUMA / 255
    return max(_along(grey), _along(grey.T))


def _along(grey: np.ndarray) -> float:
    """Blur down the columns."""
    again = _mean(grey)
    inner = (slice(1, -1), slice(1, -1))  # without the edge, where a mean knows only one side
    sharp, soft = np.abs(_slope(grey))[inner], np.abs(_slope(again))[inner]
    whole = sharp.sum()
    left = np.maximum(0, sharp - soft).sum()
    return float((whole - left) / whole) if whole > 0 else 1.0


def _mean(grey: np.ndarray) -> np.ndarray:
    """The mean of so many rows around each; beyond the edge the picture is mirrored."""
    reach = _WINDOW // 2
    framed = np.pad(grey, ((reach + 1, reach), (0, 0)), mode="symmetric")
    sums = framed.cumsum(axis=0)
    result: np.ndarray = (sums[_WINDOW:] - sums[:-_WINDOW]) / _WINDOW
    return result


def _slope(grey: np.ndarray) -> np.ndarray:
    """Sobel's derivative down the columns, smoothed across them."""
    framed = np.pad(grey, 1, mode="symmetric")
    across = (framed[:, :-2] + 2 * framed[:, 1:-1] + framed[:, 2:]) / 4
    result: np.ndarray = (across[2:] - across[:-2]) / 2
    return result
