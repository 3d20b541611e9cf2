"""OpenCV, loaded when a picture is first changed with it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from affectcheck.errors import ExtraMissingError

if TYPE_CHECKING:
    import numpy as np


def looked_up(table: np.ndarray, pixels: np.ndarray) -> np.ndarray:
    """Pixels by a table of what becomes of each level.

    Args:
        table: (256,) uint8, or (256, 3) for a table a colour.
        pixels: (height, width, 3) uint8.
    """
    found: np.ndarray = opencv().LUT(pixels, table if table.ndim == 1 else table[None])
    return found


@cache
def opencv() -> Any:
    """The package, told to use one thread, since workers share the processors among themselves already.

    Raises:
        ExtraMissingError: it is not installed.
    """
    try:
        import cv2  # noqa: PLC0415  # optional, and slow to import
    except ImportError as error:
        raise ExtraMissingError.of("this perturbation of pictures", "faces", "opencv-python-headless") from error
    cv2.setNumThreads(1)
    return cv2
