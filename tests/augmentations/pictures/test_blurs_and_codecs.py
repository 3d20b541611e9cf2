"""Noise, blurs, fewer pixels and codecs: levels in decibels, pixels, qualities."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from affectcheck.augmentations.pictures import (
    DefocusBlur,
    GaussianBlur,
    GaussianNoise,
    Jpeg,
    LowResolution,
    MotionBlur,
    VideoCompression,
)
from affectcheck.augmentations.pictures.defocus_blur import disc
from affectcheck.augmentations.pictures.motion_blur import line
from affectcheck.augmentations.pictures.video_compression import sent
from affectcheck.errors import ExtraMissingError, InputError
from affectcheck.media.clip import Frames
from augmentations.small_pictures import applied, plain, point, psnr_db, textured


@pytest.mark.parametrize("psnr", [20.0, 30.0])
def test_noise_has_the_ratio_that_was_asked_for(psnr: float) -> None:
    image = plain(128, side=200)
    assert psnr_db(applied(GaussianNoise(psnr), image).image.pixels, image.pixels) == pytest.approx(psnr, abs=0.1)


@pytest.mark.parametrize("sigma", [1.0, 2.0, 3.0])
def test_a_point_is_spread_by_the_standard_deviation(sigma: float) -> None:
    spread = applied(GaussianBlur(sigma, "picture"), point(32, 32)).image.pixels[..., 0].astype(float)
    wanted = np.exp(-((np.arange(65) - 32.0) ** 2) / (2 * sigma**2))
    wanted = 255 * np.outer(wanted, wanted) / wanted.sum() ** 2
    assert np.abs(spread - wanted).max() <= 1.0


def test_a_disc_has_its_radius_and_a_line_its_length() -> None:
    for radius in (1.5, 3.0, 4.5):
        kernel = disc(radius)
        assert (kernel > 0).sum(axis=1).max() == 2 * np.ceil(radius - 0.5) + 1
        assert 1 / kernel.max() == pytest.approx(np.pi * radius**2, rel=0.05)
        assert np.array_equal(kernel, kernel.T)
    for direction in (0.0, 37.0, 90.0, 135.0):
        kernel = line(12.0, direction)
        rows, columns = np.mgrid[0 : len(kernel), 0 : len(kernel)] - len(kernel) // 2
        along = columns * np.cos(np.deg2rad(direction)) - rows * np.sin(np.deg2rad(direction))
        assert kernel.sum() == pytest.approx(1.0, abs=1e-5)
        assert (kernel * along**2).sum() == pytest.approx(12.0**2 / 12, rel=0.1)  # variance of an even spread
        assert (kernel * along).sum() == pytest.approx(0.0, abs=0.01)


@pytest.mark.parametrize("blur", [GaussianBlur(2.0), DefocusBlur(3.0), MotionBlur(8.0)])
def test_blurs_keep_the_light_of_the_picture(blur: GaussianBlur) -> None:
    image = textured()
    made = applied(blur, image).image.pixels
    assert made.mean() == pytest.approx(image.pixels.mean(), abs=0.7)
    assert made.std() < image.pixels.std()
    assert not applied(blur, plain(77)).changed


def test_fewer_pixels_are_lost_and_smaller_pictures_stay() -> None:
    image = textured()
    errors = [psnr_db(applied(LowResolution(height), image).image.pixels, image.pixels) for height in (56, 32, 20)]
    assert errors == sorted(errors, reverse=True)
    assert not applied(LowResolution(112), image).changed
    assert not applied(LowResolution(56), textured(40, 60)).changed


def test_lower_qualities_and_higher_factors_lose_more() -> None:
    image = textured()
    stored = [psnr_db(applied(Jpeg(quality), image).image.pixels, image.pixels) for quality in (90, 60, 30, 10)]
    assert stored == sorted(stored, reverse=True)
    pytest.importorskip("av")
    told = [psnr_db(applied(VideoCompression(crf), image).image.pixels, image.pixels) for crf in (10, 28, 35, 42)]
    assert told == sorted(told, reverse=True)


def test_what_an_encoder_makes_does_not_hang_on_where_memory_lies() -> None:
    pytest.importorskip("av")
    video = np.stack([np.roll(textured(51, 67).pixels, step, axis=1) for step in range(4)])
    held, found = [], set()
    for size in range(40):
        held.append(np.ones(997 * size + 13, np.uint8))
        found.add(sent(video, 25.0, 30).tobytes())
    assert len(found) == 1


def test_colours_keep_their_order_through_codecs() -> None:
    red = plain(0)
    red.pixels[..., 0] = 200
    assert np.argmax(applied(Jpeg(60), red).image.pixels.mean(axis=(0, 1))) == 0
    pytest.importorskip("av")
    assert np.argmax(applied(VideoCompression(28), red).image.pixels.mean(axis=(0, 1))) == 0


def test_frames_are_encoded_together_and_come_back_in_number_and_size() -> None:
    pytest.importorskip("av")
    video = np.stack([np.roll(textured(51, 67).pixels, step, axis=1) for step in range(6)])
    assert sent(video, 12.5, 30).shape == video.shape
    assert np.array_equal(sent(video, 12.5, 30), sent(video, 12.5, 30))
    one = VideoCompression(30)
    made = one.apply_video(Frames(video, 12.5), {"crf": 30.0}, np.random.default_rng(0))
    assert made is not None
    assert made.pixels.shape == video.shape
    still = Frames(np.zeros((3, 16, 16, 3), np.uint8), 25.0)
    assert one.apply_video(still, {"crf": 30.0}, np.random.default_rng(0)) is None


@pytest.mark.parametrize(
    ("kind", "level"),
    [
        (GaussianNoise, 60.0),
        (GaussianBlur, 0.0),
        (DefocusBlur, 0.2),
        (MotionBlur, 0.5),
        (LowResolution, 20.5),
        (Jpeg, 0),
        (Jpeg, 30.5),
        (VideoCompression, 52),
        (VideoCompression, ()),
    ],
)
def test_levels_that_mean_nothing_are_refused(kind: type, level: object) -> None:
    with pytest.raises(InputError, match=f"{kind.LEVELS} is"):  # type: ignore[attr-defined]
        kind(level)


def test_packages_that_are_missing_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from affectcheck.augmentations.pictures import video_compression
    from affectcheck.media.opencv import opencv

    monkeypatch.setitem(sys.modules, "cv2", None)
    opencv.cache_clear()
    with pytest.raises(ExtraMissingError, match="opencv-python-headless"):
        applied(Jpeg(30), textured())
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(ExtraMissingError, match="'av'"):
        applied(VideoCompression(30), textured())
    monkeypatch.undo()
    opencv.cache_clear()
    pytest.importorskip("av")
    monkeypatch.setattr(video_compression, "_ENCODERS", ("nothing",))
    with pytest.raises(ExtraMissingError, match="an encoder of H"):
        applied(VideoCompression(30), textured())
