"""White Gaussian noise (paper 2, section II-D: Background Noise, white; Small Changes, white noise)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from affectcheck.augmentations.background import Background, Noise
from affectcheck.augmentations.registry import AUGMENTATIONS

if TYPE_CHECKING:
    from numpy.random import Generator


@AUGMENTATIONS.register("white-noise")
@dataclass(frozen=True)
class WhiteNoise(Background):
    """Adds white Gaussian noise; every clip gets noise of its own.

    Paper 2 has 20 dB with the level kept as background noise, and 35, 40 or 45 dB as a small change, where the level is
    not kept. The original draws from a generator that begins anew with every clip, so that all clips get one noise;
    that is not copied. Its level is that of the noise that was drawn, not a nominal one.

    Attributes:
        snr_db: signal-to-noise ratio in decibels; with several, one is drawn for each clip.
        keep_level: whether the mix has the level of the clip.
        snr_over: ``clip`` or ``active`` (see ``Background``).
    """

    NAME: ClassVar[str] = "white-noise"

    def draw(self, n: int, rate_hz: int, rng: Generator) -> Noise:
        """Samples of unit variance."""
        return Noise(rng.standard_normal(n, np.float32), {})
