"""Levels in pixels grow with the face."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from affectcheck.augmentations import PICTURE_AUGMENTATIONS, make_perturbation
from affectcheck.augmentations.pictures import DefocusBlur, GaussianBlur, LowResolution, MotionBlur
from affectcheck.augmentations.pictures.face_pixels import FacePixels, face_scale
from affectcheck.errors import UnknownNameError
from affectcheck.media.clip import Image
from affectcheck.media.faces.alignment import similarity, to_template
from affectcheck.media.faces.template import template
from affectcheck.media.opencv import opencv
from augmentations.small_pictures import applied, textured

pytest.importorskip("cv2")
KINDS: tuple[Any, ...] = (GaussianBlur, DefocusBlur, MotionBlur, LowResolution)


def grown(image: Image, side: int) -> Image:
    """The same picture with more pixels."""
    larger = opencv().resize(image.pixels, (side, side), interpolation=opencv().INTER_CUBIC)
    return Image(larger)


def shrunk(image: Image, side: int = 112) -> np.ndarray:
    small = opencv().resize(image.pixels, (side, side), interpolation=opencv().INTER_AREA)
    return np.asarray(small, np.float64)


def test_the_scale_is_that_of_the_alignment() -> None:
    draw = np.random.default_rng(3)
    for _ in range(20):
        angle, scale = draw.uniform(0, 6), draw.uniform(0.3, 9)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        landmarks = scale * template() @ turn.T + draw.normal(0, 3, (5, 2)) + 50
        assert face_scale(Image(textured().pixels, landmarks=landmarks)) == pytest.approx(
            1 / to_template(landmarks).scale
        )
    exact = Image(textured().pixels, landmarks=template(336, 336))
    assert face_scale(exact) == pytest.approx(3.0)
    assert similarity(template(), template(336, 336)).scale == pytest.approx(3.0)


def test_without_landmarks_the_smaller_side_is_that_of_an_aligned_crop() -> None:
    assert face_scale(textured()) == 1.0
    assert face_scale(textured(56, 200)) == 0.5
    nowhere = Image(textured(224, 224).pixels, landmarks=np.zeros((5, 2)))
    assert face_scale(nowhere) == 2.0


@pytest.mark.parametrize("kind", KINDS)
def test_a_larger_picture_of_a_face_loses_as_much(kind: Any) -> None:
    one = kind() if kind is not LowResolution else LowResolution(32)
    small = textured()
    large = grown(small, 448)
    made, larger = applied(one, small).image.pixels.astype(float), shrunk(applied(one, large).image)
    absolute = shrunk(applied(replace(one, pixels_of="picture"), large).image)
    lost = np.abs(made - small.pixels).mean()
    assert np.abs(larger - small.pixels).mean() == pytest.approx(lost, rel=0.15)
    if kind is not LowResolution:  # of which pictures lose less the more pixels they keep
        assert np.abs(absolute - small.pixels).mean() < 0.8 * lost


def test_a_small_face_in_a_large_picture_is_changed_by_its_own_size() -> None:
    photograph = grown(textured(), 448)
    small = replace(photograph, landmarks=template() + 100)  # a face of 112 pixels
    by_face = applied(GaussianBlur(2.0), small).image.pixels
    by_picture = applied(GaussianBlur(2.0, "picture"), small).image.pixels
    assert np.array_equal(by_face, by_picture)
    lower = applied(LowResolution(28), small).image.pixels
    assert np.array_equal(lower, applied(LowResolution(112, "picture"), small).image.pixels)
    assert not applied(LowResolution(112), small).changed


def test_faces_of_a_few_pixels_lose_next_to_nothing() -> None:
    tiny = Image(textured(8, 8).pixels)
    for one in (GaussianBlur(0.5), DefocusBlur(0.5), MotionBlur(1.0)):
        assert np.isfinite(applied(one, tiny).image.pixels).all()


def test_what_levels_are_those_of_is_told() -> None:
    assert GaussianBlur().meant.startswith("levels in pixels are those of an aligned crop of 112 by 112")
    assert GaussianBlur(pixels_of="picture").meant.startswith("levels in pixels are those of the pictures")
    assert make_perturbation("jpeg").augmentation.meant.startswith("levels hold for every pixel")
    assert make_perturbation("rotation").augmentation.meant == ""
    for name in PICTURE_AUGMENTATIONS.names():
        one = make_perturbation(name).augmentation
        in_pixels = getattr(one, "LEVELS", "").endswith("_px")
        assert isinstance(one, FacePixels) == in_pixels
        assert ("pixels_of=face" in one.key) == in_pixels


@pytest.mark.parametrize("kind", KINDS)
def test_pixels_of_nothing_are_refused(kind: Any) -> None:
    with pytest.raises(UnknownNameError, match="reference of pixels"):
        kind(pixels_of="pictures")
