"""Quick ways give the pixels that the definitions give, in every size and with older versions of OpenCV."""

from __future__ import annotations

import math

import numpy as np
import pytest

from affectcheck.augmentations.pictures import (
    Contrast,
    GaussianBlur,
    GaussianNoise,
    Jpeg,
    contrast,
    gaussian_noise,
    tables,
)
from affectcheck.augmentations.pictures.light import LUMA
from affectcheck.augmentations.pictures.tables import Levels
from affectcheck.media.clip import Image
from affectcheck.media.opencv import opencv
from affectcheck.seeds import rng
from augmentations.small_pictures import applied, plain, textured

pytest.importorskip("cv2")
SIZES = [(8, 12), (7, 9), (5, 6), (1, 1), (2, 1), (112, 112)]


@pytest.fixture(autouse=True, params=["opencv", "stringzilla"])
def package(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What looks up levels."""
    if request.param == "stringzilla":
        pytest.importorskip("stringzilla")
    else:
        for module in (tables, contrast):
            monkeypatch.setattr(module, "stringzilla_translate", lambda: None)
    return request.param


@pytest.fixture
def older(monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenCV without tables of 16 bits."""
    for module in (tables, gaussian_noise):
        monkeypatch.setattr(module, "takes_16_bits", lambda: False)


def levels_of(colours: int) -> tuple[Levels, np.ndarray]:
    table = rng(1, "table", colours).integers(0, 256, (256, colours), dtype=np.uint8)
    return Levels(table[:, 0] if colours == 1 else table), np.broadcast_to(table, (256, 3))


def expected(table: np.ndarray, pixels: np.ndarray) -> np.ndarray:
    return np.stack([table[pixels[..., colour], colour] for colour in range(3)], axis=-1)


@pytest.mark.parametrize("colours", [1, 3])
@pytest.mark.parametrize(("height", "width"), SIZES)
def test_levels_are_looked_up_in_any_size(height: int, width: int, colours: int) -> None:
    levels, table = levels_of(colours)
    pixels = rng(2, "pixels").integers(0, 256, (height, width, 3), dtype=np.uint8)
    assert np.array_equal(levels.of(pixels), expected(table, pixels))
    mirrored = pixels[:, ::-1]
    assert np.array_equal(levels.of(mirrored), expected(table, mirrored))


@pytest.mark.parametrize("colours", [1, 3])
@pytest.mark.usefixtures("older")
def test_levels_are_looked_up_one_by_one_by_an_older_version(colours: int) -> None:
    levels, table = levels_of(colours)
    pixels = textured().pixels
    assert np.array_equal(levels.of(pixels), expected(table, pixels))


@pytest.mark.parametrize("factor", [0.3, 0.5, 0.7, 1.5, 2.0, 9.0])
def test_contrast_is_its_formula_at_every_level(factor: float) -> None:
    pixels = np.arange(256, dtype=np.uint8).repeat(3).reshape(16, 16, 3)
    mean = float((pixels.astype(float) @ LUMA).mean())
    exact = np.clip(mean + factor * (pixels - mean), 0, 255)
    made = applied(Contrast(factor), Image(pixels)).image.pixels
    assert np.abs(made - exact).max() <= 0.5 + 1e-3


@pytest.mark.parametrize(("height", "width"), SIZES)
def test_contrast_is_the_same_with_any_package(height: int, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    image = textured(height, width)
    for factor in rng(1, "factors", height).uniform(0.2, 3, 20):
        made = Contrast(float(factor)).pixels(image, {"factor": factor}, rng(0))
        with monkeypatch.context() as patch:
            patch.setattr(contrast, "stringzilla_translate", lambda: True)
            assert np.array_equal(Contrast(float(factor)).pixels(image, {"factor": factor}, rng(0)), made)


@pytest.mark.parametrize("sigma", [0.5, 1.0, 2.0, 3.0])
def test_a_blurred_pixel_is_the_weighted_mean_rounded(sigma: float) -> None:
    pixels = textured(40, 31).pixels
    reach = max(1, round(3.5 * sigma))
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    weights /= weights.sum()
    wide = np.pad(pixels.astype(float), ((reach, reach), (reach, reach), (0, 0)), mode="reflect")
    rows = sum(weight * wide[place : place + 40] for place, weight in enumerate(weights))
    exact = sum(weight * rows[:, place : place + 31] for place, weight in enumerate(weights))
    made = applied(GaussianBlur(sigma, "picture"), textured(40, 31)).image.pixels
    assert np.abs(made - exact).max() <= 0.5 + 1e-3


def test_noise_is_normal() -> None:
    deviation = 8.0
    noise = applied(GaussianNoise(20 * math.log10(255 / deviation)), plain(128, 300)).image.pixels.astype(int) - 128
    levels = np.arange(-24, 25)
    below = [0.5 * math.erfc(-(level + 0.5) / deviation / math.sqrt(2)) for level in levels[:-1]]
    shares = np.diff([0.0, *below, 1.0])
    counts = np.bincount(np.clip(noise, -24, 24).ravel() + 24, minlength=49)
    chi_square = ((counts - noise.size * shares) ** 2 / (noise.size * shares)).sum()
    assert 18 < chi_square < 98  # of 48 degrees of freedom, but once in 20,000
    for aside in (noise[:, 1:] * noise[:, :-1], noise[1:] * noise[:-1], noise[..., 1:] * noise[..., :-1]):
        assert abs(aside.mean()) < 5 * deviation**2 / np.sqrt(aside.size)


def test_jpeg_is_the_same_with_an_older_version(monkeypatch: pytest.MonkeyPatch) -> None:
    image = textured(50, 37)
    quick = applied(Jpeg(30), image).image.pixels
    monkeypatch.delattr(opencv(), "IMREAD_COLOR_RGB", raising=False)
    assert np.array_equal(applied(Jpeg(30), image).image.pixels, quick)


@pytest.mark.parametrize("deviation", [0.8, 8.0, 25.5, 255.0])
def test_levels_of_noise_are_quantiles(deviation: float) -> None:
    levels = gaussian_noise.noise_levels(deviation)
    assert len(levels) == 65_536
    assert np.array_equal(levels, -levels[::-1])
    assert float(levels.std()) == pytest.approx(math.sqrt(deviation**2 + 1 / 12), rel=2e-3)


@pytest.mark.parametrize(("height", "width"), SIZES)
def test_noise_is_the_same_with_an_older_version(height: int, width: int, request: pytest.FixtureRequest) -> None:
    image = textured(height, width)
    quick = applied(GaussianNoise(20.0), image).image.pixels
    request.getfixturevalue("older")
    assert np.array_equal(applied(GaussianNoise(20.0), image).image.pixels, quick)
