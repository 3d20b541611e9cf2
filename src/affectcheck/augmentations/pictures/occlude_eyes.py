"""Eyes and brows that are covered, by a bar as newspapers draw it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from affectcheck.augmentations.draws import require
from affectcheck.augmentations.pictures.covering import Cover, rectangle
from affectcheck.augmentations.pictures.occlusion import Occlusion
from affectcheck.augmentations.pictures.registry import PICTURE_AUGMENTATIONS

if TYPE_CHECKING:
    from affectcheck.augmentations.pictures.face_points import FacePoints
    from affectcheck.augmentations.pictures.picture import Drawn


@PICTURE_AUGMENTATIONS.register("occlude-eyes")
@dataclass(frozen=True)
class OccludeEyes(Occlusion):
    """Draws a bar over eyes and brows, 2 eye distances wide and 0.8 high.

    Attributes:
        grey_level: of the bar, 0 (black) to 255.
    """

    NAME: ClassVar[str] = "occlude-eyes"

    grey_level: int = 0

    def __post_init__(self) -> None:
        """The level is one of 8 bits."""
        require("grey_level", self.grey_level, lambda value: 0 <= value <= 255, "a number from 0 to 255")

    def covers(self, face: FacePoints, drawn: Drawn) -> list[Cover]:
        """The bar."""
        level = int(self.grey_level)
        return [Cover(face.outward(rectangle(-1.0, -0.5, 1.0, 0.3)), (level, level, level))]
