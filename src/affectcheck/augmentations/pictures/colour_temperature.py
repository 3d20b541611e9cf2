"""A white balance that is set for another light."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from affectcheck.augmentations.draws import require
from affectcheck.augmentations.pictures.light import LUMA, to_light, to_pixels
from affectcheck.augmentations.pictures.registry import PICTURE_AUGMENTATIONS
from affectcheck.augmentations.pictures.severity import Severity
from affectcheck.augmentations.pictures.tables import Levels

if TYPE_CHECKING:
    from affectcheck.augmentations.pictures.picture import Drawn
    from affectcheck.media.clip import Image

#: Linear sRGB of CIE XYZ (IEC 61966-2-1).
_SRGB_OF_XYZ: Final = np.array([[3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570]])
#: Colour temperature of the white that stays white: near that of sRGB's own, which no black body has exactly.
NEUTRAL_K: Final = 6504.0


@PICTURE_AUGMENTATIONS.register("colour-temperature")
@dataclass(frozen=True)
class ColourTemperature(Severity):
    """Shows a scene as if light of another colour temperature fell on it; its luminance stays.

    Red, green and blue of linear light are multiplied by the colour of a black body at that temperature beside one at
    6504 K.

    Attributes:
        temperature_k: temperatures that one is drawn from for each item, in kelvin: 3000 is a warm lamp, 10000 the
            shade of a blue sky.
    """

    NAME: ClassVar[str] = "colour-temperature"
    LEVELS: ClassVar[str] = "temperature_k"

    temperature_k: float | tuple[float, ...] = (3000.0, 4500.0, 10000.0)

    def __post_init__(self) -> None:
        """Temperatures lie where the colour of a black body is known, and none is the neutral one."""
        require(
            "temperature_k",
            self.temperature_k,
            lambda value: 2000 <= value <= 25000 and abs(value - NEUTRAL_K) > 1,
            "kelvins from 2000 to 25000 other than the neutral 6504",
        )

    def pixels(self, image: Image, drawn: Drawn, rng: np.random.Generator) -> np.ndarray:
        """Every level of each colour becomes another one."""
        return _tables(float(drawn[self.LEVELS])).of(image.pixels)


@lru_cache(maxsize=16)
def _tables(temperature_k: float) -> Levels:
    """What becomes of each level of red, green and blue."""
    return Levels(to_pixels(to_light(np.arange(256, dtype=np.uint8))[:, None] * gains(temperature_k)))


def gains(temperature_k: float) -> np.ndarray:
    """(3,) factors of linear red, green and blue, which leave the luminance of white as it is.

    Example:
        >>> warm = gains(3000.0)
        >>> bool(warm[0] > warm[1] > warm[2])
        True
    """
    factors = _colour(temperature_k) / _colour(NEUTRAL_K)
    found: np.ndarray = factors / (factors @ LUMA)
    return found


def chromaticity(temperature_k: float) -> tuple[float, float]:
    """CIE 1931 x and y of a black body from 1667 to 25000 K, by the cubic splines of Kim et al. (US patent 7024034).

    Example:
        >>> [round(place, 3) for place in chromaticity(6500.0)]
        [0.313, 0.324]
    """
    t = 1000.0 / temperature_k
    if temperature_k <= 4000:
        x = -0.2661239 * t**3 - 0.2343589 * t**2 + 0.8776956 * t + 0.179910
    else:
        x = -3.0258469 * t**3 + 2.1070379 * t**2 + 0.2226347 * t + 0.240390
    if temperature_k <= 2222:
        y = -1.1063814 * x**3 - 1.34811020 * x**2 + 2.18555832 * x - 0.20219683
    elif temperature_k <= 4000:
        y = -0.9549476 * x**3 - 1.37418593 * x**2 + 2.09137015 * x - 0.16748867
    else:
        y = 3.0817580 * x**3 - 5.87338670 * x**2 + 3.75112997 * x - 0.37001483
    return x, y


def _colour(temperature_k: float) -> np.ndarray:
    """Linear sRGB of a black body; blue of a dim one lies outside what sRGB shows, and is none."""
    x, y = chromaticity(temperature_k)
    colour: np.ndarray = np.maximum(_SRGB_OF_XYZ @ (x / y, 1.0, (1 - x - y) / y), 1e-4)
    return colour
