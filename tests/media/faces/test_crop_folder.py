"""Crops beside annotations: gaps, one frame more or less, and those of another video."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affectcheck.errors import InputError, MissingPathError
from affectcheck.media.faces.crop_folder import crop_numbers, match_crops

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def crops(folder: Path, numbers: Iterable[int]) -> Path:
    folder.mkdir()
    for number in numbers:
        (folder / f"{number:05}.jpg").write_bytes(b"x")
    (folder / ".00009.jpg.partial").write_bytes(b"x")
    return folder


def test_frames_are_matched_by_number_and_gaps_are_counted(tmp_path: Path) -> None:
    found = match_crops(range(1, 11), crops(tmp_path / "v", [1, 2, 5, 6, 7, 8, 9, 10]))
    assert found.both == (1, 2, 5, 6, 7, 8, 9, 10)
    assert found.without_crop == (3, 4)
    assert found.notes == ("2 annotated frames without a crop: 3, 4",)


def test_one_crop_more_than_annotated_frames_is_left_out_and_told(tmp_path: Path) -> None:
    found = match_crops(range(1, 11), crops(tmp_path / "v", range(1, 12)))
    assert found.both == tuple(range(1, 11))
    assert found.without_annotation == (11,)
    assert found.notes == ("1 crops without an annotation: 11",)


def test_one_crop_less_is_a_frame_without_a_crop(tmp_path: Path) -> None:
    found = match_crops(range(1, 11), crops(tmp_path / "v", range(1, 10)))
    assert found.both == tuple(range(1, 10))
    assert found.without_crop == (10,)


def test_what_fits_has_no_notes(tmp_path: Path) -> None:
    assert match_crops(range(1, 4), crops(tmp_path / "v", range(1, 4))).notes == ()


def test_crops_of_another_video_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="2 crops lie beyond the last annotated frame 10: 11 to 12"):
        match_crops(range(1, 11), crops(tmp_path / "v", range(1, 13)))
    with pytest.raises(InputError, match="no frame is annotated"):
        match_crops([], tmp_path / "v")


def test_a_folder_that_is_none_of_crops_is_told(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError):
        crop_numbers(tmp_path / "nothing")
    folder = crops(tmp_path / "v", [1])
    (folder / "1.png").write_bytes(b"x")
    with pytest.raises(InputError, match="two pictures of one number"):
        crop_numbers(folder)
    (folder / "frame.jpg").write_bytes(b"x")
    with pytest.raises(InputError, match=r"frame\.jpg"):
        crop_numbers(folder)
