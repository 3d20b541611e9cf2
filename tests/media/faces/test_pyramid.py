"""Pictures at every size: what is sampled lies where it lay, and nothing outside is made up."""

from __future__ import annotations

import numpy as np
import pytest

from affectcheck.media.faces.pyramid import Pyramid


def ramp(rows: int, columns: int) -> np.ndarray:
    """Red rises to the right by one a pixel, green downwards; blue is 200."""
    pixels = np.full((rows, columns, 3), 200, np.uint8)
    pixels[:, :, 0] = np.arange(columns)
    pixels[:, :, 1] = np.arange(rows)[:, None]
    return pixels


def as_value(place: np.ndarray) -> np.ndarray:
    """What a ramp has at a place: the middle of the first pixel, 0.5, has the value 0."""
    return (place - 0.5 - 127.5) / 128


@pytest.mark.parametrize("scale", [1.0, 0.9, 0.5, 0.3, 0.13])
def test_scaled_pictures_keep_places(scale: float) -> None:
    found = Pyramid.of(ramp(201, 255)).scaled(scale)
    assert found.shape == (3, int(np.ceil(201 * scale)), int(np.ceil(255 * scale)))
    across = (np.arange(found.shape[2]) + 0.5) / scale
    down = (np.arange(found.shape[1]) + 0.5) / scale
    inner = (slice(2, -4), slice(2, -4))
    assert np.abs(found[0] - as_value(across))[inner].max() < 1e-5
    assert np.abs(found[1] - as_value(down)[:, None])[inner].max() < 1e-5
    assert np.abs(found[2] - (200 - 127.5) / 128).max() < 1e-6


@pytest.mark.parametrize("size", [24, 48])
def test_patches_keep_places(size: int) -> None:
    boxes = np.array([[10.3, 20.6, 30.3, 40.6], [40.0, 30.0, 160.0, 150.0], [5.0, 5.0, 53.0, 53.0]])
    found = Pyramid.of(ramp(200, 220)).patches(boxes, size)
    assert found.shape == (3, 3, size, size)
    steps = (np.arange(size) + 0.5) / size
    for place, (left, upper, right, lower) in enumerate(boxes):
        np.testing.assert_allclose(
            found[0, place], np.tile(as_value(left + steps * (right - left)), (size, 1)), atol=1e-4
        )
        np.testing.assert_allclose(
            found[1, place].T, np.tile(as_value(upper + steps * (lower - upper)), (size, 1)), atol=1e-4
        )


def test_a_patch_of_its_own_size_is_a_copy() -> None:
    pixels = ramp(60, 60)
    found = Pyramid.of(pixels).patches(np.array([[3.0, 5.0, 27.0, 29.0]]), 24)[:, 0]
    np.testing.assert_array_equal(found, (pixels[5:29, 3:27].transpose(2, 0, 1) - np.float32(127.5)) / 128)


def test_what_lies_outside_is_grey() -> None:
    found = Pyramid.of(np.full((30, 30, 3), 255, np.uint8)).patches(np.array([[-12.0, -12.0, 12.0, 12.0]]), 24)[:, 0]
    assert (found[:, :12] == 0).all()
    assert (found[:, :, :12] == 0).all()
    assert (found[:, 12:, 12:] == np.float32(127.5) / 128).all()
    assert (Pyramid.of(ramp(30, 30)).patches(np.array([[90.0, 90.0, 130.0, 130.0]]), 24) == 0).all()


@pytest.mark.parametrize("shape", [(1, 1), (1, 40), (40, 1), (2, 3)])
def test_the_smallest_pictures_are_sampled_too(shape: tuple[int, int]) -> None:
    pyramid = Pyramid.of(ramp(*shape))
    assert np.isfinite(pyramid.patches(np.array([[-3.0, -3.0, 9.0, 9.0]]), 24)).all()
    assert pyramid.scaled(0.5).shape[0] == 3


def test_the_picture_is_not_written_to() -> None:
    pixels = ramp(64, 64)
    kept = pixels.copy()
    pyramid = Pyramid.of(pixels)
    before = [level.copy() for level in pyramid.levels]
    pyramid.scaled(0.7)
    pyramid.patches(np.array([[1.0, 1.0, 60.0, 60.0]]), 24)
    np.testing.assert_array_equal(pixels, kept)
    for level, one in zip(pyramid.levels, before, strict=True):
        np.testing.assert_array_equal(level, one)
