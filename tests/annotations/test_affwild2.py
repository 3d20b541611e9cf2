"""Frame annotation files: the first line behind the header is frame 1, and only the marker is a marker."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

import pytest

from affectcheck.annotations.affwild2 import read_frames
from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from affectcheck.schemes import CategoryScheme, Target, UnitScheme, scheme

if TYPE_CHECKING:
    from pathlib import Path

VA = Target("affect", scheme("valence-arousal"))
EXPR = Target("expression", scheme("expressions-8-other"))
AU = Target("au", UnitScheme("two", ("AU1", "AU12")))
CLASSES = "Neutral,Anger,Disgust,Fear,Happiness,Sadness,Surprise,Other"


@pytest.fixture
def clip(tmp_path: Path):
    def write(content: str | bytes, name: str = "clip07.txt") -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
@pytest.mark.parametrize("tail", [0, 1, 3])
def test_frames_count_from_1_and_markers_are_unknown(clip, end: str, mark: bytes, tail: int) -> None:
    lines = ["valence,arousal", "0.1,-0.1", "-5,-5", "0.2, 0.3", "-5,0.4"]
    table = read_frames(clip(mark + (end.join(lines) + end * tail).encode()), VA)
    assert table.frame.select("item", "frame", "valence", "arousal").rows() == [
        ("clip07/00001.jpg", 1, 0.1, -0.1),
        ("clip07/00002.jpg", 2, None, None),
        ("clip07/00003.jpg", 3, 0.2, 0.3),
        ("clip07/00004.jpg", 4, None, None),  # one marker is enough for both
    ]
    assert table.notes == ("of 4 frames not annotated in 'affect': 2",)


def test_columns_are_found_by_name_in_any_order(clip) -> None:
    table = read_frames(clip("Arousal , VALENCE\n0.1,0.2\n"), VA)
    assert table.frame.select("valence", "arousal").rows() == [(0.2, 0.1)]
    assert table.notes == ()


@pytest.mark.parametrize("value", ["1.01", "-2", "-4.999", "5", "-1", "999"])
def test_any_other_value_out_of_range_is_an_error_with_file_and_line(clip, value: str) -> None:
    if value == "-1":  # an end of the range, not a marker here
        assert read_frames(clip("valence,arousal\n-1,-1\n"), VA).frame["valence"].to_list() == [-1.0]
        return
    path = clip(f"valence,arousal\n0,0\n{value},0\n0,0\n{value},0\n")
    with pytest.raises(InputError, match="valence out of range") as caught:
        read_frames(path, VA)
    assert caught.value.where == f"{path}:3"
    assert f"{float(value):g} in line 3, {float(value):g} in line 5" in caught.value.what


def test_very_many_bad_lines_are_cut(clip) -> None:
    with pytest.raises(InputError, match="and 3 more"):
        read_frames(clip("valence,arousal\n" + "2,0\n" * 8), VA)


def test_classes_are_numbered_in_the_order_of_the_header(clip) -> None:
    table = read_frames(clip(f"{CLASSES}\n0\n-1\n7\n4\n"), EXPR)
    assert table.frame["expression"].to_list() == ["neutral", None, "other", "happiness"]
    table = read_frames(clip("Anger,Neutral\n0\n1\n"), EXPR)
    assert table.frame["expression"].to_list() == ["anger", "neutral"]


@pytest.mark.parametrize("value", ["8", "-2", "0.5", "-5"])
def test_a_number_of_no_class_is_an_error(clip, value: str) -> None:
    with pytest.raises(InputError, match="expression out of range") as caught:
        read_frames(clip(f"{CLASSES}\n{value}\n"), EXPR)
    assert "a class from 0 to 7, or -1" in str(caught.value)


def test_a_class_that_the_scheme_lacks_is_an_error(clip) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'happiness'"):
        read_frames(clip("Neutral,Hapiness\n0\n"), EXPR)


def test_an_order_that_contradicts_the_codes_of_the_scheme_is_an_error(clip) -> None:
    coded = Target("expression", CategoryScheme("x", ("a", "b"), codes={0: "a", 1: "b", 9: "a"}))
    with pytest.raises(InputError, match="class 0 is 'b' by the header, but 'a' by the scheme"):
        read_frames(clip("b,a\n0\n"), coded)
    assert read_frames(clip("a,b\n1\n"), coded).frame["expression"].to_list() == ["b"]


def test_units_are_masked_cell_by_cell(clip) -> None:
    table = read_frames(clip("AU1,AU2,AU12\n1,0,-1\n0,0,1\n-1,0,1\n-1,1,0\n"), AU)
    assert table.frame.select("AU1", "AU12").rows() == [(1, None), (0, 1), (None, 1), (None, 0)]
    assert table.notes == ("of 4 frames not annotated in 'au': AU1 2, AU12 1",)
    with pytest.raises(InputError, match="AU12 out of range: 999 in line 2"):
        read_frames(clip("AU1,AU12\n1,999\n"), AU)


@pytest.mark.parametrize(
    ("content", "what", "line"),
    [
        ("", "no frame is annotated", ""),
        ("valence,arousal\n", "no frame is annotated", ""),
        ("0.1,0.2\n0.1,0.2\n", "the first line holds values, not names", ":1"),
        ("valence,arousal\n0,0\n\n0,0\n", "a blank line between frames", ":3"),
        ("valence,arousal\n0,0\n0\n", "1 value, but 2 names in the header", ":3"),
        ("valence,arousal\n0;0\n", "1 value, but 2 names in the header", ":2"),
        ("valence,arousal\nnan,0\n", "not a number: 'nan'", ":2"),
        ("valence,arousal\n,0\n", "not a number: ''", ":2"),
        ("valence,arausal\n0,0\n", "does not name 'arousal': did you mean 'arausal'", ":1"),
    ],
)
def test_what_would_shift_or_lose_a_frame_is_an_error(clip, content: str, what: str, line: str) -> None:
    path = clip(content)
    with pytest.raises(InputError, match=what) as caught:
        read_frames(path, VA)
    assert caught.value.where == f"{path}{line}"


def test_a_folder_with_sets_gives_partitions_and_both_persons_one_media(clip, tmp_path: Path) -> None:
    clip("valence,arousal\n0,0\n", "Train_Set/video1_left.txt")
    clip("valence,arousal\n0,1\n", "Train_Set/video1_right.txt")
    clip("valence,arousal\n1,1\n", "Validation_Set/video2.txt")
    table = read_frames(tmp_path, VA, name="demo", root=tmp_path)
    assert table.frame.select("item", "media", "partition").rows() == [
        ("video1_left/00001.jpg", "video1", "train"),
        ("video1_right/00001.jpg", "video1", "train"),
        ("video2/00001.jpg", "video2", "validation"),
    ]
    assert (table.name, table.root) == ("demo", tmp_path)
    assert read_frames(tmp_path / "Train_Set", VA).frame["partition"].to_list() == ["train", "train"]


def test_a_folder_without_files_is_an_error(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(MissingPathError, match="annotation file not found"):
            read_frames(path, VA)
