"""A change of gain (paper 2, section II-D: Small Changes, gain)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.augmentations.augmentation import Augmented, describe_parameters
from affectcheck.augmentations.mixing import SILENCE_RMS, rms
from affectcheck.augmentations.registry import AUGMENTATIONS
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from typing import Any


@AUGMENTATIONS.register("gain")
@dataclass(frozen=True)
class Gain:
    """Multiplies the samples by a gain drawn for each clip; nothing is clipped.

    Attributes:
        gain_db: gains that one is drawn from; negative is quieter.
    """

    gain_db: float | tuple[float, ...] = (-2.0, -1.0, 1.0, 2.0)

    def __post_init__(self) -> None:
        """Gains are finite, and none leaves the sound as it is."""
        if not self.gains_db or not all(_usable(gain) for gain in self.gains_db):
            raise InputError(f"gain_db is {self.gain_db!r}", expected="numbers of decibels other than 0")

    @property
    def gains_db(self) -> tuple[float, ...]:
        """The gains that one is drawn from."""
        return self.gain_db if isinstance(self.gain_db, tuple) else (self.gain_db,)

    @property
    def key(self) -> str:
        """Name and all parameters."""
        return describe_parameters("gain", self)

    def apply(self, samples: np.ndarray, rate_hz: int, rng: np.random.Generator) -> Augmented:
        """Change the gain; a silent clip is not changed."""
        gain_db = float(self.gains_db[rng.integers(len(self.gains_db))])
        if rms(samples) < SILENCE_RMS:
            return Augmented(samples, changed=False, notes=("silent speech: a gain does not change it",))
        scaled = np.asarray(samples, dtype=np.float64) * 10 ** (gain_db / 20)
        peak = float(np.max(np.abs(scaled)))
        notes = (f"peak {peak:.3f} exceeds full scale; samples are kept, not clipped",) if peak > 1 else ()
        return Augmented(
            scaled.astype(np.float32), changed=True, drawn={"level_gain_db": gain_db, "peak": peak}, notes=notes
        )


def _usable(value: Any) -> bool:
    return isinstance(value, int | float) and math.isfinite(value) and value != 0
