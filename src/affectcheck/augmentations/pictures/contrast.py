"""More or less contrast: a picture that is dull, or harsh."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from affectcheck.augmentations.draws import require
from affectcheck.augmentations.pictures.light import LUMA
from affectcheck.augmentations.pictures.registry import PICTURE_AUGMENTATIONS
from affectcheck.augmentations.pictures.severity import Severity
from affectcheck.augmentations.pictures.tables import Levels, stringzilla_translate
from affectcheck.media.opencv import opencv

if TYPE_CHECKING:
    from affectcheck.augmentations.pictures.picture import Drawn
    from affectcheck.media.clip import Image

_EVERY_LEVEL: Final = np.arange(256, dtype=np.uint8)[None]


@PICTURE_AUGMENTATIONS.register("contrast")
@dataclass(frozen=True)
class Contrast(Severity):
    """Multiplies how far every pixel lies from the mean luma of the picture, which stays.

    A picture of one colour stays as it is.

    Attributes:
        factor: factors that one is drawn from for each item; below 1 is duller, above 1 harsher.
    """

    NAME: ClassVar[str] = "contrast"
    LEVELS: ClassVar[str] = "factor"

    factor: float | tuple[float, ...] = (0.5, 0.7, 1.5, 2.0)

    def __post_init__(self) -> None:
        """Factors are above 0, and none leaves the picture as it is."""
        require("factor", self.factor, lambda value: 0 < value <= 10 and value != 1, "numbers up to 10 other than 1")

    def pixels(self, image: Image, drawn: Drawn, rng: np.random.Generator) -> np.ndarray:
        """Every level of 8 bits becomes another one."""
        cv2, factor = opencv(), float(drawn[self.LEVELS])
        red, green, blue, _ = cv2.mean(image.pixels)
        mean = red * LUMA[0] + green * LUMA[1] + blue * LUMA[2]

        def stretched(levels: np.ndarray) -> np.ndarray:
            made: np.ndarray = cv2.addWeighted(levels, factor, levels, 0.0, mean * (1.0 - factor))
            return made

        quick = stringzilla_translate() is not None
        return Levels(stretched(_EVERY_LEVEL)[0]).of(image.pixels) if quick else stretched(image.pixels)
