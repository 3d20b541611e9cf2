"""C-EXPR-DB and Hume-Vidmimic2: with and without labels, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affectcheck.datasets import load_dataset
from affectcheck.errors import InputError, UnknownNameError
from label_trees import c_expr_db, hume_vidmimic2, put, touch

if TYPE_CHECKING:
    from pathlib import Path

EMOTIONS = "Admiration,Amusement,Determination,Empathic Pain,Excitement,Joy"


def test_clips_with_their_ratings(tmp_path: Path) -> None:
    table = load_dataset("hume-vidmimic2", hume_vidmimic2(tmp_path / "pack").parent)  # a level above the lists
    assert table.items.to_list() == ["00001", "00002", "00003"]
    assert table.frame["partition"].to_list() == ["train", "train", "validation"]
    assert table.frame["empathic pain"].to_list() == [0.3, 0.5, 0.0]
    assert table.frame["media"].to_list() == [f"raw/0000{clip}.mp4" for clip in (1, 2, 3)]
    assert not table.has_subjects


def test_other_spellings_of_the_header_and_a_test_list_without_ratings(tmp_path: Path) -> None:
    header = EMOTIONS.replace("Empathic Pain", "Empathic_Pain")
    put(
        tmp_path,
        {"train_split.csv": f"filename,{header}\n00001.mp4,0,0,0,0,0,0\n", "test_split.csv": "Filename\n00009\n"},
    )
    table = load_dataset("hume-vidmimic2", touch(tmp_path, "raw/00001.mp4"))
    assert table.frame["partition"].to_list() == ["train", "test"]
    assert table.frame["joy"].to_list() == [0.0, None]
    assert table.frame["media"].to_list() == ["raw/00001.mp4", None]
    assert "1 of 2 videos" in " ".join(table.notes)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (f"Clip,{EMOTIONS}\n1,0,0,0,0,0,0\n", "unknown column 'Filename'"),
        ("Filename,Admiration\n1,0\n", "unknown column 'amusement'"),
        (f"Filename,{EMOTIONS}\n,0,0,0,0,0,0\n", "a line without a name of its clip"),
        (f"Filename,{EMOTIONS}\n1,0,0,0,0,0,37\n", "37"),
        (f"Filename,{EMOTIONS}\n1,0,0,0,0,0,0\n1,0,0,0,0,0,0\n", "1"),
        (f"Filename,{EMOTIONS}\n1,0,0,0,0,0,much\n", "much"),
    ],
)
def test_lists_that_are_refused(text: str, fault: str, tmp_path: Path) -> None:
    put(tmp_path, {"train_split.csv": text})
    with pytest.raises(InputError, match=fault):
        load_dataset("hume-vidmimic2", tmp_path)


def test_a_test_list_with_some_of_the_ratings_is_refused(tmp_path: Path) -> None:
    put(tmp_path, {"test_split.csv": "Filename,Joy\n1,0.5\n"})
    with pytest.raises(UnknownNameError, match="admiration"):
        load_dataset("hume-vidmimic2", tmp_path)


def test_compound_expressions_with_labels(tmp_path: Path) -> None:
    table = load_dataset("c-expr-db", c_expr_db(tmp_path))
    row = table.frame.row(3, named=True)
    assert (row["item"], row["subject"], row["expression"]) == (
        "video2_left/00001.jpg",
        "video2",
        "fearfully surprised",
    )
    assert table.frame["expression"].to_list()[:3] == ["fearfully surprised", None, "sadly angry"]
    (tmp_path / "cropped_aligned" / "video1" / "00002.jpg").unlink()
    assert load_dataset("c-expr-db", tmp_path).height == 5
    assert load_dataset("c-expr-db?faceless=keep", tmp_path).height == 6
    with pytest.raises(InputError, match="class of compound-12"):
        load_dataset("c-expr-db?classes=12", put(tmp_path, {"annotations/video1.txt": "Happy\n0\n"}))


def test_labels_without_crops(tmp_path: Path) -> None:
    put(tmp_path, {"annotations/a.txt": "Fearfully_Surprised,Sadly_Angry\n0\n1\n"})
    table = load_dataset("c-expr-db", tmp_path)
    assert table.frame["expression"].to_list() == ["fearfully surprised", "sadly angry"]
    assert table.frame["media"].null_count() == 2
    assert "no crops are here: labels alone" in table.notes


def test_the_release_has_frames_to_predict_and_nothing_to_score(tmp_path: Path) -> None:
    touch(tmp_path, "cropped_aligned/b/00002.jpg", "cropped_aligned/b/00001.jpg", "cropped_aligned/a_left/00001.jpg")
    table = load_dataset("c-expr-db", tmp_path)
    assert table.items.to_list() == ["a_left/00001.jpg", "b/00001.jpg", "b/00002.jpg"]
    assert table.frame["expression"].null_count() == 3
    assert table.frame["subject"].to_list() == ["a", "b", "b"]
    assert any("none to be scored" in note for note in table.notes)


@pytest.mark.parametrize(
    ("options", "fault"),
    [("classes=8", "number of classes '8'"), ("faceless=some", "faceless frames 'some'"), ("classes=7", "c-expr-db")],
)
def test_what_is_refused_of_c_expr_db(options: str, fault: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=fault):
        load_dataset(f"c-expr-db:{tmp_path}?{options}")
