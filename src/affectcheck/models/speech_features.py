"""Speech features in plain NumPy: spectral and pitch contours of a clip's active frames, summed up by functionals.

A frame is active within 35 dB of the loudest one, so that silence before and after the voice counts for little.
Two kinds: ``normalised`` measures every clip at the same level, so that a gain changes nothing; ``sensitive``
measures it as it is, and what is trained on it depends on the level at which somebody recorded.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, Literal, get_args

import numpy as np

from affectcheck.digest import digest_bytes
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.models.functionals import FUNCTIONALS, changes, functionals
from affectcheck.models.pitch import Pitch, pitch
from affectcheck.models.spectra import CEPSTRA, HOP, MELS, RATE_HZ, cepstra, log_mels, shapes, spectra, white_noise

if TYPE_CHECKING:
    from affectcheck.media.clip import Clip
    from affectcheck.models.spectra import Spectra

Level = Literal["normalised", "sensitive"]
LEVELS: Final[tuple[str, ...]] = get_args(Level)
VERSION: Final = 3  # raised whenever a number that this file returns changes

#: White noise 35 dB under the clip's level is added to every spectrum, as its expected power, so that what lies far
#: below the voice (hiss, rounding, digital silence) has no say.
_FLOOR: Final = 10.0 ** (-35.0 / 10.0)
_SILENCE: Final = 1e-5  # smallest level that is told from silence: -100 dB of full scale
_SHAPES: Final = ("centroid", "bandwidth", "rolloff", "flatness", "flux", "high_low_ratio")
_PLACES: Final = ("mean", "p5", "p50", "p95")  # functionals that say where a contour lies
_RHYTHM: Final = ("voiced_share", "voiced_runs_per_s", "voiced_run_s", "active_share", "duration_log_s")


def features(clip: Clip, *, level: Level = "normalised") -> np.ndarray:
    """Features of one clip.

    Args:
        clip: mono sound at 16 kHz, of any length and level.
        level: whether the level of the recording is taken out.

    Returns:
        (d,) float64, finite; named by ``feature_names``.

    Raises:
        InputError: the clip is empty, has another rate or samples that are not finite.
        UnknownNameError: no such level.
    """
    if level not in LEVELS:
        raise UnknownNameError.of("level of features", level, LEVELS)
    samples, scale = _at_unit_level(_checked(clip))
    found = spectra(samples)
    tones = pitch(samples, noise=_FLOOR)
    # Natural logarithm of a power; the smallest is that of digital silence.
    offset = 0.0 if level == "normalised" else 2.0 * float(np.log(max(scale, _SILENCE)))
    contours = _contours(found, offset)[found.active]
    return np.concatenate(
        [
            functionals(contours).T.ravel(),
            _pitch_features(tones),
            _rhythm(tones, found.active, len(samples) / RATE_HZ),
        ]
    )


@cache
def feature_names() -> tuple[str, ...]:
    """Name of every feature, in order."""
    cepstral = tuple(f"mfcc{i}" for i in range(CEPSTRA))
    contours = (*cepstral, "energy", *(f"{name}_change" for name in (*cepstral, "energy")), *_SHAPES, "crossings")
    mels = tuple(f"mel{i}" for i in range(MELS))
    every = (*contours, *mels, *(f"{mel}_change" for mel in mels), "f0", "f0_change", "voicing")
    return tuple(f"{name}.{functional}" for name in every for functional in FUNCTIONALS) + _RHYTHM


@cache
def level_features() -> tuple[bool, ...]:
    """Whether the level of the recording moves a feature of the kind ``sensitive``, in the order of the features.

    It moves where energy, the first cepstrum and the mel bands lie, but not how they spread or change.
    """
    moved = {"energy", "mfcc0", *(f"mel{i}" for i in range(MELS))}
    parts = (name.partition(".") for name in feature_names())
    return tuple(contour in moved and functional in _PLACES for contour, _, functional in parts)


@cache
def feature_digest(level: Level) -> str:
    """Digest of the definition of the features: part of the key under which they are cached."""
    return digest_bytes("speech-features", str(VERSION), level, *feature_names())


def _contours(found: Spectra, offset: float) -> np.ndarray:
    """(frames, 117) what is summed up: cepstra, energy, mel bands, the changes of these, and the spectrum's shape."""
    noise = white_noise(_FLOOR)
    mels = log_mels(found.bins, noise.a_bin) + offset
    energy = np.log(found.power + noise.a_frame) + offset
    levels = np.column_stack([cepstra(mels), energy])
    return np.column_stack(
        [levels, changes(levels), shapes(found.bins, noise.a_bin), found.crossings, mels, changes(mels)]
    )


def _checked(clip: Clip) -> np.ndarray:
    samples = np.asarray(clip.samples, dtype=np.float64)
    if clip.rate_hz != RATE_HZ:
        raise InputError(f"a clip at {clip.rate_hz} Hz", expected=f"{RATE_HZ} Hz, at which the features are defined")
    if samples.ndim != 1 or not len(samples):
        raise InputError(f"a clip of shape {samples.shape}", expected="one channel with at least one sample")
    if not np.isfinite(samples).all():
        raise InputError("a clip with samples that are not finite", cause="a file or perturbation that overflowed")
    return samples


def _at_unit_level(samples: np.ndarray) -> tuple[np.ndarray, float]:
    """The clip without its constant part, its active frames at a root mean square of 1; and what it was divided by.

    Dividing by the peak first keeps the squares of very quiet clips from vanishing.
    """
    peak = float(np.abs(samples).max())
    if peak == 0.0:
        return samples, 0.0
    shape = samples / peak
    shape = shape - shape.mean()
    count = max(len(shape) // HOP, 1)
    power = np.square(shape[: count * HOP]).reshape(count, -1).mean(axis=1)
    active = power >= power.max() * 1e-3
    level = float(np.sqrt(power[active].mean()))
    if level < 1e-6:  # what is left of a constant is rounding
        return np.zeros_like(samples), 0.0
    return shape / level, peak * level


def _pitch_features(tones: Pitch) -> np.ndarray:
    """Functionals of pitch and its change over the voiced frames, and of voicing over all; zeros without a voice."""
    voiced = tones.voiced
    strength = functionals(tones.strength[:, None]).T.ravel()
    if not voiced.any():
        return np.concatenate([np.zeros(2 * len(FUNCTIONALS)), strength])
    octaves = tones.octaves[:, None]
    return np.concatenate(
        [functionals(octaves[voiced]).T.ravel(), functionals(changes(octaves)[voiced]).T.ravel(), strength]
    )


def _rhythm(tones: Pitch, active: np.ndarray, duration_s: float) -> np.ndarray:
    voiced = tones.voiced
    runs = int(voiced[0]) + int((voiced[1:] & ~voiced[:-1]).sum())
    frame_s = HOP / RATE_HZ
    run_s = voiced.sum() * frame_s / runs if runs else 0.0
    return np.array([voiced.mean(), runs / duration_s, run_s, active.mean(), np.log(duration_s)])
