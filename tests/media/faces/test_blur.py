"""Blur beside scikit-image's, and in the right order."""

from __future__ import annotations

import numpy as np
import pytest

from affectcheck.media.faces.blur import blur
from affectcheck.seeds import rng


def softened(values: np.ndarray, sigma: float) -> np.ndarray:
    from scipy.ndimage import gaussian_filter

    soft = gaussian_filter(values.astype(float), (sigma, sigma, 0)) if sigma else values.astype(float)
    return soft.round().clip(0, 255).astype(np.uint8)


@pytest.fixture(scope="module")
def texture() -> np.ndarray:
    return softened(rng(0, "blur").integers(0, 256, (112, 112, 3)), 1.0)


def test_it_is_nearly_that_of_scikit_image(texture: np.ndarray) -> None:
    """Which leaves one more row out at one edge than at the other."""
    measure = pytest.importorskip("skimage.measure")
    for sigma in (0.0, 1.0, 3.0):
        picture = softened(texture, sigma)
        grey = picture @ np.array([0.2126, 0.7152, 0.0722]) / 255
        assert blur(picture) == pytest.approx(measure.blur_effect(grey, h_size=11), abs=0.01)


def test_it_grows_with_the_width_of_a_blur(texture: np.ndarray) -> None:
    found = [blur(softened(texture, sigma)) for sigma in (0.0, 0.7, 1.5, 3.0, 6.0)]
    assert found == sorted(found)
    assert found[0] < 0.4
    assert found[-1] > 0.6


def test_of_two_directions_the_more_blurred_one_counts() -> None:
    stripes = np.tile((np.arange(112) % 4 < 2)[:, None, None] * np.uint8(255), (1, 112, 3))
    assert blur(stripes) == 1.0  # nothing changes across


def test_a_flat_picture_is_all_blurred() -> None:
    assert blur(np.full((112, 112, 3), 7, np.uint8)) == 1.0
