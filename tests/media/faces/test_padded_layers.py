"""Padded layers beside their definitions."""

from __future__ import annotations

import numpy as np
import pytest

from affectcheck.media.faces.padded_layers import by_channel, enlarged, greatest, padded, rectify
from affectcheck.seeds import rng


def drawn(seed: int, channels: int, out: int, size: int) -> dict[str, np.ndarray]:
    draw = rng(seed, "layers")
    return {
        "c.weight": draw.normal(size=(out, channels, size, size)).astype(np.float32),
        "n.weight": draw.uniform(0.5, 2, out).astype(np.float32),
        "n.bias": draw.normal(size=out).astype(np.float32),
        "n.running_mean": draw.normal(size=out).astype(np.float32),
        "n.running_var": draw.uniform(0.2, 3, out).astype(np.float32),
    }


def defined(pixels: np.ndarray, tensors: dict[str, np.ndarray], stride: int, *, alone: bool = False) -> np.ndarray:
    kernel = tensors["c.weight"].astype(float)
    width = kernel.shape[2] // 2
    framed = np.pad(pixels.astype(float), ((0, 0), (width, width), (width, width)))
    windows = np.lib.stride_tricks.sliding_window_view(framed, kernel.shape[2:], axis=(1, 2))[:, ::stride, ::stride]
    raw = np.einsum("cyxij,cij->cyx", windows, kernel[:, 0]) if alone else np.einsum("cyxij,ocij->oyx", windows, kernel)
    mean, spread = tensors["n.running_mean"][:, None, None], np.sqrt(tensors["n.running_var"] + 1e-5)[:, None, None]
    return (raw - mean) / spread * tensors["n.weight"][:, None, None] + tensors["n.bias"][:, None, None]


@pytest.mark.parametrize("size", [1, 3, 7])
@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("shape", [(17, 23), (40, 300), (1, 1)])
def test_convolutions_are_what_they_are_defined_as(size: int, stride: int, shape: tuple[int, int]) -> None:
    tensors = drawn(size, 5, 6, size)
    pixels = rng(1, "pixels").normal(size=(5, *shape)).astype(np.float32)
    kept = pixels.copy()
    expected = defined(pixels, tensors, stride)
    plain = padded(tensors, "c", "n", stride=stride)(pixels)
    np.testing.assert_allclose(plain, expected, atol=1e-3)
    leaky = padded(tensors, "c", "n", stride=stride, slope=0.1)(pixels)
    np.testing.assert_allclose(leaky, np.where(expected < 0, 0.1 * expected, expected), atol=1e-3)
    np.testing.assert_array_equal(pixels, kept)


def test_a_convolution_without_normalisation_has_its_bias() -> None:
    tensors = {"c.weight": np.ones((1, 1, 1, 1), np.float32), "c.bias": np.array([3], np.float32)}
    np.testing.assert_array_equal(padded(tensors, "c")(np.full((1, 2, 2), -5, np.float32)), np.full((1, 2, 2), -2))


@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("shape", [(17, 23), (300, 500)])
def test_convolutions_by_channel_are_what_they_are_defined_as(stride: int, shape: tuple[int, int]) -> None:
    tensors = drawn(2, 1, 4, 3)
    pixels = rng(3, "pixels").normal(size=(4, *shape)).astype(np.float32)
    expected = defined(pixels, tensors, stride, alone=True)
    found = by_channel(tensors, "c", "n", stride=stride, slope=0.1)(pixels)
    np.testing.assert_allclose(found, np.where(expected < 0, 0.1 * expected, expected), atol=1e-3)


@pytest.mark.parametrize("shape", [(6, 8), (7, 5), (1, 1)])
def test_the_greatest_of_each_window_is_taken(shape: tuple[int, int]) -> None:
    pixels = rng(4, "pixels").normal(size=(2, *shape)).astype(np.float32) - 9
    found = greatest(pixels)
    assert found.shape == (2, -(-shape[0] // 2), -(-shape[1] // 2))
    for row, column in np.ndindex(*found.shape[1:]):
        window = pixels[:, max(2 * row - 1, 0) : 2 * row + 2, max(2 * column - 1, 0) : 2 * column + 2]
        np.testing.assert_array_equal(found[:, row, column], window.max(axis=(1, 2)))


def test_pixels_are_repeated() -> None:
    found = enlarged(np.array([[[1.0, 2], [3, 4]]]), 3, 4)
    np.testing.assert_array_equal(found[0], [[1, 1, 2, 2], [1, 1, 2, 2], [3, 3, 4, 4]])


@pytest.mark.parametrize(("slope", "expected"), [(0, [0, 2]), (0.5, [-1, 2]), (1, [-2, 2])])
def test_negative_values_are_multiplied_by_the_slope(slope: float, expected: list[float]) -> None:
    values = np.array([-2, 2], np.float32)
    assert rectify(values, slope) is values
    np.testing.assert_array_equal(values, expected)
