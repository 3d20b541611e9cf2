"""A soft picture: a cheap lens, or one that was scaled down and up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from affectcheck.augmentations.draws import require
from affectcheck.augmentations.pictures.registry import PICTURE_AUGMENTATIONS
from affectcheck.augmentations.pictures.severity import Severity
from affectcheck.media.opencv import opencv

if TYPE_CHECKING:
    import numpy as np

    from affectcheck.augmentations.pictures.picture import Drawn
    from affectcheck.media.clip import Image


@PICTURE_AUGMENTATIONS.register("gaussian-blur")
@dataclass(frozen=True)
class GaussianBlur(Severity):
    """Averages every pixel with its neighbours, weighted by a normal density; edges are mirrored.

    Attributes:
        sigma_px: standard deviations that one is drawn from for each item, in pixels of the picture.
    """

    NAME: ClassVar[str] = "gaussian-blur"
    LEVELS: ClassVar[str] = "sigma_px"

    sigma_px: float | tuple[float, ...] = (1.0, 2.0, 3.0)

    def __post_init__(self) -> None:
        """Deviations are above 0."""
        require("sigma_px", self.sigma_px, lambda value: 0.1 <= value <= 100, "pixels from 0.1 to 100")

    def pixels(self, image: Image, drawn: Drawn, rng: np.random.Generator) -> np.ndarray:
        """The picture, blurred."""
        cv2, sigma = opencv(), float(drawn[self.LEVELS])
        side = 2 * round(3.5 * sigma) + 1  # beyond, not a quarter of a level of 8 bits is left
        blurred: np.ndarray = cv2.GaussianBlur(image.pixels, (side, side), sigma, borderType=cv2.BORDER_REFLECT_101)
        return blurred
