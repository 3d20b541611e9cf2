"""RAF-DB, basic and compound, with their attributes, and a repacked copy; tiny trees."""

from __future__ import annotations

import polars as pl
import pytest

from affectcheck.datasets import Making, load_dataset
from affectcheck.errors import InputError, UnknownNameError
from label_trees import put, raf, touch

LIST = "basic/EmoLabel/list_patition_label.txt"


def test_the_basic_part(tmp_path):
    seen = []
    table = load_dataset(f"raf-db:{raf(tmp_path)}", making=Making(progress=lambda *told: seen.append(told)))
    frame = table.frame
    assert table.items.to_list() == [*(f"train_{n:05}.jpg" for n in range(1, 8)), "test_0001.jpg"]
    assert frame.get_column("expression").to_list() == [
        *("surprise", "fear", "disgust", "happiness", "sadness", "anger", "neutral", "surprise")
    ]
    assert frame.get_column("partition").to_list() == ["train"] * 7 + ["test"]
    assert frame.get_column("media")[0] == "Image/aligned/train_00001_aligned.jpg"
    assert table.root == tmp_path / "basic"
    assert frame.select("gender", "race", "age").rows()[:5] == [
        ("male", "white", "00-03"),
        ("female", "black", "04-19"),
        ("other/uncertain", "asian", "20-39"),
        ("male", "white", "40-69"),
        ("female", "black", "70+"),
    ]
    assert frame.select("gender", "race", "age").row(-1) == (None, None, None)
    assert table.notes == ("1 of 8 pictures have no file of attributes in Annotation/manual: groups not known",)
    assert seen == [(8, 8)]
    assert not table.has_subjects


@pytest.mark.parametrize("root", ["basic", "."])
def test_the_root_may_be_the_part(tmp_path, root):
    raf(tmp_path)
    assert load_dataset("raf-db", tmp_path / root).height == 8


def test_a_list_whose_name_was_put_right(tmp_path):
    raf(tmp_path)
    (tmp_path / LIST).rename((tmp_path / LIST).with_name("list_partition_label.txt"))
    assert load_dataset("raf-db", tmp_path).height == 8


def test_original_pictures_and_none(tmp_path):
    table = load_dataset(f"raf-db:{raf(tmp_path, attributes=False)}?images=original")
    assert table.frame.get_column("media").null_count() == 8
    assert "8 of 8 pictures are not here, such as Image/original/train_00001.jpg: labels without media" in table.notes
    assert "8 of 8 pictures have no file of attributes in Annotation/manual: groups not known" in table.notes
    touch(tmp_path, "basic/Image/original/test_0001.jpg")
    table = load_dataset(f"raf-db:{tmp_path}?images=original")
    assert table.frame.get_column("media")[-1] == "Image/original/test_0001.jpg"
    with pytest.raises(UnknownNameError, match="kind of pictures 'cropped'"):
        load_dataset("raf-db", tmp_path, images="cropped")


@pytest.mark.parametrize("line", ["train_1.jpg 8", "train_1.jpg", "valid_1.jpg 1", "train_1.jpg,1", "train_1.jpg 1 2"])
def test_lines_that_are_not_of_the_list(tmp_path, line):
    raf(tmp_path)
    with (tmp_path / LIST).open("a") as file:
        file.write(f"\n{line}\n")
    with pytest.raises(InputError, match="1 lines that are not of the list") as caught:
        load_dataset("raf-db", tmp_path)
    assert f"line 10: {line!r}" in str(caught.value)
    assert "list_patition_label.txt" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1.0\t2.0\n" * 5 + "3\n0\n0\n", "gender '3' is no code from 0 to 2"),
        ("1.0\t2.0\n" * 5 + "0\n0\n5\n", "age '5' is no code from 0 to 4"),
        ("1.0\t2.0\n" * 37, "37 lines"),
        ("", "0 lines"),
    ],
)
def test_attributes_that_cannot_be_used(tmp_path, text, told):
    raf(tmp_path)
    put(tmp_path, {"basic/Annotation/manual/train_00002_manu_attri.txt": text})
    with pytest.raises(InputError, match="1 files of attributes") as caught:
        load_dataset("raf-db", tmp_path)
    assert f"train_00002_manu_attri.txt: {told}" in str(caught.value)


def test_a_picture_listed_twice_and_an_empty_list(tmp_path):
    raf(tmp_path)
    put(tmp_path, {LIST: "train_00001.jpg 1\ntrain_00001.jpg 2\n"})
    with pytest.raises(InputError, match="item keys that occur more than once"):
        load_dataset("raf-db", tmp_path)
    put(tmp_path, {LIST: "\n"})
    with pytest.raises(InputError, match="the file is empty"):
        load_dataset("raf-db", tmp_path)


def test_no_list_at_all(tmp_path):
    touch(tmp_path, "basic/Image/aligned/train_00001_aligned.jpg")
    with pytest.raises(InputError, match="the folder holds basic"):
        load_dataset("raf-db", tmp_path)


def test_the_compound_part(tmp_path):
    table = load_dataset("raf-db-compound", raf(tmp_path, "compound", codes=11))
    assert table.target().scheme.name == "compound-11-rafdb"
    labels = table.frame.get_column("expression").to_list()
    assert (labels[0], labels[10], labels[11]) == ("happily surprised", "disgustedly surprised", "happily surprised")
    assert table.frame.get_column("media").null_count() == 0


def test_the_list_of_the_other_part(tmp_path):
    raf(tmp_path, "basic", codes=11)
    with pytest.raises(InputError, match="4 lines that are not of the list") as caught:
        load_dataset("raf-db", tmp_path)
    assert "another part" in str(caught.value)


@pytest.mark.parametrize("front", ["DATASET/", ""])
def test_a_repacked_copy(tmp_path, front):
    touch(tmp_path, f"{front}train/1/train_00001_aligned.jpg", f"{front}test/7/test_0001_aligned.jpg")
    touch(tmp_path, f"{front}train/1/._train_00001_aligned.jpg", f"{front}tmp/1/x.jpg")
    table = load_dataset("raf-db", tmp_path)
    assert table.frame.select("item", "partition", "expression").sort("item").rows() == [
        ("test_0001.jpg", "test", "neutral"),
        ("train_00001.jpg", "train", "surprise"),
    ]
    assert table.frame.select(pl.col("gender", "race", "age").null_count()).row(0) == (2, 2, 2)
    assert table.notes == (
        "a repacked copy, whose folders are the labels; it has no attributes: groups not known",
        "folders that are not read, since the set has only train and test: tmp",
    )
    touch(tmp_path, f"{front}train/8/train_00002_aligned.jpg")
    with pytest.raises(InputError, match="pictures in folders that are no codes"):
        load_dataset("raf-db", tmp_path)


def test_a_repacked_copy_without_pictures(tmp_path):
    (tmp_path / "train" / "1").mkdir(parents=True)
    with pytest.raises(InputError, match="no pictures"):
        load_dataset("raf-db", tmp_path)


def test_a_folder_or_a_length_tells_the_parts_apart(tmp_path):
    raf(tmp_path)
    with pytest.raises(InputError, match="the list is that of the basic part, not of raf-db-compound"):
        load_dataset("raf-db-compound", tmp_path / "basic")
    (tmp_path / "basic").rename(tmp_path / "RAF-DB")
    notes = load_dataset("raf-db-compound", tmp_path / "RAF-DB").notes
    assert "no picture of fearfully surprised, angrily surprised, angrily disgusted, disgustedly surprised" in notes[0]
    lines = "".join(f"train_{n:05}.jpg {1 + n % 7}\n" for n in range(3_955))
    put(tmp_path / "RAF-DB", {"EmoLabel/list_patition_label.txt": lines})
    with pytest.raises(InputError, match="3955 lines, but raf-db-compound has 3954 pictures"):
        load_dataset("raf-db-compound", tmp_path / "RAF-DB")


def test_a_repacked_copy_of_pictures_of_other_suffixes(tmp_path):
    touch(tmp_path, "train/1/a_aligned.JPG", "train/2/b.png", "train/2/notes.txt", "train/2/.hidden.jpg", "val/1/c.jpg")
    table = load_dataset("raf-db", tmp_path)
    assert table.frame.select("item", "media").rows() == [
        ("a.jpg", "train/1/a_aligned.JPG"),
        ("b.png", "train/2/b.png"),
    ]
    assert table.notes[1:] == (
        "folders that are not read, since the set has only train and test: val",
        "beside the pictures, not read: 1 files or folders",
    )
    touch(tmp_path, "train/3/a.jpg")
    with pytest.raises(InputError, match="2 pictures that share a name with another") as caught:
        load_dataset("raf-db", tmp_path)
    assert "train/1/a_aligned.JPG" in str(caught.value)
