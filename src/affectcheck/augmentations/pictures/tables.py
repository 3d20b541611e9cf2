"""Pixels by a table of what becomes of each level of 8 bits."""

from __future__ import annotations

from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.media.opencv import opencv

if TYPE_CHECKING:
    from collections.abc import Callable


class Levels:
    """What becomes of each level of 8 bits, of all colours alike or of each colour by itself.

    OpenCV takes one level after the other, or two at once where it takes tables of 16 bits. StringZilla looks up 64,
    and is used for all colours alike where it is installed. All give the same pixels.

    Args:
        table: (256,) uint8, or (256, 3) for red, green and blue.
    """

    def __init__(self, table: np.ndarray) -> None:
        self._table = table.reshape(1, 256, -1)

    def of(self, pixels: np.ndarray) -> np.ndarray:
        """(height, width, 3) what becomes of such pixels of 8 bits."""
        colours, translate = self._table.shape[2], stringzilla_translate()
        found: np.ndarray
        if not pixels.flags.c_contiguous:
            found = opencv().LUT(pixels, self._table)
        elif translate and colours == 1:
            found = pixels.copy()
            translate(found.data, self._table.ravel().data, inplace=True)
        elif pixels.size % (2 * colours) or not takes_16_bits():
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
def stringzilla_translate() -> Callable[..., Any] | None:
    """What replaces bytes by a table, where the package is installed."""
    if find_spec("stringzilla") is None:
        return None
    return getattr(import_module("stringzilla"), "translate", None)


@cache
def takes_16_bits() -> bool:
    """Whether OpenCV looks up levels of 16 bits, as it does from version 5 on."""
    cv2 = opencv()
    try:
        cv2.LUT(np.zeros((1, 1), np.uint16), np.zeros((1, 65_536), np.uint16))
    except cv2.error:
        return False
    return True
