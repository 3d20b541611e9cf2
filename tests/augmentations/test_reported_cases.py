"""Reported bugs of augmentations (A23, A24, A30) on their own files."""

from __future__ import annotations

import json
import math
import shutil
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.augmentations import (
    AUGMENTATIONS,
    Perturbation,
    SilenceError,
    Sounds,
    WhiteNoise,
    make_augmentation,
    mix_at_snr,
    read_sounds,
    rms,
)
from affectcheck.augmentations.background import Background
from recorded_sounds import write_sounds

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


@pytest.fixture
def recorded(tmp_path: Path) -> Sounds:
    """Recordings of every role."""
    return write_sounds(tmp_path / "sounds")


@pytest.mark.parametrize("name", ["babble", "music", "environment", "cough", "sneeze"])
def test_a23_recorded_noise(name: str, cases: Path, tmp_path: Path, recorded: Sounds) -> None:
    silent, spoken = read(cases, "A23_silent_speech.wav"), read(cases, "A23_speech.wav")
    role = "speech" if name == "babble" else name
    assert Perturbation(make_augmentation(name, sounds=recorded))(silent, "silent") is None

    def with_noise(file: str) -> Perturbation:
        folder = tmp_path / file
        folder.mkdir()
        shutil.copy(cases / "audio" / file, folder)
        return Perturbation(make_augmentation(name, sounds=read_sounds(f"{role}={folder}")))

    invalid = with_noise("A23_silent_noise.wav")
    made = invalid.apply(spoken, "spoken")
    assert not made.changed
    assert "silent noise" in made.notes[0]
    assert invalid(spoken, "spoken") is None
    half = with_noise("A23_noise_then_silence.wav")
    outcomes = [half.apply(spoken, f"f{i}") for i in range(20)]
    for one in outcomes:
        assert np.isfinite(one.samples).all()
        assert len(one.samples) == len(spoken.samples)
        assert one.changed is not np.array_equal(one.samples, spoken.samples)
    assert all(one.changed for one in outcomes)


def test_a24_a_loud_clip_keeps_its_ratio(cases: Path) -> None:
    loud = read(cases, "A24_speech_0.9.wav")
    for snr_db in (0.0, 10.0, 20.0):
        for keep_level in (True, False):
            made = Perturbation(WhiteNoise(snr_db, keep_level)).apply(loud, "loud")
            factor = 10 ** (float(made.drawn["level_gain_db"]) / 20)
            noise = made.samples / factor - loud.samples
            assert 20 * math.log10(rms(loud.samples) / rms(noise)) == pytest.approx(snr_db, abs=0.01)
            peak = float(np.abs(made.samples).max())
            assert (peak > 1) is (float(made.drawn["peak"]) > 1)
            assert "full scale" in made.notes[0]  # at every ratio the sum exceeds it
            if keep_level:
                assert peak <= 1 + 1e-6


def read_a30(cases: Path) -> dict[str, Clip]:
    return {f"A30_f{i}.wav": read(cases, f"A30_f{i}.wav") for i in range(4)}


def perturb(task: tuple[Perturbation, Clip, str]) -> bytes:
    perturbation, clip, key = task
    return perturbation.apply(clip, key).samples.tobytes()


def every_augmentation(sounds: Sounds) -> dict[str, Perturbation]:
    names = [name for name in AUGMENTATIONS.names() if name not in ("phone", "impulse-response")]
    return {name: Perturbation(make_augmentation(name, sounds=sounds), seed=3) for name in names}


def test_a30_order_subset_another_transform_and_another_place(cases: Path, tmp_path: Path, recorded: Sounds) -> None:
    clips = read_a30(cases)
    first = {
        (name, key): perturb((one, clip, key))
        for name, one in every_augmentation(recorded).items()
        for key, clip in clips.items()
    }
    elsewhere = every_augmentation(write_sounds(tmp_path / "another machine" / "sounds"))
    for name in reversed(elsewhere):  # transforms in another order, with sounds in another folder
        for key in reversed(clips):
            assert perturb((elsewhere[name], clips[key], key)) == first[name, key], name
    for name, one in every_augmentation(recorded).items():
        assert perturb((one, clips["A30_f2.wav"], "A30_f2.wav")) == first[name, "A30_f2.wav"], name
        again = Perturbation(one.augmentation, seed=3, repetition=1)
        other = Perturbation(one.augmentation, seed=4)
        if not getattr(one.augmentation, "deterministic", False) and isinstance(one.augmentation, Background):
            for key, clip in clips.items():
                assert len({first[name, key], perturb((again, clip, key)), perturb((other, clip, key))}) == 3, name


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_a30_workers(workers: int, cases: Path, recorded: Sounds) -> None:
    clips = read_a30(cases)
    tasks = [(one, clip, key) for one in every_augmentation(recorded).values() for key, clip in clips.items()]
    expected = [perturb(task) for task in tasks]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        assert list(pool.map(perturb, tasks)) == expected
    with ThreadPoolExecutor(workers) as threads:
        assert list(threads.map(perturb, tasks)) == expected


def test_a30_order_subset_and_files(cases: Path) -> None:
    perturbation = Perturbation(WhiteNoise(keep_level=False), seed=3)
    clips = read_a30(cases)
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
