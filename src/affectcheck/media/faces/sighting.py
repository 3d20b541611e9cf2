"""A face as it was seen once: what the detector found, how blurred it is, and how it looks, for finding it again."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.media.faces.alignment import align, pixel_centres, residual
from affectcheck.media.faces.blur import blur
from affectcheck.media.faces.detector import Face
from affectcheck.media.faces.pose import Pose, pose
from affectcheck.media.opencv import opencv

if TYPE_CHECKING:
    from affectcheck.media.faces.detector import FaceDetector

#: Counts up whenever the same faces give other records: old ones are then made anew.
REVISION: Final = "1"
_LOOK: Final = 12  # rows and columns of a look
_INNER: Final = slice(16, 104)  # of an aligned crop: brows to mouth, without what is behind a head


@dataclass(frozen=True, eq=False)
class Sighting:
    """One face of one picture.

    Attributes:
        face: as the detector found it.
        blur: of its aligned crop, from 0 to 1.
        look: (432,) uint8, the aligned face in 12×12 points of colour.
    """

    face: Face
    blur: float
    look: np.ndarray

    @property
    def landmarks(self) -> np.ndarray:
        """(5, 2) in centres of pixels."""
        return pixel_centres(self.face.landmarks)

    @property
    def pose(self) -> Pose:
        """How the head is turned."""
        return pose(self.landmarks)

    @property
    def residual(self) -> float:
        """Mean distance from the template after alignment, in pixels of 112."""
        return residual(self.landmarks)


def sightings(pixels: np.ndarray, detector: FaceDetector) -> list[Sighting]:
    """Every face of a picture, the surest first.

    Args:
        pixels: (height, width, 3) uint8.
        detector: what finds them.
    """
    return [_seen(pixels, face) for face in detector.detect(pixels)]


def _seen(pixels: np.ndarray, face: Face) -> Sighting:
    crop = align(pixels, pixel_centres(face.landmarks))
    cv2 = opencv()
    inner = np.ascontiguousarray(crop[_INNER, _INNER])
    look = cv2.resize(inner, (_LOOK, _LOOK), interpolation=cv2.INTER_AREA).reshape(-1)
    return Sighting(face, blur(crop), look)


def to_record(seen: list[Sighting]) -> list[dict[str, Any]]:
    """Strict JSON of the faces of one picture; numbers come back to the last bit."""
    return [
        {
            "box": list(one.face.box),
            "landmarks": one.face.landmarks.ravel().tolist(),
            "score": one.face.score,
            "blur": one.blur,
            "look": base64.b64encode(one.look.tobytes()).decode(),
        }
        for one in seen
    ]


def from_record(record: list[dict[str, Any]]) -> list[Sighting]:
    """What ``to_record`` has written."""
    return [
        Sighting(
            Face.of(one["box"], np.array(one["landmarks"]), one["score"]),
            float(one["blur"]),
            np.frombuffer(base64.b64decode(one["look"]), np.uint8),
        )
        for one in record
    ]


def likeness(first: np.ndarray, second: np.ndarray) -> float:
    """Correlation of two looks, from -1 to 1; the same for brighter or more contrasted light."""
    return float(centred(first) @ centred(second))


def centred(looks: np.ndarray) -> np.ndarray:
    """(..., 432) looks as float64 of mean 0 and length 1, so that their products are likenesses."""
    values = looks - looks.mean(axis=-1, keepdims=True, dtype=np.float64)
    lengths = np.linalg.norm(values, axis=-1, keepdims=True)
    result: np.ndarray = values / np.where(lengths > 0, lengths, 1.0)
    return result
