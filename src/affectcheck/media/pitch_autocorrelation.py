"""Fundamental frequency by short-term autocorrelation with a smooth path through the candidates.

After P. Boersma (1993), "Accurate short-term analysis of the fundamental frequency and the harmonics-to-noise ratio of
a sampled sound", IFA Proceedings 17, with the defaults of the program that the paper describes. Written from the paper.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from affectcheck.media.clip import Clip

    Floats = np.ndarray[Any, np.dtype[np.float64]]

FLOOR_HZ: Final = 75.0
CEILING_HZ: Final = 600.0
STEP_S: Final = 0.75 / FLOOR_HZ
PERIODS: Final = 3.0  # of the floor in a window
CANDIDATES: Final = 14  # voiced ones; the unvoiced one comes to these
SILENCE: Final = 0.03
VOICING: Final = 0.45
OCTAVE_COST: Final = 0.01
OCTAVE_JUMP_COST: Final = 0.35
VOICED_UNVOICED_COST: Final = 0.14
FINER: Final = 4  # lags between two samples, by interpolation in the spectrum
_FRAMES: Final = 1000  # frames held at a time


@dataclass(frozen=True)
class Autocorrelation:
    """Our own estimator.

    Attributes:
        name: as it stands in notes.
        version: raised whenever a number may change.
    """

    name: str = "autocorrelation"
    version: str = "1"

    def frames_hz(self, clip: Clip) -> np.ndarray:
        """(frames,) fundamental frequency, 0 where unvoiced; none for a clip too short for one frame."""
        samples = np.asarray(clip.samples, np.float64)
        frames = _Frames(clip.rate_hz)
        starts = frames.starts(len(samples))
        if not starts.size or clip.rate_hz < 4 * CEILING_HZ:
            return np.zeros(0)
        centred = samples - samples.mean()
        peak = float(np.abs(centred).max())
        if peak == 0.0:
            return np.zeros(starts.size)
        found = [frames.candidates(centred, starts[i : i + _FRAMES], peak) for i in range(0, starts.size, _FRAMES)]
        return _path(np.concatenate([one.hertz for one in found]), np.concatenate([one.strength for one in found]))


@dataclass(frozen=True, eq=False)
class _Candidates:
    """Candidates of frames, the unvoiced one first; unused places have a strength of minus infinity.

    Attributes:
        hertz: (frames, K) frequency, 0 for unvoiced.
        strength: (frames, K) how well each fits.
    """

    hertz: Floats
    strength: Floats


@dataclass(frozen=True)
class _Frames:
    """How clips of one rate are cut and correlated."""

    rate_hz: int

    @property
    def window(self) -> int:
        """Samples of a window, an even number."""
        return 2 * (int(PERIODS / FLOOR_HZ * self.rate_hz) // 2 - 1)

    @property
    def fft(self) -> int:
        """Points of the transform: no lag that is looked at wraps around."""
        return 1 << int(np.ceil(np.log2(1.5 * self.window)))

    def starts(self, length: int) -> np.ndarray:
        """First sample of every window; the frames lie around the middle of the clip."""
        seconds = length * (1.0 / self.rate_hz)
        number = int(np.floor((seconds - PERIODS / FLOOR_HZ) / STEP_S)) + 1
        if number < 1:
            return np.zeros(0, np.int64)
        first = 0.5 * (seconds - (number - 1) * STEP_S)
        middle = np.floor((first + STEP_S * np.arange(number)) * self.rate_hz - 0.5).astype(np.int64)
        return np.asarray(np.clip(middle + 1 - self.window // 2, 0, length - self.window))

    def candidates(self, samples: Floats, starts: np.ndarray, peak: float) -> _Candidates:
        """Peaks of the normalised autocorrelation of every frame."""
        half, period = self.window // 2, int(self.rate_hz / FLOOR_HZ)
        around = np.clip(starts[:, None] + half + np.arange(-period, period), 0, len(samples) - 1)
        windowed = samples[starts[:, None] + np.arange(self.window)] - samples[around].mean(axis=1, keepdims=True)
        taper, own = _window(self.window, self.fft)
        windowed *= taper
        middle = windowed[:, half - period // 2 : half + period // 2 + 1]
        loudness = np.minimum(np.abs(middle).max(axis=1) / peak, 1.0)
        power = np.square(np.abs(np.fft.rfft(windowed, self.fft, axis=1)))
        wanted = (int(self.window / PERIODS) + 2) * FINER
        correlation = _finer(power, self.fft)[:, : wanted + 1]
        energy = correlation[:, :1]
        normalised = correlation / np.where(energy > 0.0, energy, 1.0) / own[: wanted + 1]
        return self._peaks(np.where(energy > 0.0, normalised, 0.0), loudness)

    def _peaks(self, r: Floats, loudness: Floats) -> _Candidates:
        """The best maxima of each frame; those above the ceiling take places too, as noise has many of them."""
        coarse = r[:, ::FINER]
        left, mid, right = coarse[:, 1:-2], coarse[:, 2:-1], coarse[:, 3:]
        found = (mid > 0.5 * VOICING) & (mid > left) & (mid >= right)
        bend = np.where(found, (mid - left) + (mid - right), 1.0)
        lags = np.arange(2, coarse.shape[1] - 1) + np.where(found, 0.5 * (right - left), 0.0) / bend
        height = _folded(np.take_along_axis(r, np.rint(lags * FINER).astype(np.int64), axis=1))
        rank = np.where(found, height + OCTAVE_COST * np.log2(self.rate_hz / lags / FLOOR_HZ), -np.inf)
        best = np.argsort(-rank, axis=1, kind="stable")[:, :CANDIDATES]
        hertz, height = self._placed(r, np.take_along_axis(lags, best, axis=1))
        fits = np.isfinite(np.take_along_axis(rank, best, axis=1)) & (hertz < CEILING_HZ)
        strength = np.where(fits, height - OCTAVE_COST * np.log2(CEILING_HZ / hertz), -np.inf)
        unvoiced = VOICING + np.maximum(0.0, 2.0 - loudness / (SILENCE / (1.0 + VOICING)))
        return _Candidates(
            np.concatenate([np.zeros((len(r), 1)), np.where(fits, hertz, 0.0)], axis=1),
            np.concatenate([unvoiced[:, None], strength], axis=1),
        )

    def _placed(self, r: Floats, lags: Floats) -> tuple[Floats, Floats]:
        """Frequency and height of the maximum next to each lag, by a parabola between the finer lags."""
        near = np.rint(lags * FINER).astype(np.int64)[..., None] + np.arange(-FINER, FINER + 1)
        near = np.clip(near, 1, r.shape[1] - 2)
        rows = np.arange(len(r))[:, None]
        top = np.take_along_axis(near, r[rows[..., None], near].argmax(axis=-1)[..., None], axis=-1)[..., 0]
        left, mid, right = r[rows, top - 1], r[rows, top], r[rows, top + 1]
        bend, slope = 2.0 * mid - left - right, 0.5 * (right - left)
        shift = np.clip(np.where(bend > 0.0, slope / np.where(bend > 0.0, bend, 1.0), 0.0), -0.5, 0.5)
        return self.rate_hz * FINER / (top + shift), _folded(mid + 0.5 * slope * shift)


def _folded(height: Floats) -> Floats:
    """Heights above 1, which only interpolation gives, are as far below it."""
    return np.where(height > 1.0, 1.0 / np.maximum(height, 1.0), height)


def _finer(power: Floats, fft: int) -> Floats:
    """Autocorrelation at fractions of a sample."""
    wider = np.zeros((len(power), FINER * fft // 2 + 1))
    wider[:, : power.shape[1]] = power
    wider[:, power.shape[1] - 1] *= 0.5  # the highest frequency has a twin in the wider spectrum
    return np.asarray(np.fft.irfft(wider, FINER * fft, axis=1))


@lru_cache(maxsize=8)
def _window(length: int, fft: int) -> tuple[Floats, Floats]:
    """The window, and its own autocorrelation at fractions of a sample, 1 at lag 0."""
    place = (np.arange(length) + 1.0) / (length + 1.0)
    taper = 0.5 - 0.5 * np.cos(2.0 * np.pi * place)
    power = np.square(np.abs(np.fft.rfft(taper, fft)))[None]
    correlation = _finer(power, fft)[0]
    return taper, correlation / correlation[0]


def _path(hertz: Floats, strength: Floats) -> Floats:
    """The path through the candidates with the largest sum of strengths minus costs of jumps."""
    voiced = hertz > 0.0
    octaves = np.log2(np.where(voiced, hertz, 1.0))
    best, back = strength[0].copy(), np.zeros(hertz.shape, np.int64)
    for now in range(1, len(hertz)):
        jump = OCTAVE_JUMP_COST * np.abs(octaves[now - 1][:, None] - octaves[now])
        both = voiced[now - 1][:, None] & voiced[now]
        change = voiced[now - 1][:, None] != voiced[now]
        total = best[:, None] - np.where(both, jump, np.where(change, VOICED_UNVOICED_COST, 0.0))
        back[now] = total.argmax(axis=0)
        best = total.max(axis=0) + strength[now]
    chosen = np.empty(len(hertz), np.int64)
    chosen[-1] = int(best.argmax())
    for now in range(len(hertz) - 1, 0, -1):
        chosen[now - 1] = back[now, chosen[now]]
    return np.asarray(hertz[np.arange(len(hertz)), chosen])
