"""Exposure, contrast, gamma, colour, fog and the dark: what each level means in light."""

from __future__ import annotations

import numpy as np
import pytest

from affectcheck.augmentations.pictures import Brightness, ColourTemperature, Contrast, Fog, Gamma, Grey, LowLight
from affectcheck.augmentations.pictures.colour_temperature import NEUTRAL_K, gains
from affectcheck.augmentations.pictures.light import LUMA, to_light, to_pixels
from affectcheck.media.clip import Image
from augmentations.small_pictures import applied, plain, textured


@pytest.mark.parametrize("stops", [-1.0, 1.0])
def test_a_stop_is_a_factor_of_two_in_light(stops: float) -> None:
    image = Image(np.repeat(np.arange(60, 180, dtype=np.uint8), 3).reshape(10, 12, 3))
    made = applied(Brightness(stops), image)
    assert made.drawn == {"exposure_stops": stops}
    factor = to_light(made.image.pixels) / to_light(image.pixels)
    assert np.allclose(factor, 2.0**stops, rtol=0.03)  # half a step of 8 bits is up to 2.5 %


def test_every_level_of_light_comes_back() -> None:
    levels = np.arange(256, dtype=np.uint8)
    assert np.array_equal(to_pixels(to_light(levels)), levels)


def test_light_beyond_the_brightest_is_lost() -> None:
    assert set(applied(Brightness(1.0), plain(240)).image.pixels.ravel()) == {255}


def test_contrast_scales_the_distance_from_the_mean_which_stays() -> None:
    image = textured()
    made = applied(Contrast(0.5), image).image.pixels.astype(float)
    before = image.pixels.astype(float)
    assert made.std() == pytest.approx(0.5 * before.std(), rel=0.01)
    assert (made @ LUMA).mean() == pytest.approx((before @ LUMA).mean(), abs=0.5)
    assert not applied(Contrast(2.0), plain(90)).changed


@pytest.mark.parametrize(("exponent", "level"), [(2.0, 64), (0.5, 181)])
def test_gamma_is_a_power_of_the_share_of_white(exponent: float, level: int) -> None:
    made = applied(Gamma(exponent), plain(128)).image.pixels
    assert set(made.ravel()) == {level}
    assert not applied(Gamma(exponent), plain(255)).changed
    assert not applied(Gamma(exponent), plain(0)).changed


def test_grey_is_the_luma() -> None:
    image = textured()
    made = applied(Grey(), image)
    assert np.ptp(made.image.pixels, axis=-1).max() == 0
    half_a_level = 0.55  # the weights are fixed-point numbers
    assert np.abs(made.image.pixels[..., 0] - image.pixels @ LUMA).max() <= half_a_level
    assert not applied(Grey(), plain(17)).changed


def test_another_light_keeps_the_luminance_of_white_and_turns_warm_or_cold() -> None:
    for kelvin in (2000.0, 2500.0, 3000.0, 4500.0, 10000.0, 25000.0):
        factors = gains(kelvin)
        assert factors @ LUMA == pytest.approx(1.0)
        assert (factors[0] > factors[2]) == (kelvin < NEUTRAL_K)
    assert gains(NEUTRAL_K) == pytest.approx(np.ones(3))
    warm = applied(ColourTemperature(3000.0), plain(128)).image.pixels[0, 0]
    assert warm[0] > 128 > warm[2]
    assert float(to_light(warm) @ LUMA) == pytest.approx(float(to_light(np.uint8(128))), rel=0.02)


def test_the_white_of_a_black_body_is_that_of_the_tables() -> None:
    # Chromaticity of a black body at 2856 K (CIE standard illuminant A): x 0.44757, y 0.40745.
    from affectcheck.augmentations.pictures.colour_temperature import chromaticity

    assert chromaticity(2856.0) == pytest.approx((0.44757, 0.40745), abs=5e-4)


def test_fog_is_a_mean_of_two_lights() -> None:
    made = applied(Fog(0.25, fog_light=1.0), plain(100)).image.pixels
    wanted = 0.25 * float(to_light(np.uint8(100))) + 0.75
    assert float(to_light(made[0, 0, :1])[0]) == pytest.approx(wanted, rel=0.01)


@pytest.mark.parametrize("photons", [400.0, 100.0])
def test_the_noise_of_little_light_is_that_of_counting(photons: float) -> None:
    image = plain(188, side=200)  # half of the light of white
    light = to_light(applied(LowLight(photons, read_noise=2.0, exposure_stops=0.0), image).image.pixels)
    assert float(light.mean()) == pytest.approx(0.503, abs=0.01)
    assert float(light.std()) == pytest.approx(np.sqrt(0.503 * photons + 4) / photons, rel=0.05)


def test_what_is_dark_is_shown_darker() -> None:
    made = applied(LowLight(400.0), plain(188, side=200)).image.pixels
    assert float(to_light(made).mean()) == pytest.approx(0.503 / 2, rel=0.03)
