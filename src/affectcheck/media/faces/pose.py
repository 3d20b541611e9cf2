"""How a head is turned, estimated from its five points alone: a rough guide for choosing crops, no measurement.

A mean head of five points is seen in parallel projection; the turn is the one that fits best.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from affectcheck.errors import InputError

#: x to the right, y down, z away from the viewer; in distances between the eyes. The shape that explains the points
#: that MTCNN finds in 1,479 faces of FairFace, by factorisation (Tomasi and Kanade 1992), made symmetric.
_HEAD: Final = np.array(
    [(-0.5, 0.0, 0.0), (0.5, 0.0, 0.0), (0.0, 0.508, -0.429), (-0.433, 1.05, 0.0), (0.433, 1.05, 0.0)]
)


@dataclass(frozen=True)
class Pose:
    """Angles of a head in degrees; all 0 where it looks into the camera.

    Attributes:
        yaw_deg: positive where the face looks to the right side of the picture.
        pitch_deg: positive where it looks down.
        roll_deg: positive where it is turned clockwise to the eye.
    """

    yaw_deg: float
    pitch_deg: float
    roll_deg: float


def pose(landmarks: np.ndarray) -> Pose:
    """The turn of the mean head that fits five points best.

    The linear map from head to picture by least squares, then the nearest scaled turn to it.

    Args:
        landmarks: (5, 2).

    Raises:
        InputError: another shape, numbers that are not finite, or points that all are the same.
    """
    if landmarks.shape != (5, 2) or not np.isfinite(landmarks).all() or not np.ptp(landmarks, axis=0).any():
        raise InputError(f"no landmarks of a face: {landmarks.tolist()}", expected="(5, 2) finite numbers")
    head = _HEAD - _HEAD.mean(axis=0)
    mapped, *_ = np.linalg.lstsq(head, landmarks - landmarks.mean(axis=0), rcond=None)
    left, _, right = np.linalg.svd(mapped.T, full_matrices=False)
    rows = left @ right
    turn = np.vstack([rows, np.cross(rows[0], rows[1])])
    # turn = Rz(roll) · Ry · Rx; the face looks along (0, 0, -1).
    looks = turn @ (0.0, 0.0, -1.0)
    yaw = np.degrees(np.arctan2(looks[0], np.hypot(looks[1], looks[2])))
    pitch = np.degrees(np.arctan2(looks[1], -looks[2]))
    roll = np.degrees(np.arctan2(turn[1, 0], turn[0, 0]))
    return Pose(float(yaw), float(pitch), float(roll))
