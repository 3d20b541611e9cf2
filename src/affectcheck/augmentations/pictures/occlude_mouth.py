"""A mouth that is covered, by a hand or a microphone."""

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


@PICTURE_AUGMENTATIONS.register("occlude-mouth")
@dataclass(frozen=True)
class OccludeMouth(Occlusion):
    """Draws a bar over the mouth, 1.3 eye distances wide and 0.7 high, around the middle of its corners.

    Attributes:
        grey_level: of the bar, 0 (black) to 255.
    """

    NAME: ClassVar[str] = "occlude-mouth"

    grey_level: int = 0

    def __post_init__(self) -> None:
        """The level is one of 8 bits."""
        require("grey_level", self.grey_level, lambda value: 0 <= value <= 255, "a number from 0 to 255")

    def covers(self, face: FacePoints, drawn: Drawn) -> list[Cover]:
        """The bar."""
        level, (x, y) = int(self.grey_level), face.mouth
        return [Cover(face.outward(rectangle(x - 0.65, y - 0.35, x + 0.65, y + 0.35)), (level, level, level))]
