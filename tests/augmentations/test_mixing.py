"""What a signal-to-noise ratio means, and what has none."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.augmentations import SilenceError, mix_at_snr, rms
from affectcheck.errors import InputError

RATE_HZ = 16_000


def sine(amplitude: float, n: int = 16_000) -> np.ndarray:
    return amplitude * np.sin(2 * np.pi * 440 * np.arange(n) / RATE_HZ)


def alternating(n: int = 16_000) -> np.ndarray:
    return 0.25 * (-1.0) ** np.arange(n)


def measured_snr_db(speech: np.ndarray, mixed: np.ndarray) -> float:
    return 20 * math.log10(rms(speech) / rms(mixed - speech))


@pytest.mark.parametrize(("snr_db", "gain"), [(20, 0.1414213562), (10, 0.4472135955), (0, 1.4142135624)])
def test_the_ratio_is_that_of_speech_to_noise_as_mixed(snr_db: float, gain: float) -> None:
    speech = sine(0.5)
    mix = mix_at_snr(speech, alternating(), snr_db)
    assert mix.noise_gain == pytest.approx(gain, abs=1e-6)
    assert measured_snr_db(speech, mix.samples) == pytest.approx(snr_db, abs=0.01)
    assert mix.level_gain == 1.0


def test_a_loud_mix_is_kept_beyond_full_scale_and_not_clipped() -> None:
    speech = sine(0.9)
    mix = mix_at_snr(speech, alternating(), 0)
    assert mix.peak > 1.5
    assert mix.samples.max() == pytest.approx(mix.peak)
    assert measured_snr_db(speech, mix.samples) == pytest.approx(0.0, abs=0.01)
    clipped = np.clip(mix.samples, -1, 1)
    assert abs(measured_snr_db(speech, clipped)) > 1  # what clipping would have done to the ratio


@given(
    st.floats(-20, 60),
    st.floats(0.001, 1),
    st.floats(0.001, 1),
)
def test_a_higher_ratio_is_less_noise_whatever_the_levels(
    snr_db: float, speech_level: float, noise_level: float
) -> None:
    speech, noise = sine(speech_level, 800), noise_level * alternating(800)
    low, high = mix_at_snr(speech, noise, snr_db), mix_at_snr(speech, noise, snr_db + 1)
    assert high.noise_gain < low.noise_gain
    assert measured_snr_db(speech, low.samples) == pytest.approx(snr_db, abs=0.01)


def test_keeping_the_level_leaves_the_ratio_and_says_what_it_did() -> None:
    speech = sine(0.5)
    mix = mix_at_snr(speech, alternating(), 0, keep_level=True)
    assert rms(mix.samples) == pytest.approx(rms(speech))
    assert mix.level_gain_db == pytest.approx(20 * math.log10(mix.level_gain))
    assert mix.level_gain_db < -2
    undone = mix.samples / mix.level_gain
    assert measured_snr_db(speech, undone) == pytest.approx(0.0, abs=0.01)


@pytest.mark.parametrize(("speech", "noise", "named"), [(0.0, 1.0, "silent speech"), (1.0, 0.0, "silent noise")])
def test_silence_has_no_ratio(speech: float, noise: float, named: str) -> None:
    with pytest.raises(SilenceError, match=named):
        mix_at_snr(speech * sine(0.5), noise * alternating(), 20)


def test_two_that_cancel_stay_finite() -> None:
    speech = sine(0.5)
    assert np.isfinite(mix_at_snr(speech, -speech, 0, keep_level=True).samples).all()


def test_lengths_must_agree() -> None:
    with pytest.raises(InputError, match="3 samples of speech and 2 of noise"):
        mix_at_snr(np.ones(3), np.ones(2), 20)


def test_no_samples_have_no_level() -> None:
    assert rms(np.empty(0)) == 0.0
