"""Convolutions and pooling beside their definitions, on pictures and on stacks of patches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affectcheck.media.faces.convolution import Convolution, pooled, rectified
from affectcheck.seeds import rng


def defined(pixels: np.ndarray, kernel: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """Each value by its definition, in double precision."""
    size = kernel.shape[0]
    windows = np.lib.stride_tricks.sliding_window_view(pixels.astype(float), (size, size), axis=(-2, -1))
    return np.einsum("c...yxij,ijco->o...yx", windows, kernel.astype(float)) + bias.reshape(
        -1, *[1] * (pixels.ndim - 1)
    )


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 1000),
    size=st.integers(1, 3),
    rows=st.integers(3, 40),
    columns=st.integers(3, 40),
    stack=st.integers(0, 4),
)
def test_a_convolution_is_what_it_is_defined_as(seed: int, size: int, rows: int, columns: int, stack: int) -> None:
    draw = rng(seed, "convolution")
    pixels = draw.normal(size=(3, *[stack] * bool(stack), rows, columns)).astype(np.float32)
    kernel, bias = draw.normal(size=(size, size, 3, 5)), draw.normal(size=5)
    slope = draw.normal(size=5)
    found = Convolution.of(kernel, bias, slope)(pixels)[..., : rows - size + 1, : columns - size + 1]
    expected = defined(pixels, kernel, bias)
    expected = np.where(expected < 0, expected * slope.reshape(-1, *[1] * (pixels.ndim - 1)), expected)
    np.testing.assert_allclose(found, expected, atol=1e-4)


def test_pictures_longer_than_a_block_have_no_seams() -> None:
    draw = rng(1, "convolution")
    pixels = draw.normal(size=(10, 97, 211)).astype(np.float32)
    kernel, bias = draw.normal(size=(3, 3, 10, 16)), draw.normal(size=16)
    found = Convolution.of(kernel, bias)(pixels)[:, :95, :209]
    np.testing.assert_allclose(found, defined(pixels, kernel, bias), atol=1e-4)


def test_what_is_convolved_is_not_written_to() -> None:
    pixels = np.ones((3, 8, 8), np.float32)
    Convolution.of(np.ones((3, 3, 3, 2)), np.zeros(2), np.zeros(2))(pixels)
    assert (pixels == 1).all()


@pytest.mark.parametrize(
    ("length", "size", "partial", "expected"),
    [(22, 3, True, 11), (9, 3, False, 4), (46, 3, True, 23), (21, 3, False, 10), (8, 2, True, 4), (7, 2, True, 4)],
)
def test_pooling_takes_the_greatest_of_each_window(length: int, size: int, partial: bool, expected: int) -> None:
    pixels = rng(2, "pooling").normal(size=(2, 3, length + 2, length + 1)).astype(np.float32)
    found = pooled(pixels, length, length, size=size, partial=partial)
    assert found.shape == (2, 3, expected, expected)
    assert found.flags.c_contiguous
    for row, column in np.ndindex(expected, expected):
        window = pixels[..., 2 * row : min(2 * row + size, length), 2 * column : min(2 * column + size, length)]
        np.testing.assert_array_equal(found[..., row, column], window.max(axis=(-2, -1)))


def test_negative_values_are_multiplied_by_the_slope() -> None:
    np.testing.assert_array_equal(rectified(np.array([-2.0, 0, 3]), np.array([0.5, 1, 2])), [-1, 0, 3])
