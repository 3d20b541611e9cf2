"""What a model hears or sees: clips, images and frames, and the item that holds them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from affectcheck.digest import digest_array, digest_bytes
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np


@dataclass(frozen=True, eq=False)
class Clip:
    """Mono sound.

    Attributes:
        samples: (n,) float32, full scale at ±1.
        rate_hz: sampling rate.
        notes: cautions met while decoding, such as a header that claims another length.
    """

    samples: np.ndarray
    rate_hz: int
    notes: tuple[str, ...] = ()

    @property
    def duration_s(self) -> float:
        """Length in seconds."""
        return len(self.samples) / self.rate_hz

    @property
    def digest(self) -> str:
        """Digest of the samples and the rate, whatever the container was."""
        return digest_bytes(digest_array(self.samples), str(self.rate_hz))


@dataclass(frozen=True, eq=False)
class Image:
    """One picture.

    Attributes:
        pixels: (height, width, 3) uint8, RGB.
        notes: cautions met while decoding, such as one of several frames.
        landmarks: (5, 2) float64, x then y in pixels of this picture, centres of pixels on whole numbers: the eye and
            the corner of the mouth that are left in the picture come before the right ones (``landmarks.POINTS``);
            None where they are not known.
        cut_by: digest of what found the face that this picture was cut out along, or found none and left it whole;
            empty for a picture as decoded. What changes the picture keeps it.
    """

    pixels: np.ndarray
    notes: tuple[str, ...] = ()
    landmarks: np.ndarray | None = None
    cut_by: str = ""

    @property
    def digest(self) -> str:
        """Digest of the pixels, whatever the container was, of the landmarks where there are any, and of what cut it."""
        parts = [digest_array(self.pixels)]
        parts += [] if self.landmarks is None else [digest_array(self.landmarks)]
        parts += [f"cut by {self.cut_by}"] if self.cut_by else []
        return parts[0] if len(parts) == 1 else digest_bytes(*parts)


@dataclass(frozen=True, eq=False)
class Frames:
    """Consecutive pictures of a video.

    Attributes:
        pixels: (time, height, width, 3) uint8, RGB.
        rate_hz: frames per second.
        notes: cautions met while decoding, such as fewer frames than a header states.
    """

    pixels: np.ndarray
    rate_hz: float
    notes: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Digest of the pixels and the rate."""
        return digest_bytes(digest_array(self.pixels), repr(self.rate_hz))


Media: TypeAlias = Clip | Image | Frames

#: Names of the media that an item may hold.
MEDIUM_NAMES: Final = ("audio", "image", "frames")


@dataclass(frozen=True, eq=False)
class Item:
    """One item as a model gets it: an image, a clip, or several media of one recording.

    Attributes:
        key: the item's key in its table.
        media: medium name (``audio``, ``image``, ``frames``) to medium.
    """

    key: str
    media: Mapping[str, Media] = field(default_factory=dict)

    @property
    def audio(self) -> Clip:
        """The item's clip.

        Raises:
            InputError: the item has no sound.
        """
        found = self.media.get("audio")
        if not isinstance(found, Clip):
            raise InputError(
                f"item {self.key!r} has no audio",
                expected="a clip",
                cause="the model hears, but the data set is silent",
            )
        return found

    @property
    def image(self) -> Image:
        """The item's picture.

        Raises:
            InputError: the item has none.
        """
        found = self.media.get("image")
        if not isinstance(found, Image):
            raise InputError(
                f"item {self.key!r} has no picture",
                expected="a picture",
                cause="the model sees, but the data set holds sound only",
            )
        return found

    @property
    def frames(self) -> Frames:
        """The item's frames of a video.

        Raises:
            InputError: the item has none.
        """
        found = self.media.get("frames")
        if not isinstance(found, Frames):
            raise InputError(
                f"item {self.key!r} has no frames",
                expected="a video",
                cause="the model sees movement, but the data set holds sound or single pictures",
            )
        return found

    @property
    def digest(self) -> str:
        """Digest of all its media, without its key."""
        return digest_bytes(*(f"{name}={self.media[name].digest}" for name in sorted(self.media)))
