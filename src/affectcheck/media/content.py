"""What a file holds, as a digest: equal for equal samples or pixels, whatever the container, its tags and its depth.

A digest of content is not that of a clip as a model hears it, which is mixed and resampled first: two files that a
model cannot tell apart may differ, and are then near copies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.digest import digest_array, digest_bytes

if TYPE_CHECKING:
    from affectcheck.media.audio import Sound
    from affectcheck.media.clip import Image

#: Changes with every change of what the digests are taken of.
FORMAT: Final = "content 1"


def sound_digest(sound: Sound) -> str:
    """Digest of samples at the rate of their file.

    Samples of 8, 16, 24 bits and of floats count by their value; channels that are all the same count as one.

    Args:
        sound: as ``read_sound(..., exact=True)`` gives it.
    """
    samples = sound.samples
    if samples.shape[1] > 1 and (samples == samples[:, :1]).all():
        samples = samples[:, :1]
    if samples.dtype == np.float64:
        narrow = samples.astype(np.float32)
        samples = narrow if (narrow == samples).all() else samples
    return digest_bytes(FORMAT, "sound", str(sound.rate_hz), digest_array(samples + samples.dtype.type(0)))


def image_digest(image: Image) -> str:
    """Digest of 8-bit RGB pixels, so that grey, palette and colour files of one picture agree."""
    return digest_bytes(FORMAT, "image", image.digest)
