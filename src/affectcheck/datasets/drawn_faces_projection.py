"""From the face to the picture: a head that turns in space, seen from far away.

The face is a sheet on an ellipsoid: every point has a depth by its place, plus what stands out, such as the tip of the
nose. A turn moves features by their depth, while the outline of the head, as that of a ball, stays where it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin
from typing import Final

import numpy as np

#: The middle of the head, about which it turns, in coordinates of the face.
CENTRE: Final = np.array([0.0, 0.2])
#: Half axes of the head along x, y and depth.
_AXES: Final = (1.3, 2.1, 0.85)
#: Where the middle of the head is in a picture without shift, and the distance of the eyes, in shares of its side.
_PLACE: Final = np.array([0.5, 0.522])
_EYE_DISTANCE: Final = 0.25
_MIRROR: Final = np.array([-1.0, 1.0])


@dataclass(frozen=True)
class Pose:
    """How a head is held and where it is.

    Attributes:
        yaw_deg: turn to the right of the picture.
        pitch_deg: turn upwards.
        roll_deg: tilt clockwise in the picture.
        scale: factor on its size.
        shift_x, shift_y: in shares of the picture's side.
    """

    yaw_deg: float = 0.0
    pitch_deg: float = 0.0
    roll_deg: float = 0.0
    scale: float = 1.0
    shift_x: float = 0.0
    shift_y: float = 0.0


class Projection:
    """Maps points of the face to pixels of one picture, whose centres lie on whole numbers.

    Args:
        pose: of the head.
        size: pixels of a side.
    """

    def __init__(self, pose: Pose, size: int) -> None:
        yaw, pitch, roll = radians(pose.yaw_deg), radians(pose.pitch_deg), radians(pose.roll_deg)
        self._yaw, self._pitch = (cos(yaw), sin(yaw)), (cos(pitch), sin(pitch))
        self._turn = np.array([[cos(roll), sin(roll)], [-sin(roll), cos(roll)]])
        self.unit = _EYE_DISTANCE * pose.scale * size
        self._origin = (_PLACE + np.array((pose.shift_x, pose.shift_y))) * size - 0.5

    def front(self, points: np.ndarray, lift: float = 0.0) -> np.ndarray:
        """Points on the face.

        Args:
            points: (n, 2) in coordinates of the face.
            lift: how far they stand out.
        """
        x, y = points[:, 0] - CENTRE[0], points[:, 1] - CENTRE[1]
        inside = 1 - (x / _AXES[0]) ** 2 - (y / _AXES[1]) ** 2
        z = _AXES[2] * np.sqrt(np.maximum(inside, 0.04)) + lift
        (cos_yaw, sin_yaw), (cos_pitch, sin_pitch) = self._yaw, self._pitch
        turned = np.empty((len(points), 2))
        turned[:, 0] = x * cos_yaw + z * sin_yaw
        turned[:, 1] = y * cos_pitch - (z * cos_yaw - x * sin_yaw) * sin_pitch
        return self._placed(turned)

    def rim(self, points: np.ndarray, depth: np.ndarray | float = 0.0) -> np.ndarray:
        """Points on the outline of the head, which a turn moves by their depth alone.

        Args:
            points: (n, 2) in coordinates of the face.
            depth: of each, or of all; 0 for points that a turn leaves in place.
        """
        moved = points - CENTRE
        moved[:, 0] += np.multiply(depth, self._yaw[1])
        moved[:, 1] -= np.multiply(depth, self._pitch[1])
        return self._placed(moved)

    def pair(self, points: np.ndarray, lift: float = 0.0) -> np.ndarray:
        """(2, n, 2) points of the right half on the face, then their mirror images."""
        return self.front(np.concatenate([points, points * _MIRROR]), lift).reshape(2, -1, 2)

    def rim_pair(self, points: np.ndarray, depth: np.ndarray | float = 0.0) -> np.ndarray:
        """(2, n, 2) points of the right half of the outline, then their mirror images."""
        return np.stack([self.rim(points, depth), self.rim(points * _MIRROR, depth)])

    def _placed(self, points: np.ndarray) -> np.ndarray:
        placed: np.ndarray = points @ self._turn * self.unit + self._origin
        return placed
