"""What a face is, and what every detector keeps to."""

from __future__ import annotations

import numpy as np
import pytest

from affectcheck.errors import InputError
from affectcheck.media.faces.detector import Face, ordered, require_picture

POINTS = np.arange(10.0).reshape(5, 2)


def face(score: float, left: float) -> Face:
    return Face.of((left, 0, left + 10, 20), POINTS, score)


def test_a_face_keeps_numbers_of_its_own() -> None:
    points = POINTS.astype(np.float32)
    made = Face.of(np.array([1, 2, 4, 8], np.float32), points, np.float32(0.5))
    points[:] = 0
    assert made.box == (1, 2, 4, 8)
    assert (made.box.width, made.box.height) == (3, 6)
    assert type(made.box.x1) is float
    assert made.landmarks.dtype == np.float64
    np.testing.assert_array_equal(made.landmarks, POINTS)
    with pytest.raises(ValueError, match="read-only"):
        made.landmarks[0, 0] = 1


def test_the_surest_comes_first_then_the_one_further_left() -> None:
    faces = ordered([face(0.5, 3), face(0.5, 1), face(0.9, 7)])
    assert [(f.score, f.box.x1) for f in faces] == [(0.9, 7), (0.5, 1), (0.5, 3)]


@pytest.mark.parametrize(
    "pixels",
    [
        np.zeros((4, 4), np.uint8),
        np.zeros((4, 4, 4), np.uint8),
        np.zeros((4, 4, 3), np.float32),
        np.zeros((0, 4, 3), np.uint8),
    ],
)
def test_only_pictures_are_taken(pixels: np.ndarray) -> None:
    with pytest.raises(InputError, match="no picture"):
        require_picture(pixels)
    require_picture(np.zeros((1, 1, 3), np.uint8))
