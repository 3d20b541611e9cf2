"""Fog, steam or a dirty lens: a veil of light over the picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from affectcheck.augmentations.draws import require
from affectcheck.augmentations.pictures.light import to_light, to_pixels
from affectcheck.augmentations.pictures.registry import PICTURE_AUGMENTATIONS
from affectcheck.augmentations.pictures.severity import Severity
from affectcheck.augmentations.pictures.tables import Levels

if TYPE_CHECKING:
    from affectcheck.augmentations.pictures.picture import Drawn
    from affectcheck.media.clip import Image


@PICTURE_AUGMENTATIONS.register("fog")
@dataclass(frozen=True)
class Fog(Severity):
    """Lets a share of the light through and adds that of the fog, alike everywhere, since a face is of one distance.

    This is Koschmieder's law in linear light: ``share × light + (1 − share) × light of the fog``.

    Attributes:
        transmission: shares that one is drawn from for each item: exp(−extinction × distance), so that 0.05 is what is
            left at the distance that meteorologists call the range of sight.
        fog_light: linear light of the fog, 0 to 1.
    """

    NAME: ClassVar[str] = "fog"
    LEVELS: ClassVar[str] = "transmission"

    transmission: float | tuple[float, ...] = (0.75, 0.5, 0.3)
    fog_light: float = 0.8

    def __post_init__(self) -> None:
        """Something of the picture is left, and something lost."""
        require("transmission", self.transmission, lambda value: 0 < value < 1, "shares between 0 and 1")
        require("fog_light", self.fog_light, lambda value: 0 <= value <= 1, "a number from 0 to 1")

    def pixels(self, image: Image, drawn: Drawn, rng: np.random.Generator) -> np.ndarray:
        """Every level of 8 bits becomes another one."""
        return _table(float(drawn[self.LEVELS]), float(self.fog_light)).of(image.pixels)


@lru_cache(maxsize=64)
def _table(transmission: float, fog_light: float) -> Levels:
    light = to_light(np.arange(256, dtype=np.uint8))
    return Levels(to_pixels(transmission * light + (1 - transmission) * fog_light))
