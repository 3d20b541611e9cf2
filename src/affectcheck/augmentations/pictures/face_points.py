"""Where eyes, nose and mouth lie in a picture of a face, for what covers a part of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.media.faces.template import template

if TYPE_CHECKING:
    from affectcheck.media.clip import Image

#: Said of a picture without points: whether it is an aligned crop cannot be seen from here.
TAKEN_FOR_ALIGNED: Final = "points of the face: none are known, so those of an aligned crop are taken"


@dataclass(frozen=True, eq=False)
class FacePoints:
    """A frame of reference that turns and grows with the face.

    Its origin is the middle between the eyes, its first axis goes to the eye that is right in the picture, its second
    one down the face; the unit is the distance of the eyes.

    Attributes:
        points: (5, 2) x and y in pixels: eyes, tip of the nose, corners of the mouth, left ones in the picture first.
        notes: that they were taken for granted, if so.
    """

    points: np.ndarray
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, image: Image) -> FacePoints:
        """Those that are known of the picture, or those of an aligned crop of its size."""
        if image.landmarks is not None:
            return cls(image.landmarks)
        height, width = image.pixels.shape[:2]
        return cls(template(width, height), (TAKEN_FOR_ALIGNED,))

    @property
    def eye_distance(self) -> float:
        """In pixels; at least one, so that eyes that coincide in a profile still cover something."""
        return max(float(np.hypot(*(self.points[1] - self.points[0]))), 1.0)

    @property
    def mouth(self) -> np.ndarray:
        """(2,) the middle of the mouth in the face's own frame."""
        found: np.ndarray = self.inward((self.points[3] + self.points[4]) / 2)
        return found

    def outward(self, places: np.ndarray) -> np.ndarray:
        """(n, 2) pixels of places in the face's own frame."""
        found: np.ndarray = self._origin + np.asarray(places) @ self._axes
        return found

    def inward(self, pixels: np.ndarray) -> np.ndarray:
        """Places in the face's own frame of pixels, (2,) or (n, 2)."""
        found: np.ndarray = (np.asarray(pixels) - self._origin) @ np.linalg.inv(self._axes)
        return found

    @property
    def _origin(self) -> np.ndarray:
        found: np.ndarray = (self.points[0] + self.points[1]) / 2
        return found

    @property
    def _axes(self) -> np.ndarray:
        """(2, 2) one unit to the right and one down the face, as rows; down is where the mouth is."""
        along = self.points[1] - self.points[0]
        right = along / max(float(np.hypot(*along)), 1e-9) if np.any(along) else np.array([1.0, 0.0])
        down = np.array([-right[1], right[0]])
        if down @ ((self.points[3] + self.points[4]) / 2 - self._origin) < 0:
            down = -down
        return np.stack([right, down]) * self.eye_distance
