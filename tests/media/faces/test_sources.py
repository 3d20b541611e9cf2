"""What a folder holds, what its crops are called, and folders of frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affectcheck.errors import InputError, MissingPathError
from affectcheck.media.faces.layout import frame_file, picture_file, sides, where_people_are
from affectcheck.media.faces.sources import find_sources, natural

if TYPE_CHECKING:
    from pathlib import Path


def touched(root: Path, *names: str) -> Path:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(b"x")
    return root


def test_pictures_and_videos_are_found_below_in_natural_order(tmp_path: Path) -> None:
    root = touched(tmp_path, "b/2.jpg", "b/10.PNG", "a.mp4", "notes.txt", ".hidden.jpg", ".git/x.jpg", "out/crop.jpg")
    found = find_sources(root, without=root / "out")
    assert [(source.name, source.kind, source.stem) for source in found.sources] == [
        ("a.mp4", "video", "a"),
        ("b/2.jpg", "picture", "b/2"),
        ("b/10.PNG", "picture", "b/10"),
    ]
    assert found.ignored == ("notes.txt",)


def test_a_single_file_is_its_own_source(tmp_path: Path) -> None:
    touched(tmp_path, "one.jpg", "two.jpg")
    assert [source.name for source in find_sources(tmp_path / "one.jpg").sources] == ["one.jpg"]


def test_stems_that_could_be_mistaken_keep_their_suffix(tmp_path: Path) -> None:
    touched(tmp_path, "a.jpg", "a.png", "b.jpg", "b_left.jpg", "c_3.jpg", "d.mp4", "d_2.mp4")
    stems = {source.name: source.stem for source in find_sources(tmp_path).sources}
    assert stems["a.jpg"] == "a.jpg"
    assert stems["a.png"] == "a.png"
    assert stems["b.jpg"] == "b.jpg"  # its left face would else be called as the face of b_left.jpg
    assert stems["b_left.jpg"] == "b_left"
    assert stems["c_3.jpg"] == "c_3"
    assert stems["d.mp4"] == "d.mp4"


def test_crops_of_a_video_and_of_its_pictures_lie_apart(tmp_path: Path) -> None:
    touched(tmp_path, "a.mp4", "a/00001.jpg", "b.mp4", "b_left/00001.jpg", "c.jpg.mp4", "d.mp4", "d/e/1.jpg")
    stems = {source.name: source.stem for source in find_sources(tmp_path).sources}
    assert stems["a.mp4"] == "a.mp4"
    assert stems["a/00001.jpg"] == "a/00001"
    assert stems["b.mp4"] == "b.mp4"
    assert stems["c.jpg.mp4"] == "c.jpg.mp4"
    assert stems["d.mp4"] == "d"


def test_folders_behind_links_are_looked_into_and_circles_are_left(tmp_path: Path) -> None:
    touched(tmp_path, "in/x/1.jpg", "elsewhere/2.jpg")
    (tmp_path / "in" / "link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "in" / "x" / "back").symlink_to(tmp_path / "in")
    (tmp_path / "elsewhere" / "self").symlink_to(".")
    assert [source.name for source in find_sources(tmp_path / "in").sources] == ["link/2.jpg", "x/1.jpg"]


def test_crops_are_not_written_among_their_pictures(tmp_path: Path) -> None:
    touched(tmp_path, "one.jpg")
    with pytest.raises(InputError, match="would lie among"):
        find_sources(tmp_path, without=tmp_path / "x" / "..")


def test_what_is_not_there_or_holds_no_faces_is_told(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError):
        find_sources(tmp_path / "nothing")
    touched(tmp_path, "labels.csv")
    with pytest.raises(InputError, match=r"no picture and no video.*labels\.csv"):
        find_sources(tmp_path)
    touched(tmp_path, "photo.heic")
    with pytest.raises(InputError, match=r"by its suffix.*photo\.heic") as told:
        find_sources(tmp_path / "photo.heic")
    assert "HEIC" in told.value.cause


def test_the_pictures_of_a_folder_are_the_frames_of_a_video(tmp_path: Path) -> None:
    touched(tmp_path, "v1/00001.jpg", "v1/00003.jpg", "v2/frame-12.png", "w.mp4")
    found = find_sources(tmp_path, sequences=True).sources
    assert [(source.name, source.kind) for source in found] == [
        ("v1", "sequence"), ("v2", "sequence"), ("w.mp4", "video"),
    ]  # fmt: skip
    assert [still.number for still in found[0].stills] == [1, 3]
    assert [source.name for source in find_sources(tmp_path / "v1", sequences=True).sources] == ["v1"]


@pytest.mark.parametrize("names", [("v/first.jpg",), ("v/1.jpg", "v/01.jpg"), ("v/0.jpg",)])
def test_frames_that_are_not_numbered_are_told(tmp_path: Path, names: tuple[str, ...]) -> None:
    touched(tmp_path, *names)
    with pytest.raises(InputError, match="number"):
        find_sources(tmp_path, sequences=True)


def test_dates_are_not_taken_for_numbers_of_frames(tmp_path: Path) -> None:
    touched(tmp_path, "IMG_20240101.jpg", "IMG_20240102.jpg")
    with pytest.raises(InputError, match="frame 20240102 of 2 pictures") as told:
        find_sources(tmp_path, sequences=True)
    assert "without --sequences" in told.value.cause


def test_numbers_in_names_count_by_value() -> None:
    assert sorted(["f10", "f9", "e", "f"], key=natural) == ["e", "f", "f9", "f10"]
    assert sorted(["1-30-1280x720", "7-60-1920x1080", "video2", "10-60"], key=natural)[1] == "7-60-1920x1080"


def test_one_person_has_no_side_two_have_sides_and_more_have_numbers() -> None:
    assert sides([]) == ()
    assert sides([5.0]) == ("",)
    assert sides([5.0, 1.0]) == ("_right", "_left")
    assert sides([5.0, 1.0, 3.0]) == ("_1", "_2", "_3")


def test_sides_are_those_of_the_frames_that_show_both() -> None:
    """The first was seen further right on the whole, but on the left of the other whenever both were there."""
    first = {1: 500.0, 2: 500.0, 3: 500.0, 4: 100.0}
    assert where_people_are([first, {4: 300.0, 5: 310.0}]) == [100.0, 300.0]
    assert where_people_are([first, {9: 300.0}]) == [500.0, 300.0]
    assert where_people_are([{1: 4.0, 2: 6.0}]) == [5.0]


def test_files_are_named_as_in_aff_wild2() -> None:
    assert frame_file("video61", "_left", 12) == "video61_left/00012.jpg"
    assert picture_file("b/2", "") == "b/2.jpg"
