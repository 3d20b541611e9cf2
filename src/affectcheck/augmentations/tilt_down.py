"""Spectral tilt downwards (paper 2, section II-D: Spectral Tilt, downwards)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from affectcheck.augmentations.draws import require
from affectcheck.augmentations.registry import AUGMENTATIONS
from affectcheck.augmentations.tilt import Tilt


@AUGMENTATIONS.register("tilt-down")
@dataclass(frozen=True)
class TiltDown(Tilt):
    """Attenuates high frequencies: magnitudes fall in a line from 0 Hz to nothing at 8 kHz, with the level kept.

    The original looks at positive peaks only, and stores 16 bits, which clips the negative ones; that is not copied.

    Attributes:
        zero_hz: frequency from which on nothing is left; half of the sampling rate of paper 2.
    """

    NAME: ClassVar[str] = "tilt-down"

    zero_hz: float = 8_000.0

    def __post_init__(self) -> None:
        """The line falls."""
        require("zero_hz", self.zero_hz, lambda value: value > 0, "a frequency in hertz above 0")

    def magnitudes(self, frequencies_hz: np.ndarray) -> np.ndarray:
        """The line."""
        return np.maximum(0.0, 1 - frequencies_hz / self.zero_hz)
