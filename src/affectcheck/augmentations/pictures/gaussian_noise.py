"""Noise of a sensor or a bad line: another random value on every pixel and colour."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from affectcheck.augmentations.draws import require
from affectcheck.augmentations.pictures.registry import PICTURE_AUGMENTATIONS
from affectcheck.augmentations.pictures.severity import PER_PIXEL, Severity
from affectcheck.augmentations.pictures.tables import takes_16_bits
from affectcheck.media.opencv import opencv

if TYPE_CHECKING:
    from affectcheck.augmentations.pictures.picture import Drawn
    from affectcheck.media.clip import Image

#: How many levels of noise are as likely as one another.
_QUANTILES: Final = 65_536
#: Numbers of 16 bits in each word of the generator.
_IN_A_WORD: Final = 4


@PICTURE_AUGMENTATIONS.register("gaussian-noise")
@dataclass(frozen=True)
class GaussianNoise(Severity):
    """Adds normal noise, another one for each frame of a video.

    The level is a peak signal-to-noise ratio, ``20 log10(255 / standard deviation)``: a higher one is less noise.
    Pixels that would be darker than black or brighter than white stay there, so that the ratio of what is stored is a
    little higher. Pixels have whole levels, so the noise is drawn rounded to them, by 16 bits each: the share of every
    level is that of the normal distribution to 1/65536, and none lies beyond 4.3 standard deviations.

    The ratio holds for every pixel, however many a face has: where a model scales large pictures down, it averages noise
    away.

    Attributes:
        psnr_db: ratios that one is drawn from for each item, in decibels: 30 is a standard deviation of 8 of 255.
    """

    NAME: ClassVar[str] = "gaussian-noise"
    LEVELS: ClassVar[str] = "psnr_db"
    MEANT: ClassVar[str] = PER_PIXEL
    DRAWS_MORE: ClassVar[bool] = True

    psnr_db: float | tuple[float, ...] = (30.0, 25.0, 20.0)

    def __post_init__(self) -> None:
        """Ratios leave something of the picture, and something of the noise."""
        require("psnr_db", self.psnr_db, lambda value: 0 <= value <= 50, "decibels from 0 to 50")

    def pixels(self, image: Image, drawn: Drawn, rng: np.random.Generator) -> np.ndarray:
        """The picture with noise."""
        cv2, pixels = opencv(), image.pixels
        words = rng.bit_generator.random_raw(-(-pixels.size // _IN_A_WORD))
        places = words.astype("<u8", copy=False).view("<u2")[: pixels.size].astype(np.uint16, copy=False)
        levels = noise_levels(255 * 10 ** (-float(drawn[self.LEVELS]) / 20))
        noise = cv2.LUT(places[None], levels[None]) if takes_16_bits() else levels[places]
        noisy: np.ndarray = cv2.add(pixels, noise.reshape(pixels.shape), dtype=cv2.CV_8U)
        return noisy


@lru_cache(maxsize=64)
def noise_levels(deviation: float) -> np.ndarray:
    """(65536,) int16 normal noise that is rounded to whole levels, from low to high, each as likely as the others.

    Example:
        >>> levels = noise_levels(8.0)
        >>> len(levels), int(levels[0]), int(levels[-1]), round(float(levels.std()), 2)
        (65536, -35, 35, 8.01)
    """
    top = math.ceil(5 * deviation) + 1
    below = [math.erfc(-(level + 0.5) / deviation / math.sqrt(2)) / 2 for level in range(-top, top)]
    counts = np.diff(np.rint(_QUANTILES * np.array([0.0, *below, 1.0])).astype(np.int64))
    levels: np.ndarray = np.repeat(np.arange(-top, top + 1, dtype=np.int16), counts)
    levels.setflags(write=False)
    return levels
