"""Another gamma: middle tones that are too dark or too light."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from affectcheck.augmentations.draws import require
from affectcheck.augmentations.pictures.registry import PICTURE_AUGMENTATIONS
from affectcheck.augmentations.pictures.severity import Severity
from affectcheck.augmentations.pictures.tables import Levels

if TYPE_CHECKING:
    from affectcheck.augmentations.pictures.picture import Drawn
    from affectcheck.media.clip import Image


@PICTURE_AUGMENTATIONS.register("gamma")
@dataclass(frozen=True)
class Gamma(Severity):
    """Raises every pixel, as a share of the brightest one, to a power; black and white stay.

    Attributes:
        exponent: powers that one is drawn from for each item; below 1 is lighter, above 1 darker.
    """

    NAME: ClassVar[str] = "gamma"
    LEVELS: ClassVar[str] = "exponent"

    exponent: float | tuple[float, ...] = (0.5, 0.7, 1.5, 2.0)

    def __post_init__(self) -> None:
        """Powers are above 0, and none leaves the picture as it is."""
        require(
            "exponent", self.exponent, lambda value: 0 < value <= 10 and value != 1, "numbers up to 10 other than 1"
        )

    def pixels(self, image: Image, drawn: Drawn, rng: np.random.Generator) -> np.ndarray:
        """Every level of 8 bits becomes another one."""
        return _table(float(drawn[self.LEVELS])).of(image.pixels)


@lru_cache(maxsize=64)
def _table(exponent: float) -> Levels:
    return Levels(np.rint(255 * (np.arange(256) / 255) ** exponent).astype(np.uint8))
