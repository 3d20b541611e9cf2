"""A detector whose box is too large or too small."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from affectcheck.augmentations.draws import require
from affectcheck.augmentations.pictures.geometry import Movement, around_middle
from affectcheck.augmentations.pictures.registry import PICTURE_AUGMENTATIONS

if TYPE_CHECKING:
    from affectcheck.augmentations.pictures.picture import Drawn


@PICTURE_AUGMENTATIONS.register("scale")
@dataclass(frozen=True)
class Scale(Movement):
    """Scales what is seen around the middle of the picture, whose size stays; around a smaller one it is mirrored.

    Attributes:
        factor: factors that one is drawn from for each item; above 1 is nearer.
    """

    NAME: ClassVar[str] = "scale"
    LEVELS: ClassVar[str] = "factor"

    factor: float | tuple[float, ...] = (0.85, 0.92, 1.08, 1.15)

    def __post_init__(self) -> None:
        """Factors are above 0, and none leaves the picture as it is."""
        require(
            "factor", self.factor, lambda value: 0.2 <= value <= 5 and value != 1, "numbers from 0.2 to 5 other than 1"
        )

    def matrix(self, drawn: Drawn, width: int, height: int) -> np.ndarray:
        """A scaling around the middle."""
        return around_middle(float(drawn[self.LEVELS]) * np.eye(2), width, height)
