"""Finding lists and pictures in copies of any depth, leaving rows out, and lists without a header."""

from __future__ import annotations

import polars as pl
import pytest

from affectcheck.datasets.declared import categories, unit_target, units, unknown_units
from affectcheck.datasets.headerless import Form, first_line, misfits, read_columns
from affectcheck.datasets.layouts import find
from affectcheck.datasets.leaving_out import leave_out, without_repeats
from affectcheck.datasets.pictures import are_there
from affectcheck.errors import InputError, MissingPathError
from label_trees import put, touch

FORM = Form(("a", "b", "c"), "1,2,3")


def test_pictures_that_are_there(tmp_path):
    touch(tmp_path, "a/1.jpg", "2.jpg", "a/b/3.jpg")
    paths = [
        "a/1.jpg",
        "2.jpg",
        "a/b/3.jpg",
        "a/4.jpg",
        "c/1.jpg",
        "2.jpg/x",
        "../x",
        "a/../2.jpg",
        f"{tmp_path}/2.jpg",
    ]
    assert are_there(pl.Series([*paths, None]), tmp_path).to_list() == [True] * 3 + [False] * 7


def test_several_copies_below_the_root_are_not_chosen_from(tmp_path):
    touch(tmp_path, "b/train/1.csv", "a/1.csv", ".hidden/1.csv")
    with pytest.raises(InputError, match="several copies lie below the root: a, b"):
        find(tmp_path, ["1.csv", "train/1.csv"])
    touch(tmp_path, "train/1.csv")
    assert find(tmp_path, ["1.csv", "train/1.csv"]).base == tmp_path


def test_a_row_that_meets_two_conditions_counts_for_the_first():
    frame = pl.DataFrame({"x": [1, 2, 3, None]})
    kept = leave_out(
        frame, {"that are small": pl.col("x") < 3, "below two": pl.col("x") < 2, "of ten": pl.col("x") == 10}
    )
    assert kept.frame.get_column("x").to_list() == [3, None]
    assert kept.notes == ("left out 2 rows that are small",)


def test_repeats_keep_the_order():
    frame = pl.DataFrame({"item": ["b", "a", "b", "c", "c"], "label": [1, 1, 1, 1, None]})
    kept = without_repeats(frame, "item", ["label"], noun="items")
    assert kept.frame.get_column("item").to_list() == ["b", "a"]
    assert len(kept.notes) == 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1,2\n", "cannot be read as 3 columns: line 1 has 2 cells"),
        ("1\n" * 9, "line 5 has 1 cell and perhaps more"),
        ("1,2,3\n4,5\n6,7,8\n9\n", "2 lines with fewer than 3 cells"),
        ("1,2,3\n1,2,3,4\n", "cannot be read as 3 columns: line 2 has 4 cells"),
        ("", "cannot be read as 3 columns"),
        ("\n\n", "cannot be read as 3 columns"),
        (",,\n,,\n", "the file is empty"),
    ],
)
def test_lists_of_another_form(tmp_path, text, told):
    put(tmp_path, {"list.txt": text})
    for keep in ((), ("a",)):
        with pytest.raises(InputError, match=told):
            read_columns(tmp_path / "list.txt", FORM, keep=keep)


def test_bytes_that_are_no_text_and_a_file_that_is_not_there(tmp_path):
    (tmp_path / "list.txt").write_bytes(b"1,\xff,3\n")
    with pytest.raises(InputError, match="line 1, byte offset 2: the byte 0xff is not utf-8"):
        read_columns(tmp_path / "list.txt", FORM)
    with pytest.raises(MissingPathError, match="list of labels"):
        read_columns(tmp_path / "other.txt", FORM)


@pytest.mark.parametrize(
    "raw",
    [
        b"1,2,3\r4,5,6\r",
        b"\n\n1,2,3\n4,5,6\n",
        b" \r\n1,2,3\r\n4,5,6",
        "1,2,3\n4,5,6\n".encode("utf-16"),
        "1,2,3\n4,5,6\n".encode("utf-32"),
    ],
)
def test_line_ends_blank_lines_in_front_and_wide_encodings(tmp_path, raw):
    (tmp_path / "list.txt").write_bytes(raw)
    assert read_columns(tmp_path / "list.txt", FORM).select("a", "b", "c").rows() == [("1", "2", "3"), ("4", "5", "6")]
    assert first_line(tmp_path / "list.txt") == "1,2,3"


def test_control_characters_are_refused(tmp_path):
    (tmp_path / "list.txt").write_bytes(b"1,2\0,3\n")
    with pytest.raises(InputError, match=r"line 1 has the control character U\+0000"):
        read_columns(tmp_path / "list.txt", FORM)


def test_an_empty_list_has_no_first_line(tmp_path):
    (tmp_path / "list.txt").write_bytes(b"")
    assert first_line(tmp_path / "list.txt") == ""


def test_cells_that_do_not_fit_are_told(tmp_path):
    (tmp_path / "list.txt").write_bytes(b"x,2,3\n,5,6\ny,8,9\n")
    rows = read_columns(tmp_path / "list.txt", FORM)
    fits = {"a": rows["a"].is_not_null(), **{name: rows[name].is_in(["8", "3", "9"]) for name in ("b", "c")}}
    assert misfits(rows, fits) == ["line 1: 'x': b is '2'", "line 2: no a: b is '5', c is '6'"]
    assert misfits(rows, fits | dict.fromkeys(("a", "b", "c", "line"), rows["a"] == "?"))[2] == (
        "line 3: 'y': b is '8', c is '9', line is 3"
    )


def test_where_nothing_is_left_the_reasons_are_told():
    frame = pl.DataFrame({"a": [1, 2, 2]})
    with pytest.raises(InputError, match="here: no item is left: left out 1 row of one; left out 2 rows of two"):
        leave_out(frame, {"of one": pl.col("a") == 1, "of two": pl.col("a") == 2}, where="here")


def test_lines_keep_their_numbers(tmp_path):
    (tmp_path / "list.txt").write_bytes(b"\xef\xbb\xbfh,e,r\r\n1,2,3\r\n\r\n4,,6\r\n\r\n")
    rows = read_columns(tmp_path / "list.txt", FORM, skip=1)
    assert rows.rows() == [(2, "1", "2", "3"), (4, "4", None, "6")]


def test_schemes_of_the_right_kind():
    with pytest.raises(InputError, match="no scheme of action units"):
        units("expressions-7")
    with pytest.raises(InputError, match="no scheme of categories"):
        categories("au-12-disfa")
    assert unit_target("all", units("au-12-disfa"), [43, 1], source="x").scheme.name == "au-13-x"
    assert unknown_units([1, 3, 99, 3]) == ["AU3", "AU99"]
