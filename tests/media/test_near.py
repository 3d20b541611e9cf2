"""Near copies of drawn pictures and sounds are found, and nothing else is."""

from __future__ import annotations

import builtins
import io
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.errors import ExtraMissingError
from affectcheck.media import candidates as search
from affectcheck.media.audio import Sound, read_sound
from affectcheck.media.candidates import candidates
from affectcheck.media.clip import Image
from affectcheck.media.content import sound_digest
from affectcheck.media.near_images import image_print, near_images
from affectcheck.media.near_sounds import correlation, near_sounds, sound_print
from affectcheck.seeds import rng
from drawn import picture, voice

PIL = pytest.importorskip("PIL.Image")
soundfile = pytest.importorskip("soundfile")
soxr = pytest.importorskip("soxr")

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ORIGINALS = [picture(seed) for seed in range(24)]
VOICES = [voice(seed) for seed in range(12)]


def jpeg(pixels: np.ndarray, quality: int) -> np.ndarray:
    file = io.BytesIO()
    PIL.fromarray(pixels).save(file, "JPEG", quality=quality)
    return np.array(PIL.open(file))


def scaled(pixels: np.ndarray, width: int, height: int) -> np.ndarray:
    return np.array(PIL.fromarray(pixels).resize((width, height), PIL.Resampling.BILINEAR))


def prints(pictures: list[np.ndarray]) -> np.ndarray:
    return np.stack([image_print(Image(np.ascontiguousarray(pixels))) for pixels in pictures])


@pytest.mark.parametrize(
    "change",
    [
        lambda pixels: jpeg(pixels, 50),
        lambda pixels: scaled(pixels, 40, 48),
        lambda pixels: scaled(pixels, 200, 240),
        lambda pixels: pixels[2:-2, 2:-2],
        lambda pixels: pixels[:, 2:],
        lambda pixels: np.clip(pixels * 1.3, 0, 255).astype(np.uint8),
        lambda pixels: (pixels * 0.6).astype(np.uint8),
    ],
    ids=["jpeg", "smaller", "larger", "crop", "one side", "brighter", "darker"],
)
@pytest.mark.parametrize("mirrored", [False, True])
def test_pictures(change: Callable[[np.ndarray], np.ndarray], mirrored: bool) -> None:
    copies = [change(pixels)[:, :: -1 if mirrored else 1] for pixels in ORIGINALS]
    pairs = near_images(prints(ORIGINALS + copies), mirrored=mirrored)
    assert sorted(zip(pairs.first, pairs.second, strict=True)) == [(place, place + 24) for place in range(24)]
    assert not len(near_images(prints(ORIGINALS + copies), mirrored=not mirrored))


def test_flat_pictures_are_like_nothing() -> None:
    flat = np.full((5, 32, 32), 77, np.uint8)
    flat[1:3] += 1
    assert not len(near_images(flat))
    assert not len(near_images(np.zeros((0, 32, 32), np.uint8)))


def test_a_picture_that_is_nearly_all_white() -> None:
    pixels = np.full((64, 64, 3), 255, np.uint8)
    pixels[20:30, 12:50] = picture(3)[20:30, 12:50] // 2
    pairs = near_images(prints([pixels, jpeg(pixels, 60), *ORIGINALS]))
    assert list(zip(pairs.first, pairs.second, strict=True)) == [(0, 1)]


def test_a_crowd_is_cut_to_the_nearest_within_and_across_sets() -> None:
    vectors = np.tile(np.eye(1, 8, dtype=np.float32), (100, 1))
    sets = np.repeat([0, 1], 50)
    calls: list[tuple[int, int]] = []
    pairs = candidates(vectors, vectors, 0.5, sets=sets, progress=lambda done, total: calls.append((done, total)))
    first = pairs.take(pairs.first == 0)
    assert len(first) == 2 * search.MOST
    assert (sets[first.second] == 1).sum() == search.MOST
    assert len(pairs) + pairs.left_out == 100 * 99 // 2
    assert calls == [(100, 100)]


def test_chunks_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = rng(0, "vectors").standard_normal((70, 6)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    whole = candidates(vectors, vectors, 0.6)
    monkeypatch.setattr(search, "_ROWS", 16)
    monkeypatch.setattr(search, "_COLUMNS", 9)
    parts = candidates(vectors, vectors, 0.6)
    assert len(whole)
    np.testing.assert_array_equal(np.stack([whole.first, whole.second]), np.stack([parts.first, parts.second]))


def sound(samples: np.ndarray, rate_hz: int = 16_000) -> Sound:
    return Sound(np.ascontiguousarray(samples.reshape(len(samples), -1), dtype=np.float32), rate_hz)


def coded(samples: np.ndarray, form: str, subtype: str) -> Sound:
    file = io.BytesIO()
    soundfile.write(file, samples, 16_000, format=form, subtype=subtype)
    file.seek(0)
    return Sound(*soundfile.read(file, dtype="float32", always_2d=True))


@pytest.mark.parametrize(
    "change",
    [
        lambda one: sound(np.clip(2 * one, -1, 1)),
        lambda one: sound(one / 2),
        lambda one: sound(-one),
        lambda one: coded(one, "MP3", "MPEG_LAYER_III"),
        lambda one: coded(one, "OGG", "VORBIS"),
        lambda one: sound(soxr.resample(one, 16_000, 48_000), 48_000),
        lambda one: sound(soxr.resample(one, 16_000, 8_000), 8_000),
        lambda one: sound(one[480:-480]),
        lambda one: sound(np.concatenate([np.zeros(5000), one])),
        lambda one: sound(one + 0.01 * rng(0, "noise").standard_normal(len(one))),
        lambda one: sound(one + np.eye(1, len(one), 77)[0] * 2.0**-15),
        lambda one: sound(np.stack([one, 0.3 * one], axis=1)),
        lambda one: sound(np.stack([one, -one], axis=1)),
        lambda one: sound(one + 0.2),
    ],
    ids=[
        "louder",
        "softer",
        "polarity",
        "mp3",
        "vorbis",
        "48k",
        "8k",
        "cut",
        "delayed",
        "noise",
        "lsb",
        "stereo",
        "antiphase",
        "offset",
    ],
)
def test_sounds(change: Callable[[np.ndarray], Sound]) -> None:
    copies = [change(one) for one in VOICES]
    pairs = near_sounds([sound_print(one) for one in [*map(sound, VOICES), *copies]])
    assert sorted(zip(pairs.first, pairs.second, strict=True)) == [(place, place + 12) for place in range(12)]


def test_backwards_is_no_copy() -> None:
    assert not len(near_sounds([sound_print(sound(one)) for one in (VOICES[0], VOICES[0][::-1])]))


@pytest.mark.parametrize(
    "samples",
    [np.zeros(16_000), VOICES[0][:3000], np.sin(2 * np.pi * 3000 * np.arange(16_000) / 16_000), np.ones(8000)],
    ids=["silence", "too short", "outside the band", "constant"],
)
def test_sounds_with_nothing_to_compare(samples: np.ndarray) -> None:
    assert not len(sound_print(sound(samples)))


def test_a_rate_too_low_to_hold_the_band() -> None:
    assert not len(sound_print(Sound(np.ones((100, 1), np.float32), 100)))


def test_empty_prints_are_like_nothing() -> None:
    empty = np.zeros(0, np.int8)
    assert not len(near_sounds([empty, empty, sound_print(sound(VOICES[0]))]))
    assert not len(near_sounds([]))


def test_tones_are_copies_only_if_they_are_the_same() -> None:
    time_s = np.arange(16_000) / 16_000
    first, same, other = (0.5 * np.sin(2 * np.pi * hz * time_s) for hz in (440.0, 440.0, 440.3))
    tones = [sound_print(sound(one)) for one in (first, 0.9 * same, other)]
    assert correlation(tones[0], tones[2]) > 0.8
    pairs = near_sounds(tones)
    assert list(zip(pairs.first, pairs.second, strict=True)) == [(0, 1)]


def test_without_soxr(monkeypatch: pytest.MonkeyPatch) -> None:
    importing = builtins.__import__

    def refuse(name: str, *rest: object, **named: object) -> object:
        if name == "soxr":
            raise ImportError(name)
        return importing(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ExtraMissingError, match="soxr"):
        sound_print(sound(VOICES[0]))


def test_the_same_samples_at_any_depth_have_one_digest(tmp_path: Path) -> None:
    samples = np.round(VOICES[0] * 32768) / 32768
    names = {}
    for name, subtype in (
        ("16.wav", "PCM_16"),
        ("24.wav", "PCM_24"),
        ("32.wav", "PCM_32"),
        ("float.wav", "FLOAT"),
        ("double.wav", "DOUBLE"),
        ("16.flac", "PCM_16"),
    ):
        soundfile.write(tmp_path / name, samples, 16_000, subtype=subtype)
        names[name] = sound_digest(read_sound(tmp_path / name, exact=True))
    soundfile.write(tmp_path / "stereo.wav", np.stack([samples, samples], axis=1), 16_000)
    names["stereo"] = sound_digest(read_sound(tmp_path / "stereo.wav", exact=True))
    assert len(set(names.values())) == 1
    assert sound_digest(Sound(samples[:, None], 8000)) not in names.values()


def test_what_float32_cannot_hold_counts(tmp_path: Path) -> None:
    step = np.full((100, 1), 2**30, np.int32)
    digests = []
    for name, change in (("a.wav", 0), ("b.wav", 1)):
        soundfile.write(tmp_path / name, step + change, 16_000, subtype="PCM_32")
        digests.append(sound_digest(read_sound(tmp_path / name, exact=True)))
    assert digests[0] != digests[1]
    assert read_sound(tmp_path / "a.wav").samples.dtype == np.float32


def test_minus_zero_is_zero() -> None:
    zeros = SimpleNamespace(samples=np.zeros((4, 1), np.float32), rate_hz=16_000)
    other = SimpleNamespace(samples=-zeros.samples, rate_hz=16_000)
    assert sound_digest(zeros) == sound_digest(other)
