"""Perturbations of pictures of which one level is drawn for each item, such as a radius or a quality."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Final

from affectcheck.augmentations.augmentation import describe_parameters
from affectcheck.augmentations.draws import drawn_from, values_of
from affectcheck.augmentations.pictures.picture import ChangedPicture, changed

if TYPE_CHECKING:
    import numpy as np

    from affectcheck.augmentations.pictures.picture import Drawn
    from affectcheck.media.clip import Image

#: What a level of noise or of a codec holds of.
PER_PIXEL: Final = (
    "levels hold for every pixel, or block of pixels, as in cameras and files: the more pixels a face has, the less of it "
    "is lost"
)


@dataclass(frozen=True)
class Severity(ABC):
    """One level is drawn for each item from those of a parameter.

    Attributes:
        NAME: the registered name.
        LEVELS: name of the parameter that holds the levels; what is drawn is told under the same name.
        DRAWS_MORE: whether something is drawn besides the level.
        MEANT: what a level holds of, where the size of the picture makes a difference: a clause beside every verdict.
    """

    NAME: ClassVar[str]
    LEVELS: ClassVar[str]
    DRAWS_MORE: ClassVar[bool] = False
    MEANT: ClassVar[str] = ""

    @cached_property
    def deterministic(self) -> bool:
        """Whether nothing is drawn."""
        return not self.DRAWS_MORE and len(values_of(getattr(self, self.LEVELS))) == 1

    @cached_property
    def key(self) -> str:
        """Name and all parameters."""
        return describe_parameters(self.NAME, self)

    @property
    def meant(self) -> str:
        """What the level holds of; empty where the size of the picture makes no difference."""
        return self.MEANT

    def drawn(self, rng: np.random.Generator) -> Drawn:
        """The level."""
        return {self.LEVELS: drawn_from(getattr(self, self.LEVELS), rng)}

    def apply(self, image: Image, drawn: Drawn, rng: np.random.Generator) -> ChangedPicture:
        """The picture at the level that was drawn."""
        return changed(image, self.pixels(image, drawn, rng), drawn)

    @abstractmethod
    def pixels(self, image: Image, drawn: Drawn, rng: np.random.Generator) -> np.ndarray:
        """(height, width, 3) what becomes of the pixels; any type, rounded and cut off afterwards.

        Args:
            image: as given; never written to.
            drawn: with the level.
            rng: the generator of this picture or frame.
        """
