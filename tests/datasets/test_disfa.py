"""DISFA: a file a subject and unit, both views, thresholds, and what copies lack."""

from __future__ import annotations

import polars as pl
import pytest

from affectcheck.datasets import Making, load_dataset
from affectcheck.errors import InputError, UnknownNameError
from label_trees import disfa, put

ONE = "ActionUnit_Labels/SN001/SN001_au1.txt"


def test_both_views_of_every_frame(tmp_path):
    seen = []
    table = load_dataset(f"disfa:{disfa(tmp_path)}", making=Making(progress=lambda *told: seen.append(told)))
    assert table.height == 2 * 2 * 4
    row = table.frame.row(by_predicate=pl.col("item") == "RightVideoSN001/00002", named=True)
    assert row["subject"] == "SN001"
    assert row["view"] == "right"
    assert row["frame"] == 2
    assert row["media"] == "Video_RightCamera/RightVideoSN001_comp.avi"
    assert (row["AU1_intensity"], row["AU1"]) == (2, 1)
    assert (row["AU5_intensity"], row["AU5"]) == (0, 0)
    assert list(table.target().columns) == [f"AU{n}" for n in (1, 2, 4, 5, 6, 9, 12, 15, 17, 20, 25, 26)]
    assert table.frame.get_column("subject").n_unique() == 2  # not four: both views are of one person
    assert seen == [(1, 2), (2, 2)]
    assert "2 of 4 videos are not here: labels without media" in table.notes


@pytest.mark.parametrize(("threshold", "present"), [(1, 3), (2, 2), (3, 1), (5, 0)])
def test_presence_by_threshold(tmp_path, threshold, present):
    put(tmp_path, {ONE: "1,0\n2,1\n3,2\n4,4\n"})
    table = load_dataset(f"disfa:{tmp_path}?threshold={threshold}&views=left")
    assert table.frame.get_column("AU1").sum() == present
    assert table.frame.get_column("AU1_intensity").to_list() == [0, 1, 2, 4]
    assert f"a unit is present from intensity {threshold} on" in table.notes
    assert set(table.frame.get_column("view")) == {"left"}


def test_options_out_of_range(tmp_path):
    disfa(tmp_path)
    with pytest.raises(InputError, match="threshold is 0"):
        load_dataset("disfa", tmp_path, threshold=0)
    with pytest.raises(UnknownNameError, match="choice of views 'front'"):
        load_dataset("disfa", tmp_path, views="front")


def test_a_unit_without_a_file_is_unknown(tmp_path):
    disfa(tmp_path)
    (tmp_path / ONE).unlink()
    table = load_dataset("disfa", tmp_path)
    of_first = table.frame.filter(pl.col("subject") == "SN001")
    assert of_first.get_column("AU1").null_count() == of_first.height
    assert of_first.get_column("AU2").null_count() == 0
    assert "SN001 has no file of AU1: unknown" in table.notes


def test_a_file_of_one_frame_less(tmp_path):
    disfa(tmp_path, ["SN001"])
    put(tmp_path, {ONE: "1,0\n2,1\n3,2\n"})
    table = load_dataset(f"disfa:{tmp_path}?views=left")
    assert table.frame.get_column("AU1").to_list() == [0, 1, 1, None]
    assert "SN001 has files of 3 to 4 frames: unknown where a file lacks a frame" in table.notes


def test_lengths_that_copies_have(tmp_path):
    disfa(tmp_path, ["SN001"], frames=4845)
    disfa(tmp_path, ["SN002"], frames=4844)
    table = load_dataset(f"disfa:{tmp_path}?views=left")
    assert table.height == 4845 + 4844
    assert "SN002 has 4844 frames, the others 4845" in table.notes
    assert not any(note.startswith("SN001") for note in table.notes)
    disfa(tmp_path, ["SN003"], frames=10)
    assert "SN003 has 10 frames, not 4845" in load_dataset("disfa", tmp_path).notes


@pytest.mark.parametrize("line", ["5,6", "0,1", "5,x", "4,1", "5,-1", "5,1.5"])
def test_lines_that_do_not_fit(tmp_path, line):
    disfa(tmp_path)
    with (tmp_path / ONE).open("a") as file:
        file.write(line + "\n")
    with pytest.raises(InputError, match="1 lines that are not of the set's form") as caught:
        load_dataset("disfa", tmp_path)
    assert f"SN001/SN001_au1.txt:5: {line!r}" in str(caught.value)


def test_lines_of_another_width(tmp_path):
    disfa(tmp_path)
    put(tmp_path, {ONE: "1,0\n2\n"})
    with pytest.raises(InputError, match="1 lines with fewer than 2 cells"):
        load_dataset("disfa", tmp_path)
    put(tmp_path, {ONE: "1,0,3\n"})
    with pytest.raises(InputError, match="cannot be read as 2 columns"):
        load_dataset("disfa", tmp_path)


def test_folders_without_labels(tmp_path):
    (tmp_path / "ActionUnit_Labels").mkdir()
    with pytest.raises(InputError, match="no folder such as SN001"):
        load_dataset("disfa", tmp_path)
    (tmp_path / "ActionUnit_Labels" / "SN001").mkdir()
    with pytest.raises(InputError, match=r"no file such as SN001_au1\.txt"):
        load_dataset("disfa", tmp_path)
    with pytest.raises(InputError, match="its root is"):
        load_dataset("disfa", tmp_path / "ActionUnit_Labels" / "SN001")


def test_a_file_in_the_place_of_the_labels_and_names_of_another_case(tmp_path):
    put(tmp_path, {"ActionUnit_Labels": "x"})
    with pytest.raises(InputError, match="not a folder"):
        load_dataset("disfa", tmp_path)
    put(tmp_path / "case", {"ActionUnit_Labels/SN001/SN001_AU1.txt": "1,0\n"})
    with pytest.raises(InputError, match=r"no file such as SN001_au1\.txt: it holds SN001_AU1\.txt"):
        load_dataset("disfa", tmp_path / "case")
