"""A lens that is focused on something else."""

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


@PICTURE_AUGMENTATIONS.register("defocus-blur")
@dataclass(frozen=True)
class DefocusBlur(FacePixels):
    """Spreads every point over a disc, as an open aperture does; edges are mirrored.

    Attributes:
        radius_px: radii of the disc that one is drawn from for each item, in pixels (see ``pixels_of``).
        pixels_of: ``face`` for pixels of an aligned crop of 112×112 of the face, which grow with it; ``picture`` for
            those of the picture.
    """

    NAME: ClassVar[str] = "defocus-blur"
    LEVELS: ClassVar[str] = "radius_px"

    radius_px: float | tuple[float, ...] = (1.5, 3.0, 4.5)
    pixels_of: str = "face"

    def __post_init__(self) -> None:
        """Radii reach the next pixel."""
        super().__post_init__()
        require("radius_px", self.radius_px, lambda value: 0.5 <= value <= 100, "pixels from 0.5 to 100")

    def pixels(self, image: Image, drawn: Drawn, rng: np.random.Generator) -> np.ndarray:
        """The picture out of focus."""
        cv2 = opencv()
        kernel = disc(self.length_in(image, drawn))
        blurred: np.ndarray = cv2.filter2D(image.pixels, -1, kernel, borderType=cv2.BORDER_REFLECT_101)
        return blurred


@lru_cache(maxsize=256)
def disc(radius_px: float) -> np.ndarray:
    """(side, side) share of each pixel that lies on a disc around the middle one, measured on 8×8 points a pixel.

    Example:
        >>> disc(0.5).shape, round(float(disc(3.0).sum()), 6)
        ((3, 3), 1.0)
    """
    reach = int(np.ceil(radius_px))
    places = (np.arange((2 * reach + 1) * 8) + 0.5) / 8 - reach - 0.5
    on = places[:, None] ** 2 + places**2 <= radius_px**2
    shares = on.reshape(2 * reach + 1, 8, 2 * reach + 1, 8).mean(axis=(1, 3))
    kernel: np.ndarray = (shares / shares.sum()).astype(np.float32)
    kernel.setflags(write=False)
    return kernel
