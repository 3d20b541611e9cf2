"""Near copies of sounds: recompressed, resampled, amplified, cropped by a little, with noise, of the other polarity.

Each sound is reduced to its band of 80 to 950 Hz, where every codec keeps the waveform, its spectrum half flattened:
its print. Two prints are compared twice. First by their spectra over the whole sound, which no shift in time changes;
then by the largest correlation of the waveforms over all shifts, of all that either holds. Two takes of one sentence by
one speaker have much the same spectrum, but never the same waveform; nor has a sound that runs backwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.media.candidates import Pairs, candidates
from affectcheck.media.samples import resampled

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from affectcheck.media.audio import Sound

#: Changes with every change of the print.
FORMAT: Final = "sound print 1"
RATE_HZ: Final = 2000
#: Correlation from which on two sounds are near copies. Takes of one sentence by one speaker stay below 0.6.
LEAST_CORRELATION: Final = 0.75
#: The same for sounds of little detail, such as tones: any two of one pitch are alike, copies are the same.
LEAST_OF_TONES: Final = 0.999

_BAND_HZ: Final = (80.0, 950.0)
_LEAST_LIKENESS: Final = 0.8  # of spectra; copies lie above 0.95
_LEAST_S: Final = 0.2
_FAINT: Final = 1e-4  # share of the sound's power that must be in the band
_DETAIL: Final = 25.0  # independent lines of the spectrum
_SMOOTHING_HZ: Final = 20.0
_BINS: Final = 256
_LINES: Final = 16_384  # of the spectrum that is binned, so that each bin has some
_FINER: Final = 2  # steps of a sample in which shifts are tried


def sound_print(sound: Sound) -> np.ndarray:
    """A sound reduced to its waveform from 80 to 950 Hz at 2 kHz, (n,) int8; empty where it has nothing to compare.

    Raises:
        ExtraMissingError: the extra ``speech`` is not installed.
    """
    samples = sound.samples.astype(np.float32)
    mono = samples.mean(axis=1)
    if samples.shape[1] > 1 and np.square(mono).sum() < 0.01 * np.square(samples).sum(axis=0).max():
        mono = samples[:, np.square(samples).sum(axis=0).argmax()]  # channels that cancel each other
    nothing = np.zeros(0, np.int8)
    if sound.rate_hz < 2 * _BAND_HZ[0] or len(mono) < _LEAST_S * sound.rate_hz:
        return nothing
    mono = mono - mono.mean()
    slow = resampled(np.ascontiguousarray(mono), sound.rate_hz, RATE_HZ)
    wave = _flattened(slow)
    peak = float(np.abs(wave).max(initial=0.0))
    if not peak > 0 or _power(_in_band(slow)) < _FAINT * _power(mono):
        return nothing
    whole: np.ndarray = np.rint(wave * (127 / peak)).astype(np.int8)
    return whole


def near_sounds(
    prints: Sequence[np.ndarray],
    *,
    sets: np.ndarray | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Pairs:
    """Find near copies.

    Args:
        prints: one (n,) int8 a sound; exact copies are near copies too, an empty print is like none.
        sets: set of each sound, so that pairs within sets do not crowd out those across.
        progress: called with (done, total).

    Returns:
        Pairs with the correlation of their waveforms, ``LEAST_CORRELATION`` to 1.
    """
    described = [_spectrum(one) for one in prints]
    vectors = np.stack([one.vector for one in described]) if described else np.zeros((0, _BINS), np.float32)
    detailed = np.array([one.detail >= _DETAIL for one in described], dtype=bool)
    pairs = candidates(vectors, vectors, _LEAST_LIKENESS, sets=sets, progress=progress)
    both = zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)
    found = np.array([correlation(prints[one], prints[other]) for one, other in both], dtype=np.float32)
    rich = detailed[pairs.first] & detailed[pairs.second]
    alike = found >= np.where(rich, LEAST_CORRELATION, LEAST_OF_TONES)
    return Pairs(pairs.first[alike], pairs.second[alike], found[alike], pairs.left_out)


def correlation(one: np.ndarray, other: np.ndarray) -> float:
    """Largest absolute correlation of two prints over all shifts, of all that either holds: 1 for the same."""
    from scipy.fft import irfft, next_fast_len, rfft  # noqa: PLC0415  # SciPy loads where it is used

    size = next_fast_len(len(one) + len(other), real=True)
    left, right = rfft(one.astype(np.float32), size), rfft(other.astype(np.float32), size)
    shifted: np.ndarray = irfft(left * np.conj(right), size * _FINER) * _FINER
    return float(np.abs(shifted).max() / np.sqrt(_power(one) * _power(other) * len(one) * len(other)))


@dataclass(frozen=True, eq=False)
class _Spectrum:
    """What of a sound no shift in time changes.

    Attributes:
        vector: (256,) float32 of length 1; zeros for an empty print.
        detail: number of lines that the spectrum has, were all equally strong.
    """

    vector: np.ndarray
    detail: float


def _spectrum(wave: np.ndarray) -> _Spectrum:
    from scipy.fft import next_fast_len, rfft  # noqa: PLC0415  # SciPy loads where it is used

    if not len(wave):
        return _Spectrum(np.zeros(_BINS, np.float32), 0.0)
    samples = wave.astype(np.float32)
    power = np.abs(rfft(samples)) ** 2
    detail = float(power.sum() ** 2 / np.square(power).sum())
    size = max(_LINES, next_fast_len(len(wave), real=True))
    lines = np.abs(rfft(samples, size)) ** 2
    low, high = _BAND_HZ
    place = (np.arange(len(lines)) * (RATE_HZ / size) - low) / (high - low) * _BINS
    inside = (place >= 0) & (place < _BINS)
    binned = np.sqrt(np.bincount(place[inside].astype(np.int64), lines[inside], _BINS))
    binned -= binned.mean()
    length = np.linalg.norm(binned)
    return _Spectrum((binned / (length or 1.0)).astype(np.float32), detail)


def _in_band(slow: np.ndarray) -> np.ndarray:
    return _filtered(slow, 0.0)


def _flattened(slow: np.ndarray) -> np.ndarray:
    """The band, each part of the spectrum divided by the root of its strength."""
    return _filtered(slow, 0.25)


def _filtered(slow: np.ndarray, exponent: float) -> np.ndarray:
    from scipy.fft import irfft, next_fast_len, rfft  # noqa: PLC0415  # SciPy loads where it is used

    size = next_fast_len(2 * len(slow), real=True)
    spectrum = rfft(slow, size)
    frequency = np.arange(len(spectrum)) * (RATE_HZ / size)
    spectrum = spectrum * ((frequency > _BAND_HZ[0]) & (frequency < _BAND_HZ[1]))
    power = np.abs(spectrum).astype(np.float64) ** 2
    around = _running_mean(power, max(3, round(_SMOOTHING_HZ * size / RATE_HZ)))
    wave: np.ndarray = irfft(spectrum / (around + 1e-3 * around.max() + 1e-30) ** exponent, size)[: len(slow)]
    return wave


def _running_mean(values: np.ndarray, width: int) -> np.ndarray:
    sums = np.concatenate([[0.0], np.cumsum(values)])
    places = np.arange(len(values))
    start, end = np.maximum(places - width // 2, 0), np.minimum(places + width // 2 + 1, len(values))
    mean: np.ndarray = (sums[end] - sums[start]) / (end - start)
    return mean


def _power(samples: np.ndarray) -> float:
    return float(np.square(samples, dtype=np.float64).mean())
