"""Pixels by a table of what becomes of each level of 8 bits."""

from __future__ import annotations

from functools import cache, cached_property

import numpy as np

from affectcheck.media.opencv import opencv


class Levels:
    """What becomes of each level of 8 bits, of all colours alike or of each colour by itself.

    Two levels are looked up at once where OpenCV takes tables of 16 bits, in two thirds of the time.

    Args:
        table: (256,) uint8, or (256, 3) for red, green and blue.
    """

    def __init__(self, table: np.ndarray) -> None:
        self._table = table.reshape(1, 256, -1)

    def of(self, pixels: np.ndarray) -> np.ndarray:
        """(height, width, 3) what becomes of such pixels of 8 bits."""
        colours = self._table.shape[2]
        found: np.ndarray
        if pixels.size % (2 * colours) or not pixels.flags.c_contiguous or not takes_16_bits():
            found = opencv().LUT(pixels, self._table)
        else:
            pairs = pixels.reshape(-1).view(np.uint16).reshape(1, -1, colours)
            found = opencv().LUT(pairs, self._pairs).view(np.uint8).reshape(pixels.shape)
        return found

    @cached_property
    def _pairs(self) -> np.ndarray:
        """(1, 65536, 1 or 3) what becomes of two levels that lie side by side in memory."""
        both = np.arange(65_536, dtype=np.uint16).view(np.uint8).reshape(-1, 2)
        colours = self._table.shape[2]
        table = self._table[0]
        made = [
            np.column_stack([table[both[:, place], (2 * pair + place) % colours] for place in (0, 1)])
            for pair in range(colours)
        ]
        return np.concatenate(made, axis=1).view(np.uint16)[None]


@cache
def takes_16_bits() -> bool:
    """Whether OpenCV looks up levels of 16 bits, as it does from version 5 on."""
    cv2 = opencv()
    try:
        cv2.LUT(np.zeros((1, 1), np.uint16), np.zeros((1, 65_536), np.uint16))
    except cv2.error:
        return False
    return True
