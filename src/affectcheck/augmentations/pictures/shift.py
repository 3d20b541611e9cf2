"""A detector that finds its box beside the face."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from affectcheck.augmentations.draws import require
from affectcheck.augmentations.pictures.geometry import Movement
from affectcheck.augmentations.pictures.registry import PICTURE_AUGMENTATIONS

if TYPE_CHECKING:
    from affectcheck.augmentations.pictures.picture import Drawn


@PICTURE_AUGMENTATIONS.register("shift")
@dataclass(frozen=True)
class Shift(Movement):
    """Moves the picture by a share of its size, in a direction that is drawn for each item in whole degrees.

    Attributes:
        share: distances that one is drawn from for each item, as shares of width and height.
    """

    NAME: ClassVar[str] = "shift"
    LEVELS: ClassVar[str] = "share"
    DRAWS_MORE: ClassVar[bool] = True

    share: float | tuple[float, ...] = (0.03, 0.06, 0.1)

    def __post_init__(self) -> None:
        """Distances leave most of the picture in view."""
        require("share", self.share, lambda value: 0 < value <= 0.5, "shares above 0 and up to 0.5")

    def drawn(self, rng: np.random.Generator) -> Drawn:
        """Distance and direction."""
        return {**super().drawn(rng), "direction_deg": float(rng.integers(360))}

    def matrix(self, drawn: Drawn, width: int, height: int) -> np.ndarray:
        """A translation; rows count downwards."""
        angle, share = np.deg2rad(float(drawn["direction_deg"])), float(drawn[self.LEVELS])
        return np.array([[1.0, 0.0, share * width * np.cos(angle)], [0.0, 1.0, -share * height * np.sin(angle)]])
