"""Mixing speech and noise at a signal-to-noise ratio, and what it means.

The ratio is ``20 log10(rms(speech) / rms(noise as mixed))`` over the whole clip: a higher one is less noise. Samples
stay floating point and are never clipped, so the ratio that was asked for is the ratio that is heard.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from affectcheck.errors import InputError

#: Root mean square below which a signal counts as silence: -120 dB of full scale, far below one step of 16 bits.
SILENCE_RMS: Final = 1e-6


class SilenceError(InputError):
    """Speech or noise without energy, so that no ratio of the two exists."""


@dataclass(frozen=True, eq=False)
class Mix:
    """Speech with noise.

    Attributes:
        samples: (n,) float64, not clipped.
        noise_gain: factor that the noise was multiplied by.
        level_gain: factor that the whole mix was multiplied by afterwards; 1 unless the level was kept.
        peak: largest magnitude; above 1 the mix exceeds full scale and must be stored as floating point.
    """

    samples: np.ndarray
    noise_gain: float
    level_gain: float
    peak: float

    @property
    def level_gain_db(self) -> float:
        """The level change in decibels."""
        return 20 * math.log10(self.level_gain)


def rms(samples: np.ndarray) -> float:
    """Root mean square in double precision; 0 for no samples.

    Example:
        >>> rms(np.array([3.0, -4.0, 0.0, 0.0]))
        2.5
    """
    values = np.asarray(samples, dtype=np.float64)
    return float(np.sqrt(np.mean(values**2))) if values.size else 0.0


def mix_at_snr(speech: np.ndarray, noise: np.ndarray, snr_db: float, *, keep_level: bool = False) -> Mix:
    """Add noise to speech at a signal-to-noise ratio.

    Args:
        speech: (n,) samples.
        noise: (n,) samples, the very part that is mixed in.
        snr_db: ``20 log10(rms(speech) / rms(noise as mixed))``.
        keep_level: whether the mix is scaled back to the level of the speech, which leaves the ratio as it is.

    Raises:
        SilenceError: speech or noise is silent, so that the ratio is undefined.
        InputError: the lengths differ.

    Example:
        >>> mix = mix_at_snr(np.array([0.5, -0.5]), np.array([0.25, 0.25]), 20.0)
        >>> round(mix.noise_gain, 6)
        0.2
    """
    if len(speech) != len(noise):
        raise InputError(f"{len(speech)} samples of speech and {len(noise)} of noise", expected="equal lengths")
    speech_rms, noise_rms = rms(speech), rms(noise)
    for name, level in (("speech", speech_rms), ("noise", noise_rms)):
        if level < SILENCE_RMS:
            raise SilenceError(f"silent {name}: the signal-to-noise ratio is undefined")
    gain = speech_rms / noise_rms * 10 ** (-snr_db / 20)
    mixed = np.asarray(speech, dtype=np.float64) + gain * np.asarray(noise, dtype=np.float64)
    mixed_rms = rms(mixed)
    level = speech_rms / mixed_rms if keep_level and mixed_rms >= SILENCE_RMS else 1.0
    mixed = mixed * level
    return Mix(mixed, gain, level, float(np.max(np.abs(mixed))))
