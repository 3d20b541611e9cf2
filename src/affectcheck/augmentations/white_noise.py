"""White Gaussian noise at a signal-to-noise ratio (paper 2, section II-D: Background Noise, white)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.augmentations.augmentation import Augmented, describe_parameters
from affectcheck.augmentations.mixing import SilenceError, mix_at_snr
from affectcheck.augmentations.registry import AUGMENTATIONS
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from typing import Any


@AUGMENTATIONS.register("white-noise")
@dataclass(frozen=True)
class WhiteNoise:
    """Adds white Gaussian noise; every item gets noise of its own.

    Attributes:
        snr_db: ratio by root mean square over the whole clip; with several, one is drawn for each clip.
        keep_level: scale the mix back to the level of the speech, as paper 2 does for background noise.
    """

    snr_db: float | tuple[float, ...] = 20.0
    keep_level: bool = True

    def __post_init__(self) -> None:
        """Ratios are finite and there is at least one."""
        if not self.ratios_db or not all(_finite(ratio) for ratio in self.ratios_db):
            raise InputError(f"snr_db is {self.snr_db!r}", expected="a number of decibels, or several")

    @property
    def ratios_db(self) -> tuple[float, ...]:
        """The ratios that one is drawn from."""
        return self.snr_db if isinstance(self.snr_db, tuple) else (self.snr_db,)

    @property
    def key(self) -> str:
        """Name and all parameters."""
        return describe_parameters("white-noise", self)

    def apply(self, samples: np.ndarray, rate_hz: int, rng: np.random.Generator) -> Augmented:
        """Add noise; a silent clip is not changed, because no ratio exists for it."""
        snr_db = float(self.ratios_db[rng.integers(len(self.ratios_db))])
        noise = rng.standard_normal(len(samples))
        try:
            mix = mix_at_snr(samples, noise, snr_db, keep_level=self.keep_level)
        except SilenceError as error:
            return Augmented(samples, changed=False, notes=(error.what,))
        notes = (f"peak {mix.peak:.3f} exceeds full scale; samples are kept, not clipped",) if mix.peak > 1 else ()
        drawn = {"snr_db": snr_db, "noise_gain": mix.noise_gain, "level_gain_db": mix.level_gain_db, "peak": mix.peak}
        return Augmented(mix.samples.astype(np.float32), changed=True, drawn=drawn, notes=notes)


def _finite(value: Any) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)
