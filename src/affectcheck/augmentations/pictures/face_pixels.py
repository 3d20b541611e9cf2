"""Levels in pixels of the face: of the aligned crop of 112×112 that its landmarks make, whatever the picture's size.

A blur of two pixels hides the corner of a mouth in a crop of 112 pixels, and nothing in a photograph of 1024. Were pixels
those of the picture, large pictures would pass every test, and groups whose faces are larger in their pictures would
seem more robust. So lengths grow with the face: from the landmarks, where they are known, else from the smaller side of
the picture, which is then taken for an aligned crop.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from affectcheck.augmentations.pictures.severity import Severity
from affectcheck.errors import UnknownNameError
from affectcheck.media.faces.template import SIDE, template

if TYPE_CHECKING:
    from affectcheck.augmentations.pictures.picture import Drawn
    from affectcheck.media.clip import Image

#: What pixels of a level are those of.
PIXELS_OF: Final = ("face", "picture")
#: Levels are rounded to this part of a pixel, so that faces of nearly one size share a kernel.
_STEPS: Final = 20
_LEAST: Final = 2


def _around_mean(points: np.ndarray) -> np.ndarray:
    """(n,) points as complex numbers, from their mean on."""
    found: np.ndarray = points[:, 0] + 1j * points[:, 1]
    middle: np.ndarray = found - found.mean()
    return middle


_TEMPLATE: Final = _around_mean(template())


def face_scale(image: Image) -> float:
    """How many pixels of the picture a pixel of the face's aligned crop of 112×112 is.

    With landmarks, by the similarity that brings them nearest to the template (see ``affectcheck.media.faces``): of a
    turned head it tells the size better than the distance of the eyes.

    Args:
        image: the picture.

    Example:
        >>> from affectcheck.media.clip import Image
        >>> face_scale(Image(np.zeros((224, 448, 3), np.uint8)))
        2.0
    """
    if image.landmarks is not None:
        own = _around_mean(image.landmarks)
        alike = abs(np.vdot(own, _TEMPLATE))
        if alike > 0:
            return float(np.vdot(own, own).real / alike)
    return float(min(image.pixels.shape[:2])) / SIDE


@dataclass(frozen=True)
class FacePixels(Severity):
    """One length is drawn for each item, in pixels of the face."""

    MEANT: ClassVar[str] = (
        "levels in pixels are those of an aligned crop of 112 by 112: they grow with the face, by its landmarks, or by the "
        "smaller side of a picture without landmarks"
    )
    MEANT_OF_PICTURES: ClassVar[str] = "levels in pixels are those of the pictures, whatever the size of the face"

    @property
    @abstractmethod
    def pixels_of(self) -> str:
        """``face`` or ``picture``."""

    def __post_init__(self) -> None:
        """Pixels are of something."""
        if self.pixels_of not in PIXELS_OF:
            raise UnknownNameError.of("reference of pixels", str(self.pixels_of), PIXELS_OF)

    @property
    def meant(self) -> str:
        """What the pixels are those of."""
        return self.MEANT if self.pixels_of == "face" else self.MEANT_OF_PICTURES

    def scale(self, image: Image) -> float:
        """Pixels of the picture for one of the level."""
        return face_scale(image) if self.pixels_of == "face" else 1.0

    def length_in(self, image: Image, drawn: Drawn) -> float:
        """The length that was drawn, in pixels of the picture."""
        length = float(drawn[self.LEVELS])
        scale = self.scale(image)
        return length if scale == 1.0 else max(round(length * scale * _STEPS), _LEAST) / _STEPS
