"""Exposure in stops, in linear light."""

from __future__ import annotations

import numpy as np
import pytest

from affectcheck.augmentations.pictures import Brightness
from affectcheck.augmentations.pictures.light import to_light, to_pixels
from affectcheck.media.clip import Image
from affectcheck.seeds import rng


@pytest.mark.parametrize("stops", [-1.0, 1.0])
def test_a_stop_is_a_factor_of_two_in_light(stops: float) -> None:
    levels = np.arange(60, 180, dtype=np.uint8)
    image = Image(np.repeat(levels, 3).reshape(10, 12, 3))
    one = Brightness(stops)
    made = one.apply(image, one.drawn(rng(0)), rng(0))
    assert made.drawn == {"exposure_stops": stops}
    factor = to_light(made.image.pixels) / to_light(image.pixels)
    assert np.allclose(factor, 2.0**stops, rtol=0.03)  # half a step of 8 bits is up to 2.5 %


def test_every_level_of_light_comes_back() -> None:
    levels = np.arange(256, dtype=np.uint8)
    assert np.array_equal(to_pixels(to_light(levels)), levels)


def test_light_beyond_the_brightest_is_lost() -> None:
    one = Brightness(1.0)
    made = one.apply(Image(np.full((2, 2, 3), 240, np.uint8)), one.drawn(rng(0)), rng(0))
    assert made.image.pixels.max() == made.image.pixels.min() == 255
