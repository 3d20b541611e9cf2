"""A picture in the mirror: what a model says should not hang on left and right."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from affectcheck.augmentations.augmentation import describe_parameters
from affectcheck.augmentations.pictures.picture import ChangedPicture, changed
from affectcheck.augmentations.pictures.registry import PICTURE_AUGMENTATIONS
from affectcheck.media.opencv import opencv

if TYPE_CHECKING:
    import numpy as np

    from affectcheck.augmentations.pictures.picture import Drawn
    from affectcheck.media.clip import Image

#: The eye that is left in the picture comes first also in the mirror, and so does the corner of the mouth.
_ORDER: Final = [1, 0, 2, 4, 3]


@PICTURE_AUGMENTATIONS.register("flip")
@dataclass(frozen=True)
class Flip:
    """Mirrors the picture from left to right; a picture that is its own mirror image stays as it is."""

    deterministic = True

    @cached_property
    def key(self) -> str:
        """Name and all parameters."""
        return describe_parameters("flip", self)

    def drawn(self, rng: np.random.Generator) -> Drawn:
        """Nothing."""
        return {}

    def apply(self, image: Image, drawn: Drawn, rng: np.random.Generator) -> ChangedPicture:
        """The mirror image, with the points of the face in their order."""
        points = image.landmarks
        if points is not None:
            points = points[_ORDER] * (-1, 1) + (image.pixels.shape[1] - 1, 0)
        return changed(image, opencv().flip(image.pixels, 1), drawn, landmarks=points)
