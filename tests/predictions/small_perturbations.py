"""Small perturbations that tests apply, at module level so that they travel to other processes, and sounds for them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from affectcheck.annotations.table import AnnotationTable
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.media.clip import Clip


@dataclass(frozen=True)
class Times:
    """Multiplies the sound; notes which items it was asked for."""

    media = ("audio",)

    factor: float
    asked: list[str] = field(default_factory=list, compare=False)

    @property
    def key(self) -> str:
        return f"times|factor={self.factor}"

    def __call__(self, clip: Clip, item_key: str) -> Clip | None:
        self.asked.append(item_key)
        return replace(clip, samples=clip.samples * np.float32(self.factor))


@dataclass(frozen=True)
class Noise:
    """Adds noise that is the item's own."""

    media = ("audio",)

    seed: int = 0

    @property
    def key(self) -> str:
        return f"noise|seed={self.seed}"

    def __call__(self, clip: Clip, item_key: str) -> Clip | None:
        noise = rng(self.seed, "noise", item_key).standard_normal(len(clip.samples)).astype(np.float32)
        return replace(clip, samples=clip.samples + np.float32(0.01) * noise)


@dataclass(frozen=True)
class InPlace:
    """Writes into the samples that it is given, and gives the same clip back."""

    media = ("audio",)
    key: str = "in place"

    def __call__(self, clip: Clip, item_key: str) -> Clip | None:
        clip.samples[:] = 0.25
        return clip


@dataclass(frozen=True)
class Same:
    """Gives back what it is given."""

    media = ("audio",)
    key: str = "same"

    def __call__(self, clip: Clip, item_key: str) -> Clip | None:
        return clip


def write_sounds(root: Path, count: int = 4) -> AnnotationTable:
    """Tones, each longer and louder than the one before."""
    import soundfile

    root.mkdir()
    names = [f"clip{number}.wav" for number in range(count)]
    for number, name in enumerate(names):
        time = np.arange(1600 + 100 * number) / 16_000
        soundfile.write(root / name, 0.5 * (number + 1) / count * np.sin(2 * np.pi * 200 * time), 16_000)
    return AnnotationTable(pl.DataFrame({"item": names, "media": names}), name="sounds", root=root)
