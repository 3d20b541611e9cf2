"""Little light: a dark picture that the camera brightens, with the noise of few photons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from affectcheck.augmentations.draws import require
from affectcheck.augmentations.pictures.light import to_light, to_pixels
from affectcheck.augmentations.pictures.registry import PICTURE_AUGMENTATIONS
from affectcheck.augmentations.pictures.severity import PER_PIXEL, Severity

if TYPE_CHECKING:
    from affectcheck.augmentations.pictures.picture import Drawn
    from affectcheck.media.clip import Image


@PICTURE_AUGMENTATIONS.register("low-light")
@dataclass(frozen=True)
class LowLight(Severity):
    """Counts few photons a pixel: Poisson noise of the light and normal noise of reading the sensor, then a dark picture.

    In linear light, ``photons`` of white are counted with the noise of the sensor; what is shown is half as bright, one
    stop less, as cameras that lift the dark do not lift it all. Noise differs from frame to frame.

    Photons are counted for every pixel, however many a face has: a larger picture of a face gets more of them.

    Attributes:
        photons: how many a white pixel gets and colour, of which one number is drawn for each item.
        read_noise: standard deviation of reading, in electrons.
        exposure_stops: how bright the result is beside the picture, in stops.
    """

    NAME: ClassVar[str] = "low-light"
    LEVELS: ClassVar[str] = "photons"
    MEANT: ClassVar[str] = PER_PIXEL
    DRAWS_MORE: ClassVar[bool] = True

    photons: float | tuple[float, ...] = (400.0, 100.0, 40.0)
    read_noise: float = 2.0
    exposure_stops: float = -1.0

    def __post_init__(self) -> None:
        """There is some light, and no negative noise."""
        require("photons", self.photons, lambda value: 1 <= value <= 1e6, "numbers of photons from 1 to a million")
        require("read_noise", self.read_noise, lambda value: value >= 0, "a number of electrons from 0")
        require("exposure_stops", self.exposure_stops, lambda value: abs(value) <= 8, "a number of stops from -8 to 8")

    def pixels(self, image: Image, drawn: Drawn, rng: np.random.Generator) -> np.ndarray:
        """The picture as such a sensor counts it."""
        photons = float(drawn[self.LEVELS])
        counted = rng.poisson(photons * to_light(image.pixels)).astype(np.float32)
        counted += np.float32(self.read_noise) * rng.standard_normal(counted.shape, dtype=np.float32)
        return to_pixels(counted * np.float32(2.0**self.exposure_stops / photons))
