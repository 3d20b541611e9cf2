"""Aff-Wild2: frames with their crops, where one of the two has a frame more or less than the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affectcheck.datasets import load_dataset
from affectcheck.errors import InputError, UnknownNameError
from label_trees import aff_wild2, put, touch

if TYPE_CHECKING:
    from pathlib import Path


def crop(video: str, *numbers: int, width: int = 5, folder: str = "cropped_aligned") -> list[str]:
    return [f"{folder}/{video}/{number:0{width}d}.jpg" for number in numbers]


def test_every_frame_with_its_crop(tmp_path: Path) -> None:
    table = load_dataset(f"aff-wild2:{aff_wild2(tmp_path)}")
    assert table.height == 12
    row = table.frame.row(4, named=True)
    assert row["item"] == "video2_left/00001.jpg"
    assert (row["media"], row["frame"]) == ("cropped_aligned/video2_left/00001.jpg", 1)
    assert (row["subject"], row["video"], row["partition"]) == ("video2", "video2_left", "train")
    assert (row["valence"], row["arousal"]) == (0.1, -0.2)
    assert (table.root / row["media"]).is_file()
    assert table.notes == ()
    assert table.frame.filter(video="video3")["partition"].unique().to_list() == ["validation"]


@pytest.mark.parametrize(("task", "column", "label"), [("expr", "expression", "disgust"), ("au", "AU12", 1)])
def test_other_tasks(tmp_path: Path, task: str, column: str, label: object) -> None:
    table = load_dataset(f"aff-wild2:{aff_wild2(tmp_path)}?task={task}")
    assert table.frame.get_column(column)[1] == label
    assert len(table.targets) == 1


@pytest.mark.parametrize("above", ["", "6th ABAW Annotations"])
def test_annotations_a_level_higher_or_lower_and_older_names(tmp_path: Path, above: str) -> None:
    base = tmp_path / above
    put(base, {"VA_Set/Training_Set/a.txt": "valence,arousal\n0.1,0.2\n-5,-5\n"})
    touch(tmp_path, *crop("a", 1, 2))
    table = load_dataset("aff-wild2", tmp_path)
    assert table.frame["media"].to_list() == crop("a", 1, 2)
    assert table.frame["partition"].to_list() == ["train", "train"]
    assert table.notes[0].startswith("of 2 frames not annotated")


def test_several_releases_of_crops_beside_each_other(tmp_path: Path) -> None:
    put(tmp_path, {f"VA_Set/Training_Set/{name}.txt": "valence,arousal\n0.1,0.2\n" for name in "ab"})
    touch(tmp_path, *crop("a", 1), *crop("b", 1, folder="cropped_aligned_new_50_vids"))
    media = load_dataset("aff-wild2", tmp_path).frame["media"].to_list()
    assert media == ["cropped_aligned/a/00001.jpg", "cropped_aligned_new_50_vids/b/00001.jpg"]


def test_frames_without_a_crop_are_left_out_or_kept_and_counted(tmp_path: Path) -> None:
    root = aff_wild2(tmp_path)
    (root / crop("video1", 2)[0]).unlink()
    for name in crop("video3", 1, 2, 3, 4):
        (root / name).unlink()
    told = "5 of 12 annotated frames have no crop (2 videos, 1 video of them without any)"
    table = load_dataset("aff-wild2", root)
    assert table.frame.filter(video="video1")["frame"].to_list() == [1, 3, 4]
    assert table.notes == (f"{told}: left out",)
    kept = load_dataset(f"aff-wild2:{root}?faceless=keep")
    assert kept.height == 12
    assert kept.frame["media"].null_count() == 5
    assert kept.notes == (f"{told}: kept without media",)


def test_one_crop_beyond_the_annotation_is_left_out_and_counted(tmp_path: Path) -> None:
    root = touch(aff_wild2(tmp_path), *crop("video1", 5), *crop("video3", 5))
    table = load_dataset("aff-wild2", root)
    assert table.height == 12
    assert table.notes == (
        "2 crops one beyond the last annotated frame, such as cropped_aligned/video1/00005.jpg: left out",
    )


def test_more_crops_than_that_are_of_another_video(tmp_path: Path) -> None:
    root = touch(aff_wild2(tmp_path), *crop("video1", 5, 6), *crop("video3", 5))
    with pytest.raises(InputError, match=r"beyond the last annotated frame: video1 \(2\)\n") as caught:
        load_dataset("aff-wild2", root)
    assert "at most 1 more" in str(caught.value)
    put(root, {f"VA_Estimation_Challenge/Train_Set/v{n}.txt": "valence,arousal\n0,0\n" for n in range(7)})
    touch(root, *(name for n in range(7) for name in crop(f"v{n}", 2, 3)))
    with pytest.raises(InputError, match=r": v0 \(2\), v1 \(2\), v2 \(2\), v3 \(2\), v4 \(2\) and 3 more\n"):
        load_dataset("aff-wild2", root)


def test_crops_that_are_numbered_from_0_would_move_every_label(tmp_path: Path) -> None:
    root = touch(aff_wild2(tmp_path), *crop("video1", 0))
    with pytest.raises(InputError, match=r"numbered from 0: cropped_aligned/video1/00000\.jpg, and so in 1 video\n"):
        load_dataset("aff-wild2", root)


def test_two_crops_of_one_frame(tmp_path: Path) -> None:
    root = touch(aff_wild2(tmp_path), *crop("video1", 2, width=4))
    with pytest.raises(InputError, match=r"several crops of one frame: '.*/00002\.jpg', '.*/0002\.jpg'"):
        load_dataset("aff-wild2", root)


def test_crops_are_found_by_number_in_any_width_and_kind_and_other_files_are_none(tmp_path: Path) -> None:
    put(tmp_path, {"VA_Set/Training_Set/a.txt": "valence,arousal\n0.1,0.2\n0.3,0.4\n"})
    touch(tmp_path, "cropped_aligned/a/2.PNG", "cropped_aligned/a/.DS_Store", "cropped_aligned/a/notes.txt")
    touch(tmp_path, "cropped_aligned/list.txt", "cropped_aligned/test_video/00001.jpg")
    table = load_dataset("aff-wild2", tmp_path)
    assert table.frame["media"].to_list() == ["cropped_aligned/a/2.PNG"]
    assert table.notes[1] == "crops of 1 video without annotation, such as test_video"


def test_labels_without_any_crops(tmp_path: Path) -> None:
    put(tmp_path, {"VA_Set/Training_Set/a.txt": "valence,arousal\n0.1,0.2\n"})
    table = load_dataset("aff-wild2", tmp_path)
    assert table.frame["media"].to_list() == [None]
    assert table.notes == ("no crops are here: labels alone",)


def test_options_and_roots_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="task 'mood'"):
        load_dataset("aff-wild2", tmp_path, task="mood")
    with pytest.raises(UnknownNameError, match="'drop'"):
        load_dataset("aff-wild2", tmp_path, faceless="drop")
    with pytest.raises(InputError, match="VA_Estimation_Challenge or VA_Set"):
        load_dataset("aff-wild2", tmp_path)
