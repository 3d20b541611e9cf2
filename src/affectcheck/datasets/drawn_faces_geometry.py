"""Where the features of a drawn face are, as its actions move them.

Coordinates of the face: x to the right of the picture, y down, the origin between the eyes, one unit the distance
between the eyes. Features are those of the picture's right half; the left half mirrors them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from affectcheck.datasets.drawn_faces_appearance import Shape

EYE_X: Final = 0.5
MOUTH_Y: Final = 1.14
#: Number of points of a lid or lip from end to end.
POINTS: Final = 17
_ALONG: Final = np.linspace(-1.0, 1.0, POINTS)


@cache
def _weights(knots: int, points: int) -> np.ndarray:
    """(points, knots) weights of a Catmull-Rom curve through its knots, ends doubled."""
    place = np.linspace(0.0, knots - 1.0, points)
    start = np.minimum(place.astype(int), knots - 2)
    t = (place - start)[:, None]
    basis = np.hstack([-t + 2 * t**2 - t**3, 2 - 5 * t**2 + 3 * t**3, t + 4 * t**2 - 3 * t**3, -(t**2) + t**3]) / 2
    weights = np.zeros((points, knots))
    for step in range(4):
        at = np.clip(start + step - 1, 0, knots - 1)
        np.add.at(weights, (np.arange(points), at), basis[:, step])
    return weights


def smooth(knots: np.ndarray | Sequence[tuple[float, float]], points: int = 24) -> np.ndarray:
    """A smooth curve through the knots: (points, 2), or with as many columns as the knots have."""
    given = np.asarray(knots, float)
    curve: np.ndarray = _weights(len(given), points) @ given
    return curve


@dataclass(frozen=True, eq=False)
class Eye:
    """One eye of the picture's right half.

    Attributes:
        centre: (x, y) of its middle, which actions do not move.
        upper, lower: (n, 2) lids from the inner to the outer corner.
        iris: radius of the iris.
    """

    centre: np.ndarray
    upper: np.ndarray
    lower: np.ndarray
    iris: float


@dataclass(frozen=True, eq=False)
class Mouth:
    """The mouth, from the left to the right of the picture.

    Attributes:
        top, upper, lower, bottom: (n, 2) outer and inner edges of the upper lip, then of the lower one.
        corner: (x, y) of the right corner.
    """

    top: np.ndarray
    upper: np.ndarray
    lower: np.ndarray
    bottom: np.ndarray
    corner: np.ndarray

    @property
    def opening(self) -> float:
        """Distance between the lips, in the middle."""
        return float(self.lower[POINTS // 2, 1] - self.upper[POINTS // 2, 1])


@dataclass(frozen=True, eq=False)
class Features:
    """Every feature that actions move.

    Attributes:
        brow: (4, 2) knots of the brow, from the inner to the outer end.
        eye: of the right half.
        mouth: whole.
        wing: (x, y) of the side of the nose.
        tip: (x, y) of the tip of the nose.
        chin: distance of the chin below the eyes.
    """

    brow: np.ndarray
    eye: Eye
    mouth: Mouth
    wing: np.ndarray
    tip: np.ndarray
    chin: float


def features(shape: Shape, actions: Mapping[str, float]) -> Features:
    """The features of a face of this shape that does these actions; units that are not named are still."""
    act = {unit: actions.get(unit, 0.0) for unit in _UNITS}
    nose = shape.nose_length
    return Features(
        brow=_brow(shape, act),
        eye=_eye(shape, act),
        mouth=_mouth(shape, act),
        wing=np.array([0.2 * shape.nose_width * (1 + 0.12 * act["AU9"]), 0.62 * nose - _nose_lift(act)]),
        tip=np.array([0.0, 0.62 * nose - 0.4 * _nose_lift(act)]),
        chin=1.8 * shape.chin + 0.2 * act["AU26"] - 0.03 * act["AU17"],
    )


_UNITS: Final = tuple(f"AU{number}" for number in (1, 2, 4, 5, 6, 7, 9, 10, 12, 15, 17, 20, 23, 24, 25, 26, 43))


def _nose_lift(act: Mapping[str, float]) -> float:
    return 0.08 * act["AU9"] + 0.03 * act["AU10"]


def _brow(shape: Shape, act: Mapping[str, float]) -> np.ndarray:
    """AU1 lifts the inner end, AU2 the outer half; AU4 lowers all of it and draws it together."""
    lower = act["AU4"] + 0.35 * act["AU9"]
    lift = np.array([0.22, 0.13, 0.02, 0.0]) * act["AU1"] + np.array([0.02, 0.1, 0.2, 0.17]) * act["AU2"]
    y = np.array([-0.37, -0.43, -0.44 - shape.brow_arch, -0.35]) - 0.06 * (shape.eye_size - 1)
    y += np.array([0.13, 0.14, 0.1, 0.05]) * lower - lift
    x = np.array([0.2, 0.41, 0.63, 0.84]) - np.array([0.08, 0.05, 0.02, 0.0]) * lower
    return np.stack([x, y], axis=1)


def _eye(shape: Shape, act: Mapping[str, float]) -> Eye:
    """AU5 lifts the upper lid, AU43 lowers it; AU7 tightens both lids; AU6 pushes the lower one up."""
    half = 0.285 * shape.eye_size
    wide = 1 + 0.5 * act["AU5"] - 0.3 * act["AU7"] - 0.1 * act["AU6"] - 0.62 * act["AU43"]
    high = 0.178 * shape.eye_size * max(wide, 0.12)
    low = 0.1 * shape.eye_size * (1 + 0.1 * act["AU5"] - 0.6 * act["AU7"] - 0.55 * act["AU6"])
    x, base = EYE_X * shape.eye_gap + _ALONG * half, -shape.eye_tilt * _ALONG
    bow = 1 - _ALONG**2
    upper, lower = base - high * bow**0.75, base + low * bow**0.9
    centre = np.array([EYE_X * shape.eye_gap, 0.0])
    return Eye(centre, np.stack([x, upper], axis=1), np.stack([x, lower], axis=1), 0.132 * shape.eye_size)


def _mouth(shape: Shape, act: Mapping[str, float]) -> Mouth:
    """AU12 pulls the corners up and out, AU15 down, AU20 apart, AU23 together; AU25 and AU26 open, AU10 lifts."""
    middle = MOUTH_Y * (0.5 + 0.5 * shape.chin)
    half = 0.42 * shape.mouth_width + 0.13 * act["AU12"] + 0.13 * act["AU20"] - 0.12 * act["AU23"]
    half -= 0.08 * act["AU26"] * (1 - act["AU12"]) + 0.02 * act["AU24"]
    corner = middle - 0.19 * act["AU12"] + 0.16 * act["AU15"] + 0.05 * act["AU20"] + 0.09 * act["AU26"]
    part = 0.13 * act["AU25"]
    upper = middle + 0.03 * act["AU12"] - 0.07 * act["AU10"] - 0.06 * act["AU17"] - 0.4 * part - 0.02 * act["AU15"]
    lower = max(upper, upper + part + 0.3 * act["AU26"])
    thin = (1 - 0.3 * act["AU12"]) * (1 - 0.2 * act["AU20"]) * (1 - 0.5 * act["AU23"]) * (1 - 0.75 * act["AU24"])
    above = 0.1 * shape.lips * thin + 0.05 * act["AU10"]
    below = 0.135 * shape.lips * thin
    bow, round_ = 1 - np.abs(_ALONG) ** 2.2, 1 - _ALONG**2
    dip = 0.025 * thin * np.exp(-((_ALONG / 0.16) ** 2))
    x = half * _ALONG
    edges = (
        corner + (upper - above - corner) * bow + dip,
        corner + (upper - corner) * round_,
        corner + (lower - corner) * round_,
        corner + (lower + below - corner) * round_**0.9,
    )
    top, upper_edge, lower_edge, bottom = (np.stack([x, y], axis=1) for y in edges)
    return Mouth(top, upper_edge, lower_edge, bottom, np.array([half, corner]))
