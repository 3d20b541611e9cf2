"""A soft picture: a cheap lens, or one that was scaled down and up."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from affectcheck.augmentations.draws import require
from affectcheck.augmentations.pictures.face_pixels import FacePixels
from affectcheck.augmentations.pictures.registry import PICTURE_AUGMENTATIONS
from affectcheck.media.opencv import opencv

if TYPE_CHECKING:
    from affectcheck.augmentations.pictures.picture import Drawn
    from affectcheck.media.clip import Image


@PICTURE_AUGMENTATIONS.register("gaussian-blur")
@dataclass(frozen=True)
class GaussianBlur(FacePixels):
    """Averages every pixel with its neighbours, weighted by a normal density; edges are mirrored.

    Attributes:
        sigma_px: standard deviations that one is drawn from for each item, in pixels (see ``pixels_of``).
        pixels_of: ``face`` for pixels of an aligned crop of 112×112 of the face, which grow with it; ``picture`` for
            those of the picture.
    """

    NAME: ClassVar[str] = "gaussian-blur"
    LEVELS: ClassVar[str] = "sigma_px"

    sigma_px: float | tuple[float, ...] = (1.0, 2.0, 3.0)
    pixels_of: str = "face"

    def __post_init__(self) -> None:
        """Deviations are above 0."""
        super().__post_init__()
        require("sigma_px", self.sigma_px, lambda value: 0.1 <= value <= 100, "pixels from 0.1 to 100")

    def pixels(self, image: Image, drawn: Drawn, rng: np.random.Generator) -> np.ndarray:
        """The picture, blurred."""
        cv2 = opencv()
        weights = density(self.length_in(image, drawn))
        # cv2.GaussianBlur reckons pixels of 8 bits in fixed point: twice as slow, and off by more than a level
        blurred: np.ndarray = cv2.sepFilter2D(image.pixels, -1, weights, weights, borderType=cv2.BORDER_REFLECT_101)
        return blurred


@lru_cache(maxsize=256)
def density(sigma_px: float) -> np.ndarray:
    """(side,) shares of the pixels of a row, which sum to 1.

    Example:
        >>> [round(share, 3) for share in density(0.5).tolist()]
        [0.0, 0.106, 0.787, 0.106, 0.0]
    """
    reach = max(1, round(3.5 * sigma_px))  # beyond, not a quarter of a level of 8 bits is left
    heights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma_px) ** 2)
    shares: np.ndarray = (heights / heights.sum()).astype(np.float32)
    shares.setflags(write=False)
    return shares
