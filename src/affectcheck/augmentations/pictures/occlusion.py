"""What covers of a part of a face have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from affectcheck.augmentations.augmentation import describe_parameters
from affectcheck.augmentations.pictures.covering import covered
from affectcheck.augmentations.pictures.face_points import FacePoints
from affectcheck.augmentations.pictures.picture import ChangedPicture, changed

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from affectcheck.augmentations.pictures.covering import Cover
    from affectcheck.augmentations.pictures.picture import Drawn
    from affectcheck.media.clip import Image


@dataclass(frozen=True)
class Occlusion(ABC):
    """Covers a part of the face that its five points tell; without points, that of an aligned crop, which is noted."""

    NAME: ClassVar[str]

    @property
    def deterministic(self) -> bool:
        """Whether nothing is drawn."""
        return True

    @cached_property
    def key(self) -> str:
        """Name and all parameters."""
        return describe_parameters(self.NAME, self)

    def drawn(self, rng: np.random.Generator) -> Drawn:
        """Nothing."""
        return {}

    def apply(self, image: Image, drawn: Drawn, rng: np.random.Generator) -> ChangedPicture:
        """The picture with the cover."""
        face = FacePoints.of(image)
        return changed(image, covered(image.pixels, self.covers(face, drawn)), drawn, notes=face.notes)

    @abstractmethod
    def covers(self, face: FacePoints, drawn: Drawn) -> Sequence[Cover]:
        """What is drawn over the picture, in order."""
