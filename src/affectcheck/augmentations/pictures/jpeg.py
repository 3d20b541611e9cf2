"""A picture that was stored too small."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from affectcheck.augmentations.draws import require
from affectcheck.augmentations.pictures.registry import PICTURE_AUGMENTATIONS
from affectcheck.augmentations.pictures.severity import PER_PIXEL, Severity
from affectcheck.media.opencv import opencv

if TYPE_CHECKING:
    import numpy as np

    from affectcheck.augmentations.pictures.picture import Drawn
    from affectcheck.media.clip import Image


@PICTURE_AUGMENTATIONS.register("jpeg")
@dataclass(frozen=True)
class Jpeg(Severity):
    """Stores the picture as JPEG, with colours at half the resolution, and decodes it again.

    Blocks have 8×8 pixels, however many a face has: a larger picture loses less of it at the same quality.

    Attributes:
        quality: qualities that one is drawn from for each item, on the scale of 1 to 100 of the Independent JPEG Group.
    """

    NAME: ClassVar[str] = "jpeg"
    LEVELS: ClassVar[str] = "quality"
    MEANT: ClassVar[str] = PER_PIXEL

    quality: float | tuple[float, ...] = (60, 30, 10)

    def __post_init__(self) -> None:
        """Qualities are those that JPEG has."""
        require(
            "quality",
            self.quality,
            lambda value: 1 <= value <= 100 and value == int(value),
            "whole numbers from 1 to 100",
        )

    def pixels(self, image: Image, drawn: Drawn, rng: np.random.Generator) -> np.ndarray:
        """The picture, stored and decoded."""
        cv2 = opencv()
        options = [cv2.IMWRITE_JPEG_QUALITY, int(drawn[self.LEVELS])]
        _, stored = cv2.imencode(".jpg", cv2.cvtColor(image.pixels, cv2.COLOR_RGB2BGR), options)
        at_once = getattr(cv2, "IMREAD_COLOR_RGB", None)  # OpenCV 4.10 has no such flag yet
        decoded: np.ndarray = cv2.imdecode(stored, cv2.IMREAD_COLOR if at_once is None else at_once)
        return cv2.cvtColor(decoded, cv2.COLOR_BGR2RGB) if at_once is None else decoded
