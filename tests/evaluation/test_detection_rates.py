"""How often a face is found, by group: counts, intervals, and who is left out."""

from __future__ import annotations

import polars as pl
import pytest

from affectcheck.annotations import AnnotationTable, make_table
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.evaluation.detection_rates import COLUMNS, detection_rates
from affectcheck.uncertainty import wilson


@pytest.fixture
def table() -> AnnotationTable:
    sex = ["female", "female", "male", "male", "male", None]
    frame = pl.DataFrame(
        {"item": list("abcdef"), "media": [f"{n}.jpg" for n in "abcdef"], "sex": sex, "place": ["x", "y"] * 3}
    )
    return make_table(frame, targets={}, groups=("sex", "place"))


FOUND = {"a": True, "b": False, "c": True, "d": True, "e": None, "f": True}


def test_rates_are_counted_overall_and_by_group(table: AnnotationTable) -> None:
    made = detection_rates(table, FOUND, by=("sex", "sex*place"))
    assert made.frame.columns == list(COLUMNS)
    rows = {(row["attribute"], row["group"]): row for row in made.frame.to_dicts()}
    assert [(*key, row["found"], row["pictures"]) for key, row in rows.items()] == [
        ("", "", 4, 5),
        ("sex", "female", 1, 2),
        ("sex", "male", 2, 2),
        ("sex*place", "female*x", 1, 1),
        ("sex*place", "female*y", 0, 1),
        ("sex*place", "male*x", 1, 1),
        ("sex*place", "male*y", 1, 1),
    ]
    expected = wilson(1, 2)
    assert rows["sex", "female"]["rate"] == 0.5
    assert rows["sex", "female"]["low"] == float(expected.low)
    assert rows["sex", "female"]["high"] == float(expected.high)
    assert made.unread == ("e",)
    assert made.notes[:2] == (
        "in no rate, as there is no picture that can be decoded: 1 item",
        "sex: no group of their own: missing (1)",
    )
    assert made.items.rows() == [
        ("a", True, "female", "female*x"),
        ("b", False, "female", "female*y"),
        ("c", True, "male", "male*x"),
        ("d", True, "male", "male*y"),
        ("f", True, None, None),
    ]


def test_a_picture_that_nothing_is_known_of_is_in_no_rate(table: AnnotationTable) -> None:
    made = detection_rates(table, {"a": True})
    assert made.frame.get_column("pictures").to_list() == [1]
    assert made.unread == tuple("bcdef")


def test_without_any_picture_or_group_there_is_an_error(table: AnnotationTable) -> None:
    with pytest.raises(InputError, match="no picture could be decoded"):
        detection_rates(table, {})
    with pytest.raises(UnknownNameError):
        detection_rates(table, FOUND, by=("age",))
