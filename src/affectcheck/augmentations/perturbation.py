"""An augmentation with its seed, as predictions use it: clip in, clip out, draws keyed by item."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from affectcheck import seeds
from affectcheck.media.clip import Clip

if TYPE_CHECKING:
    from affectcheck.augmentations.augmentation import Augmentation, Augmented
    from affectcheck.media.clip import Media


@dataclass(frozen=True)
class Perturbation:
    """Applies an augmentation to clips, each item with draws of its own.

    The same seed, augmentation and item key give the same samples, whatever the order, the number of workers, the
    other items or the folder that the data lie in.

    Attributes:
        media: the media that it changes.
        augmentation: what is done.
        seed: the run's seed.
        repetition: another number gives an independent draw for every item.
    """

    media: ClassVar[tuple[str, ...]] = ("audio",)

    augmentation: Augmentation
    seed: int = 0
    repetition: int = 0

    @property
    def key(self) -> str:
        """Everything that the output depends on besides the clip and its item key."""
        return f"{self.augmentation.key}|seed={self.seed}|repetition={self.repetition}"

    def apply(self, clip: Clip, item_key: str) -> Augmented:
        """Perturb one clip, with what was drawn and noted."""
        rng = seeds.item_rng((self.seed, "augmentation", self.augmentation.key, self.repetition), item_key)
        return self.augmentation.apply(clip.samples, clip.rate_hz, rng)

    def __call__(self, medium: Media, item_key: str) -> Clip | None:
        """The perturbed clip; None if the clip cannot be changed (silence), so that it is left out and counted.

        Raises:
            TypeError: the medium is no clip.
        """
        if not isinstance(medium, Clip):
            raise TypeError(f"{self.augmentation.key} changes sound, not {type(medium).__name__}")
        made = self.apply(medium, item_key)
        if not made.changed:
            return None
        samples = np.asarray(made.samples, dtype=np.float32)
        # dataclasses.replace takes longer than a crop does
        return Clip(**{**vars(medium), "samples": samples, "notes": (*medium.notes, *made.notes)})
