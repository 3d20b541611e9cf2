"""The lists of the fair protocol: headers in any order, spellings, folders, and what does not fit."""

from __future__ import annotations

import pytest

from affectcheck.datasets import load_dataset
from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from label_trees import PROTOCOL, protocol, put, touch

SCHEMES = {
    "affectnet-8": "expressions-8-contempt",
    "affectnet-va": "valence-arousal",
    "raf-db": "expressions-7",
    "emotionet": "au-11-emotionet",
    "disfa": "au-12-disfa",
    "gft": "au-14-gft",
    "raf-au": "au-13-rafau",
}


@pytest.mark.parametrize("key", PROTOCOL)
def test_every_database(tmp_path, key):
    table = load_dataset(f"fair-protocol:{protocol(tmp_path, key)}?database={key}")
    assert table.target().scheme.name == SCHEMES[key]
    assert table.groups == ("gender", "race", "age")
    assert table.frame.get_column("partition").to_list() == ["train"] * 2 + ["validation"] * 2 + ["test"] * 2
    assert table.frame.get_column("media").null_count() == 6
    assert table.notes[0] == f"database {key}"
    assert "labels without media: images= says where the pictures are" in table.notes
    assert not table.has_subjects


def test_units_stand_in_the_order_of_numbers_whatever_the_header(tmp_path):
    table = load_dataset(f"fair-protocol:{protocol(tmp_path, 'disfa')}")
    assert table.target().columns == tuple(f"AU{n}" for n in (1, 2, 4, 5, 6, 9, 12, 15, 17, 20, 25, 26))
    assert table.frame.select("AU1", "AU26").row(0) == (0, 1)


def test_minus_one_is_not_known(tmp_path):
    table = load_dataset(f"fair-protocol:{protocol(tmp_path, 'emotionet')}")
    assert table.frame.select("AU1", "AU2", "AU4").row(0) == (1, 0, None)
    assert "cells marked as not annotated: AU4 6, AU5 6" in table.notes


def test_ages_that_a_spreadsheet_made_dates_of(tmp_path):
    table = load_dataset(f"fair-protocol:{protocol(tmp_path, 'emotionet')}")
    assert set(table.frame.get_column("age")) == {"03-09"}
    assert "6 ages that a spreadsheet made dates of (03-Sep, Oct-19) read as 03-09 and 10-19" in table.notes
    table = load_dataset(f"fair-protocol:{protocol(tmp_path, 'disfa')}")
    assert set(table.frame.get_column("age")) == {"10-19"}
    table = load_dataset(f"fair-protocol:{protocol(tmp_path, 'raf-au')}")
    assert set(table.frame.get_column("age")) == {"00-02"}


def test_groups_of_their_own(tmp_path):
    table = load_dataset(f"fair-protocol:{protocol(tmp_path / 'a', 'raf-db')}?database=raf-db")
    assert table.frame.select("gender", "race", "age").row(0) == ("other/uncertain", "asian", "00-03")
    table = load_dataset(f"fair-protocol:{protocol(tmp_path / 'b', 'gft')}")
    assert table.frame.select("gender", "race", "age").row(0) == ("female", "other", "21")


def test_pictures_and_the_suffix_that_raf_au_has_on_disk(tmp_path):
    protocol(tmp_path / "annotations", "raf-au")
    touch(tmp_path / "faces", "00_aligned.jpg")
    table = load_dataset("fair-protocol", tmp_path / "annotations", images=str(tmp_path / "faces"))
    assert table.items[0] == "00.jpg"
    assert table.frame.get_column("media").to_list() == ["00_aligned.jpg", *[None] * 5]
    assert table.root == tmp_path / "faces"
    assert "5 of 6 pictures are not here, such as 01_aligned.jpg: labels without media" in table.notes
    with pytest.raises(MissingPathError, match="folder of pictures"):
        load_dataset("fair-protocol", tmp_path / "annotations", images="nowhere")


def test_subjects_by_a_stated_rule(tmp_path):
    protocol(tmp_path, "disfa")
    assert set(load_dataset("fair-protocol", tmp_path, subjects=r"SN\d+").frame.get_column("subject")) == {"SN001"}
    found = load_dataset("fair-protocol", tmp_path, subjects=r"Video(SN\d+)").frame.get_column("subject")
    assert set(found) == {"SN001"}
    with pytest.raises(InputError, match="finds no subject in 6 of 6 names"):
        load_dataset("fair-protocol", tmp_path, subjects=r"XY\d+")
    with pytest.raises(InputError, match="is no regular expression"):
        load_dataset("fair-protocol", tmp_path, subjects="(")


@pytest.mark.parametrize(
    ("folder", "key"),
    [
        ("AffectNet/annotations/EXPR/expr8", "affectnet-8"),
        ("AffectNet/annotations/VA", "affectnet-va"),
        ("RAF-DB/basic/annotations", "raf-db"),
        ("RAF_DB/annotation", "raf-db"),
        ("EmotioNet/annotation", "emotionet"),
        ("RAF_AU/annotation", "raf-au"),
        ("GFT/annotations", "gft"),
    ],
)
def test_lists_below_the_root(tmp_path, folder, key):
    protocol(tmp_path / folder, key)
    for root in (tmp_path, tmp_path / folder.partition("/")[0], tmp_path / folder):
        table = load_dataset(f"fair-protocol:{root}?database={key}")
        assert table.height == 6
        assert load_dataset("fair-protocol", root).notes[0] == f"database {key}"


def test_several_databases_below_the_root(tmp_path):
    protocol(tmp_path / "GFT/annotations", "gft")
    protocol(tmp_path / "DISFA/annotations", "disfa")
    with pytest.raises(InputError, match="several databases: state database=, one of disfa, gft"):
        load_dataset("fair-protocol", tmp_path)
    assert load_dataset("fair-protocol", tmp_path, database="gft").height == 6


def test_expressions_do_not_tell_the_database(tmp_path):
    with pytest.raises(InputError, match="the columns do not tell the database") as caught:
        load_dataset("fair-protocol", protocol(tmp_path, "affectnet-8"))
    assert "database=, one of affectnet-7, affectnet-8" in str(caught.value)
    with pytest.raises(UnknownNameError, match="database of the fair protocol 'rafdb'"):
        load_dataset("fair-protocol", tmp_path, database="rafdb")


def test_no_lists_and_one_missing(tmp_path):
    with pytest.raises(InputError, match="the folder holds nothing"):
        load_dataset("fair-protocol", tmp_path)
    protocol(tmp_path, "gft")
    (tmp_path / "valid.csv").rename(tmp_path / "val.csv")
    with pytest.raises(MissingPathError, match=r"valid\.csv") as caught:
        load_dataset("fair-protocol", tmp_path)
    assert r"the folder has test.csv, train.csv, val.csv" in str(caught.value)


def test_action_units_that_the_database_does_not_have_are_named(tmp_path):
    protocol(tmp_path, "gft")
    text = (tmp_path / "test.csv").read_text()
    put(tmp_path, {"test.csv": text.replace("AU24", "AU99")})
    with pytest.raises(UnknownNameError, match="lacks AU24 and has the unknown action units AU99") as caught:
        load_dataset("fair-protocol", tmp_path)
    assert "test.csv" in str(caught.value)
    put(tmp_path, {"train.csv": text.replace("AU24", "AU99")})
    with pytest.raises(InputError, match="action units that no database of the protocol has"):
        load_dataset("fair-protocol", tmp_path)


def test_columns_that_are_not_read_are_named(tmp_path):
    protocol(tmp_path, "affectnet-va")
    text = (tmp_path / "train.csv").read_text().splitlines()
    put(tmp_path, {"train.csv": "\n".join([f"99,{text[0]}", *(f"7,{line}" for line in text[1:])]) + "\n"})
    assert "columns that are not read: 99" in load_dataset("fair-protocol", tmp_path).notes


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("Anger", "Angr", r"test\.csv: 1 cell .*\n  'Angr' \(row 1\): did you mean 'angry'"),
        ("20-29", "20-28", "hold no label of 'age-9'"),
        ("White", "Whit", "hold no label of 'race-5'"),
        ("1/20.jpg", "", "no name in row 1"),
        ("1/20.jpg", "1/00.jpg", "occur more than once"),
    ],
)
def test_cells_that_do_not_fit(tmp_path, old, new, told):
    protocol(tmp_path, "affectnet-8")
    put(tmp_path, {"test.csv": (tmp_path / "test.csv").read_text().replace(old, new)})
    with pytest.raises(InputError, match=told):
        load_dataset("fair-protocol", tmp_path, database="affectnet-8")


def test_valence_out_of_range(tmp_path):
    protocol(tmp_path, "affectnet-va")
    put(tmp_path, {"test.csv": (tmp_path / "test.csv").read_text().replace("-0.5", "-2")})
    with pytest.raises(InputError, match=r"2 cells of column 'valence' outside \[-1, 1\]"):
        load_dataset("fair-protocol", tmp_path)


def test_gft_reads_these_lists_and_not_the_raw_layout(tmp_path):
    protocol(tmp_path / "GFT/annotation", "gft")
    table = load_dataset(f"gft:{tmp_path}?subjects=^([0-9]{{3}}[A-Z])/")
    assert table.name == "gft"
    assert table.target().scheme.name == "au-14-gft"
    assert set(table.frame.get_column("subject")) == {"001A"}
    touch(tmp_path / "raw", "AU_coding/001A.csv")
    with pytest.raises(InputError, match="AU_coding/ is the raw layout of GFT, which is not read"):
        load_dataset("gft", tmp_path / "raw")
    with pytest.raises(UnknownNameError, match="the list of gft lacks AU7"):
        load_dataset("gft", protocol(tmp_path / "other", "disfa"))


@pytest.mark.parametrize(("key", "old", "new"), [("affectnet-8", "race", "race,Age"), ("disfa", "AU1,", "AU1,AU01,")])
def test_two_columns_of_one_meaning(tmp_path, key, old, new):
    protocol(tmp_path, key)
    head, _, rest = (tmp_path / "test.csv").read_text().partition("\n")
    at = head.split(",").index(old.strip(","))
    lines = [line.split(",") for line in rest.splitlines()]
    text = "\n".join(",".join([*cells[: at + 1], cells[at], *cells[at + 1 :]]) for cells in lines)
    put(tmp_path, {"test.csv": f"{head.replace(old, new, 1)}\n{text}\n"})
    with pytest.raises(InputError, match=r"columns of one meaning: (age|AU1) is in "):
        load_dataset("fair-protocol", tmp_path, database=key)


@pytest.mark.parametrize("rule", ["x*", "(SN)?"])
def test_an_expression_that_finds_nothing_finds_no_subject(tmp_path, rule):
    with pytest.raises(InputError, match="finds no subject in"):
        load_dataset("fair-protocol", protocol(tmp_path, "affectnet-8"), database="affectnet-8", subjects=rule)
