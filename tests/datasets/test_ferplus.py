"""FER+: labels from votes by stated rules, in both forms, and on the real votes."""

from __future__ import annotations

import gzip

import pytest

from affectcheck.datasets import load_dataset
from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from label_trees import VOTES, ferplus, ferplus_folders, put


def test_most_votes_win(tmp_path):
    table = load_dataset("ferplus", ferplus(tmp_path))
    assert table.frame.select("item", "partition", "expression").rows() == [
        ("fer0.png", "train", "neutral"),
        ("fer1.png", "train", "happiness"),
        ("fer6.png", "test", "contempt"),
    ]
    assert table.frame.get_column("agreement").to_list() == [0.4, 0.9, 1.0]
    assert table.frame.row(0, named=True)["votes_anger"] == 3
    assert "votes_nf" in table.frame.columns
    assert table.frame.get_column("media").to_list() == ["FER2013Train/fer0.png", None, None]
    assert table.root == tmp_path / "data"


def test_what_has_no_label_is_counted_by_reason(tmp_path):
    assert load_dataset("ferplus", ferplus(tmp_path)).notes == (
        "rule most, least_votes 1",
        "left out 1 row without a name of the picture",
        "left out 1 row whose votes say unknown",
        "left out 1 row whose votes say not a face",
        "left out 1 row without one winner (a tie, or too few votes)",
        "2 of 3 pictures are not here, such as FER2013Train/fer1.png: labels without media",
    )


def test_more_than_half_of_the_votes(tmp_path):
    rows = ["Training,a.png,5,5,0,0,0,0,0,0,0,0", "Training,b.png,5,4,1,0,0,0,0,0,0,0"]
    rows += ["Training,c.png,6,4,0,0,0,0,0,0,0,0", "Training,d.png,3,1,1,1,0,0,0,0,0,0"]
    table = load_dataset(f"ferplus:{ferplus(tmp_path, rows)}?rule=half")
    assert table.items.to_list() == ["c.png"]
    table = load_dataset(f"ferplus:{tmp_path}?rule=half&least_votes=2")
    assert table.items.to_list() == ["b.png", "c.png", "d.png"]  # 5 of 9, 6 of 10, 3 of 3
    with pytest.raises(UnknownNameError, match="rule for the label 'mean'"):
        load_dataset("ferplus", tmp_path, rule="mean")
    with pytest.raises(InputError, match="least_votes is 0"):
        load_dataset("ferplus", tmp_path, least_votes=0)


def test_the_folder_form(tmp_path):
    table = load_dataset("ferplus", ferplus_folders(tmp_path))
    assert table.frame.select("item", "partition", "expression").rows() == [
        ("ferTrain.png", "train", "happiness"),
        ("ferValid.png", "validation", "surprise"),
        ("ferTest.png", "test", "fear"),
    ]
    (tmp_path / "data/FER2013Valid/label.csv").unlink()
    with pytest.raises(MissingPathError, match="FER2013Valid"):
        load_dataset("ferplus", tmp_path)


def test_a_packed_file_named_itself(tmp_path):
    ferplus(tmp_path)
    packed = tmp_path / "fer2013new.csv.gz"
    packed.write_bytes(gzip.compress((tmp_path / "fer2013new.csv").read_bytes()))
    assert load_dataset("ferplus", packed).height == 3


def test_a_scheme_without_contempt(tmp_path):
    table = load_dataset(f"ferplus:{ferplus(tmp_path)}?scheme=expressions-7")
    assert table.height == 2
    assert any("contempt (1)" in note for note in table.notes)


def test_names_listed_twice(tmp_path):
    rows = ["Training,a.png,9,1,0,0,0,0,0,0,0,0"] * 2
    rows += ["Training,b.png,9,1,0,0,0,0,0,0,0,0", "Training,b.png,0,0,0,0,0,0,0,0,0,10"]
    table = load_dataset("ferplus", ferplus(tmp_path, rows))
    assert table.items.to_list() == ["a.png"]
    assert (
        "left out 2 rows of 1 pictures that are listed with different labels or in different sets, such as b.png"
        in table.notes
    )


@pytest.mark.parametrize(
    "row",
    ["Test,a.png,9,1,0,0,0,0,0,0,0,0", "Training,a.png,-9,1,0,0,0,0,0,0,0,0", "Training,a.png,x,1,0,0,0,0,0,0,0,0"],
)
def test_rows_that_do_not_fit(tmp_path, row):
    with pytest.raises(InputError, match="1 rows whose usage or votes do not fit") as caught:
        load_dataset("ferplus", ferplus(tmp_path, [row]))
    assert "line 2: 'a.png'" in str(caught.value)


def test_the_file_of_single_labels(tmp_path):
    put(tmp_path, {"fer2013new.csv": "emotion,pixels,Usage\n0,1 2 3,Training\n"})
    with pytest.raises(UnknownNameError, match="lacks Image name, neutral") as caught:
        load_dataset("ferplus", tmp_path)
    assert "fer2013.csv, which has one label and the pixels" in str(caught.value)


def test_no_votes(tmp_path):
    with pytest.raises(InputError, match="the folder holds nothing"):
        load_dataset("ferplus", tmp_path)
    put(tmp_path, {"fer2013new.csv": VOTES + "\n"})
    with pytest.raises(InputError, match="no rows"):
        load_dataset("ferplus", tmp_path)


@pytest.mark.shared
def test_the_real_votes(shared_data):
    table = load_dataset("ferplus", shared_data / "data" / "ferplus-votes")
    notes = "\n".join(table.notes)
    assert "left out 173 rows without a name of the picture" in notes
    assert "left out 3 rows that repeat another" in notes
    counts = dict(table.frame.get_column("expression").value_counts().iter_rows())
    assert counts["happiness"] > 9000
    assert sum(counts.values()) == table.height > 33_000
    assert set(table.frame.get_column("partition")) == {"train", "validation", "test"}
    half = load_dataset("ferplus", shared_data / "data" / "ferplus-votes", rule="half", least_votes=2)
    assert half.height < table.height


def test_another_usage_and_columns_of_other_names(tmp_path):
    header, row = f"{VOTES},line", "Training,a.png,10,0,0,0,0,0,0,0,0,0,x"
    put(tmp_path, {"fer2013new.csv": f"{header}\n{row}\n"})
    assert load_dataset("ferplus", tmp_path).items.to_list() == ["a.png"]
    put(tmp_path, {"fer2013new.csv": f"{header}\n{row.replace('Training,a.png,10', 'training,a.png,-1')}\n"})
    with pytest.raises(InputError, match=r"line 2: 'a\.png': neutral is '-1', Usage is 'training'"):
        load_dataset("ferplus", tmp_path)
