"""Pictures in another size, by the filters of the libraries that networks come from: another filter is another picture.

Pillow's filters, which torchvision, timm and transformers take, look at all pixels that become one; OpenCV's ``linear``
at four, whatever the size.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.media.opencv import opencv
from affectcheck.media.pillow import pillow

if TYPE_CHECKING:
    from affectcheck.models.picture_input import PictureInput

#: Pillow's filters, each at the number by which Pillow and the configurations of transformers know it.
PILLOW: Final = ("nearest", "lanczos", "bilinear", "bicubic", "box", "hamming")
FILTERS: Final = ("area", "linear", *PILLOW)
#: What a share may be off by, so that 224 over 0.875 is 256.
_LITTLE: Final = 1e-6


def fitted(pixels: np.ndarray, made: PictureInput) -> np.ndarray:
    """The picture in the size that a network takes: resized, then its middle cut out.

    Args:
        pixels: (height, width, 3) uint8.
        made: ``width``, ``height``, ``fit``, ``share``, ``filter`` and ``halves_even``.
    """
    height, width = pixels.shape[:2]
    across, down = (math.floor(side / made.share + _LITTLE) for side in (made.width, made.height))
    if made.fit == "centre":
        if (
            across * height >= down * width
        ):  # the width decides, and the height is cut to whole pixels, as torchvision's
            down = int(across * height / width)
        else:
            across = int(down * width / height)
    larger = resized(pixels, (across, down), made.filter)
    left, top = (_half(across - made.width, made.halves_even), _half(down - made.height, made.halves_even))
    return larger[top : top + made.height, left : left + made.width]


def resized(pixels: np.ndarray, size: tuple[int, int], name: str) -> np.ndarray:
    """A picture in another size.

    Args:
        pixels: (height, width, 3) uint8.
        size: width and height.
        name: one of ``FILTERS``; ``area`` is OpenCV's where both sides shrink, and linear otherwise.

    Raises:
        ExtraMissingError: Pillow or OpenCV is not installed.
    """
    height, width = pixels.shape[:2]
    if size == (width, height):
        return pixels
    if name in PILLOW:
        image = pillow("resizing pictures", "faces").fromarray(np.ascontiguousarray(pixels))
        return np.asarray(image.resize(size, PILLOW.index(name)))
    cv2 = opencv()
    shrinks = name == "area" and width > size[0] and height > size[1]
    how = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    scaled: np.ndarray = cv2.resize(np.ascontiguousarray(pixels), size, interpolation=how)
    return scaled


def _half(pixels: int, even: bool) -> int:
    """Half of what is cut off: rounded down, or to the even number as torchvision does."""
    return round(pixels / 2) if even else pixels // 2
