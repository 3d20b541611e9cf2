from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.media.clip import Clip
from affectcheck.models import LEVELS, feature_digest, feature_names, features, level_features
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from collections.abc import Callable

GAINS_DB = (-60.0, -12.0, -6.0, 6.0, 12.0)
sounds = arrays(np.float32, st.integers(1, 900), elements=st.floats(-1, 1, width=32))


def gained(clip: Clip, gain_db: float) -> Clip:
    return Clip((clip.samples * np.float32(10.0 ** (gain_db / 20.0))).astype(np.float32), clip.rate_hz)


def test_every_feature_has_a_name(make_voice: Callable[..., Clip]) -> None:
    names = feature_names()
    assert len(set(names)) == len(names) == len(features(make_voice(200.0)))


@pytest.mark.parametrize("gain_db", GAINS_DB)
def test_a_gain_changes_nothing(make_voice: Callable[..., Clip], gain_db: float) -> None:
    clip = make_voice(150.0)
    assert features(gained(clip, gain_db)) == pytest.approx(features(clip), rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("gain_db", GAINS_DB)
def test_a_gain_changes_nothing_around_digital_silence(make_voice: Callable[..., Clip], gain_db: float) -> None:
    pause = np.zeros(4_000, np.float32)
    clip = Clip(np.concatenate([pause, make_voice(150.0).samples, pause]), 16_000)
    assert features(gained(clip, gain_db)) == pytest.approx(features(clip), rel=1e-4, abs=1e-5)


def test_silence_around_a_voice_has_little_to_say(make_voice: Callable[..., Clip]) -> None:
    clip = make_voice(150.0)
    padded = Clip(np.concatenate([clip.samples, np.zeros(8_000, np.float32)]), 16_000)
    difference = np.abs(features(padded) - features(clip))
    place = {name: difference[row] for row, name in enumerate(feature_names())}
    assert max(place["mfcc1.p50"], place["mel20.p50"], place["energy.p50"], place["f0.p50"]) < 0.1
    assert place["duration_log_s"] > 0.5


def test_a_gain_by_a_power_of_two_changes_not_a_bit(make_voice: Callable[..., Clip]) -> None:
    clip = make_voice(150.0)
    louder = Clip(clip.samples * np.float32(4.0), clip.rate_hz)
    assert (features(louder) == features(clip)).all()


def test_a_constant_part_changes_nothing_of_note(make_voice: Callable[..., Clip]) -> None:
    clip = make_voice(150.0)
    moved = Clip(clip.samples + np.float32(0.2), clip.rate_hz)
    assert features(moved) == pytest.approx(features(clip), rel=1e-2, abs=2e-2)


def test_the_sensitive_features_hear_a_gain(make_voice: Callable[..., Clip]) -> None:
    clip = make_voice(150.0)
    names = feature_names()
    difference = features(gained(clip, -20.0), level="sensitive") - features(clip, level="sensitive")
    assert difference[names.index("energy.mean")] == pytest.approx(-20.0 * np.log(10.0) / 10.0, rel=1e-3)
    assert difference[names.index("f0.mean")] == pytest.approx(0.0, abs=1e-6)
    assert tuple(np.abs(difference) > 1.0) == level_features()
    assert sum(level_features()) == 168


def test_the_pitch_is_a_feature(make_voice: Callable[..., Clip]) -> None:
    place = feature_names().index("f0.p50")
    assert features(make_voice(200.0))[place] == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize("level", LEVELS)
@given(samples=sounds)
def test_always_finite(level: str, samples: np.ndarray) -> None:
    assert np.isfinite(features(Clip(samples, 16_000), level=level)).all()  # type: ignore[arg-type]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "samples",
    [
        np.zeros(16_000),
        np.zeros(1),
        np.ones(1),
        np.full(16_000, 0.25),
        np.full(16_000, 1e-38),
        np.array([0.0, 1e-45, 0.0]),
        rng(0, "faint").normal(size=16_000) * 1e-7,
        rng(0, "step").normal(size=16_000) * 1e-3 + 0.9,
    ],
    ids=["silence", "one zero", "one sample", "constant", "faint constant", "subnormal", "faint noise", "offset"],
)
def test_finite_where_there_is_next_to_nothing(level: str, samples: np.ndarray) -> None:
    found = features(Clip(samples.astype(np.float32), 16_000), level=level)  # type: ignore[arg-type]
    assert np.isfinite(found).all()
    assert np.abs(found).max() < 1e4


def test_very_quiet_speech_is_not_silence(make_voice: Callable[..., Clip]) -> None:
    quiet = gained(make_voice(200.0), -60.0)
    sixteen_bit = Clip((np.round(quiet.samples * 32_768) / 32_768).astype(np.float32), 16_000)
    place = feature_names().index("f0.p50")
    assert features(sixteen_bit)[place] == pytest.approx(1.0, abs=0.05)


def test_a_constant_is_silence() -> None:
    assert (
        features(Clip(np.full(8_000, 0.3, np.float32), 16_000)) == features(Clip(np.zeros(8_000, np.float32), 16_000))
    ).all()


@pytest.mark.parametrize(
    ("samples", "rate_hz", "words"),
    [
        (np.zeros(0), 16_000, "at least one sample"),
        (np.zeros((2, 5)), 16_000, "one channel"),
        (np.array([0.0, np.nan]), 16_000, "not finite"),
        (np.zeros(9), 8_000, "8000 Hz"),
    ],
)
def test_what_is_no_clip_is_refused(samples: np.ndarray, rate_hz: int, words: str) -> None:
    with pytest.raises(InputError, match=words):
        features(Clip(samples.astype(np.float32), rate_hz))


def test_an_unknown_level_is_refused(make_voice: Callable[..., Clip]) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'normalised'"):
        features(make_voice(200.0), level="normalized")  # type: ignore[arg-type]


def test_the_digest_tells_the_levels_apart() -> None:
    assert feature_digest("normalised") != feature_digest("sensitive")
