"""The phone: laws of length, type and level; narrow band; the same bytes every time; the codec in its name."""

from __future__ import annotations

import math

import numpy as np
import pytest

pytest.importorskip("soxr")
pytest.importorskip("soundfile")

from affectcheck.augmentations import Perturbation, Phone, codecs, rms
from affectcheck.augmentations.phone import pink_noise
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.media.clip import Clip
from affectcheck.seeds import rng

RATE_HZ = 16_000


def voice(n: int = 16_000, level: float = 0.1) -> np.ndarray:
    time_s = np.arange(n) / RATE_HZ
    buzz = sum(np.sin(2 * np.pi * 150 * k * time_s) / k for k in range(1, 45))
    made = buzz * (0.2 + np.abs(np.sin(2 * np.pi * 3 * time_s))) + 0.02 * rng(1, "voice").standard_normal(n)
    return (level * made / max(rms(made), 1e-9)).astype(np.float32)


def power(samples: np.ndarray, low_hz: float, high_hz: float) -> float:
    spectrum = np.abs(np.fft.rfft(samples)) ** 2
    frequency_hz = np.fft.rfftfreq(len(samples), 1 / RATE_HZ)
    return float(np.mean(spectrum[(frequency_hz >= low_hz) & (frequency_hz < high_hz)]))


@pytest.mark.parametrize("n", [1, 2, 37, 160, 15_999, 16_000, 16_001])
def test_length_and_type_stay(n: int) -> None:
    made = Perturbation(Phone()).apply(Clip(voice(n), RATE_HZ), "a")
    assert made.samples.shape == (n,)
    assert made.samples.dtype == np.float32
    assert np.isfinite(made.samples).all()


@pytest.mark.parametrize("level", [1e-4, 0.01, 0.1])
def test_the_level_stays(level: float) -> None:
    made = Perturbation(Phone()).apply(Clip(voice(level=level), RATE_HZ), "a")
    assert made.changed
    assert 20 * math.log10(rms(made.samples) / level) == pytest.approx(0, abs=0.01)
    assert made.drawn["level_gain_db"] == pytest.approx(0, abs=0.01)
    assert made.notes == ()


def test_a_peak_beyond_full_scale_is_scaled_whatever_its_sign() -> None:
    loud = voice(level=0.9)
    made = Perturbation(Phone()).apply(Clip(loud, RATE_HZ), "a")
    assert np.max(np.abs(made.samples)) == pytest.approx(1.0)
    assert "scaled to full scale" in made.notes[0]
    assert made.drawn["level_gain_db"] < 0
    turned = Perturbation(Phone()).apply(Clip(-loud, RATE_HZ), "a")
    assert np.max(np.abs(turned.samples)) == pytest.approx(1.0)


def test_the_band_is_narrow_and_the_noise_lies_above_it() -> None:
    clean = voice(48_000)
    quiet = Phone(noise_db=-200.0)
    heard = Perturbation(quiet).apply(Clip(clean, RATE_HZ), "a").samples
    assert power(heard, 5_000, 8_000) < 1e-4 * power(heard, 300, 3_000)
    noisy = Perturbation(Phone()).apply(Clip(clean, RATE_HZ), "a").samples
    assert power(noisy, 5_000, 8_000) > 100 * power(heard, 5_000, 8_000)


def test_a_clip_at_the_rate_of_the_line_is_not_resampled() -> None:
    made = Perturbation(Phone()).apply(Clip(voice(8_000), 8_000), "a")
    assert made.samples.shape == (8_000,)
    assert rms(made.samples) == pytest.approx(0.1, rel=1e-3)
    low = Perturbation(Phone()).apply(Clip(voice(4_000), 4_000), "a")  # no room for noise above 3 kHz
    assert low.changed


def test_the_same_item_gets_the_same_bytes_and_another_other_noise() -> None:
    def made(key: str, seed: int = 0) -> np.ndarray:
        return Perturbation(Phone(), seed).apply(Clip(voice(), RATE_HZ), key).samples

    assert np.array_equal(made("a"), made("a"))
    assert not np.array_equal(made("a"), made("b"))
    assert not np.array_equal(made("a"), made("a", seed=1))


def test_silence_is_not_changed() -> None:
    silent = np.zeros(1_000, np.float32)
    made = Perturbation(Phone()).apply(Clip(silent, RATE_HZ), "a")
    assert not made.changed
    assert made.samples is silent
    assert not Perturbation(Phone()).apply(Clip(np.zeros(0, np.float32), RATE_HZ), "a").changed


def test_sound_that_the_line_does_not_carry_is_not_changed() -> None:
    time_s = np.arange(16_000) / RATE_HZ
    high = (1e-5 * np.hanning(16_000) * np.sin(2 * np.pi * 7_000 * time_s)).astype(np.float32)
    made = Perturbation(Phone()).apply(Clip(high, RATE_HZ), "a")
    assert not made.changed
    assert "nothing is left" in made.notes[0]


def test_nothing_left_behind_the_codec_is_no_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Phone, "_heard", lambda self, samples, rate_hz: np.zeros(len(samples)))
    made = Perturbation(Phone()).apply(Clip(voice(), RATE_HZ), "a")
    assert not made.changed
    assert "nothing is left" in made.notes[0]


def test_pink_noise_falls_by_three_decibels_an_octave() -> None:
    noise = pink_noise(2**17, rng(1, "pink"))
    octaves = [10 * math.log10(power(noise, f, 2 * f)) for f in (125, 250, 500, 1_000, 2_000, 4_000)]
    assert np.diff(octaves) == pytest.approx([-3.01] * 5, abs=0.4)
    assert abs(float(np.mean(noise))) < 1e-3
    assert pink_noise(1, rng(1, "pink")).shape == (1,)


def test_the_codec_is_part_of_the_name() -> None:
    assert Phone().codec == codecs.encoder_of().codec
    assert Phone().key == f"phone(codec={Phone().codec},noise_db=-25.0,highpass_hz=3000.0)"
    gsm = Phone(codec=codecs.GSM)
    assert "codec=gsm-06.10" in gsm.key
    assert Perturbation(gsm).apply(Clip(voice(), RATE_HZ), "a").changed


@pytest.mark.parametrize("wrong", [{"noise_db": math.nan}, {"highpass_hz": 0.0}, {"highpass_hz": "high"}])
def test_parameters_are_checked(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError, match="noise_db"):
        Phone(**wrong)


def test_unknown_codecs_are_refused() -> None:
    with pytest.raises(UnknownNameError):
        Phone(codec="mp3")
