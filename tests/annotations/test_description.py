"""Table descriptions: every key understood or refused, with the nearest right one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.annotations import TableDescription, describe, read_description
from affectcheck.annotations.described_columns import table_from
from affectcheck.annotations.described_schemes import description_of, target_of
from affectcheck.annotations.description import TargetDescription
from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from affectcheck.schemes import CategoryScheme, DimensionScheme, Target, UnitScheme, scheme, scheme_names

if TYPE_CHECKING:
    from pathlib import Path

FRAME = pl.DataFrame(
    {
        "path": ["a.wav", "a.wav", "b.wav"],
        "from": ["0.3", "1.0", ""],
        "to": ["1.0", "2.5224999", ""],
        "speaker": ["03", "03", "007"],
        "gender": ["F", "unsure", "m"],
        "emotion": ["calm", "Angry", "boredom"],
        "Act": ["1", "3", ""],
        "Val": ["5", "-2", "4"],
        "AU1": ["1", "0", "x"],
        "note": ["NA", "", "1.50"],
    }
)
CONTENT = {
    "name": "demo",
    "media": "path",
    "start_s": "from",
    "end_s": "to",
    "subject": "speaker",
    "groups": {"sex": {"column": "gender", "scheme": "gender-3"}},
    "targets": {
        "expression": {"scheme": "expressions-7", "column": "emotion", "mapping": {"calm": "neutral", "boredom": ""}},
        "affect": {
            **{"dimensions": ["arousal", "valence"], "low": 0.0, "high": 1.0, "file_low": 1, "file_high": 5},
            **{"columns": {"arousal": "Act", "valence": "Val"}, "unknown": [-2]},
        },
        "au": {"units": ["AU1"], "unknown": ["X"]},
    },
}


def read(**changes):
    return table_from(FRAME, describe({**CONTENT, **changes}), where="labels.csv")


def test_a_description_names_and_maps_every_column() -> None:
    table = read(types={"note": "text"})
    assert table.frame.select("item", "subject", "sex", "expression", "arousal", "valence", "AU1", "note").rows() == [
        ("a.wav#300000-1000000", "03", "female", "neutral", 0.0, 1.0, 1, "NA"),
        ("a.wav#1000000-2522500", "03", "other/uncertain", "anger", 0.5, None, 0, None),
        ("b.wav", "007", "male", None, None, 0.75, None, "1.50"),
    ]
    assert table.notes == (
        "1 item labelled 'boredom' without a counterpart in 'expression': unknown there",
        "cells marked as not annotated: valence 1",
        "cells marked as not annotated: AU1 1",
    )
    assert "speaker" not in table.frame.columns


def test_a_mapping_that_meets_no_item_leaves_no_note() -> None:
    targets = {
        "expression": {**CONTENT["targets"]["expression"], "mapping": {"calm": "neutral", "boredom": "", "x": ""}}
    }
    assert len(read(targets=targets).notes) == 1


def test_columns_of_the_schema_keep_their_own_names() -> None:
    frame = pl.DataFrame({"item": ["a"], "media": ["m"], "start_s": [0.5], "end_us": [600_000], "frame": [1]})
    table = table_from(frame, TableDescription())
    assert table.frame.rows() == [("a", "m", 500_000, 600_000, 1)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"subjekt": "x"}, "unknown key 'subjekt': did you mean 'subject'?"),
        ({"folder": "x"}, "unknown key 'folder'"),
        ({"name": 5}, "name: input should be a valid string"),
        ({"groups": 5}, "groups: input should be a valid dictionary"),
        ({"groups": [5]}, "groups: input should be a valid dictionary"),
        ({"groups": {"sex": {"colum": "x"}}}, "unknown key 'colum' under [groups.sex]: did you mean 'column'?"),
        ({"targets": {"x": {"maping": {}}}}, "unknown key 'maping' under [targets.x]: did you mean 'mapping'?"),
        ({"targets": {"x": {"low": "0"}}}, "targets.x.low: input should be a valid number"),
        ({"targets": {"x": {"labels": "joy"}}}, "targets.x.labels: input should be a valid tuple"),
        ({"types": {"x": "date"}}, "types.x: input should be 'text'"),
        ({"targets": {"x": {"provenance": "guess"}}}, "targets.x.provenance: input should be 'manual'"),
    ],
)
def test_keys_and_values_that_do_not_fit(change: dict, message: str) -> None:
    with pytest.raises(InputError) as caught:
        describe(change, where="d.toml")
    assert message in str(caught.value)
    assert str(caught.value).startswith("d.toml: ")


def test_every_fault_is_told_at_once() -> None:
    with pytest.raises(InputError) as caught:
        describe({"a": 1, "b": 2})
    assert "'a'" in caught.value.what
    assert "'b'" in caught.value.what


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"subject": "spaeker"}, "'spaeker' for 'subject': did you mean 'speaker'?"),
        ({"drop": ["nose"]}, "'nose' for 'drop: nose': did you mean 'note'?"),
        ({"types": {"nota": "text"}}, "'nota' for 'types: nota': did you mean 'note'?"),
        ({"start_us": "from"}, "start_s and start_us at once"),
        ({"frame": "AU1"}, "no column holds the item keys"),
        ({"groups": {"sex": "expression-7"}}, "lacks 1 column that the description names:\n  'sex'"),
        ({"groups": {"gender": "gender-4"}}, "[groups.gender]: unknown scheme 'gender-4'"),
        ({"groups": {"gender": "affect-3"}}, "the scheme 'affect-3' is one of dimensions"),
        ({"groups": {"gender": {"scheme": "sex-2", "labels": ["f"]}}}, "scheme and labels at once"),
        ({"groups": {"gender": {"aliases": {"f": "female"}}}}, "aliases without labels"),
        ({"groups": {"gender": {"labels": ["f", "F"]}}}, "expected: distinct names"),
        ({"groups": {"gender": {"labels": ["f"], "aliases": {"x": "g"}}}}, "labels it does not have"),
        ({"groups": {"gender": {"scheme": "sex-2", "aliases": {"x": "g"}}}}, "labels it does not have"),
    ],
)
def test_descriptions_that_do_not_fit_the_file(change: dict, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(**change)
    assert message in str(caught.value)
    assert str(caught.value).startswith("labels.csv: ")


def test_a_group_with_labels_of_its_own() -> None:
    table = read(groups={"gender": {"labels": ["woman", "man"], "aliases": {"f": "woman", "m": "man"}}})
    assert table.frame["gender"].to_list() == ["woman", "unsure", "man"]


def test_a_list_of_groups_takes_their_values_as_they_are() -> None:
    assert read(groups=["gender"]).frame["gender"].to_list() == ["F", "unsure", "m"]


def test_a_column_of_ours_in_the_way_is_refused_until_dropped() -> None:
    frame = FRAME.with_columns(subject=pl.lit("topic"))
    with pytest.raises(InputError, match="has a column 'subject' beside the one that becomes 'subject'") as caught:
        table_from(frame, describe(CONTENT))
    assert 'drop = ["subject"]' in str(caught.value)
    assert table_from(frame, describe({**CONTENT, "drop": ["subject"]})).frame["subject"][0] == "03"


def test_a_media_path_is_needed_where_it_makes_the_key() -> None:
    with pytest.raises(InputError, match="no media path in row 1, so no key"):
        table_from(FRAME.with_columns(path=pl.lit(None, pl.String)), describe(CONTENT))


def test_rounding_that_merges_two_segments_is_a_duplicate_key() -> None:
    frame = pl.DataFrame({"media": ["b", "b"], "start_s": ["0.1", "0.10000000001"], "end_s": ["0.5", "0.5"]})
    with pytest.raises(InputError, match=r"more than once:\n  'b#100000-500000' \(rows 1, 2\)"):
        table_from(frame, TableDescription())


@pytest.mark.parametrize(
    ("cells", "kind", "values"),
    [
        (["1", "", "-2"], "whole number", [1, None, -2]),
        (["0.5", "NaN", "-inf", ""], "number", [0.5, float("nan"), float("-inf"), None]),
        (["yes", "no", ""], "yes/no", [True, False, None]),
    ],
)
def test_types_of_further_columns(cells: list[str], kind: str, values: list) -> None:
    frame = pl.DataFrame({"item": [str(row) for row in range(len(cells))], "x": cells})
    table = table_from(frame, describe({"types": {"x": kind}}))
    assert pl.Series(table.frame["x"]).equals(pl.Series("x", values), null_equal=True)
    typed = table_from(table.frame, describe({"types": {"x": kind}}))
    assert typed.frame.equals(table.frame)


def test_a_word_that_is_neither_yes_nor_no_is_refused() -> None:
    with pytest.raises(InputError, match="column 'x' has cells that are neither yes nor no"):
        table_from(pl.DataFrame({"item": ["a"], "x": ["maybe"]}), describe({"types": {"x": "yes/no"}}))


# ---------------------------------------------------------------- targets


@pytest.mark.parametrize(
    ("described", "message"),
    [
        ({}, "nothing says which labels there are"),
        ({"labels": ["a"], "units": ["b"]}, "'labels', 'units' at once"),
        ({"scheme": "expression-7"}, "did you mean 'expressions-7'"),
        ({"scheme": "expressions-7", "labels": ["a"]}, "a built-in scheme with other content"),
        ({"scheme": "affect-3", "low": 0.0}, "has its own range"),
        ({"dimensions": ["a"]}, "the range of the dimensions is not given"),
        ({"dimensions": ["a"], "low": 1.0, "high": 0.0}, "low = 1, high = 0"),
        ({"labels": []}, "expected: distinct names, at least one"),
        ({"labels": ["a", " A"]}, "expected: distinct names"),
        ({"units": ["a", ""]}, "expected: distinct names"),
        ({"labels": ["a"], "codes": {"x": "a"}}, "codes that are no whole numbers: 'x'"),
        ({"labels": ["a"], "codes": {"0": "b"}}, "labels it does not have"),
        ({"labels": ["a"], "low": 0.0}, "'low' has no meaning for categories"),
        ({"units": ["a"], "mapping": {"x": "a"}}, "'mapping' has no meaning for units"),
        ({"units": ["a"], "columns": {"b": "x"}}, "unknown unit or dimension 'b'"),
        ({"scheme": "affect-3", "column": "x"}, "'column' has no meaning for dimensions"),
        ({"scheme": "affect-3", "file_low": 1.0}, "one end of the file's range is missing"),
    ],
)
def test_targets_that_say_too_little_or_too_much(described: dict, message: str) -> None:
    with pytest.raises(InputError) as caught:
        target_of("x", TargetDescription.model_validate(described), "d.toml")
    assert message in str(caught.value)
    assert str(caught.value).startswith("d.toml: [targets.x]: ")


@pytest.mark.parametrize("name", scheme_names())
def test_a_built_in_scheme_is_described_by_its_name(name: str) -> None:
    target = Target("x", scheme(name), "automatic")
    keys = description_of(target)
    assert keys == {"provenance": "automatic", "scheme": name}
    assert target_of("x", TargetDescription.model_validate(keys)) == target


@pytest.mark.parametrize(
    "found",
    [
        CategoryScheme("own", ("b", "a"), {"x": "a"}, {0: "b", -1: "a"}, ordered=True, source="here"),
        UnitScheme("own", ("AU1",), "here"),
        DimensionScheme("own", ("v",), 0.0, 7.5, "here"),
        CategoryScheme(
            "expressions-7",
            scheme("expressions-7").labels,
            {**scheme("expressions-7").aliases, "Freude": "happiness"},
            {0: "neutral"},
            source=scheme("expressions-7").source,
        ),
    ],
)
def test_a_scheme_of_one_s_own_is_spelled_out(found) -> None:
    target = Target("x", found)
    assert target_of("x", TargetDescription.model_validate(description_of(target))) == target


@pytest.mark.parametrize("found", [CategoryScheme("expressions-7", ("a", "b")), UnitScheme("expressions-7", ("a",))])
def test_a_scheme_under_a_built_in_name_is_refused(found) -> None:
    with pytest.raises(InputError, match="has the name of a built-in scheme, but other content"):
        description_of(Target("x", found))


def test_a_mapping_to_no_label_is_refused() -> None:
    targets = {"expression": {**CONTENT["targets"]["expression"], "mapping": {"calm": "neutrl"}}}
    with pytest.raises(UnknownNameError, match=r"labels\.csv: unknown label of expressions-7 'neutrl'"):
        read(targets=targets)


def test_values_are_checked_against_the_range_of_the_file() -> None:
    targets = {"affect": {**CONTENT["targets"]["affect"], "unknown": []}}
    with pytest.raises(InputError, match=r"column 'valence' outside \[1, 5\]:\n  '-2.0' \(row 2\)"):
        read(targets=targets)


# ---------------------------------------------------------------- files


def test_files_that_are_no_description(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError, match="table description not found"):
        read_description(tmp_path / "no.toml")
    path = tmp_path / "d.toml"
    path.write_text("name = demo\n")
    with pytest.raises(InputError, match=r"not TOML: .* \(at line 1, column 8\)"):
        read_description(path)
    path.write_bytes(b'name = "\xe9"\n')
    with pytest.raises(InputError, match="not TOML"):
        read_description(path)


def test_a_file_with_a_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "d.toml"
    path.write_bytes(b'\xef\xbb\xbfname = "demo"\n')
    found = read_description(path)
    assert (found.name, found.folder) == ("demo", tmp_path)
