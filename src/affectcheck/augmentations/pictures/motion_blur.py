"""A head or a camera that moves while the shutter is open."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from affectcheck.augmentations.draws import require
from affectcheck.augmentations.pictures.face_pixels import FacePixels
from affectcheck.augmentations.pictures.registry import PICTURE_AUGMENTATIONS
from affectcheck.media.opencv import opencv

if TYPE_CHECKING:
    from affectcheck.augmentations.pictures.picture import Drawn
    from affectcheck.media.clip import Image

#: Points that a line is made of, each pixel of its length.
_POINTS: Final = 32


@PICTURE_AUGMENTATIONS.register("motion-blur")
@dataclass(frozen=True)
class MotionBlur(FacePixels):
    """Spreads every point along a line, as a movement of even speed does; edges are mirrored.

    The direction is drawn for each item from 0 to 180 degrees, in whole degrees.

    Attributes:
        length_px: lengths of the line that one is drawn from for each item, in pixels (see ``pixels_of``).
        pixels_of: ``face`` for pixels of an aligned crop of 112×112 of the face, which grow with it; ``picture`` for
            those of the picture.
    """

    NAME: ClassVar[str] = "motion-blur"
    LEVELS: ClassVar[str] = "length_px"
    DRAWS_MORE: ClassVar[bool] = True

    length_px: float | tuple[float, ...] = (4.0, 8.0, 12.0)
    pixels_of: str = "face"

    def __post_init__(self) -> None:
        """Lines reach the next pixel."""
        super().__post_init__()
        require("length_px", self.length_px, lambda value: 1 <= value <= 200, "pixels from 1 to 200")

    def drawn(self, rng: np.random.Generator) -> Drawn:
        """Length and direction."""
        return {**super().drawn(rng), "direction_deg": float(rng.integers(180))}

    def pixels(self, image: Image, drawn: Drawn, rng: np.random.Generator) -> np.ndarray:
        """The picture, moved."""
        cv2 = opencv()
        kernel = line(self.length_in(image, drawn), float(drawn["direction_deg"]))
        blurred: np.ndarray = cv2.filter2D(image.pixels, -1, kernel, borderType=cv2.BORDER_REFLECT_101)
        return blurred


@lru_cache(maxsize=1024)
def line(length_px: float, direction_deg: float) -> np.ndarray:
    """(side, side) share of each pixel on a line through the middle, of points spread between the nearest pixels.

    Args:
        length_px: how long the line is.
        direction_deg: its angle to the rows, against the clock.

    Example:
        >>> [round(share, 2) for share in line(2.0, 0.0)[1].tolist()]
        [0.25, 0.5, 0.25]
    """
    reach = int(np.ceil(length_px / 2))
    count = int(np.ceil(_POINTS * length_px))
    steps = ((np.arange(count) + 0.5) / count - 0.5) * length_px
    angle = np.deg2rad(direction_deg)
    columns, rows = reach + steps * np.cos(angle), reach - steps * np.sin(angle)
    side = 2 * reach + 2
    left, top = np.floor(columns).astype(int), np.floor(rows).astype(int)
    right, down = columns - left, rows - top
    kernel = np.zeros(side * side)
    for dy, dx in ((0, 0), (0, 1), (1, 0), (1, 1)):
        weight = (down if dy else 1 - down) * (right if dx else 1 - right)
        kernel += np.bincount((top + dy) * side + left + dx, weight, minlength=side * side)
    kernel = kernel.reshape(side, side)[:-1, :-1]
    shares: np.ndarray = (kernel / kernel.sum()).astype(np.float32)
    shares.setflags(write=False)
    return shares
