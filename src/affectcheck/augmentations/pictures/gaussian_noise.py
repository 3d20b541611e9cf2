"""Noise of a sensor or a bad line: another random value on every pixel and colour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from affectcheck.augmentations.draws import require
from affectcheck.augmentations.pictures.registry import PICTURE_AUGMENTATIONS
from affectcheck.augmentations.pictures.severity import Severity

if TYPE_CHECKING:
    from affectcheck.augmentations.pictures.picture import Drawn
    from affectcheck.media.clip import Image


@PICTURE_AUGMENTATIONS.register("gaussian-noise")
@dataclass(frozen=True)
class GaussianNoise(Severity):
    """Adds normal noise, another one for each frame of a video.

    The level is a peak signal-to-noise ratio, ``20 log10(255 / standard deviation)``: a higher one is less noise.
    Pixels that would be darker than black or brighter than white stay there, so that the ratio of what is stored is a
    little higher.

    Attributes:
        psnr_db: ratios that one is drawn from for each item, in decibels: 30 is a standard deviation of 8 of 255.
    """

    NAME: ClassVar[str] = "gaussian-noise"
    LEVELS: ClassVar[str] = "psnr_db"
    DRAWS_MORE: ClassVar[bool] = True

    psnr_db: float | tuple[float, ...] = (30.0, 25.0, 20.0)

    def __post_init__(self) -> None:
        """Ratios leave something of the picture, and something of the noise."""
        require("psnr_db", self.psnr_db, lambda value: 0 <= value <= 50, "decibels from 0 to 50")

    def pixels(self, image: Image, drawn: Drawn, rng: np.random.Generator) -> np.ndarray:
        """The picture with noise."""
        noise = rng.standard_normal(image.pixels.shape, dtype=np.float32)
        noise *= np.float32(255 * 10 ** (-float(drawn[self.LEVELS]) / 20))
        noise += image.pixels
        return noise
