"""Spectral tilt: magnitudes that follow a line over the frequency, with the level kept."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from affectcheck.augmentations.augmentation import Augmented, changed, describe_parameters, unchanged
from affectcheck.augmentations.mixing import SILENCE_RMS, peak_notes, peak_of, rms

if TYPE_CHECKING:
    from numpy.random import Generator

#: Zeros that follow the clip, so that what a filter spreads from its end does not reach its beginning.
_ROOM: Final = 512


@dataclass(frozen=True)
class Tilt(ABC):
    """A filter without delay; a subclass says which line its magnitudes follow.

    The original has an impulse response of 1024 samples instead, of the same magnitudes; what both make of speech
    differs by less than 0.4 % of its level.
    """

    NAME: ClassVar[str] = ""

    @cached_property
    def key(self) -> str:
        """Name and all parameters."""
        return describe_parameters(self.NAME, self)

    @abstractmethod
    def magnitudes(self, frequencies_hz: np.ndarray) -> np.ndarray:
        """The line.

        Args:
            frequencies_hz: (k,) frequencies, from 0 upwards.

        Returns:
            (k,) magnitudes; a common factor does not matter, since the level is kept.
        """

    @property
    def deterministic(self) -> bool:
        """Nothing is drawn."""
        return True

    def apply(self, samples: np.ndarray, rate_hz: int, rng: Generator) -> Augmented:
        """Tilt one clip; a silent one, or one that nothing would be left of, is not changed.

        The level is kept; if the peak exceeds full scale then, in either direction, it is scaled to 1.
        """
        from scipy.fft import irfft, next_fast_len, rfft  # noqa: PLC0415  # scipy loads with the first clip only

        level = rms(samples)
        if level < SILENCE_RMS:
            return unchanged(samples, "silent speech: a filter does not change it")
        size = next_fast_len(len(samples) + _ROOM, real=True)
        spectrum = rfft(np.asarray(samples, np.float32), size)
        spectrum *= _line(self, size, rate_hz)
        made = irfft(spectrum, size, overwrite_x=True)[: len(samples)]
        left = rms(made)
        if left < SILENCE_RMS:
            return unchanged(samples, "nothing but silence is left behind the filter")
        made *= level / left
        peak = peak_of(made)
        if peak > 1:
            made /= peak
        drawn = {"level_gain_db": -20 * math.log10(max(1.0, peak)), "peak": min(1.0, peak)}
        return changed(samples, made, drawn, peak_notes(peak, scaled=True))


@lru_cache(maxsize=16)
def _line(tilt: Tilt, size: int, rate_hz: int) -> np.ndarray:
    line = tilt.magnitudes(np.arange(size // 2 + 1) * (rate_hz / size)).astype(np.float32)
    line.setflags(write=False)
    return line
