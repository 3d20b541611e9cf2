"""Boxes: squares, offsets, and which of overlapping ones stay."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.media.faces.boxes import apart, moved, sizes, squared
from affectcheck.seeds import rng


def test_squares_keep_the_centre_and_hold_the_box() -> None:
    np.testing.assert_array_equal(squared(np.array([[0.0, 10.0, 10.0, 30.0]])), [[-5, 10, 15, 30]])


def test_edges_move_by_shares_of_width_and_height() -> None:
    boxes = np.array([[0.0, 0.0, 10.0, 20.0]])
    np.testing.assert_allclose(moved(boxes, np.array([[0.1, 0.1, -0.1, 0.5]])), [[1, 2, 9, 30]])


def test_the_surest_of_overlapping_boxes_stays() -> None:
    boxes = np.array([[0.0, 0, 10, 10], [1, 0, 11, 10], [20, 0, 30, 10]])
    np.testing.assert_array_equal(apart(boxes, np.array([0.5, 0.9, 0.7]), overlap=0.5), [1, 2])


def test_one_that_is_gone_removes_no_other() -> None:
    boxes = np.array([[0.0, 0, 10, 10], [4, 0, 14, 10], [8, 0, 18, 10]])
    np.testing.assert_array_equal(apart(boxes, np.array([0.9, 0.8, 0.7]), overlap=0.3), [0, 2])


def test_a_small_box_inside_a_large_one_goes_by_its_own_area() -> None:
    boxes, scores = np.array([[0.0, 0, 10, 10], [2, 2, 5, 5]]), np.array([0.9, 0.8])
    np.testing.assert_array_equal(apart(boxes, scores, overlap=0.5), [0, 1])
    np.testing.assert_array_equal(apart(boxes, scores, overlap=0.5, of_smaller=True), [0])


def test_no_boxes_are_no_boxes() -> None:
    assert apart(np.empty((0, 4)), np.empty(0), overlap=0.5).tolist() == []


@given(seed=st.integers(0, 200), count=st.integers(1, 40))
def test_what_stays_overlaps_little_and_what_goes_overlaps_a_surer_one(seed: int, count: int) -> None:
    draw = rng(seed, "boxes")
    corners = draw.uniform(0, 50, (count, 2))
    boxes, scores = np.concatenate([corners, corners + draw.uniform(5, 30, (count, 2))], axis=1), draw.random(count)
    kept = apart(boxes, scores, overlap=0.4)
    areas = sizes(boxes).prod(axis=1)
    sides = np.minimum(boxes[:, None, 2:], boxes[:, 2:]) - np.maximum(boxes[:, None, :2], boxes[:, :2])
    shared = np.maximum(sides, 0).prod(axis=2)
    close = shared > 0.4 * (areas[:, None] + areas - shared)
    for one in range(count):
        surer = [other for other in kept if scores[other] > scores[one] and close[one, other]]
        assert bool(surer) != (one in kept)
