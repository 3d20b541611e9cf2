"""A face as a detector finds it, and what every detector keeps to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from affectcheck.errors import InputError
from affectcheck.media.landmarks import POINTS

if TYPE_CHECKING:
    from collections.abc import Iterable


class Box(NamedTuple):
    """A rectangle in pixels; 0 is the outer edge of the first pixel, so that a whole picture is (0, 0, width, height).

    Attributes:
        x1: left edge.
        y1: upper edge.
        x2: right edge.
        y2: lower edge.
    """

    x1: float
    y1: float
    x2: float
    y2: float

    @property
    def width(self) -> float:
        """From the left edge to the right one."""
        return self.x2 - self.x1

    @property
    def height(self) -> float:
        """From the upper edge to the lower one."""
        return self.y2 - self.y1


@dataclass(frozen=True, eq=False)
class Face:
    """One face of a picture.

    Box and landmarks are where the detector puts them: those of a face at the edge may lie outside of the picture.

    Attributes:
        box: its rectangle in pixels of the picture.
        landmarks: (5, 2) float64, x then y in pixels: left eye, right eye, nose, left and right corner of the mouth,
            as they lie in the picture.
        score: how sure the detector is, from 0 to 1.
    """

    box: Box
    landmarks: np.ndarray
    score: float

    @classmethod
    def of(cls, box: Iterable[float], landmarks: np.ndarray, score: float) -> Face:
        """A face from a detector's own numbers, of whatever type; its landmarks cannot be written to."""
        points = np.array(landmarks, np.float64).reshape(len(POINTS), 2)
        points.flags.writeable = False
        return cls(Box(*(float(edge) for edge in box)), points, float(score))


class FaceDetector(Protocol):
    """What finds faces; the same picture always gives the same faces.

    Attributes:
        name: registered name.
        digest: of its weights and parameters: equal digests find equal faces.
    """

    @property
    def name(self) -> str:
        """Registered name."""

    @property
    def digest(self) -> str:
        """Digest of weights and parameters."""

    def detect(self, pixels: np.ndarray) -> list[Face]:
        """Find every face of a picture.

        Args:
            pixels: (height, width, 3) uint8, RGB.

        Returns:
            The faces, the surest first, of equal scores the one further left; empty where there is none.
        """


def ordered(faces: Iterable[Face]) -> list[Face]:
    """The surest first, of equal scores the one further left."""
    return sorted(faces, key=lambda face: (-face.score, face.box))


def require_picture(pixels: np.ndarray) -> None:
    """Make sure that an array is a picture.

    Raises:
        InputError: another shape or type, or no pixels at all.
    """
    if pixels.dtype == np.uint8 and pixels.ndim == 3 and pixels.shape[2] == 3 and pixels.size:
        return
    raise InputError(
        f"no picture: an array of {pixels.dtype} and shape {pixels.shape}",
        expected="(height, width, 3) uint8 pixels, RGB",
        cause="scaled, grey or transposed pixels; affectcheck.media.decode_image gives what is expected",
    )
