"""Fundamental frequency by windowed autocorrelation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from affectcheck.models.spectra import RATE_HZ, frames_of

WINDOW: Final = 640  # samples: 40 ms, more than two periods of the lowest pitch
FFT: Final = 1024  # no wrap-around up to the longest lag
LOW_HZ: Final = 62.5
HIGH_HZ: Final = 500.0
VOICED: Final = 0.45  # smallest height of the autocorrelation's peak in a voiced frame
OCTAVE_COST: Final = 0.02  # a little in favour of the higher candidate, against octave errors downward


@dataclass(frozen=True, eq=False)
class Pitch:
    """Pitch of every frame.

    Attributes:
        octaves: (frames,) binary logarithm of the fundamental frequency over 100 Hz.
        strength: (frames,) height of the normalised autocorrelation's peak, 0 to about 1.
        voiced: (frames,) whether the peak is high enough.
    """

    octaves: np.ndarray
    strength: np.ndarray
    voiced: np.ndarray


def pitch(samples: np.ndarray, *, noise: float = 0.0) -> Pitch:
    """Measure the pitch of every frame.

    Args:
        samples: (n,) float64 at 16 kHz.
        noise: mean square of white noise whose expected power is added, so that a frame far below it is not voiced,
            whatever the little in it sounds like.
    """
    frames = frames_of(samples, WINDOW)
    windowed = (frames - frames.mean(axis=1, keepdims=True)) * _hann()
    spectrum = np.fft.rfft(windowed, FFT, axis=1)
    correlation = np.fft.irfft(spectrum.real**2 + spectrum.imag**2, FFT, axis=1)
    shortest, longest = int(RATE_HZ / HIGH_HZ), int(RATE_HZ / LOW_HZ)
    lags = np.arange(shortest, longest + 1)
    energy = correlation[:, :1] + noise * float(np.square(_hann()).sum())
    silent = energy[:, 0] <= 0.0
    normalised = correlation[:, : longest + 2] / np.where(energy > 0.0, energy, 1.0) / _window_correlation(longest + 2)
    candidates = normalised[:, shortest : longest + 1] - OCTAVE_COST * np.log2(lags / shortest)
    best = candidates.argmax(axis=1)
    row = np.arange(len(best))
    lag = lags[best]
    left, middle, right = normalised[row, lag - 1], normalised[row, lag], normalised[row, lag + 1]
    bend = left - 2.0 * middle + right
    shift = np.where(bend < 0.0, 0.5 * (left - right) / np.where(bend < 0.0, bend, 1.0), 0.0).clip(-0.5, 0.5)
    strength = np.where(silent, 0.0, middle.clip(0.0, 1.0))
    return Pitch(np.log2(RATE_HZ / (lag + shift) / 100.0), strength, strength >= VOICED)


@cache
def _hann() -> np.ndarray:
    return np.hanning(WINDOW)


@cache
def _window_correlation(lags: int) -> np.ndarray:
    """Autocorrelation of the window itself, by which that of the frame is divided."""
    spectrum = np.fft.rfft(_hann(), FFT)
    correlation = np.fft.irfft(spectrum.real**2 + spectrum.imag**2, FFT)[:lags]
    return np.asarray(correlation / correlation[0])
