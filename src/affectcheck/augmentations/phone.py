"""A low-quality telephone line (paper 2, section II-D: Low Quality Phone)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from affectcheck.augmentations.augmentation import Augmented, changed, describe_parameters, unchanged
from affectcheck.augmentations.codecs import AUTO, RATE_HZ, encoder_of, transmit
from affectcheck.augmentations.compressor import Compressor
from affectcheck.augmentations.draws import is_number
from affectcheck.augmentations.mixing import SILENCE_RMS, peak_notes, rms
from affectcheck.augmentations.registry import AUGMENTATIONS
from affectcheck.errors import InputError
from affectcheck.media.samples import resampled

if TYPE_CHECKING:
    from numpy.typing import NDArray


@AUGMENTATIONS.register("phone")
@dataclass(frozen=True)
class Phone:
    """Sends the sound over a telephone line: narrow band, compressed, coded at a low rate, with noise above 3 kHz.

    The sound is resampled to 8 kHz, scaled to a peak of 1, compressed, coded and decoded, resampled back, scaled to a
    peak of 1 again, and mixed with pink noise that only its high frequencies are left of. In the end it has the level
    of the recording again, unless its peak would exceed full scale: then the peak is scaled to 1. The delay of the codec,
    5 ms for AMR-NB, is left as it is.

    Attributes:
        codec: ``amr-nb-7.4``, ``gsm-06.10``, or ``auto`` for the first of them that can be encoded here; the key names
            the one that is used.
        noise_db: level of the pink noise whose peak is 1, before its low frequencies are taken away.
        highpass_hz: frequency below which the noise is taken away (Butterworth, order 2).
    """

    codec: str = AUTO
    noise_db: float = -25.0
    highpass_hz: float = 3_000.0

    #: How the dynamic range is compressed.
    COMPRESSOR: ClassVar[Compressor] = Compressor()

    def __post_init__(self) -> None:
        """The codec is decided here, so that every process uses the one that the key names."""
        if not (is_number(self.noise_db) and is_number(self.highpass_hz) and self.highpass_hz > 0):
            raise InputError(
                f"noise_db is {self.noise_db!r} and highpass_hz {self.highpass_hz!r}",
                expected="a number of decibels, and a frequency above 0",
            )
        object.__setattr__(self, "codec", encoder_of(self.codec).codec)

    @property
    def key(self) -> str:
        """Name, codec and all other parameters."""
        return describe_parameters("phone", self)

    def apply(self, samples: np.ndarray, rate_hz: int, rng: np.random.Generator) -> Augmented:
        """Send one clip; a silent one, or one that the codec leaves nothing of, is not changed."""
        level = rms(samples)
        if level < SILENCE_RMS:
            return unchanged(samples, "silent speech: a telephone line does not change it")
        heard = self._heard(samples, rate_hz)
        peak = float(np.max(np.abs(heard)))
        if peak < SILENCE_RMS:
            return unchanged(samples, "nothing is left of the speech behind the codec")
        mixed = heard / peak + self._noise(len(samples), rate_hz, rng)
        mixed *= level / rms(mixed)
        loudest = float(np.max(np.abs(mixed)))
        mixed /= max(1.0, loudest)
        level_gain_db = 20 * math.log10(rms(mixed) / level)
        drawn: dict[str, float | str] = {
            "codec": self.codec,
            "level_gain_db": level_gain_db,
            "peak": min(1.0, loudest),
        }
        return changed(samples, mixed, drawn, peak_notes(loudest, scaled=True))

    def _heard(self, samples: np.ndarray, rate_hz: int) -> NDArray[np.float64]:
        """What comes out of the line, at the rate and length of what went in."""
        narrow = resampled(np.asarray(samples, np.float32), rate_hz, RATE_HZ)
        peak = float(np.max(np.abs(narrow), initial=0.0))
        if peak < SILENCE_RMS:  # all that there is lies above 4 kHz
            return np.zeros(len(samples))
        compressed = self.COMPRESSOR.apply(narrow / peak, RATE_HZ)
        wide = resampled(transmit(compressed, encoder_of(self.codec)), RATE_HZ, rate_hz)[: len(samples)]
        return np.pad(wide.astype(np.float64), (0, len(samples) - len(wide)))

    def _noise(self, n: int, rate_hz: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Pink noise without its low frequencies."""
        from scipy.signal import lfilter  # noqa: PLC0415  # scipy loads with the first clip only

        noise = pink_noise(n, rng)
        if self.highpass_hz >= rate_hz / 2:  # nothing of it would be left
            return np.zeros(n)
        numerator, denominator = _highpass(self.highpass_hz, rate_hz)
        gain = 10 ** (self.noise_db / 20) / float(np.max(np.abs(noise)))
        return np.asarray(lfilter(numerator, denominator, gain * noise), np.float64)


def pink_noise(n: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Gaussian noise whose power falls by 3 dB an octave, without a constant part.

    Args:
        n: number of samples.
        rng: what it is drawn from.
    """
    from scipy.fft import irfft, next_fast_len  # noqa: PLC0415

    length = next_fast_len(max(n, 2), real=True)
    bins = length // 2 + 1
    # The spectrum of white noise is complex noise: drawn as such, it need not be computed from samples.
    spectrum = rng.standard_normal(2 * bins, np.float32).view(np.complex64)
    spectrum[0] = 0
    spectrum[1:] *= _pink(bins)
    return np.asarray(irfft(spectrum, length)[:n], np.float32)


@lru_cache(maxsize=64)
def _pink(bins: int) -> NDArray[np.float32]:
    return (1 / np.sqrt(np.arange(1, bins))).astype(np.float32)


@lru_cache(maxsize=16)
def _highpass(frequency_hz: float, rate_hz: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    from scipy.signal import butter  # noqa: PLC0415

    numerator, denominator = butter(2, frequency_hz, "highpass", fs=rate_hz)
    return numerator, denominator
