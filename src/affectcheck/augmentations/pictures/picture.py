"""What a perturbation of pictures is: a frozen set of parameters in physical units that turns pixels into others.

What is drawn for an item is drawn once, so that all frames of a video are turned by the same angle or lose the same
part; what differs from frame to frame, such as noise, comes from a generator of the frame.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

import numpy as np

from affectcheck.media.clip import Image

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.media.clip import Frames

    #: What was drawn for an item, by name; names end in their unit.
    Drawn: TypeAlias = Mapping[str, float | str]


@dataclass(frozen=True, eq=False)
class ChangedPicture:
    """What a perturbation made of one picture.

    Attributes:
        image: the picture; the one that was given, if nothing was changed.
        changed: whether a pixel really differs. A picture that was not changed says nothing about robustness: it is
            left out and counted.
        drawn: what was drawn for the item.
        notes: sentences, such as why nothing was changed, or that the points of the face were taken for granted.
    """

    image: Image
    changed: bool
    drawn: Drawn = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@runtime_checkable
class PictureAugmentation(Protocol):
    """A perturbation of pictures, registered under a name."""

    @property
    def key(self) -> str:
        """Name and all parameters in one line; equal keys mean equal output for equal draws."""

    def drawn(self, rng: np.random.Generator) -> Drawn:
        """What is drawn for an item, from the generator of the item.

        Args:
            rng: the generator of the item, which a single picture goes on with.
        """

    def apply(self, image: Image, drawn: Drawn, rng: np.random.Generator) -> ChangedPicture:
        """Perturb one picture.

        Args:
            image: (height, width, 3) uint8, RGB; never written to.
            drawn: what ``drawn`` returned for the item.
            rng: the generator of this picture or frame, for what differs from frame to frame.
        """


@runtime_checkable
class VideoAugmentation(PictureAugmentation, Protocol):
    """One that changes the frames of a video together, as a codec does, and not one by one."""

    def apply_video(self, video: Frames, drawn: Drawn, rng: np.random.Generator) -> Frames | None:
        """Perturb a video; None if nothing can be changed.

        Args:
            video: frames of one size; never written to.
            drawn: what ``drawn`` returned for the item.
            rng: the generator of the video.
        """


def unchanged(image: Image, reason: str, drawn: Drawn | None = None) -> ChangedPicture:
    """The picture that was given, and why nothing was done to it."""
    return ChangedPicture(image, changed=False, drawn=drawn or {}, notes=(reason,))


def changed(
    image: Image, pixels: np.ndarray, drawn: Drawn, *, landmarks: np.ndarray | None = None, notes: tuple[str, ...] = ()
) -> ChangedPicture:
    """What was made of a picture, if a pixel differs once it is stored in 8 bits.

    Args:
        image: as given.
        pixels: (height, width, 3) of any type; values beyond 0 to 255 are cut off, others rounded to even.
        drawn: what was drawn.
        landmarks: (5, 2) where the points of the face are afterwards; None where they stay.
        notes: what is to be said of it.
    """
    stored = pixels if pixels.dtype == np.uint8 else _eight_bits(pixels)
    if _same(stored, image.pixels):
        return unchanged(image, "too small a change for pixels of 8 bits: nothing differs", drawn)
    # dataclasses.replace takes as long as mirroring a small picture does
    fields = {**vars(image), "pixels": stored, "landmarks": image.landmarks if landmarks is None else landmarks}
    return ChangedPicture(Image(**fields), changed=True, drawn=drawn, notes=notes)


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    if one.shape != other.shape:
        return False
    middle = len(one) // 2  # where most changes are seen at once
    return one[middle].tobytes() == other[middle].tobytes() and np.array_equal(one, other)


def _eight_bits(values: np.ndarray) -> np.ndarray:
    rounded = np.rint(values)
    stored: np.ndarray = np.clip(rounded, 0, 255, out=rounded).astype(np.uint8)
    return stored
