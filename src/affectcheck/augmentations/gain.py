"""A change of gain (paper 2, section II-D: Small Changes, gain)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.augmentations.augmentation import Augmented, changed, describe_parameters, unchanged
from affectcheck.augmentations.draws import drawn_from, require, values_of
from affectcheck.augmentations.mixing import is_silent, peak_notes, peak_of
from affectcheck.augmentations.registry import AUGMENTATIONS

if TYPE_CHECKING:
    from numpy.random import Generator


@AUGMENTATIONS.register("gain")
@dataclass(frozen=True)
class Gain:
    """Multiplies the samples by a gain drawn for each clip; nothing is clipped.

    Paper 2 draws from -2, -1, 1 and 2 dB. The original stores 16 bits, which clips what exceeds full scale; that is not
    copied.

    Attributes:
        gain_db: gains that one is drawn from, in decibels; negative is quieter.
    """

    gain_db: float | tuple[float, ...] = (-2.0, -1.0, 1.0, 2.0)

    def __post_init__(self) -> None:
        """Gains are finite, and none leaves the sound as it is."""
        require("gain_db", self.gain_db, lambda value: value != 0, "numbers of decibels other than 0")

    @property
    def deterministic(self) -> bool:
        """Whether nothing is drawn."""
        return len(values_of(self.gain_db)) == 1

    @cached_property
    def key(self) -> str:
        """Name and all parameters."""
        return describe_parameters("gain", self)

    def apply(self, samples: np.ndarray, rate_hz: int, rng: Generator) -> Augmented:
        """Change the gain; a silent clip is not changed."""
        gain_db = drawn_from(self.gain_db, rng)
        if is_silent(samples):
            return unchanged(samples, "silent speech: a gain does not change it")
        scaled = np.multiply(samples, 10 ** (gain_db / 20), dtype=np.float32)
        peak = peak_of(scaled)
        drawn = {"level_gain_db": gain_db, "peak": peak}
        return changed(samples, scaled, drawn, peak_notes(peak, scaled=False))
