"""The similarity transform, beside scikit-image's and planted ones; crops that show what they should."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.errors import InputError
from affectcheck.media.faces.alignment import (
    Similarity,
    align,
    crop_box,
    pixel_centres,
    residual,
    similarity,
    tensor,
    to_template,
    warp,
)
from affectcheck.media.faces.detector import Box
from affectcheck.media.faces.template import template
from affectcheck.seeds import rng

needs_opencv = pytest.mark.skipif(find_spec("cv2") is None, reason="the extra faces is not installed")


def planted(scale: float, angle_deg: float, across: float, down: float) -> Similarity:
    angle = np.radians(angle_deg)
    linear = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return Similarity(np.column_stack([linear, [across, down]]))


@given(st.floats(0.1, 10), st.floats(-180, 180), st.floats(-500, 500), st.floats(-500, 500))
def test_a_planted_similarity_is_found(scale: float, angle_deg: float, across: float, down: float) -> None:
    change = planted(scale, angle_deg, across, down)
    found = similarity(template(), change.moved(template()))
    assert found.matrix == pytest.approx(change.matrix, abs=1e-6)
    assert found.scale == pytest.approx(scale)
    assert np.cos(np.radians(found.angle_deg - angle_deg)) == pytest.approx(1, abs=1e-9)


def test_a_planted_similarity_is_found_among_trembling_landmarks() -> None:
    draw = rng(0, "trembling landmarks")
    change = planted(3.0, 21.0, 140.0, 60.0)
    places = [similarity(change.moved(template() + draw.normal(0, 0.05, (5, 2))), template()) for _ in range(50)]
    off = [np.hypot(*(place.moved(change.moved(template())) - template()).T).max() for place in places]
    assert max(off) < 0.2
    assert np.mean(off) < 0.1


def test_it_equals_that_of_scikit_image() -> None:
    transform = pytest.importorskip("skimage.transform")
    draw = rng(0, "beside scikit-image")
    for _ in range(100):
        points = draw.uniform(0, 500, (5, 2))
        theirs = transform.SimilarityTransform.from_estimate(points, template()).params[:2]
        assert to_template(points).matrix == pytest.approx(theirs, abs=1e-6)


def test_points_that_could_only_be_mirrored_are_turned_instead() -> None:
    mirrored = template() * (-1, 1)
    found = similarity(mirrored, template())
    assert np.linalg.det(found.matrix[:, :2]) > 0


def test_moving_there_and_back_changes_nothing() -> None:
    change = planted(0.4, 33, 5, -7)
    assert change.moved_back(change.moved(template())) == pytest.approx(template())


def test_the_residual_is_that_of_the_template_itself_and_grows_with_errors() -> None:
    assert residual(template() * 4 + 100) == pytest.approx(0, abs=1e-9)
    pulled = template().copy()
    pulled[2] += (12, 0)
    assert residual(pulled) > 3
    assert residual(pulled * 3) == pytest.approx(residual(pulled))


@pytest.mark.parametrize(
    "points",
    [np.zeros((5, 2)), np.zeros((5, 3)), np.zeros((1, 2)), np.full((5, 2), np.nan)],
    ids=["one point", "three coordinates", "a single point", "not finite"],
)
def test_landmarks_without_a_similarity_are_refused(points: np.ndarray) -> None:
    with pytest.raises(InputError):
        similarity(points, template() if points.shape == (5, 2) else points)


def test_centres_of_pixels_lie_half_a_pixel_before_their_count_from_the_edge() -> None:
    assert pixel_centres(np.array([[0.5, 10.0]])).tolist() == [[0.0, 9.5]]


def dotted(points: np.ndarray, *, size: int, radius: float) -> np.ndarray:
    """Soft white dots on black."""
    rows, columns = np.mgrid[:size, :size]
    light = np.zeros((size, size))
    for across, down in points:
        light += np.exp(-((columns - across) ** 2 + (rows - down) ** 2) / (2 * radius**2))
    return np.repeat((light.clip(0, 1) * 255).round().astype(np.uint8)[..., None], 3, axis=2)


def centroids(crop: np.ndarray) -> np.ndarray:
    """Centre of light around each place of the template."""
    found = []
    for across, down in template():
        left, up = round(across) - 7, round(down) - 7
        part = crop[up : up + 15, left : left + 15, 0].astype(float)
        rows, columns = np.mgrid[up : up + 15, left : left + 15]
        found.append((np.average(columns, weights=part), np.average(rows, weights=part)))
    return np.array(found)


@needs_opencv
@pytest.mark.parametrize(("scale", "angle_deg"), [(0.6, 0), (1.0, 12), (1.7, -25), (3.0, 8), (6.3, 30)])
def test_a_crop_shows_the_landmarks_where_the_template_has_them(scale: float, angle_deg: float) -> None:
    """To a tenth of a pixel, whether faces are made larger, smaller, or much smaller by areas."""
    change = planted(scale, angle_deg, 90 + 120 * (angle_deg > 0), 110 + 100 * (angle_deg < 0))
    points = change.moved(template())
    points += (400 - points.mean(axis=0)) * (1, 1)
    crop = align(dotted(points, size=900, radius=1.8 * scale), points)
    assert crop.shape == (112, 112, 3)
    assert np.abs(centroids(crop) - template()).max() < 0.1


@needs_opencv
def test_a_far_larger_face_is_not_sampled_at_single_pixels() -> None:
    noise = rng(0, "single pixels").integers(0, 256, (1200, 1200, 3)).astype(np.uint8)
    crop = align(noise, template(1200, 1200))
    assert crop[20:90, 20:90].std() < 20  # single pixels would have 74


@needs_opencv
def test_what_lies_outside_of_the_picture_is_black() -> None:
    bright = np.full((60, 60, 3), 200, np.uint8)
    crop = align(bright, template() - (60, 60))
    assert crop[:50, :50].max() == 0
    assert crop[-10, -10].max() == 0 or crop.max() == 200
    far = align(bright, template() + 5000)
    assert far.max() == 0
    assert align(bright, template(1120, 1120) + 5000).max() == 0  # the same of one that is made smaller first


@needs_opencv
def test_a_crop_by_box_holds_exactly_the_box() -> None:
    picture = np.zeros((100, 100, 3), np.uint8)
    picture[20:40, 30:50] = 255
    crop = crop_box(picture, Box(30, 20, 50, 40), side=20)
    assert (crop == 255).all()
    wider = crop_box(picture, Box(30, 20, 50, 40), side=40, margin=0.5)
    assert (wider[10:30, 10:30] == 255).all()
    assert wider[:9].max() == 0
    assert wider[:, 31:].max() == 0
    tall = crop_box(picture, Box(30, 10, 50, 50), side=40)
    assert (tall[10:30, 10:30] == 255).all()


@needs_opencv
def test_a_box_without_area_is_refused() -> None:
    with pytest.raises(InputError, match="without area"):
        crop_box(np.zeros((10, 10, 3), np.uint8), Box(5, 5, 5, 5))


@needs_opencv
def test_a_warp_by_nothing_changes_nothing() -> None:
    picture = rng(0, "identity").integers(0, 256, (112, 112, 3)).astype(np.uint8)
    assert (warp(picture, planted(1, 0, 0, 0)) == picture).all()


def test_the_tensor_runs_from_minus_one_to_one() -> None:
    crops = [np.zeros((112, 112, 3), np.uint8), np.full((112, 112, 3), 255, np.uint8)]
    crops[0][3, 5] = (0, 127, 255)
    found = tensor(crops)
    assert found.shape == (2, 3, 112, 112)
    assert found.dtype == np.float32
    assert (found.min(), found.max()) == (-1.0, 1.0)
    assert found[0, :, 3, 5] == pytest.approx([-1, 127 / 127.5 - 1, 1])
    assert tensor([]).shape == (0, 3, 112, 112)


def test_crops_that_make_no_tensor_are_refused() -> None:
    with pytest.raises(InputError, match="of one size"):
        tensor([np.zeros((112, 112, 3), np.uint8), np.zeros((96, 96, 3), np.uint8)])
    with pytest.raises(InputError):
        tensor([np.zeros((112, 112), np.uint8)])
    with pytest.raises(InputError):
        tensor([np.zeros((112, 112, 3), np.float32)])
