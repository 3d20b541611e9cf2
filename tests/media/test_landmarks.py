"""Five points of a face in columns of a table, and what becomes of those that are not all there."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.annotations.table import AnnotationTable
from affectcheck.datasets import load_dataset
from affectcheck.media import Image, load_item, load_items
from affectcheck.media.landmarks import COLUMNS, landmarks_of
from drawn import picture

if TYPE_CHECKING:
    from pathlib import Path

POINTS = np.array([[20.5, 30.0], [55.0, 31.25], [38.0, 50.0], [24.0, 70.0], [52.0, 71.0]])
ROW = dict(zip(COLUMNS, POINTS.ravel().tolist(), strict=True))


def test_columns_are_named_after_the_picture_and_stand_in_the_order_of_the_points() -> None:
    assert COLUMNS[:3] == ("landmark_left_eye_x", "landmark_left_eye_y", "landmark_right_eye_x")
    assert COLUMNS[-1] == "landmark_right_mouth_y"
    assert len(COLUMNS) == 10


def test_all_ten_numbers_are_landmarks() -> None:
    found = landmarks_of(ROW, width=80, height=96)
    np.testing.assert_array_equal(found.landmarks, POINTS)
    assert found.landmarks.dtype == np.float64
    assert found.notes == ()
    assert landmarks_of(dict.fromkeys(COLUMNS, 7), width=80, height=96).landmarks.dtype == np.float64


def test_none_of_them_is_no_landmarks_and_no_note() -> None:
    for row in ({}, dict.fromkeys(COLUMNS)):
        assert landmarks_of(row, width=80, height=96) == (None, ())


@pytest.mark.parametrize("value", [None, math.nan, math.inf, "12,5", "nan", "left", True, b"12"])
def test_some_of_them_are_left_out_with_a_note(value: object) -> None:
    found = landmarks_of(ROW | {COLUMNS[3]: value}, width=80, height=96)
    strange = "" if value is None else f", {value!r} is none"
    assert found == (None, (f"landmarks: only 9 of the 10 numbers are known, left out{strange}",))
    only_unusable = landmarks_of({COLUMNS[0]: math.nan}, width=80, height=96)
    assert only_unusable.notes == ("landmarks: only 0 of the 10 numbers are known, left out, nan is none",)


def test_numbers_of_a_table_of_text_are_landmarks(tmp_path: Path) -> None:
    pytest.importorskip("PIL.Image").fromarray(picture(1)).save(tmp_path / "a.png")
    row = {column: str(value) for column, value in ROW.items()}
    found = landmarks_of(row, width=80, height=96)
    np.testing.assert_array_equal(found.landmarks, POINTS)
    assert found.notes == ()
    (tmp_path / "table.csv").write_text(
        ",".join(["item", "media", *row]) + "\n" + ",".join(["a", "a.png", *row.values()])
    )
    (tmp_path / "table.toml").write_text('file = "table.csv"\nitem = "item"\nmedia = "media"\n')
    table = load_dataset(f"table:{tmp_path / 'table.toml'}")
    item = load_item(table.frame.row(0, named=True), table.root, media=("image",))
    np.testing.assert_array_equal(item.image.landmarks, POINTS)


def test_points_outside_are_kept_but_told_and_all_outside_are_left_out() -> None:
    some = landmarks_of(ROW | {COLUMNS[0]: -3.0, COLUMNS[9]: 200.0}, width=80, height=96)
    assert some.notes == ("landmarks: 2 of 5 points outside the picture",)
    assert some.landmarks[0, 0] == -3.0
    none = landmarks_of({column: value + 900 for column, value in ROW.items()}, width=80, height=96)
    assert none.landmarks is None
    assert none.notes == (
        "landmarks: all outside the picture of 80×96 pixels, left out; are they those of another size?",
    )


def test_a_picture_reaches_half_a_pixel_beyond_the_centres_of_its_pixels() -> None:
    for edge, told in ((-0.5, False), (79.5, False), (-0.51, True), (79.51, True)):
        assert bool(landmarks_of(ROW | {COLUMNS[0]: edge}, width=80, height=96).notes) is told


def test_landmarks_are_part_of_the_digest_only_where_given() -> None:
    pixels = picture(1)
    plain, pointed = Image(pixels), Image(pixels, landmarks=POINTS)
    assert plain.digest != pointed.digest
    assert pointed.digest == Image(pixels, ("a note",), POINTS.copy()).digest
    assert pointed.digest != Image(pixels, landmarks=POINTS + 1).digest


def test_items_of_a_table_carry_their_landmarks(tmp_path: Path) -> None:
    pytest.importorskip("PIL.Image").fromarray(picture(1)).save(tmp_path / "a.png")
    frame = pl.DataFrame({"item": ["k", "faceless"], "media": ["a.png"] * 2, **{c: [ROW[c], None] for c in COLUMNS}})
    first, second = load_items(AnnotationTable(frame, root=tmp_path))
    np.testing.assert_array_equal(first.image.landmarks, POINTS)
    assert second.image.landmarks is None
    assert second.image.notes == ()
    outside = load_item({"item": "k", "media": "a.png", **ROW, COLUMNS[0]: -9.0}, tmp_path)
    assert outside.image.notes == ("landmarks: 1 of 5 points outside the picture",)
