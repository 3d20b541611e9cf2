"""FairFace: groups without labels of affect, on a tiny tree and on the real lists."""

from __future__ import annotations

import pytest

from affectcheck.datasets import load_dataset
from affectcheck.errors import InputError, UnknownNameError
from label_trees import fairface, put


def test_both_lists(tmp_path):
    table = load_dataset("fairface", fairface(tmp_path))
    assert not table.targets
    assert table.groups == ("gender", "race", "age")
    assert table.items.to_list() == ["train/1.jpg", "train/2.jpg", "val/1.jpg", "val/2.jpg"]
    assert table.frame.get_column("media").to_list() == table.items.to_list()
    assert table.frame.get_column("age").to_list() == ["03-09", "70+", "00-02", "10-19"]
    assert table.frame.get_column("race").to_list() == ["east asian", "latino_hispanic", "white", "indian"]
    assert table.frame.get_column("service_test").to_list() == [False, True, True, False]
    assert table.frame.get_column("partition").to_list() == ["train", "train", "validation", "validation"]
    assert table.notes == ("2 ages that a spreadsheet made dates of (03-Sep, Oct-19) read as 03-09 and 10-19",)


def test_one_list_is_here_or_named(tmp_path):
    fairface(tmp_path)
    alone = load_dataset("fairface", tmp_path / "fairface_label_val.csv")
    assert alone.frame.get_column("partition").to_list() == ["validation"] * 2
    (tmp_path / "fairface_label_train.csv").unlink()
    assert "fairface_label_train.csv is not here: its items are not read" in load_dataset("fairface", tmp_path).notes


def test_a_list_of_a_part_of_the_set(tmp_path):
    put(tmp_path, {"labels.csv": "file,age,gender,race,part\na.jpg,0-2,Male,White,train\nb.jpg,3-9,Male,White,val\n"})
    table = load_dataset("fairface", tmp_path)
    assert table.frame.get_column("partition").to_list() == ["train", "validation"]
    assert "service_test" not in table.frame.columns
    put(tmp_path, {"labels.csv": "file,age,gender,race\nval/a.jpg,0-2,Male,White\nb.jpg,3-9,Male,White\n"})
    assert load_dataset("fairface", tmp_path).frame.get_column("partition").to_list() == ["validation", None]


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (",0-2,Male,White,True", "rows without a path"),
        ("train/1.jpg,0-2,Male,White,maybe", "line 2: 'train/1.jpg'"),
        ("train/1.jpg,0-2,Male,Martian,True", "'Martian'"),
        ("train/1.jpg,2,Male,White,True", "hold no label of 'age-9'"),
    ],
)
def test_rows_that_do_not_fit(tmp_path, row, told):
    put(tmp_path, {"fairface_label_train.csv": f"file,age,gender,race,service_test\n{row}\n"})
    with pytest.raises(InputError, match=told):
        load_dataset("fairface", tmp_path)


def test_the_output_of_a_predictor(tmp_path):
    put(tmp_path, {"labels.csv": "face_name_align,race,race4,gender,age\na.jpg,White,White,Male,0-2\n"})
    with pytest.raises(UnknownNameError, match="the list lacks file") as caught:
        load_dataset("fairface", tmp_path)
    assert "the output of a predictor" in str(caught.value)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="the folder holds nothing"):
        load_dataset("fairface", tmp_path / "empty")


@pytest.mark.shared
def test_the_real_lists(shared_data):
    folder = shared_data / "data" / "fairface-subset"
    table = load_dataset("fairface", folder)
    assert table.height == 1511
    assert table.frame.get_column("media").null_count() == 0
    assert min(table.frame.group_by("gender", "race", "age").len().get_column("len")) == 11
    whole = load_dataset("fairface", folder / "labels_all_45k.csv.gz")
    assert whole.height == 45_000
    assert dict(whole.frame.get_column("partition").value_counts().iter_rows()) == {"train": 40_000, "validation": 5000}


@pytest.mark.parametrize("name", ["item", "media", "partition", "line"])
def test_columns_that_the_reader_makes_are_not_read(tmp_path, name):
    put(tmp_path, {"fairface_label_train.csv": f"file,age,gender,race,{name}\ntrain\\1.jpg,3-9,Male,White,x\n"})
    table = load_dataset("fairface", tmp_path)
    assert table.frame.select("item", "partition").row(0) == ("train/1.jpg", "train")
    assert f"columns that are not read: {name}" in table.notes


def test_parts_of_another_case_and_others(tmp_path):
    rows = "file,age,gender,race,part\na.jpg,3-9,Male,White,Val\nb.jpg,3-9,Male,White,test\nc.jpg,3-9,Male,White,\n"
    put(tmp_path, {"labels.csv": rows})
    assert load_dataset("fairface", tmp_path).frame.get_column("partition").to_list() == ["validation", "test", None]
    put(tmp_path, {"labels.csv": rows.replace("Val", "dev")})
    with pytest.raises(InputError, match="1 rows without a path, with another part") as caught:
        load_dataset("fairface", tmp_path)
    assert "line 2: 'a.jpg'" in str(caught.value)
