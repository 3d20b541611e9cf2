"""Pictures that are turned, shifted, scaled or mirrored, with the points of their faces."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.augmentations.pictures.picture import ChangedPicture, changed
from affectcheck.augmentations.pictures.severity import Severity
from affectcheck.media.opencv import opencv

if TYPE_CHECKING:
    from affectcheck.augmentations.pictures.picture import Drawn
    from affectcheck.media.clip import Image


@dataclass(frozen=True)
class Movement(Severity):
    """Moves every pixel by one affine map, as a detector that finds another box does; beyond the edge it is mirrored."""

    @abstractmethod
    def matrix(self, drawn: Drawn, width: int, height: int) -> np.ndarray:
        """(2, 3) where a point of the picture goes to: ``matrix[:, :2] @ (x, y) + matrix[:, 2]``."""

    def pixels(self, image: Image, drawn: Drawn, rng: np.random.Generator) -> np.ndarray:
        """The picture, moved, by cubic interpolation."""
        cv2 = opencv()
        height, width = image.pixels.shape[:2]
        matrix = self.matrix(drawn, width, height)
        moved: np.ndarray = cv2.warpAffine(
            image.pixels, matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT_101
        )
        return moved

    def apply(self, image: Image, drawn: Drawn, rng: np.random.Generator) -> ChangedPicture:
        """The picture, moved, with the points of the face where they are then."""
        height, width = image.pixels.shape[:2]
        points = image.landmarks
        if points is not None:
            matrix = self.matrix(drawn, width, height)
            points = points @ matrix[:, :2].T + matrix[:, 2]
        return changed(image, self.pixels(image, drawn, rng), drawn, landmarks=points)


def around_middle(linear: np.ndarray, width: int, height: int) -> np.ndarray:
    """(2, 3) an affine map that leaves the middle of the picture where it is.

    Args:
        linear: (2, 2) what is done to the distance from the middle.
        width: of the picture; centres of pixels lie on whole numbers.
        height: of the picture.
    """
    middle = np.array([width - 1, height - 1]) / 2
    return np.column_stack([linear, middle - linear @ middle])
