"""Pairing predictions with items: every fault in one message, every leniency by name."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.annotations import match
from affectcheck.errors import InputError, UnknownNameError

TRUTH = ["u1", "u2", "u3", "u4", "u5", "u6"]
PREDICTION = pl.DataFrame(
    {
        "item": ["u1", "u2", "u2", "u3", " u5", "u7", "u3"],
        "emotion": ["sad", "joy", "sad", "joy", "anger", "joy", "joy"],
    }
)


def test_every_fault_is_named_in_one_message() -> None:
    with pytest.raises(InputError) as caught:
        match(TRUTH, PREDICTION, where="pred.csv")
    assert str(caught.value).splitlines() == [
        "pred.csv: the predictions do not fit the 6 items of the table:",
        "  1 key occurs more than once with different predictions: 'u2'",
        "  1 key occurs more than once with the same prediction: 'u3'",
        "  2 items have no prediction: 'u4', 'u6'",
        "  1 key belongs to no item: 'u7'",
        "  1 key has surrounding blanks: ' u5'",
        "  expected: one prediction for every item, under the item's own key",
    ]


def test_leniency_forgives_what_it_names_and_no_more() -> None:
    every = ["identical duplicates", "surrounding blanks"]
    with pytest.raises(InputError) as caught:
        match(TRUTH, PREDICTION, rule="missing wrong", forgive=every)
    assert "'u2'" in caught.value.what
    assert "'u3'" not in caught.value.what
    found = match(TRUTH, PREDICTION[[0, 1, 3, 4, 5, 6]], rule="missing wrong", forgive=every)
    rows = [("u1", 0, 0), ("u2", 1, 1), ("u3", 2, 2), ("u4", 3, None), ("u5", 4, 3), ("u6", 5, None)]
    assert found.pairs.rows() == rows
    assert (found.identical, found.missing, found.extra, found.blanks) == (("u3",), ("u4", "u6"), ("u7",), (" u5",))
    assert len(found.notes) == 4
    left = match(TRUTH, PREDICTION[[0, 1, 3, 4, 5, 6]], rule="leave out", forgive=every)
    assert left.pairs.rows() == [row for row in rows if row[2] is not None]
    assert left.missing == ("u4", "u6")


@pytest.mark.parametrize("forgive", [(), ["identical duplicates"], ["surrounding blanks"]])
def test_a_lenient_rule_alone_forgives_no_duplicate_and_no_blank(forgive: list[str]) -> None:
    with pytest.raises(InputError):
        match(TRUTH, PREDICTION[[0, 3, 4, 6]], rule="leave out", forgive=forgive)


def test_a_trimmed_key_that_is_there_too_is_a_duplicate() -> None:
    table = pl.DataFrame({"item": ["a", "a "], "x": [1, 2]})
    with pytest.raises(InputError, match="more than once with different predictions: 'a'"):
        match(["a"], table, forgive=["surrounding blanks"])


def test_keys_alone_repeat_identically() -> None:
    assert match(["a"], ["a", "a"], forgive=["identical duplicates"]).pairs.rows() == [("a", 0, 0)]


def test_nothing_in_common_is_an_error_under_every_rule() -> None:
    for rule in ("reject", "missing wrong", "leave out"):
        with pytest.raises(InputError, match="2 items have no prediction") as caught:
            match(["a", "b"], ["x", "y"], rule=rule)
        assert "another partition or data set" in str(caught.value)


@pytest.mark.parametrize(
    ("truth", "prediction", "cause"),
    [
        ("A/x.wav", "a/X.wav", "upper and lower case differ"),
        ("set/x.wav", "x.wav", "one side has a folder in front"),
        ("x", "x.wav", "one side has a file name extension"),
        ("1.2.wav", "set/1.2", "a folder and an extension"),
        ("set/x", "y/x.wav", "a folder and an extension"),
        ("set/x.wav", "set\\x.wav", "one side has backslashes"),
        ("7", "007", "leading zeros"),
        ("u\u0308ber", "über", "writing of accents"),
        ("a b", "a\u00a0b", "white space"),
    ],
)
def test_the_likely_difference_is_told_and_never_applied(truth: str, prediction: str, cause: str) -> None:
    with pytest.raises(InputError) as caught:
        match([truth], [prediction])
    assert cause in caught.value.cause
    assert repr(truth) in caught.value.cause


def test_long_lists_are_cut_with_their_number() -> None:
    with pytest.raises(InputError, match="and 80 more"):
        match([f"a{number}" for number in range(100)], ["b"])


def test_words_rows_and_columns_are_checked() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'leave out'"):
        match(["a"], ["a"], rule="leave-out")
    with pytest.raises(UnknownNameError, match="identical duplicates"):
        match(["a"], ["a"], forgive=["duplicates"])
    with pytest.raises(UnknownNameError, match="unknown column 'item'"):
        match(["a"], pl.DataFrame({"id": ["a"]}))
    with pytest.raises(InputError, match="no item key in row 2"):
        match(["a"], ["a", None])
    with pytest.raises(InputError, match="items that occur more than once: 'a'"):
        match(["a", "a"], ["a"])


@given(st.lists(st.integers(0, 30), unique=True, min_size=1), st.randoms())
def test_order_does_not_matter(numbers: list[int], random) -> None:
    keys = [str(number) for number in numbers]
    shuffled = random.sample(keys, len(keys))
    found = match(keys, shuffled)
    assert found.pairs["item"].to_list() == keys
    assert [shuffled[row] for row in found.pairs["prediction_row"]] == keys
    assert found.notes == ()
