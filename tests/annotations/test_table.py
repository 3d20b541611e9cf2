"""The annotation table itself."""

from __future__ import annotations

import polars as pl
import pytest

from affectcheck.annotations import make_table
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import DimensionScheme, Target, scheme

VA = Target("va", DimensionScheme("va", ("valence", "arousal")))
MOOD = Target("mood", scheme("expressions-4"))


@pytest.fixture
def table():
    return make_table(
        {
            "item": ["a", "b", "c"],
            "subject": ["s1", None, "s2"],
            "sex": ["F", None, "M"],
            "mood": ["sad", "joy", None],
            "valence": [0.0, 0.5, None],
            "arousal": [0.0, 0.5, None],
        },
        targets=[MOOD, VA],
        groups={"sex": scheme("sex-2")},
        name="demo",
    )


def test_targets_by_name_and_by_default(table) -> None:
    assert table.target() is MOOD
    assert table.target("va") is VA
    with pytest.raises(UnknownNameError, match="did you mean 'mood'"):
        table.target("moood")
    with pytest.raises(InputError, match="the table 'demo' has no labels"):
        make_table({"item": ["a"]}, targets=[], name="demo").target()


def test_groups_are_asked_for_by_name(table) -> None:
    assert table.require_group("sex") == "sex"
    with pytest.raises(UnknownNameError, match="unknown group column 'age'"):
        table.require_group("age")


def test_select_keeps_the_order_of_the_table(table) -> None:
    assert table.select(["c", "a"]).items.to_list() == ["a", "c"]
    assert table.select(pl.Series(["b"])).height == 1
    with pytest.raises(UnknownNameError, match="2 items are not in the table 'demo': x, y"):
        table.select(["a", "x", "y"])


def test_a_filter_keeps_everything_but_rows(table) -> None:
    found = table.filter(pl.col("sex") == "female")
    assert found.items.to_list() == ["a"]
    assert (found.targets, found.groups, found.name) == (table.targets, table.groups, table.name)


def test_subjects_are_there_if_one_is_known(table) -> None:
    assert table.has_subjects
    assert not table.filter(pl.col("item") == "b").has_subjects
    assert not make_table({"item": ["a"]}, targets=[]).has_subjects


def test_the_digest_is_that_of_the_values(table) -> None:
    turned = make_table(table.frame.reverse(), targets=[MOOD, VA], groups=["sex"])
    assert turned.digest == table.digest
    assert table.select(["a", "b"]).digest != table.digest


def test_the_digest_takes_lists_and_every_nan_for_one() -> None:
    def digest(values) -> str:
        return make_table({"item": ["a"], "x": values}, targets=[]).digest

    assert digest([[1, 2]]) == digest([[1, 2]]) != digest([[1, 3]])
    assert digest([float("nan")]) == digest([-float("nan")])
