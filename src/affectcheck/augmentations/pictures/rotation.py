"""A head that is tilted, or a crop that was aligned badly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from affectcheck.augmentations.draws import require
from affectcheck.augmentations.pictures.geometry import Movement, around_middle
from affectcheck.augmentations.pictures.registry import PICTURE_AUGMENTATIONS

if TYPE_CHECKING:
    from affectcheck.augmentations.pictures.picture import Drawn


@PICTURE_AUGMENTATIONS.register("rotation")
@dataclass(frozen=True)
class Rotation(Movement):
    """Turns the picture around its middle; what is turned in from outside is mirrored at the edge.

    Attributes:
        angle_deg: angles that one is drawn from for each item, in degrees against the clock.
    """

    NAME: ClassVar[str] = "rotation"
    LEVELS: ClassVar[str] = "angle_deg"

    angle_deg: float | tuple[float, ...] = (-15.0, -10.0, -5.0, 5.0, 10.0, 15.0)

    def __post_init__(self) -> None:
        """Angles turn the picture, and not more than once around."""
        require(
            "angle_deg",
            self.angle_deg,
            lambda value: value != 0 and abs(value) <= 180,
            "degrees from -180 to 180 other than 0",
        )

    def matrix(self, drawn: Drawn, width: int, height: int) -> np.ndarray:
        """A rotation around the middle; rows count downwards."""
        angle = np.deg2rad(float(drawn[self.LEVELS]))
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        return around_middle(turn, width, height)
