"""One half of the face that is covered, by somebody's shoulder or the edge of the picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from affectcheck.augmentations.draws import require
from affectcheck.augmentations.pictures.covering import Cover, rectangle
from affectcheck.augmentations.pictures.occlusion import Occlusion
from affectcheck.augmentations.pictures.registry import PICTURE_AUGMENTATIONS

if TYPE_CHECKING:
    import numpy as np

    from affectcheck.augmentations.pictures.face_points import FacePoints
    from affectcheck.augmentations.pictures.picture import Drawn


@PICTURE_AUGMENTATIONS.register("occlude-half")
@dataclass(frozen=True)
class OccludeHalf(Occlusion):
    """Covers everything on one side of the line between the eyes and through the nose; the side is drawn.

    Attributes:
        grey_level: of the cover, 0 (black) to 255.
    """

    NAME: ClassVar[str] = "occlude-half"

    grey_level: int = 0

    def __post_init__(self) -> None:
        """The level is one of 8 bits."""
        require("grey_level", self.grey_level, lambda value: 0 <= value <= 255, "a number from 0 to 255")

    @property
    def deterministic(self) -> bool:
        """Whether nothing is drawn."""
        return False

    def drawn(self, rng: np.random.Generator) -> Drawn:
        """The side, as it is seen in the picture."""
        return {"side": ("left", "right")[int(rng.integers(2))]}

    def covers(self, face: FacePoints, drawn: Drawn) -> list[Cover]:
        """The cover, far beyond the edges."""
        level = int(self.grey_level)
        left, right = (-50.0, 0.0) if drawn["side"] == "left" else (0.0, 50.0)
        return [Cover(face.outward(rectangle(left, -50.0, right, 50.0)), (level, level, level))]
