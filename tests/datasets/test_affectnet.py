"""AffectNet's full lists and reduced release, on tiny trees."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from affectcheck.annotations import provenance_of
from affectcheck.datasets import Making, load_dataset
from affectcheck.errors import InputError, MissingPathError
from label_trees import (
    HEADER,
    affectnet_full,
    affectnet_list,
    affectnet_reduced,
    affectnet_row,
    put,
)

LISTS = "Manually_Annotated_file_lists"


def training(root, *rows, header=True):
    return put(root, {f"{LISTS}/training.csv": affectnet_list(rows, header=header)})


def test_the_full_lists(tmp_path):
    table = load_dataset("affectnet", affectnet_full(tmp_path))
    assert table.height == 10
    assert list(table.targets) == ["expression", "affect"]
    assert table.groups == ()
    assert not table.has_subjects
    rows = {row["item"]: row for row in table.frame.iter_rows(named=True)}
    assert [rows[f"1/a{code}.jpg"]["expression"] for code in range(8)] == [
        *("neutral", "happiness", "sadness", "surprise", "fear", "disgust", "anger", "contempt")
    ]
    assert rows["3/c.jpg"]["partition"] == "validation"
    assert (rows["3/c.jpg"]["valence"], rows["3/c.jpg"]["arousal"]) == (-1.0, 1.0)
    assert rows["1/a0.jpg"] | {"media": "Manually_Annotated_Images/1/a0.jpg", "partition": "train"} == rows["1/a0.jpg"]
    assert rows["1/a0.jpg"]["face_width"] == 200
    assert rows["1/a2.jpg"]["media"] is None
    assert "facial_landmarks" not in table.frame.columns
    assert "expression_provenance" not in table.frame.columns


def test_what_is_left_out_is_counted_by_reason(tmp_path):
    notes = load_dataset("affectnet", affectnet_full(tmp_path)).notes
    assert notes == (
        "left out 1 row of class none (code 8)",
        "left out 1 row of class uncertain (code 9)",
        "left out 1 row of class non-face (code 10)",
        "left out 1 row without a face (negative face_width)",
        "6 of 10 pictures are not here, such as Manually_Annotated_Images/1/a2.jpg: labels without media",
    )


def test_seven_classes(tmp_path):
    table = load_dataset(f"affectnet:{affectnet_full(tmp_path)}?classes=7")
    assert table.target("expression").scheme.name == "expressions-7"
    assert table.height == 9
    assert "left out 1 row of class contempt, as classes=7 asks" in table.notes
    with pytest.raises(InputError, match="classes is 6"):
        load_dataset("affectnet", tmp_path, classes=6)


def test_a_list_without_a_header_and_one_alone(tmp_path):
    table = load_dataset("affectnet", training(tmp_path, affectnet_row("1/a.jpg", 3), header=False))
    assert table.frame.get_column("expression").to_list() == ["surprise"]
    assert "validation.csv is not here: its items are not read" in table.notes


def test_values_that_were_not_annotated_are_unknown_and_counted(tmp_path):
    rows = [affectnet_row("1/a.jpg", 3, -2, 0.5), affectnet_row("1/b.jpg", 3, 0.5, -2), affectnet_row("1/c.jpg", 3)]
    table = load_dataset("affectnet", training(tmp_path, *rows))
    assert table.frame.select("valence", "arousal").rows() == [(None, 0.5), (0.5, None), (0.5, -0.25)]
    assert "cells not annotated: valence 1, arousal 1" in table.notes


def test_automatic_labels_are_told_apart(tmp_path):
    affectnet_full(tmp_path)
    automatic = affectnet_list([affectnet_row("7/z.jpg", 1)])
    put(tmp_path, {"Automatically_Annotated/automatically_annotated.csv": automatic})
    table = load_dataset("affectnet", tmp_path)
    made = dict(zip(table.items, provenance_of(table, table.target("affect")), strict=True))
    assert made["7/z.jpg"] == "automatic"
    assert made["1/a0.jpg"] == "manual"
    row = table.frame.row(by_predicate=pl.col("item") == "7/z.jpg", named=True)
    assert row["partition"] is None
    assert row["expression_provenance"] == "automatic"
    assert "labels of 1 listed faces were made by a program, not by people" in table.notes
    assert load_dataset(f"affectnet:{tmp_path}?automatic=no").height == table.height - 1


def test_repeated_and_contradicting_rows(tmp_path):
    rows = [affectnet_row("1/a.jpg", 1), affectnet_row("1/a.jpg", 1), affectnet_row("1/b.jpg", 1)]
    rows += [affectnet_row("1/b.jpg", 2), affectnet_row("1/c.jpg", 2)]
    table = load_dataset("affectnet", training(tmp_path, *rows))
    assert table.items.to_list() == ["1/a.jpg", "1/c.jpg"]
    assert "left out 1 row that repeat another, labels and all" in table.notes
    assert (
        "left out 2 rows of 1 pictures that are listed with different labels or in different sets, such as 1/b.jpg"
        in table.notes
    )


def test_one_picture_in_both_sets_is_a_contradiction(tmp_path):
    training(tmp_path, affectnet_row("1/a.jpg", 1), affectnet_row("1/b.jpg", 1))
    put(tmp_path, {f"{LISTS}/validation.csv": affectnet_list([affectnet_row("1/a.jpg", 1)])})
    assert load_dataset("affectnet", tmp_path).items.to_list() == ["1/b.jpg"]


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (affectnet_row("1/x.jpg", 11), "line 3: '1/x.jpg'"),
        (affectnet_row("1/x.jpg", "happy"), "line 3: '1/x.jpg'"),
        (affectnet_row("1/x.jpg", 1, 1.5), "line 3: '1/x.jpg'"),
        (affectnet_row("1/x.jpg", 1, -5), "line 3: '1/x.jpg'"),
        (affectnet_row("1/x.jpg", 1, "nan"), "line 3: '1/x.jpg'"),
        (affectnet_row("", 1), "line 3: no subDirectory_filePath"),
        ("1/x.jpg,1,2,3", "line 3"),
        (affectnet_row("1/x.jpg", 1).replace(";", ","), "cannot be read as 9 columns"),
    ],
)
def test_rows_that_do_not_fit_are_named_by_file_and_line(tmp_path, row, told):
    with pytest.raises(InputError, match=r"training\.csv") as caught:
        load_dataset("affectnet", training(tmp_path, affectnet_row("1/a.jpg", 1), row))
    assert told in str(caught.value)
    assert "expected" in str(caught.value)


def test_columns_in_another_order_are_not_guessed(tmp_path):
    moved = HEADER.replace("valence,arousal", "arousal,valence")
    put(tmp_path, {f"{LISTS}/training.csv": f"{moved}\n{affectnet_row('1/a.jpg', 1)}\n"})
    with pytest.raises(InputError, match="column 8: 'arousal' for 'valence'"):
        load_dataset("affectnet", tmp_path)


def test_an_empty_list(tmp_path):
    put(tmp_path, {f"{LISTS}/training.csv": HEADER + "\n"})
    with pytest.raises(InputError, match=r"training\.csv.*empty"):
        load_dataset("affectnet", tmp_path)


def test_a_root_that_is_too_high_or_too_deep(tmp_path):
    affectnet_full(tmp_path / "AffectNet")
    assert load_dataset("affectnet", tmp_path).height == 10
    deep = tmp_path / "AffectNet" / "Manually_Annotated_Images"
    with pytest.raises(InputError, match="its root is") as caught:
        load_dataset("affectnet", deep)
    assert str(tmp_path / "AffectNet") in str(caught.value)
    (tmp_path / "other").mkdir()
    with pytest.raises(InputError, match="the folder holds nothing"):
        load_dataset("affectnet", tmp_path / "other")


def test_the_reduced_release(tmp_path):
    seen = []
    making = Making(progress=lambda done, total: seen.append((done, total)))
    table = load_dataset(f"affectnet:{affectnet_reduced(tmp_path)}", making=making)
    assert table.items.to_list() == [*(f"train_set/images/{n}.jpg" for n in range(3)), "val_set/images/0.jpg"]
    assert table.frame.get_column("media").to_list() == table.items.to_list()
    assert table.frame.get_column("partition").to_list() == ["train"] * 3 + ["validation"]
    assert table.frame.get_column("expression").to_list() == ["neutral", "happiness", "sadness", "neutral"]
    assert table.frame.get_column("valence").to_list() == [-0.176846] * 4
    assert table.frame.get_column("arousal").to_list() == [0.0, 0.1, 0.2, 0.0]
    assert seen == [(3, 4), (4, 4)]
    assert table.notes == ()


def test_numbers_that_are_no_text_and_pictures_of_another_kind(tmp_path):
    affectnet_reduced(tmp_path)
    np.save(tmp_path / "train_set/annotations/0_exp.npy", np.array([6]))
    np.save(tmp_path / "train_set/annotations/0_val.npy", np.float32(-2))
    (tmp_path / "train_set/images/0.jpg").rename(tmp_path / "train_set/images/0.png")
    row = load_dataset("affectnet", tmp_path).frame.row(0, named=True)
    assert (row["item"], row["expression"], row["valence"]) == ("train_set/images/0.png", "anger", None)


def test_annotations_that_cannot_be_used_are_all_told(tmp_path):
    affectnet_reduced(tmp_path, train=8)
    folder = tmp_path / "train_set" / "annotations"
    np.save(folder / "0_exp.npy", np.array([{"label": 1}], dtype=object), allow_pickle=True)
    np.save(folder / "1_exp.npy", np.array("11"))
    np.save(folder / "2_val.npy", np.array("1.5"))
    np.save(folder / "3_aro.npy", np.array(["0.1", "0.2"]))
    (folder / "4_val.npy").unlink()
    (folder / "5_aro.npy").write_bytes((folder / "5_aro.npy").read_bytes()[:-2])
    (folder / "6_val.npy").write_bytes(b"")
    (folder / "7_val.npy").write_bytes(b"PK\x03\x04 no array")
    with pytest.raises(InputError, match="8 annotations that cannot be used") as caught:
        load_dataset("affectnet", tmp_path)
    for told in (
        "train_set/annotations/0_exp.npy: Object arrays cannot be loaded",
        "train_set/annotations/1_exp.npy: 11 is no code from 0 to 10",
        "train_set/annotations/2_val.npy: 1.5 is not within -1 and 1",
        "train_set/annotations/3_aro.npy: 2 numbers",
        "train_set/annotations/4_val.npy: ",
        "train_set/annotations/5_aro.npy: ",
        "train_set/annotations/6_val.npy: ",
        "train_set/annotations/7_val.npy: ",
    ):
        assert told in str(caught.value)


def test_a_set_alone_and_one_without_annotations(tmp_path):
    affectnet_reduced(tmp_path)
    (tmp_path / "val_set").rename(tmp_path / "elsewhere")
    assert "val_set is not here: its items are not read" in load_dataset("affectnet", tmp_path).notes
    (tmp_path / "val_set").mkdir()
    with pytest.raises(MissingPathError, match="folder of annotations"):
        load_dataset("affectnet", tmp_path)
    for path in (tmp_path / "train_set/annotations").iterdir():
        path.unlink()
    (tmp_path / "val_set").rmdir()
    with pytest.raises(InputError, match="no annotations such as"):
        load_dataset("affectnet", tmp_path)


def test_a_reduced_release_without_pictures(tmp_path):
    affectnet_reduced(tmp_path)
    for path in (tmp_path / "train_set/images").iterdir():
        path.unlink()
    (tmp_path / "train_set/images").rmdir()
    table = load_dataset("affectnet", tmp_path)
    assert table.frame.get_column("media").null_count() == 3
    assert "3 of 4 pictures are not here, such as train_set/images/0.jpg: labels without media" in table.notes


def test_the_automatic_list_alone_is_not_enough_without_it(tmp_path):
    put(tmp_path, {"automatically_annotated.csv": affectnet_list([affectnet_row("1/a.jpg", 3)])})
    with pytest.raises(InputError, match="automatic=no, but the only list here") as caught:
        load_dataset("affectnet", tmp_path, automatic=False)
    assert "expected: training.csv or validation.csv" in str(caught.value)


def test_a_list_in_quotation_marks(tmp_path):
    quoted = "".join(
        ",".join(f'"{cell}"' for cell in line.split(",")) + "\n"
        for line in affectnet_list([affectnet_row("1/a.jpg", 3)]).splitlines()
    )
    put(tmp_path, {f"{LISTS}/training.csv": quoted})
    assert load_dataset("affectnet", tmp_path).items.to_list() == ["1/a.jpg"]


def test_what_does_not_fit_is_told_with_its_cell(tmp_path):
    with pytest.raises(InputError, match=r"line 2: '1/a\.jpg': expression is '11'"):
        load_dataset("affectnet", training(tmp_path, affectnet_row("1/a.jpg", 11)))


def test_the_release_that_is_not_read_is_told(tmp_path):
    affectnet_reduced(affectnet_full(tmp_path))
    notes = load_dataset("affectnet", tmp_path).notes
    assert "train_set (reduced release) is here too, and not read" in notes


def test_of_two_pictures_of_one_name_the_first_is_taken(tmp_path):
    affectnet_reduced(tmp_path, train=2)
    before = load_dataset("affectnet", tmp_path).items.to_list()
    for name in ("0", "1"):
        put(tmp_path, {f"train_set/images/{name}.png": "", f"train_set/images/{name}.jpg": ""})
    assert load_dataset("affectnet", tmp_path).items.to_list() == before
