"""A face far from the camera, or a small camera: fewer pixels, scaled up again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from affectcheck.augmentations.draws import require
from affectcheck.augmentations.pictures.face_pixels import FacePixels
from affectcheck.augmentations.pictures.registry import PICTURE_AUGMENTATIONS
from affectcheck.media.faces.template import SIDE
from affectcheck.media.opencv import opencv

if TYPE_CHECKING:
    import numpy as np

    from affectcheck.augmentations.pictures.picture import Drawn
    from affectcheck.media.clip import Image


@PICTURE_AUGMENTATIONS.register("low-resolution")
@dataclass(frozen=True)
class LowResolution(FacePixels):
    """Scales the picture down by averaging, and up again by cubic interpolation.

    Attributes:
        height_px: heights that one is drawn from for each item, in pixels; the width follows. A picture that is no
            larger stays as it is.
        pixels_of: ``face`` for the height of an aligned crop of the face, which has 112 pixels before; ``picture`` for
            that of the picture.
    """

    NAME: ClassVar[str] = "low-resolution"
    LEVELS: ClassVar[str] = "height_px"

    height_px: float | tuple[float, ...] = (56, 32, 20)
    pixels_of: str = "face"

    def __post_init__(self) -> None:
        """Heights are whole numbers of pixels."""
        super().__post_init__()
        require(
            "height_px",
            self.height_px,
            lambda value: value >= 2 and value == int(value),
            "whole numbers of pixels from 2",
        )

    def pixels(self, image: Image, drawn: Drawn, rng: np.random.Generator) -> np.ndarray:
        """The picture, scaled down and up."""
        cv2, target = opencv(), int(drawn[self.LEVELS])
        height, width = image.pixels.shape[:2]
        whole = SIDE * self.scale(image) if self.pixels_of == "face" else float(height)
        if target >= whole:
            return image.pixels
        size = (max(1, round(width * target / whole)), max(1, round(height * target / whole)))
        small = cv2.resize(image.pixels, size, interpolation=cv2.INTER_AREA)
        large: np.ndarray = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
        return large
