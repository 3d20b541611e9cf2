"""RAF-AU's one list: joined codes, one-sided units, null lines."""

from __future__ import annotations

import pytest

from affectcheck.datasets import load_dataset
from affectcheck.errors import InputError, UnknownNameError
from label_trees import raf_au


def units(table, item):
    row = table.frame.row(table.items.to_list().index(item), named=True)
    return [name for name in table.target().columns if row[name] == 1]


def test_the_thirteen_units(tmp_path):
    table = load_dataset("raf-au", raf_au(tmp_path))
    assert table.target().scheme.name == "au-13-rafau"
    assert units(table, "0007.jpg") == ["AU1", "AU2", "AU5", "AU25"]
    assert units(table, "0008.jpg") == []
    assert units(table, "0009.jpg") == ["AU12", "AU25"]
    assert units(table, "0010.jpg") == ["AU12"]
    assert units(table, "0011.jpg") == ["AU4", "AU27"]
    assert table.frame.get_column("media").to_list() == ["aligned/0007_aligned.jpg", *[None] * 4]
    assert table.notes[:3] == (
        "1 lines say null: every unit absent",
        "3 codes are of one side (L or R): present",
        "left out 1 codes of AU43, which units=all keeps",
    )


def test_both_sides_only(tmp_path):
    table = load_dataset(f"raf-au:{raf_au(tmp_path)}?sides=both")
    assert units(table, "0009.jpg") == ["AU25"]
    assert units(table, "0010.jpg") == ["AU12"]
    assert "3 codes are of one side (L or R): present only where both sides are coded" in table.notes


def test_every_unit_and_null_as_unknown(tmp_path):
    table = load_dataset(f"raf-au:{raf_au(tmp_path)}?units=all&null=unknown")
    assert table.target().columns[-1] == "AU43"
    assert len(table.target().columns) == 14
    assert units(table, "0010.jpg") == ["AU12", "AU43"]
    assert table.frame.row(1, named=True)["AU1"] is None
    assert not any("units=all" in note for note in table.notes)


@pytest.mark.parametrize("option", ["sides", "null", "units"])
def test_options_that_there_are_not(tmp_path, option):
    with pytest.raises(UnknownNameError, match=f"choice of {option} 'some'"):
        load_dataset("raf-au", raf_au(tmp_path), **{option: "some"})


def test_units_that_there_are_not_are_named(tmp_path):
    with pytest.raises(InputError, match=r"2 codes of action units that there are not \(AU3, AU99\)") as caught:
        load_dataset("raf-au", raf_au(tmp_path, ["0001.jpg 1+99", "0002.jpg 3"]))
    assert "line 1: 'AU99'" in str(caught.value)


@pytest.mark.parametrize(
    ("line", "told"),
    [("0001.jpg", "'0001.jpg'"), ("0001.jpg 1+x2", "'x2'"), ("0001.jpg 1,2", "'1,2'"), ("a 1", "'a 1'")],
)
def test_lines_and_codes_that_do_not_fit(tmp_path, line, told):
    with pytest.raises(InputError, match="1 lines or codes that are not of the list") as caught:
        load_dataset("raf-au", raf_au(tmp_path, ["0007.jpg 1", line]))
    assert f"line 2: {told}" in str(caught.value)


def test_no_list(tmp_path):
    with pytest.raises(InputError, match=r"no RAFAU_label\.txt"):
        load_dataset("raf-au", tmp_path)
