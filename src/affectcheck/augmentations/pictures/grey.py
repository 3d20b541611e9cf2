"""No colour: a camera for the night, or a picture that was printed or scanned."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.augmentations.augmentation import describe_parameters
from affectcheck.augmentations.pictures.light import LUMA
from affectcheck.augmentations.pictures.picture import ChangedPicture, changed
from affectcheck.augmentations.pictures.registry import PICTURE_AUGMENTATIONS
from affectcheck.media.opencv import opencv

if TYPE_CHECKING:
    from affectcheck.augmentations.pictures.picture import Drawn
    from affectcheck.media.clip import Image

#: What becomes of red, green and blue, as rows.
_LUMA_OF_EACH: Final = np.tile(LUMA, (3, 1))


@PICTURE_AUGMENTATIONS.register("grey")
@dataclass(frozen=True)
class Grey:
    """Replaces every pixel by its luma (Rec. ITU-R BT.709); a picture without colours stays as it is."""

    deterministic = True

    @cached_property
    def key(self) -> str:
        """Name and all parameters."""
        return describe_parameters("grey", self)

    def drawn(self, rng: np.random.Generator) -> Drawn:
        """Nothing."""
        return {}

    def apply(self, image: Image, drawn: Drawn, rng: np.random.Generator) -> ChangedPicture:
        """The picture in shades of grey."""
        shades: np.ndarray = opencv().transform(image.pixels, _LUMA_OF_EACH)
        return changed(image, shades, drawn)
