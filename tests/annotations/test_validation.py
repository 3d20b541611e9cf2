"""``make_table``: what it lets through, what it refuses, and how it says so."""

from __future__ import annotations

import math
from pathlib import Path

import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.annotations import make_table
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import CategoryScheme, DimensionScheme, Target, UnitScheme, scheme

MOOD = Target("mood", CategoryScheme("moods", ("angry", "surprise", "sad", "happy"), {"joy": "happy"}))
VA = Target("va", DimensionScheme("va", ("valence", "arousal"), -1.0, 1.0))
AU = Target("au", UnitScheme("au", ("AU1", "AU2")))


def table(targets=(), groups=(), **columns):
    height = len(next(iter(columns.values())))
    return make_table({"item": [f"i{row}" for row in range(height)], **columns}, targets=targets, groups=groups)


def column(target: Target, cells: list, **options) -> pl.Series:
    frame = {"item": [f"i{row}" for row in range(len(cells))], target.columns[0]: cells}
    return make_table(frame, targets=[target], **options).frame.get_column(target.columns[0])


def test_columns_come_in_the_order_and_types_of_the_schema() -> None:
    found = make_table(
        {
            "note": ["x", ""],
            "valence": ["0.5", ""],
            "arousal": [1, 0],
            "AU2": [True, False],
            "AU1": ["1", "-1"],
            "mood": ["joy", None],
            "sex": [" F", ""],
            "partition": ["train", ""],
            "subject": [3, 4],
            "frame": ["1", "2"],
            "end_us": [5, None],
            "start_us": ["0", ""],
            "media": ["a.wav", ""],
            "item": [1, 2],
        },
        targets=[MOOD, VA, AU],
        groups={"sex": scheme("sex-2")},
        name="demo",
        root=Path("audio"),
    )
    assert found.frame.schema == {
        **{"item": pl.String, "media": pl.String, "start_us": pl.Int64, "end_us": pl.Int64, "frame": pl.Int64},
        **{"subject": pl.String, "partition": pl.String, "sex": pl.String},
        **{"mood": pl.Enum(MOOD.scheme.labels), "valence": pl.Float64, "arousal": pl.Float64},
        **{"AU1": pl.Int8, "AU2": pl.Int8, "note": pl.String},
    }
    assert found.frame.rows() == [
        ("1", "a.wav", 0, 5, 1, "3", "train", "female", "happy", 0.5, 1.0, 1, 1, "x"),
        ("2", None, None, None, 2, "4", None, None, None, None, 0.0, None, 0, None),
    ]
    assert (found.name, found.root, found.groups) == ("demo", Path("audio"), ("sex",))
    assert list(found.targets) == ["mood", "va", "au"]


def test_targets_as_a_mapping_and_no_targets_at_all() -> None:
    assert list(table({"mood": MOOD}, mood=["sad"]).targets) == ["mood"]
    assert table(x=[1]).targets == {}


# ---------------------------------------------------------------- categories


@pytest.mark.parametrize("cell", ["Angry", "angry ", "ANGRY", "\u00a0angry", "angry\t", "\u200bangry"])
def test_spellings_of_a_label(cell: str) -> None:
    assert column(MOOD, [cell]).to_list() == ["angry"]


@pytest.mark.parametrize("cell", ["", " ", "\u00a0", None])
def test_blank_cells_are_unknown(cell: str | None) -> None:
    assert column(MOOD, [cell, "sad"]).to_list() == [None, "sad"]


def test_every_unknown_label_is_told_at_once_with_rows_and_suggestions() -> None:
    with pytest.raises(UnknownNameError) as caught:
        column(MOOD, ["sad", "Angray", "", "Superise", *["Angray"] * 6], where="x.csv")
    assert str(caught.value).splitlines() == [
        "x.csv: 8 cells of column 'mood' hold no label of the scheme 'moods':",
        "  'Angray' (rows 2, 5, 6, 7, 8 and 2 more): did you mean 'angry'?",
        "  'Superise' (row 4): did you mean 'surprise'?",
        "  expected: one of angry, surprise, sad, happy (or joy = happy)",
        "  likely cause: a spelling mistake, an alias that is not declared, or labels of another scheme",
    ]


def test_very_many_unknown_labels_are_cut() -> None:
    with pytest.raises(UnknownNameError, match="and 10 other values"):
        column(MOOD, [f"x{number}" for number in range(60)])


@pytest.mark.parametrize("cells", [[0, 3], ["0", "3"], [0.0, 3.0], pd.Series([0, None, 3])])
def test_numbers_without_a_code_table_are_refused(cells) -> None:
    with pytest.raises(InputError, match="a number that no code table explains") as caught:
        column(MOOD, cells)
    assert "'moods' has none" in str(caught.value)
    assert "official order or alphabetical order" in str(caught.value)


@pytest.mark.parametrize("cells", [[0, 3, None], ["0", "3", ""], [0.0, 3.0, None], [" 0", "sad", None]])
def test_codes_are_read_by_their_table(cells) -> None:
    coded = Target("mood", CategoryScheme("moods", MOOD.scheme.labels, codes={0: "angry", 3: "sad"}))
    assert column(coded, cells).to_list() == ["angry", "sad", None]


def test_a_code_beyond_the_table_is_refused_with_the_table() -> None:
    coded = Target("mood", CategoryScheme("moods", MOOD.scheme.labels, codes={0: "angry", 3: "sad"}))
    with pytest.raises(InputError, match=r"codes 0 = angry, 3 = sad") as caught:
        column(coded, [0, 3, -1])
    assert "-1" in caught.value.what


def test_labels_that_are_numbers_are_labels() -> None:
    ages = Target("age", scheme("age-years-gft"))
    assert column(ages, [21, 28]).to_list() == ["21", "28"]


def test_a_code_that_contradicts_a_label_is_refused() -> None:
    odd = Target("x", CategoryScheme("odd", ("1", "2"), codes={1: "2"}))
    with pytest.raises(InputError, match="the code 1 means '2', but '1' is a label too"):
        column(odd, [1])


@pytest.mark.parametrize("cells", [[0.5], [True], [[1]]])
def test_cells_that_name_no_class_are_refused(cells) -> None:
    with pytest.raises(InputError, match="column 'mood' holds"):
        column(MOOD, cells)


def test_a_declared_marker_of_unknown_classes() -> None:
    found = make_table(
        {"item": ["a", "b", "c"], "mood": ["sad", "-1", "XXX"]}, targets=[MOOD], unknown={"mood": [-1, "xxx"]}
    )
    assert found.frame["mood"].to_list() == ["sad", None, None]
    assert found.notes == ("cells marked as not annotated: mood 2",)


def test_categories_from_every_text_type() -> None:
    for series in (pl.Series(["sad"], dtype=pl.Categorical), pl.Series(["sad"], dtype=pl.Enum(["joy", "sad"]))):
        assert column(MOOD, series).to_list() == ["sad"]


# ---------------------------------------------------------------- units


@pytest.mark.parametrize(
    "cells", [[1, 0, None], [1, 0, -1], [1.0, 0.0, 999.0], ["1", "0", "9"], [True, False, None], ["1.0", " 0 ", "-999"]]
)
def test_units_and_the_markers_of_public_files(cells) -> None:
    found = column(AU, cells, unknown=None) if False else table([AU], AU1=cells, AU2=[1, 0, 1])
    assert found.frame["AU1"].to_list() == [1, 0, None]
    assert found.frame["AU2"].to_list() == [1, 0, 1]


def test_markers_are_counted_cell_by_cell() -> None:
    found = table([AU], AU1=["1", "-1", ""], AU2=["-1", "999", "0"])
    assert found.notes == ("cells marked as not annotated: AU1 1, AU2 2",)


@pytest.mark.parametrize("cell", [2, 0.5, -2, 5, math.inf, math.nan])
def test_units_are_0_or_1(cell: float) -> None:
    with pytest.raises(InputError, match=r"neither 0 nor 1:\n  '.*' \(row 2\)"):
        table([AU], AU1=[1.0, cell], AU2=[0, 0])


def test_declared_markers_replace_the_usual_ones() -> None:
    frame = {"item": ["a", "b"], "AU1": [1, 7], "AU2": [0, 0]}
    assert make_table(frame, targets=[AU], unknown={"au": [7]}).frame["AU1"].to_list() == [1, None]
    with pytest.raises(InputError, match="neither 0 nor 1"):
        make_table({**frame, "AU1": [1, -1]}, targets=[AU], unknown={"au": [7]})


# ---------------------------------------------------------------- dimensions


@pytest.mark.parametrize("cell", [1.5, -5.0, math.inf, -math.inf, math.nan])
def test_values_outside_the_range_are_refused(cell: float) -> None:
    with pytest.raises(InputError, match=r"1 cell of column 'valence' outside \[-1, 1\]:\n  '.*' \(row 2\)"):
        table([VA], valence=[0.0, cell], arousal=[0.0, 0.0])


def test_nan_says_how_unknown_values_are_written() -> None:
    with pytest.raises(InputError, match="an empty cell marks a value that is not known"):
        table([VA], valence=[math.nan], arousal=[0.0])


@pytest.mark.parametrize("cell", ["nan", "NaN", "inf", "abc", "1_0", "0x1", "--1", "1e"])
def test_words_are_no_numbers(cell: str) -> None:
    with pytest.raises(InputError, match="cells that are no numbers"):
        table([VA], valence=[cell], arousal=["0"])


def test_decimal_commas_are_told() -> None:
    with pytest.raises(InputError, match="decimal commas"):
        table([VA], valence=["0,5"], arousal=["0"])


def test_numbers_as_people_write_them() -> None:
    found = table([VA], valence=["+0.5", ".5", "-1.", "1e-3", " 0.25\u00a0", ""], arousal=["0"] * 6)
    assert found.frame["valence"].to_list() == [0.5, 0.5, -1.0, 0.001, 0.25, None]


def test_a_declared_marker_of_unknown_values() -> None:
    frame = {"item": ["a", "b"], "valence": ["0.1", "x"], "arousal": ["-5", "0.2"]}
    found = make_table(frame, targets=[VA], unknown={"va": [-5, "X"]})
    assert found.frame.rows() == [("a", 0.1, None), ("b", None, 0.2)]
    assert found.notes == ("cells marked as not annotated: valence 1, arousal 1",)


@pytest.mark.parametrize("cells", [[[1]], [True]])
def test_columns_of_other_types_are_refused_or_read_as_numbers(cells) -> None:
    if cells == [True]:
        assert table([VA], valence=cells, arousal=[0]).frame["valence"].to_list() == [1.0]
    else:
        with pytest.raises(InputError, match="column 'valence' holds"):
            table([VA], valence=cells, arousal=[0])


@given(st.lists(st.one_of(st.none(), st.floats(-1, 1)), min_size=1))
def test_values_in_range_come_through_unchanged(values: list[float | None]) -> None:
    series = pl.Series(values, dtype=pl.Float64)
    found = table([VA], valence=series, arousal=series)
    assert found.frame["valence"].to_list() == values


# ---------------------------------------------------------------- keys and plain columns


def test_items_that_repeat_are_all_listed() -> None:
    with pytest.raises(InputError) as caught:
        make_table({"item": ["a", "b", "a", "c", "b"]}, targets=[])
    assert "'a' (rows 1, 3)" in caught.value.what
    assert "'b' (rows 2, 5)" in caught.value.what


@pytest.mark.parametrize("key", [" a", "a ", "a\u00a0", "\ta"])
def test_items_with_surrounding_blanks_are_refused(key: str) -> None:
    with pytest.raises(InputError, match=r"surrounding blanks:\n  .* \(row 2\)"):
        make_table({"item": ["b", key]}, targets=[])


@pytest.mark.parametrize("key", ["", None])
def test_rows_without_a_key_are_refused(key: str | None) -> None:
    with pytest.raises(InputError, match="no item key in row 2"):
        make_table({"item": ["b", key]}, targets=[])


def test_keys_are_whole_numbers_or_texts() -> None:
    assert make_table({"item": [7.0, 8.0]}, targets=[]).items.to_list() == ["7", "8"]
    with pytest.raises(InputError, match=r"numbers with decimals, such as '7\.5'"):
        make_table({"item": [7.5]}, targets=[])


def test_an_empty_table_is_refused() -> None:
    with pytest.raises(InputError, match="the table has no rows"):
        make_table({"item": []}, targets=[])


def test_missing_columns_are_all_named_with_what_there_is() -> None:
    with pytest.raises(UnknownNameError) as caught:
        make_table({"Item": ["a"], "valense": [0.0]}, targets=[VA], groups=["sex"])
    message = str(caught.value)
    assert "lacks 4 columns" in message
    assert "'item': did you mean 'Item'?" in message
    assert "'valence': did you mean 'valense'?" in message
    assert "the table has 'Item', 'valense'" in message


@pytest.mark.parametrize("name", ["start_us", "end_us", "frame"])
@pytest.mark.parametrize("cell", ["0.5", "x", "1e3", 0.5])
def test_times_and_frames_are_whole_numbers(name: str, cell) -> None:
    with pytest.raises(InputError, match=f"column '{name}' has cells that are no whole numbers"):
        table(**{name: [cell]})


@pytest.mark.parametrize(("name", "cell", "least"), [("start_us", -1, 0), ("end_us", 0, 1), ("frame", 0, 1)])
def test_times_and_frames_have_a_start(name: str, cell: int, least: int) -> None:
    with pytest.raises(InputError, match=f"{name} is {cell} in row 1") as caught:
        table(**{name: [cell]})
    assert f"at least {least}" in str(caught.value)


def test_a_segment_ends_after_it_starts() -> None:
    with pytest.raises(InputError, match="1 segment without a length, first in row 2: 5 to 5 us"):
        table(start_us=[0, 5], end_us=[None, 5])


@pytest.mark.parametrize("cells", [[1, None], [1.0, None], ["1", ""], ["+1.0", " "], pd.Series([1, None])])
def test_whole_numbers_of_every_type(cells) -> None:
    assert table(frame=cells).frame["frame"].to_list() == [1, None]


@pytest.mark.parametrize(
    "cells", [["99999999999999999999"], [1e17], [math.nan], pl.Series([2**64 - 1], dtype=pl.UInt64)]
)
def test_numbers_too_large_or_not_finite_are_refused(cells) -> None:
    with pytest.raises(InputError, match="no whole numbers"):
        table(frame=cells)


def test_a_column_of_lists_is_no_frame_number() -> None:
    with pytest.raises(InputError, match="column 'frame' holds"):
        table(frame=[[1]])


def test_columns_without_any_value() -> None:
    found = table(frame=[None], media=[None])
    assert found.frame.schema["frame"] == pl.Int64
    assert found.frame.schema["media"] == pl.String


# ---------------------------------------------------------------- groups


def test_groups_by_scheme_with_aliases_and_unknowns() -> None:
    found = table(groups={"sex": scheme("sex-2")}, sex=["F", " male", "Unsure", "", None, "FEMALE"])
    assert found.frame["sex"].to_list() == ["female", "male", "unsure", None, None, "female"]


def test_groups_that_the_scheme_does_not_have_are_refused() -> None:
    with pytest.raises(UnknownNameError, match=r"'famale' \(row 2\): did you mean 'female'"):
        table(groups={"sex": scheme("sex-2")}, sex=["F", "famale"])


def test_groups_without_a_scheme_stand_as_they_are() -> None:
    found = table(groups=["accent", "age"], accent=["NA", "nan ", ""], age=[23.0, None, 7.0])
    assert found.frame["accent"].to_list() == ["NA", "nan", None]
    assert found.frame["age"].to_list() == ["23", None, "7"]


def test_a_group_of_yes_and_no_has_two_values() -> None:
    found = table(groups=["native"], native=[True, None, False])
    assert found.frame["native"].to_list() == ["true", None, "false"]


@pytest.mark.parametrize("cells", [["Female", "female"], ["south east", "South\u00a0East"]])
def test_two_spellings_of_a_group_are_refused(cells: list[str]) -> None:
    with pytest.raises(InputError, match=r"spells one value in several ways") as caught:
        table(groups=["sex"], sex=[*cells, cells[0]])
    assert "(rows 1, 3)" in caught.value.what
    assert "(row 2)" in caught.value.what


def test_subject_and_partition_may_be_groups() -> None:
    assert table(groups=["subject"], subject=["a"]).groups == ("subject",)


# ---------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("targets", "groups"),
    [
        ([Target("item", MOOD.scheme)], ()),
        ([Target("subject", MOOD.scheme)], ()),
        ([MOOD], ("mood",)),
        ([VA, Target("other", DimensionScheme("o", ("arousal", "dominance")))], ()),
        ([], ("media",)),
    ],
)
def test_a_column_serves_one_purpose(targets, groups) -> None:
    with pytest.raises(InputError, match="is meant to be"):
        make_table({"item": ["a"]}, targets=targets, groups=groups)


def test_two_targets_of_one_name_are_refused() -> None:
    with pytest.raises(InputError, match="two targets of one name: 'mood'"):
        make_table({"item": ["a"]}, targets=[MOOD, MOOD])


def test_markers_for_an_unknown_target_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'mood'"):
        make_table({"item": ["a"], "mood": ["sad"]}, targets=[MOOD], unknown={"moods": [-1]})
