"""Small changes and tilt: each does what its name says, to the sample or to the decibel."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from affectcheck.augmentations import (
    AppendZeros,
    Clipping,
    CropBeginning,
    CropEnd,
    Gain,
    Highpass,
    Lowpass,
    PrependZeros,
    TiltDown,
    TiltUp,
    Tone,
    make_augmentation,
    rms,
)
from affectcheck.augmentations.lengths import LengthChange
from affectcheck.augmentations.tilt import Tilt
from affectcheck.errors import InputError
from affectcheck.seeds import rng
from recorded_sounds import RATE_HZ, speech


def draws(augmentation: Any, samples: np.ndarray, count: int = 60) -> list[Any]:
    return [augmentation.apply(samples, RATE_HZ, rng(seed, "a")) for seed in range(count)]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (AppendZeros, lambda x, n: np.concatenate([x, np.zeros(n)])),
        (PrependZeros, lambda x, n: np.concatenate([np.zeros(n), x])),
        (CropBeginning, lambda x, n: x[n:]),
        (CropEnd, lambda x, n: x[:-n]),
    ],
)
def test_changes_of_length(kind: Any, expected: Any) -> None:
    made = draws(kind(), speech())
    assert {one.drawn["samples"] for one in made} == {100.0, 500.0, 1000.0}
    for one in made:
        assert np.array_equal(one.samples, expected(speech(), int(one.drawn["samples"])))
    assert kind(samples=7).deterministic
    assert not kind().deterministic
    for wrong in (0, -1, 1.5):
        with pytest.raises(InputError, match="whole numbers of samples"):
            kind(samples=wrong)
    with pytest.raises(TypeError, match="abstract"):
        LengthChange().changed_by(speech(), 1)


@pytest.mark.parametrize("kind", [CropBeginning, CropEnd])
def test_clips_too_short_for_a_crop_are_not_changed(kind: Any) -> None:
    for n in (99, 100):
        made = kind(samples=100).apply(speech(n), RATE_HZ, rng(1, "a"))
        assert not made.changed
        assert made.notes == (f"too short: {n} samples, of which 100 would be removed",)
    assert len(kind(samples=100).apply(speech(101), RATE_HZ, rng(1, "a")).samples) == 1
    clicks = np.zeros(300, np.float32)
    clicks[[0, -1]] = 0.5
    clicks[-1 if kind is CropBeginning else 0] = 0
    assert "nothing but silence is left" in kind(samples=100).apply(clicks, RATE_HZ, rng(1, "a")).notes[0]


def test_clipping_leaves_as_many_samples_as_it_says() -> None:
    samples = speech()
    for one in draws(Clipping(), samples, 30):
        count = int(one.drawn["ratio"] * len(samples))
        peak = np.sort(np.abs(samples))[::-1][count]
        assert one.drawn["peak"] == peak
        assert np.array_equal(one.samples, np.clip(samples, -peak, peak))
        assert np.count_nonzero(one.samples != samples) == count
    assert {one.drawn["ratio"] for one in draws(Clipping(), samples)} == {0.001, 0.002, 0.003}
    assert Clipping(ratio=0.5).deterministic
    for wrong in (0, 1, -0.1):
        with pytest.raises(InputError, match="shares of the samples"):
            Clipping(ratio=wrong)


def test_clips_that_clipping_does_not_change() -> None:
    def reason(samples: np.ndarray) -> str:
        made = Clipping(ratio=0.01).apply(samples.astype(np.float32), RATE_HZ, rng(1, "a"))
        assert not made.changed
        return made.notes[0]

    assert "no sample of 99 is clipped" in reason(speech(99))
    click = np.zeros(300)
    click[7] = 0.5
    assert "nothing but silence" in reason(click)
    assert "the largest magnitude already" in reason(np.tile([0.5, -0.5], 300))


@pytest.mark.parametrize(("kind", "sign"), [(Highpass, 1), (Lowpass, -1)])
def test_filters_are_three_decibels_down_at_their_cutoff(kind: Any, sign: int) -> None:
    from scipy.signal import butter, lfilter

    impulse = np.zeros(RATE_HZ, np.float32)
    impulse[0] = 1
    for one in draws(kind(), impulse, 20):
        cutoff_hz = one.drawn["cutoff_hz"]
        magnitudes = np.abs(np.fft.rfft(one.samples.astype(np.float64)))
        at_db = 20 * math.log10(magnitudes[int(cutoff_hz)])
        assert at_db == pytest.approx(-3.01, abs=0.02)
        assert np.all(np.diff(magnitudes[10:7_900]) * sign > -1e-6)
    samples = speech()
    (made,) = draws(kind(cutoff_hz=1_000.0), samples, 1)
    expected = lfilter(*butter(1, 1_000.0, kind.NAME, fs=RATE_HZ), samples.astype(np.float64))
    assert np.abs(made.samples - expected).max() < 1e-7
    later = samples.copy()
    later[3_000:] = 0
    (cut,) = draws(kind(cutoff_hz=1_000.0), later, 1)
    assert np.array_equal(cut.samples[:3_000], made.samples[:3_000])  # it does not look ahead
    assert kind(cutoff_hz=1_000.0).deterministic
    with pytest.raises(InputError, match="above 0"):
        kind(cutoff_hz=0)


def test_filters_where_there_is_nothing_to_do() -> None:
    made = Lowpass().apply(speech(), 8_000, rng(1, "a"))
    assert not made.changed
    assert "nothing is there at 8000 Hz" in made.notes[0]
    edge = np.tile(np.float32([0.5, -0.5]), 500)
    quiet = 3e-6 * edge  # what is left of it is below the level of silence
    assert "behind the filter" in Lowpass(cutoff_hz=1.0).apply(quiet, RATE_HZ, rng(1, "a")).notes[0]


def test_tones() -> None:
    frequencies = set()
    for one in draws(Tone(), speech(RATE_HZ)):
        tone = one.samples.astype(np.float64) - speech(RATE_HZ)
        spectrum = np.abs(np.fft.rfft(tone))
        assert int(np.argmax(spectrum)) == one.drawn["frequency_hz"]
        assert spectrum.max() ** 2 / np.sum(spectrum**2) > 0.999
        expected = np.sin(2 * np.pi * one.drawn["frequency_hz"] * np.arange(RATE_HZ) / RATE_HZ)
        assert np.abs(tone / one.drawn["noise_gain"] - expected).max() < 1e-4
        frequencies.add(one.drawn["frequency_hz"])
    assert 5_000 <= min(frequencies) < 5_300
    assert 6_700 < max(frequencies) <= 7_000
    assert len(frequencies) > 50
    assert {one.drawn["snr_db"] for one in draws(Tone(), speech())} == {40.0, 45.0, 50.0}
    assert [one.drawn["frequency_hz"] for one in draws(Tone(frequency_hz=440), speech(), 2)] == [440.0, 440.0]


def test_tones_repeat_without_a_seam() -> None:
    n = 40_003
    (made,) = draws(Tone(frequency_hz=441, snr_db=0.0), speech(n), 1)
    expected = np.sin(2 * np.pi * 441 * np.arange(n) / RATE_HZ)
    assert np.abs((made.samples - speech(n)) / made.drawn["noise_gain"] - expected).max() < 1e-5


def test_tones_that_samples_cannot_hold() -> None:
    made = Tone().apply(speech(), 14_000, rng(1, "a"))
    assert not made.changed
    assert "needs a sampling rate of more than twice that, not 14000 Hz" in made.notes[0]
    for wrong in (440.5, 0, (1, 2, 3), (7_000, 5_000), ()):
        with pytest.raises(InputError, match="frequency_hz is"):
            make_augmentation("tone", {"frequency_hz": wrong})


def test_gains_of_one_value_are_no_draw() -> None:
    assert Gain(gain_db=3.0).deterministic
    assert not Gain().deterministic


@pytest.mark.parametrize(
    ("augmentation", "line"),
    [(TiltUp(), lambda f: f / 4_000), (TiltDown(), lambda f: 1 - f / 8_000)],
    ids=["up", "down"],
)
def test_tilt_follows_its_line_and_keeps_the_level(augmentation: Tilt, line: Any) -> None:
    n = 8_192
    impulse = np.zeros(n, np.float32)
    impulse[n // 2] = 0.5
    made = augmentation.apply(impulse, RATE_HZ, rng(1, "a"))
    magnitudes = np.abs(np.fft.rfft(made.samples.astype(np.float64)))
    expected = line(np.arange(n // 2 + 1) * RATE_HZ / n)
    assert np.abs(magnitudes / magnitudes[2_000] - expected / expected[2_000]).max() < 5e-3
    assert rms(made.samples) == pytest.approx(rms(impulse), rel=1e-6)
    assert int(np.argmax(np.abs(made.samples))) == n // 2  # without delay
    assert np.abs(made.samples[n // 2 - 5 : n // 2] - made.samples[n // 2 + 5 : n // 2 : -1]).max() < 1e-6
    assert augmentation.deterministic


def test_the_end_of_a_clip_does_not_reach_its_beginning() -> None:
    samples = np.zeros(4_000, np.float32)
    samples[-1] = 0.5
    assert np.abs(TiltUp().apply(samples, RATE_HZ, rng(1, "a")).samples[:3_000]).max() < 1e-4


@pytest.mark.parametrize("sign", [1, -1])
def test_tilt_stays_within_full_scale_in_either_direction(sign: int) -> None:
    step = np.repeat(np.float32([-0.9 * sign, 0.9 * sign]), 2_000)
    made = TiltUp().apply(step, RATE_HZ, rng(1, "a"))
    assert np.abs(made.samples).max() == pytest.approx(1.0, rel=1e-6)
    assert "scaled to full scale" in made.notes[0]
    assert float(made.drawn["level_gain_db"]) == pytest.approx(20 * math.log10(rms(made.samples) / rms(step)), abs=1e-3)


def test_tilt_of_what_is_only_at_the_end_of_the_line() -> None:
    made = TiltDown(zero_hz=100.0).apply(3e-6 * np.tile(np.float32([1, -1]), 2_000), RATE_HZ, rng(1, "a"))
    assert not made.changed
    assert "behind the filter" in made.notes[0]
    with pytest.raises(InputError, match="zero_hz"):
        TiltDown(zero_hz=0)
    with pytest.raises(TypeError, match="abstract"):
        Tilt().magnitudes(np.zeros(1))
