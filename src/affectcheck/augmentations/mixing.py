"""Mixing speech and noise at a signal-to-noise ratio, and what it means.

The ratio is ``20 log10(level of the speech / level of the noise as mixed)``: a higher one is less noise. A level is the
root mean square over the whole clip or, where this is asked for, over the active frames alone (``active_rms``). Samples
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
#: Length of the frames that are active or not.
FRAME_S: Final = 0.02
#: Frames this far below the loudest one are pauses.
ACTIVE_RANGE_DB: Final = 40.0

# Samples whose squares are summed at once: few enough for float32 to keep the digits that count, and for libraries of
# linear algebra to use one thread, so that the order of the sum does not depend on how many there are.
_BLOCK: Final = 8_192
_PART: Final = 1_024


class SilenceError(InputError):
    """Speech or noise without energy, so that no ratio of the two exists."""


class SilentSpeechError(SilenceError):
    """There is no speech to mix with."""


class SilentNoiseError(SilenceError):
    """There is no noise in what would be mixed in; another draw may have some."""


@dataclass(frozen=True, eq=False)
class Mix:
    """Speech with noise.

    Attributes:
        samples: (n,) float32 if speech and noise are, else float64; not clipped.
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
    """Root mean square; 0 for no samples.

    Its relative error is below a millionth for float32, and that of double precision for float64.

    Example:
        >>> rms(np.array([3.0, -4.0, 0.0, 0.0]))
        2.5
    """
    return math.sqrt(_energy(samples) / samples.size) if samples.size else 0.0


def is_silent(samples: np.ndarray) -> bool:
    """Whether the root mean square is below ``SILENCE_RMS``; a part in the middle tells most often that it is not."""
    middle = samples.size // 2
    part = samples[middle : middle + _PART]
    return not samples.size or bool(part.dot(part) < SILENCE_RMS**2 * samples.size and rms(samples) < SILENCE_RMS)


def active_rms(samples: np.ndarray, frame: int) -> float:
    """Root mean square over the frames that are active.

    Frames follow each other from the first sample that is not zero to the last one; the last frame may be shorter. A
    frame is active if its own root mean square is at most 40 dB (``ACTIVE_RANGE_DB``) below that of the loudest frame.

    Args:
        samples: (n,) samples.
        frame: samples of a frame.

    Returns:
        The level; 0 if every sample is 0.

    Example:
        >>> active_rms(np.array([0.0, 0.0, 3.0, -4.0, 0.0, 0.0, 3.0, 4.0, 0.0]), 2)
        3.5355339059327378
    """
    sounding = samples != 0
    if not sounding.any():
        return 0.0
    first, end = int(np.argmax(sounding)), samples.size - int(np.argmax(sounding[::-1]))
    values = samples[first:end]
    whole = values.size // frame * frame
    frames = values[:whole].reshape(-1, frame)
    energies = np.append(np.einsum("ij,ij->i", frames, frames).astype(np.float64), _energy(values[whole:]))
    sizes = np.append(np.full(len(frames), frame), max(1, values.size - whole))
    powers = energies / sizes
    active = powers >= powers.max() * 10 ** (-ACTIVE_RANGE_DB / 10)
    return math.sqrt(float(energies[active].sum()) / int(sizes[active].sum()))


def peak_of(samples: np.ndarray) -> float:
    """Largest magnitude; 0 for no samples."""
    return float(max(samples.max(), -samples.min())) if samples.size else 0.0


def peak_notes(peak: float, *, scaled: bool) -> tuple[str, ...]:
    """What is to be said of a peak above full scale; nothing of one within.

    Args:
        peak: largest magnitude, at the level that was asked for.
        scaled: whether the samples are scaled to full scale then; they are kept otherwise.
    """
    if not peak > 1:
        return ()
    fate = "at the level of the recording; scaled to" if scaled else "exceeds"
    kept = "" if scaled else "; samples are kept, not clipped"
    return (f"peak {peak:.3f} {fate} full scale{kept}",)


def mix_at_snr(
    speech: np.ndarray, noise: np.ndarray, snr_db: float, *, keep_level: bool = False, frame: int | None = None
) -> Mix:
    """Add noise to speech at a signal-to-noise ratio.

    Args:
        speech: (n,) samples.
        noise: (n,) samples, the very part that is mixed in.
        snr_db: ``20 log10(level of the speech / level of the noise as mixed)``.
        keep_level: whether the mix is scaled back to the level of the speech (root mean square over the whole clip),
            which leaves the ratio as it is.
        frame: samples of a frame, for levels over active frames; None for levels over the whole clip.

    Raises:
        SilentSpeechError, SilentNoiseError: one of them is silent, so that the ratio is undefined.
        InputError: the lengths differ.

    Example:
        >>> mix = mix_at_snr(np.array([0.5, -0.5]), np.array([0.25, 0.25]), 20.0)
        >>> round(mix.noise_gain, 6)
        0.2
    """
    if len(speech) != len(noise):
        raise InputError(f"{len(speech)} samples of speech and {len(noise)} of noise", expected="equal lengths")
    return mix_in(speech, Part(noise), Rule(snr_db, keep_level, frame))


@dataclass(frozen=True, eq=False)
class Part:
    """Noise that is heard in a part of a clip, and silent elsewhere.

    Attributes:
        samples: (m,) samples that are heard.
        begin: sample of the clip that it begins with.
    """

    samples: np.ndarray
    begin: int = 0


@dataclass(frozen=True)
class Rule:
    """How speech and noise are mixed; see ``mix_at_snr``."""

    snr_db: float
    keep_level: bool = False
    frame: int | None = None


def mix_in(speech: np.ndarray, noise: Part, rule: Rule) -> Mix:
    """Add noise to a part of speech; levels over the clip count the silence around the noise.

    Args:
        speech: (n,) samples.
        noise: what is mixed in; it ends with the clip at the latest.
        rule: ratio and levels.

    Raises:
        SilentSpeechError, SilentNoiseError: one of them is silent, so that the ratio is undefined.
    """
    n = len(speech)
    speech_rms = rms(speech)
    if speech_rms < SILENCE_RMS:
        raise SilentSpeechError("silent speech: the signal-to-noise ratio is undefined")
    noise_level = math.sqrt(_energy(noise.samples) / n)
    if noise_level < SILENCE_RMS:
        raise SilentNoiseError("silent noise: the signal-to-noise ratio is undefined")
    speech_level = speech_rms
    if rule.frame is not None:
        speech_level, noise_level = active_rms(speech, rule.frame), active_rms(noise.samples, rule.frame)
    gain = speech_level / noise_level * 10 ** (-rule.snr_db / 20)
    mixed = _sum(speech, noise, gain)
    mixed_rms = rms(mixed) if rule.keep_level else 0.0
    level = speech_rms / mixed_rms if mixed_rms >= SILENCE_RMS else 1.0
    if level != 1.0:
        mixed *= level
    return Mix(mixed, gain, level, peak_of(mixed))


def _sum(speech: np.ndarray, noise: Part, gain: float) -> np.ndarray:
    dtype = np.result_type(speech.dtype, noise.samples.dtype, np.float32)
    scaled: np.ndarray = np.multiply(noise.samples, gain, dtype=dtype)
    if len(scaled) == len(speech):
        scaled += speech
        return scaled
    mixed = speech.astype(dtype)
    mixed[noise.begin : noise.begin + len(scaled)] += scaled
    return mixed


def _energy(values: np.ndarray) -> float:
    values = values if values.dtype == np.float32 else np.asarray(values, dtype=np.float64)
    return sum(float(part.dot(part)) for part in (values[at : at + _BLOCK] for at in range(0, values.size, _BLOCK)))
