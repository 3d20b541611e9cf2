"""Tiny sounds that tests change, and collections of sounds that they write and read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from affectcheck.augmentations.collection import ROLES, Collection, Sound, Sounds
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from pathlib import Path

RATE_HZ = 16_000


def write(path: Path, samples: np.ndarray, rate_hz: int = RATE_HZ) -> Path:
    """Write 16-bit samples, without the extra packages that decode them."""
    import wave

    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1 if samples.ndim == 1 else samples.shape[1])
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes(np.round(samples * 32767).astype("<i2").tobytes())
    return path


def speech(n: int = 6_000) -> np.ndarray:
    """Noise at the level of speech, the same at every call."""
    return (0.1 * rng(1, "speech").standard_normal(n)).astype(np.float32)


def noise(key: str, n: int = 2_000) -> np.ndarray:
    """Samples of a sound of this name."""
    return 0.1 * rng(5, "sound", key).uniform(-1, 1, n)


def write_sounds(folder: Path, n: int = 2_000) -> Sounds:
    """Three recordings for every role."""
    collections = []
    for role in ROLES:
        files = [write(folder / role / f"{name}.wav", noise(f"{role}{name}", n)) for name in "abc"]
        found = tuple(Sound(path.stem, path) for path in files)
        collections.append(Collection(role, "tiny", found, reference="a"))
    return Sounds.of(*collections)
