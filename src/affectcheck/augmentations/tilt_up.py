"""Spectral tilt upwards (paper 2, section II-D: Spectral Tilt, upwards)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from affectcheck.augmentations.registry import AUGMENTATIONS
from affectcheck.augmentations.tilt import Tilt

if TYPE_CHECKING:
    import numpy as np


@AUGMENTATIONS.register("tilt-up")
@dataclass(frozen=True)
class TiltUp(Tilt):
    """Attenuates low frequencies and amplifies high ones: magnitudes are proportional to the frequency.

    That is 6 dB an octave, from nothing at 0 Hz, with the level kept. The original looks at positive peaks only, and
    stores 16 bits, which clips the negative ones; that is not copied.
    """

    NAME: ClassVar[str] = "tilt-up"

    def magnitudes(self, frequencies_hz: np.ndarray) -> np.ndarray:
        """The line."""
        return frequencies_hz
