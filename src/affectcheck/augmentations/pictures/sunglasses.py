"""Sunglasses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from affectcheck.augmentations.draws import require
from affectcheck.augmentations.pictures.covering import Cover, ellipse, rectangle
from affectcheck.augmentations.pictures.occlusion import Occlusion
from affectcheck.augmentations.pictures.registry import PICTURE_AUGMENTATIONS

if TYPE_CHECKING:
    from affectcheck.augmentations.pictures.face_points import FacePoints
    from affectcheck.augmentations.pictures.picture import Drawn

_LENS: Final = (18, 18, 22)
_FRAME: Final = (35, 28, 25)


@PICTURE_AUGMENTATIONS.register("sunglasses")
@dataclass(frozen=True)
class Sunglasses(Occlusion):
    """Draws two dark lenses of 0.76 by 0.56 eye distances over the eyes, with a bridge and temples.

    Attributes:
        opacity: how much of the eyes the lenses hide; 1 hides them.
    """

    NAME: ClassVar[str] = "sunglasses"

    opacity: float = 0.95

    def __post_init__(self) -> None:
        """Lenses hide something."""
        require("opacity", self.opacity, lambda value: 0 < value <= 1, "a number above 0 and up to 1")

    def covers(self, face: FacePoints, drawn: Drawn) -> list[Cover]:
        """Temples and bridge, then the lenses."""
        bars = [(-1.05, -0.12, -0.8, -0.04), (0.8, -0.12, 1.05, -0.04), (-0.14, -0.1, 0.14, -0.02)]
        lenses = [ellipse((x, 0.03), (0.38, 0.28)) for x in (-0.5, 0.5)]
        return [
            *(Cover(face.outward(rectangle(*bar)), _FRAME) for bar in bars),
            *(Cover(face.outward(lens), _LENS, float(self.opacity)) for lens in lenses),
        ]
