"""Turns of a head from its five points: planted ones, their signs, and what is no face."""

from __future__ import annotations

import numpy as np
import pytest

from affectcheck.errors import InputError
from affectcheck.media.faces.pose import _HEAD, pose
from affectcheck.media.faces.template import template


def turned(yaw_deg: float, pitch_deg: float, roll_deg: float) -> np.ndarray:
    """The mean head, turned about its own axes, seen in parallel projection."""
    yaw, pitch, roll = np.radians([yaw_deg, pitch_deg, roll_deg])
    # The face looks along (0, 0, −1): to the right of the picture by a yaw, down by a pitch.
    about_y = np.array([[np.cos(yaw), 0, -np.sin(yaw)], [0, 1, 0], [np.sin(yaw), 0, np.cos(yaw)]])
    about_x = np.array([[1, 0, 0], [0, np.cos(pitch), -np.sin(pitch)], [0, np.sin(pitch), np.cos(pitch)]])
    about_z = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    points: np.ndarray = (about_z @ about_y @ about_x @ _HEAD.T).T[:, :2] * 40 + (100, 80)
    return points


@pytest.mark.parametrize("angle", [-40, -15, 0, 15, 40])
def test_single_turns_are_found(angle: float) -> None:
    assert pose(turned(angle, 0, 0)).yaw_deg == pytest.approx(angle, abs=1e-6)
    assert abs(pose(turned(0, angle, 0)).pitch_deg) == pytest.approx(abs(angle), abs=1e-6)
    assert pose(turned(0, 0, angle)).roll_deg == pytest.approx(angle, abs=1e-6)


def test_signs_are_as_they_are_seen() -> None:
    right, down = template().copy(), template().copy()
    right[2] += (8, 0)  # the tip of the nose goes where the face looks to
    down[2] += (0, 6)
    assert pose(right).yaw_deg > 10
    assert pose(down).pitch_deg > pose(template()).pitch_deg + 5
    clockwise = template() @ np.array([[np.cos(0.3), np.sin(0.3)], [-np.sin(0.3), np.cos(0.3)]])
    assert pose(clockwise).roll_deg == pytest.approx(np.degrees(0.3), abs=2)


def test_size_and_place_do_not_matter() -> None:
    one, other = pose(turned(20, 10, 5)), pose(turned(20, 10, 5) * 3 + 500)
    assert (one.yaw_deg, one.pitch_deg, one.roll_deg) == pytest.approx((other.yaw_deg, other.pitch_deg, other.roll_deg))


@pytest.mark.parametrize("points", [np.zeros((5, 2)), np.zeros((4, 2)), np.full((5, 2), np.inf)])
def test_what_is_no_face_is_refused(points: np.ndarray) -> None:
    with pytest.raises(InputError, match="no landmarks"):
        pose(points)
