"""More or less light: the exposure of a camera that is set wrong."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.augmentations.augmentation import describe_parameters
from affectcheck.augmentations.draws import drawn_from, require
from affectcheck.augmentations.pictures.light import to_light, to_pixels
from affectcheck.augmentations.pictures.picture import ChangedPicture, changed
from affectcheck.augmentations.pictures.registry import PICTURE_AUGMENTATIONS

if TYPE_CHECKING:
    from affectcheck.augmentations.pictures.picture import Drawn
    from affectcheck.media.clip import Image


@PICTURE_AUGMENTATIONS.register("brightness")
@dataclass(frozen=True)
class Brightness:
    """Multiplies the light of every pixel by a power of two; what exceeds the brightest pixel is lost, as in a camera.

    Light is linear: the steps of 8-bit sRGB are undone first and made again afterwards.

    Attributes:
        stops: changes of exposure that one is drawn from for each item, in stops: 1 doubles the light, -1 halves it.
    """

    stops: float | tuple[float, ...] = (-1.0, -0.5, 0.5, 1.0)

    def __post_init__(self) -> None:
        """Changes are finite, and none leaves the picture as it is."""
        require("stops", self.stops, lambda value: value != 0, "numbers of stops other than 0")

    @cached_property
    def key(self) -> str:
        """Name and all parameters."""
        return describe_parameters("brightness", self)

    def drawn(self, rng: np.random.Generator) -> Drawn:
        """The change of exposure."""
        return {"exposure_stops": drawn_from(self.stops, rng)}

    def apply(self, image: Image, drawn: Drawn, rng: np.random.Generator) -> ChangedPicture:
        """Change the exposure; a black picture stays as it is."""
        levels = np.arange(256, dtype=np.uint8)
        brighter = to_pixels(to_light(levels) * 2.0 ** float(drawn["exposure_stops"]))
        return changed(image, brighter[image.pixels], drawn)
