"""More or less light: the exposure of a camera that is set wrong."""

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


@PICTURE_AUGMENTATIONS.register("brightness")
@dataclass(frozen=True)
class Brightness(Severity):
    """Multiplies the light of every pixel by a power of two; what exceeds the brightest pixel is lost, as in a camera.

    Light is linear: the steps of 8-bit sRGB are undone first and made again afterwards. A black picture stays as it is.

    Attributes:
        exposure_stops: changes of exposure that one is drawn from for each item, in stops: 1 doubles the light, -1
            halves it.
    """

    NAME: ClassVar[str] = "brightness"
    LEVELS: ClassVar[str] = "exposure_stops"

    exposure_stops: float | tuple[float, ...] = (-1.0, -0.5, 0.5, 1.0)

    def __post_init__(self) -> None:
        """Changes are finite, and none leaves the picture as it is."""
        require(
            "exposure_stops",
            self.exposure_stops,
            lambda value: value != 0 and abs(value) <= 8,
            "numbers of stops from -8 to 8 other than 0",
        )

    def pixels(self, image: Image, drawn: Drawn, rng: np.random.Generator) -> np.ndarray:
        """Every level of 8 bits becomes another one."""
        return _table(float(drawn[self.LEVELS])).of(image.pixels)


@lru_cache(maxsize=64)
def _table(exposure_stops: float) -> Levels:
    return Levels(to_pixels(to_light(np.arange(256, dtype=np.uint8)) * 2.0**exposure_stops))
