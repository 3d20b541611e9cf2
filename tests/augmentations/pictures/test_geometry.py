"""Pictures that are moved, with the points of their faces."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from affectcheck.augmentations.pictures import Flip, Rotation, Scale, Shift
from affectcheck.errors import InputError
from augmentations.small_pictures import applied, middle_of_mass, point, textured

MOVES = [Rotation(10.0), Rotation(-15.0), Scale(0.85), Scale(1.15), Shift(0.1), Flip()]


@pytest.mark.parametrize("move", MOVES, ids=lambda move: move.key)
def test_a_point_of_the_picture_goes_where_its_landmark_goes(move: Rotation) -> None:
    for x, y in ((40, 25), (20, 30), (32, 32)):
        image = replace(point(x, y), landmarks=np.array([[x, y]] * 5, float))
        made = applied(move, image)
        assert made.image.landmarks is not None
        assert middle_of_mass(made.image.pixels) == pytest.approx(made.image.landmarks[2], abs=0.25)  # of one pixel


def test_a_positive_angle_turns_against_the_clock() -> None:
    made = applied(Rotation(90.0), point(52, 32))
    assert middle_of_mass(made.image.pixels) == pytest.approx([32, 12], abs=0.1)


def test_the_eye_that_is_left_in_the_mirror_comes_first() -> None:
    points = np.array([[30.0, 40], [80, 41], [56, 60], [38, 90], [72, 91]])
    image = replace(textured(), landmarks=points)
    made = applied(Flip(), image).image
    assert made.landmarks is not None
    assert made.landmarks.tolist() == [[31, 41], [81, 40], [55, 60], [39, 91], [73, 90]]
    again = applied(Flip(), made).image
    assert again.landmarks is not None
    assert np.array_equal(again.pixels, image.pixels)
    assert np.array_equal(again.landmarks, points)


def test_pictures_without_points_get_none() -> None:
    for move in MOVES:
        assert applied(move, textured()).image.landmarks is None


def test_a_shift_has_its_length_in_every_direction() -> None:
    found = set()
    for seed in range(8):
        made = applied(Shift(0.1), point(32, 32), seed=seed)
        away = middle_of_mass(made.image.pixels) - 32
        assert np.hypot(*away) == pytest.approx(6.5, abs=0.1)
        found.add(float(made.drawn["direction_deg"]))
    assert len(found) > 4


def test_what_moves_nothing_is_refused() -> None:
    for kind, level in ((Rotation, 0.0), (Scale, 1.0), (Shift, 0.0), (Shift, 0.6), (Rotation, 200.0)):
        with pytest.raises(InputError):
            kind(level)
