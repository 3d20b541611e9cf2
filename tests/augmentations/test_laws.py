"""Laws that hold for every augmentation, whatever the clip: ratio, level, length, type, and an input left alone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affectcheck.augmentations import (
    AUGMENTATIONS,
    Augmented,
    Babble,
    Cough,
    Environment,
    Music,
    Sneeze,
    Sounds,
    Tone,
    WhiteNoise,
    make_augmentation,
    rms,
)
from affectcheck.augmentations.background import Background
from affectcheck.errors import InputError
from affectcheck.seeds import rng
from recorded_sounds import RATE_HZ

if TYPE_CHECKING:
    from affectcheck.augmentations.recorded import Recorded

NAMES = (
    "append-zeros",
    "babble",
    "clip",
    "cough",
    "crop-beginning",
    "crop-end",
    "environment",
    "gain",
    "highpass",
    "lowpass",
    "music",
    "prepend-zeros",
    "sneeze",
    "tilt-down",
    "tilt-up",
    "tone",
    "white-noise",
)
NOISES: tuple[type[Background], ...] = (Babble, Cough, Environment, Music, Sneeze, Tone, WhiteNoise)
RECORDED: tuple[type[Recorded], ...] = (Babble, Cough, Environment, Music, Sneeze)
RANDOM = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


def speech(seed: int, n: int = 6_000, level: float = 0.1, pause: float = 0.0) -> np.ndarray:
    """Noise that is a syllable and a pause."""
    samples = level * rng(seed, "speech").standard_normal(n)
    samples[int(n * (1 - pause)) :] *= 1e-4
    return samples.astype(np.float32)


clips = st.builds(
    speech,
    seed=st.integers(0, 10_000),
    n=st.integers(1_500, 8_000),
    level=st.floats(1e-4, 0.9),
    pause=st.sampled_from([0.0, 0.3, 0.7]),
)


def of_kind(kind: type[Background], sounds: Sounds, **parameters: object) -> Background:
    made = make_augmentation(kind.NAME, parameters, sounds)
    assert isinstance(made, Background)
    return made


def level_over(samples: np.ndarray, over: str) -> float:
    """The level by its definition, written differently: frame by frame, from the first sample of sound to the last."""
    values = samples.astype(np.float64)
    if over == "clip":
        return float(np.sqrt(np.mean(values**2)))
    sounding = np.nonzero(values)[0]
    values = values[sounding[0] : sounding[-1] + 1]
    frames = [values[at : at + 320] for at in range(0, len(values), 320)]
    levels = [float(np.sqrt(np.mean(frame**2))) for frame in frames]
    active = [frame for frame, level in zip(frames, levels, strict=True) if level >= 0.01 * max(levels)]
    return float(np.sqrt(np.mean(np.concatenate(active) ** 2)))


@pytest.fixture(autouse=True)
def extra() -> None:
    pytest.importorskip("soundfile")
    pytest.importorskip("scipy")


@pytest.mark.parametrize("kind", NOISES, ids=lambda kind: kind.NAME)
@RANDOM
@given(
    samples=clips, seed=st.integers(0, 1_000), ratio=st.tuples(st.floats(-20, 60), st.sampled_from(["clip", "active"]))
)
def test_the_ratio_is_met(
    kind: type[Background], samples: np.ndarray, seed: int, ratio: tuple[float, str], sounds: Sounds
) -> None:
    snr_db, over = ratio
    made = of_kind(kind, sounds, snr_db=snr_db, keep_level=False, snr_over=over).apply(samples, RATE_HZ, rng(seed, "a"))
    assert made.changed
    added = made.samples.astype(np.float64) - samples
    added[np.abs(added) < 2e-7 * np.abs(made.samples)] = 0.0  # what float32 rounds where there is no noise
    measured = 20 * math.log10(level_over(samples, over) / level_over(added, over))
    assert measured == pytest.approx(snr_db, abs=0.01)


@pytest.mark.parametrize("kind", NOISES, ids=lambda kind: kind.NAME)
@RANDOM
@given(samples=clips, snr_db=st.floats(-20, 60), seed=st.integers(0, 1_000))
def test_the_level_is_kept_and_nothing_exceeds_full_scale(
    kind: type[Background], samples: np.ndarray, snr_db: float, seed: int, sounds: Sounds
) -> None:
    made = of_kind(kind, sounds, snr_db=snr_db, keep_level=True).apply(samples, RATE_HZ, rng(seed, "a"))
    peak = float(np.abs(made.samples).max())
    assert peak <= 1 + 1e-6
    assert float(made.drawn["peak"]) == pytest.approx(peak, rel=1e-6)
    change_db = 20 * math.log10(rms(made.samples) / rms(samples))
    if made.notes:
        assert "scaled to full scale" in made.notes[0]
        assert peak == pytest.approx(1, rel=1e-6)
        assert change_db < 0
    else:
        assert change_db == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize("name", NAMES)
@RANDOM
@given(samples=clips, seed=st.integers(0, 1_000))
def test_type_length_and_finiteness(name: str, samples: np.ndarray, seed: int, sounds: Sounds) -> None:
    before = samples.copy()
    samples.setflags(write=False)
    augmentation = make_augmentation(name, sounds=sounds)
    made = augmentation.apply(samples, RATE_HZ, rng(seed, "a"))
    assert np.array_equal(samples, before)
    assert made.samples.dtype == np.float32
    assert np.isfinite(made.samples).all()
    assert made.changed is not np.array_equal(made.samples, samples)
    change = int(made.drawn.get("samples", 0)) * (-1 if "crop" in name else 1)
    assert len(made.samples) == len(samples) + change
    assert all(isinstance(value, str) or math.isfinite(value) for value in made.drawn.values())
    again = augmentation.apply(samples, RATE_HZ, rng(seed, "a"))
    assert again.samples.tobytes() == made.samples.tobytes()
    assert again.drawn == made.drawn


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", [0, 1, 2, 100, 400])
def test_clips_of_any_length_are_taken(name: str, n: int, sounds: Sounds) -> None:
    augmentation = make_augmentation(name, sounds=sounds)
    for samples in (
        speech(1, 1_000)[:n],
        np.zeros(n, np.float32),
        np.ones(n, np.float32),
        speech(1, 400)[:n].astype(float),
    ):
        made = augmentation.apply(samples, RATE_HZ, rng(1, "a"))
        assert np.isfinite(made.samples).all()
        if made.changed:
            assert not np.array_equal(made.samples, samples)
            assert rms(made.samples) >= 1e-6
        else:
            assert made.samples is samples
            assert made.notes


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("silent", [np.zeros(3_000, np.float32), np.full(3_000, 1e-8, np.float32)])
def test_silence_is_never_called_changed(name: str, silent: np.ndarray, sounds: Sounds) -> None:
    made = make_augmentation(name, sounds=sounds).apply(silent, RATE_HZ, rng(1, "a"))
    assert not made.changed
    assert "silent speech" in made.notes[0]


@pytest.mark.parametrize("name", NAMES)
def test_the_key_tells_any_two_settings_apart(name: str, sounds: Sounds) -> None:
    from dataclasses import fields

    augmentation = make_augmentation(name, sounds=sounds)
    for field in fields(augmentation):  # type: ignore[arg-type]
        assert f"{field.name}=" in augmentation.key
    assert str(sounds.get("music").sounds[0].path.parent) not in augmentation.key


@pytest.mark.parametrize("kind", RECORDED, ids=lambda kind: kind.NAME)
def test_draws_are_recorded_and_vary(kind: type[Recorded], sounds: Sounds) -> None:
    augmentation = of_kind(kind, sounds)
    made = [augmentation.apply(speech(1), RATE_HZ, rng(seed, "a")) for seed in range(40)]
    chosen = {str(value) for one in made for key, value in one.drawn.items() if key.endswith("sound")}
    assert chosen == {"a", "b", "c"}
    places = {one.drawn.get("start", one.drawn.get("begin_s", one.drawn.get("voice_1_start"))) for one in made}
    assert len(places) == 40
    assert all(one.drawn["attempts"] == 1.0 for one in made)


@pytest.mark.parametrize("name", NAMES)
def test_values_that_make_no_sense_are_refused(name: str, sounds: Sounds) -> None:
    numeric = {"snr_db", "gain_db", "ratio", "samples", "cutoff_hz", "frequency_hz", "zero_hz", "voices"}
    from dataclasses import fields

    for field in fields(make_augmentation(name, sounds=sounds)):  # type: ignore[arg-type]
        if field.name in numeric:
            for value in ([], float("nan"), "loud", [1.0, "loud"], True):
                with pytest.raises(InputError, match=field.name):
                    make_augmentation(name, {field.name: value}, sounds)


def test_a_change_that_float32_cannot_hold_is_none() -> None:
    made = WhiteNoise(snr_db=300.0, keep_level=False).apply(speech(1), RATE_HZ, rng(1, "a"))
    assert isinstance(made, Augmented)
    assert not made.changed
    assert "nothing differs" in made.notes[0]


def test_every_augmentation_of_a_sound_is_here() -> None:
    assert set(NAMES) == set(AUGMENTATIONS.names()) - {"phone", "impulse-response"}
