"""A perturbation of pictures with its seed: a picture or video in, another one out, draws keyed by item."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from affectcheck import seeds
from affectcheck.augmentations.pictures.picture import VideoAugmentation
from affectcheck.media.clip import Frames, Image

if TYPE_CHECKING:
    from affectcheck.augmentations.pictures.picture import ChangedPicture, PictureAugmentation
    from affectcheck.media.clip import Media

#: Given to what draws nothing: a generator of the item would cost more than a mirror does.
_NOTHING: Final = seeds.rng(0, "nothing is drawn")


@dataclass(frozen=True)
class PicturePerturbation:
    """Applies a perturbation to pictures or to all frames of videos, each item with draws of its own.

    The same seed, augmentation and item key give the same pixels, whatever the order, the number of workers, the
    other items or the folder that the data lie in.

    Attributes:
        media: the media that it changes.
        augmentation: what is done.
        seed: the run's seed.
        repetition: another number gives an independent draw for every item.
    """

    media: ClassVar[tuple[str, ...]] = ("image", "frames")

    augmentation: PictureAugmentation
    seed: int = 0
    repetition: int = 0

    @property
    def key(self) -> str:
        """Everything that the output depends on besides the pixels and their item key."""
        return f"{self.augmentation.key}|seed={self.seed}|repetition={self.repetition}"

    def apply(self, image: Image, item_key: str) -> ChangedPicture:
        """Perturb one picture, with what was drawn and noted."""
        rng = _NOTHING if getattr(self.augmentation, "deterministic", False) else self._rng(item_key)
        return self.augmentation.apply(image, self.augmentation.drawn(rng), rng)

    def __call__(self, medium: Media, item_key: str) -> Image | Frames | None:
        """The perturbed medium; None if nothing of it can be changed, so that it is left out and counted.

        Raises:
            TypeError: the medium is neither a picture nor a video.
        """
        if isinstance(medium, Frames):
            return self._video(medium, item_key)
        if not isinstance(medium, Image):
            raise TypeError(f"{self.augmentation.key} changes pictures, not {type(medium).__name__}")
        made = self.apply(medium, item_key)
        if not made.changed:
            return None
        notes = (*medium.notes, *made.notes)
        return made.image if made.image.notes == notes else replace(made.image, notes=notes)

    def _video(self, video: Frames, item_key: str) -> Frames | None:
        """Every frame with the draws of the item; None if no frame can be changed."""
        rng = self._rng(item_key)
        drawn = self.augmentation.drawn(rng)
        if isinstance(self.augmentation, VideoAugmentation):
            return self.augmentation.apply_video(video, drawn, rng)
        made = [
            self.augmentation.apply(Image(pixels), drawn, self._rng(item_key, number))
            for number, pixels in enumerate(video.pixels)
        ]
        if not any(one.changed for one in made):
            return None
        return replace(video, pixels=np.stack([one.image.pixels for one in made]))

    def _rng(self, *keys: str | int) -> np.random.Generator:
        return seeds.item_rng((self.seed, "picture augmentation", self.augmentation.key, self.repetition), *keys)
