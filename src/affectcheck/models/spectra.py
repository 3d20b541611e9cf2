"""Short-time spectra of a clip: frames, powers, log-mel bands, cepstra and the shape of the spectrum."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

import numpy as np

RATE_HZ: Final = 16_000
WINDOW: Final = 400  # samples: 25 ms
HOP: Final = 160  # samples: 10 ms
FFT: Final = 512
MELS: Final = 40
CEPSTRA: Final = 14
MEL_LOW_HZ: Final = 60.0
MEL_HIGH_HZ: Final = 7_800.0
ACTIVE_RANGE_DB: Final = 35.0


@dataclass(frozen=True, eq=False)
class Spectra:
    """What is measured in every frame of a clip.

    Attributes:
        power: (frames,) mean square of the windowed samples.
        bins: (frames, FFT / 2 + 1) power a frequency bin.
        crossings: (frames,) share of neighbouring samples of opposite sign.
        active: (frames,) whether the frame lies within ``ACTIVE_RANGE_DB`` of the loudest one.
    """

    power: np.ndarray
    bins: np.ndarray
    crossings: np.ndarray
    active: np.ndarray


def frames_of(samples: np.ndarray, window: int) -> np.ndarray:
    """Overlapping frames as a view, one at each hop; a clip shorter than a window is padded with zeros.

    Args:
        samples: (n,) any n.
        window: samples a frame.

    Returns:
        (frames, window), at least one frame.
    """
    missing = window - len(samples)
    padded = np.concatenate([samples, np.zeros(missing)]) if missing > 0 else samples
    return np.lib.stride_tricks.sliding_window_view(padded, window)[::HOP]


def spectra(samples: np.ndarray) -> Spectra:
    """Measure every frame of a clip.

    Args:
        samples: (n,) float64 at 16 kHz.
    """
    frames = frames_of(samples, WINDOW)
    windowed = frames * _hamming()
    spectrum = np.fft.rfft(windowed, FFT, axis=1)
    power = np.square(windowed).mean(axis=1)
    signs = frames >= 0.0
    crossings = (signs[:, 1:] != signs[:, :-1]).mean(axis=1)
    active = power >= power.max() * 10.0 ** (-ACTIVE_RANGE_DB / 10.0)
    return Spectra(power, spectrum.real**2 + spectrum.imag**2, crossings, active)


class NoisePower(NamedTuple):
    """Expected power of white noise, as ``Spectra`` measures it.

    Attributes:
        a_frame: as ``Spectra.power``.
        a_bin: as one of ``Spectra.bins``.
    """

    a_frame: float
    a_bin: float


def white_noise(power: float) -> NoisePower:
    """What white noise of a mean square would measure on average."""
    energy = float(np.square(_hamming()).sum())
    return NoisePower(power * energy / WINDOW, power * energy)


def log_mels(bins: np.ndarray, floor: float) -> np.ndarray:
    """(frames, MELS) natural logarithm of the power in each mel band, the floor added to every bin."""
    return np.asarray(np.log((bins + floor) @ _mel_filters()))


def cepstra(mels: np.ndarray) -> np.ndarray:
    """(frames, CEPSTRA) cosine transform of log-mel bands, the mean first."""
    return np.asarray(mels @ _cosines())


def shapes(bins: np.ndarray, floor: float) -> np.ndarray:
    """Shape of each frame's spectrum.

    Args:
        bins: (frames, bins) powers.
        floor: power added to each bin, so that silence has the shape of white noise.

    Returns:
        (frames, 6): centroid and bandwidth in kHz, 85 % roll-off in kHz, log flatness, flux, and log ratio of the
        power above 1 kHz to the power below.
    """
    hertz = np.fft.rfftfreq(FFT, 1.0 / RATE_HZ) / 1_000.0
    power = bins + floor
    total = power.sum(axis=1)
    share = power / total[:, None]
    centroid = share @ hertz
    bandwidth = np.sqrt(np.maximum(share @ hertz**2 - centroid**2, 0.0))
    rolloff = hertz[(np.cumsum(share, axis=1) < 0.85).sum(axis=1).clip(max=len(hertz) - 1)]
    flatness = np.log(power).mean(axis=1) - np.log(total / power.shape[1])
    amplitude = np.sqrt(share)
    flux = np.zeros(len(power))
    flux[1:] = np.sqrt(np.square(np.diff(amplitude, axis=0)).sum(axis=1))
    split = int(np.searchsorted(hertz, 1.0))
    ratio = np.log(power[:, split:].sum(axis=1)) - np.log(power[:, :split].sum(axis=1))
    return np.column_stack([centroid, bandwidth, rolloff, flatness, flux, ratio])


@cache
def _hamming() -> np.ndarray:
    return np.hamming(WINDOW)


@cache
def _mel_filters() -> np.ndarray:
    """(bins, MELS) triangles of unit height, equally spaced on the mel scale of O'Shaughnessy."""
    edges_mel = np.linspace(_mel(MEL_LOW_HZ), _mel(MEL_HIGH_HZ), MELS + 2)
    edges = 700.0 * (np.power(10.0, edges_mel / 2595.0) - 1.0)
    hertz = np.fft.rfftfreq(FFT, 1.0 / RATE_HZ)[:, None]
    rising = (hertz - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - hertz) / (edges[2:] - edges[1:-1])
    return np.maximum(np.minimum(rising, falling), 0.0)


def _mel(hertz: float) -> float:
    return float(2595.0 * np.log10(1.0 + hertz / 700.0))


@cache
def _cosines() -> np.ndarray:
    """(MELS, CEPSTRA) orthonormal cosine transform of type II."""
    angle = np.pi / MELS * (np.arange(MELS)[:, None] + 0.5) * np.arange(CEPSTRA)
    scale = np.full(CEPSTRA, np.sqrt(2.0 / MELS))
    scale[0] = np.sqrt(1.0 / MELS)
    return np.asarray(np.cos(angle) * scale)
