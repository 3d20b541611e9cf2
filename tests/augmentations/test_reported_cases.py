"""Reported bugs of augmentations (A23, A24, A30) on their own files."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.augmentations import Perturbation, SilenceError, WhiteNoise, mix_at_snr, rms

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.media.clip import Clip

pytestmark = pytest.mark.shared


def read(cases: Path, name: str) -> Clip:
    pytest.importorskip("soundfile")
    from affectcheck.media.audio import decode_audio

    return decode_audio(cases / "audio" / name)


def test_a23_silent_speech_and_silent_noise(cases: Path) -> None:
    silent, spoken = read(cases, "A23_silent_speech.wav"), read(cases, "A23_speech.wav")
    assert Perturbation(WhiteNoise())(silent, "silent") is None
    changed = Perturbation(WhiteNoise())(spoken, "spoken")
    assert changed is not None
    assert np.isfinite(changed.samples).all()
    assert len(changed.samples) == len(spoken.samples)
    noise = read(cases, "A23_silent_noise.wav").samples[: len(spoken.samples)]
    with pytest.raises(SilenceError, match="silent noise"):
        mix_at_snr(spoken.samples[: len(noise)], noise, 20)


def test_a23_the_ratio_is_that_of_the_part_that_is_mixed_in(cases: Path) -> None:
    spoken, noise = read(cases, "A23_speech.wav").samples, read(cases, "A23_noise_then_silence.wav").samples
    half = len(noise) // 2
    n = min(len(spoken), half)
    mix = mix_at_snr(spoken[:n], noise[:n], 20)
    added = mix.samples - spoken[:n]
    assert 20 * math.log10(rms(spoken[:n]) / rms(added)) == pytest.approx(20, abs=0.01)
    with pytest.raises(SilenceError, match="silent noise"):
        mix_at_snr(spoken[: len(noise[-n:])], noise[-n:], 20)


def test_a24_gains_peaks_and_direction(cases: Path) -> None:
    expected = json.loads((cases / "A24.json").read_text())["expected"]
    spoken, noise = read(cases, "A24_speech_0.5.wav").samples, read(cases, "A24_noise_pm0.25.wav").samples
    for snr_db in ("20", "10", "0"):
        mix = mix_at_snr(spoken, noise, float(snr_db))
        assert mix.noise_gain == pytest.approx(expected[snr_db]["noise_gain"], rel=1e-3)
        assert mix.noise_gain * rms(noise) == pytest.approx(expected[snr_db]["noise_rms"], rel=1e-3)
        assert mix.peak == pytest.approx(expected[snr_db]["peak_of_mix"], rel=1e-3)
        assert 20 * math.log10(rms(spoken) / rms(mix.samples - spoken)) == pytest.approx(float(snr_db), abs=0.01)
    loud = mix_at_snr(read(cases, "A24_speech_0.9.wav").samples, noise, 0)
    assert loud.peak == pytest.approx(expected["peak_loud_0dB"], rel=1e-3)


def test_a30_order_subset_and_files(cases: Path) -> None:
    perturbation = Perturbation(WhiteNoise(keep_level=False), seed=3)
    clips = {f"A30_f{i}.wav": read(cases, f"A30_f{i}.wav") for i in range(4)}
    forward = {key: perturbation.apply(clip, key).samples for key, clip in clips.items()}
    backward = {key: perturbation.apply(clips[key], key).samples for key in reversed(clips)}
    assert all(np.array_equal(forward[key], backward[key]) for key in clips)
    alone = perturbation.apply(clips["A30_f2.wav"], "A30_f2.wav").samples
    assert np.array_equal(alone, forward["A30_f2.wav"])
    noises = [forward[key].astype(np.float64) - clips[key].samples for key in clips]
    for i in range(4):
        for j in range(i):
            n = min(len(noises[i]), len(noises[j]))
            assert abs(np.corrcoef(noises[i][:n], noises[j][:n])[0, 1]) < 4 / math.sqrt(n) + 0.01
