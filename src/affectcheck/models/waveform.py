"""Sound on its way into a model of others: normalised as its processor would, or as the bytes of a WAV file."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.media.samples import to_pcm

if TYPE_CHECKING:
    from affectcheck.media.clip import Clip

ENCODINGS: Final = ("pcm16", "float32")

#: As the feature extractors of wav2vec 2.0 and HuBERT add it to the variance, so that silence is no division by zero.
FLOOR: Final = 1e-7
_HEADER: Final = struct.Struct("<4sI4s4sIHHIIHH4sI")
_PCM, _FLOAT = 1, 3


def normalised(samples: np.ndarray, how: str) -> np.ndarray:
    """Samples as a model takes them.

    Args:
        samples: (n,) sound.
        how: ``none``, or ``zscore``: zero mean and unit variance over the clip.

    Returns:
        (n,) float32.
    """
    if how == "none" or not len(samples):
        return np.asarray(samples, np.float32)
    values = np.asarray(samples, np.float64)
    return np.asarray((values - values.mean()) / np.sqrt(values.var() + FLOOR), np.float32)


def softmax(values: np.ndarray) -> np.ndarray:
    """Logits as probabilities, (n,) float64."""
    raised = np.exp(np.asarray(values, np.float64) - np.max(values))
    return np.asarray(raised / raised.sum())


def wav_bytes(clip: Clip, encoding: str = "pcm16") -> bytes:
    """A clip as a mono WAV file.

    Args:
        clip: the sound; 16-bit integers clip what is beyond full scale.
        encoding: ``pcm16``, which everything reads, or ``float32``, which loses nothing.
    """
    if encoding == "float32":
        data, kind, size = np.asarray(clip.samples, "<f4").tobytes(), _FLOAT, 4
    else:
        data, kind, size = to_pcm(clip.samples).astype("<i2").tobytes(), _PCM, 2
    rate = clip.rate_hz
    header = _HEADER.pack(
        b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16, kind, 1, rate, rate * size, size, 8 * size, b"data", len(data)
    )
    return header + data
