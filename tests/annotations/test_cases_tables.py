"""Collected faults of tables and text files, with the values that are right: on the files as collected."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from affectcheck.annotations import make_table, match, read_csv, segment_key
from affectcheck.annotations.affwild2 import read_frames
from affectcheck.annotations.keys import seconds_column, segment_keys
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import CategoryScheme, Target, UnitScheme, scheme

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.shared
VA = Target("affect", scheme("valence-arousal"))


@pytest.fixture
def expected(cases: Path):
    return lambda case: json.loads((cases / f"{case}.json").read_text())["expected"]


def f1(pairs: list[tuple[int, int]]) -> Fraction:
    hit = sum(truth == prediction == 1 for truth, prediction in pairs)
    return Fraction(2 * hit, sum(truth + prediction for truth, prediction in pairs))


@pytest.mark.parametrize("file", ["A05_au_truth.csv", "A05_au_truth_999.csv"])
def test_unknown_units_are_masked_cell_by_cell(cases: Path, expected, file: str) -> None:
    """Case A05."""
    target = Target("au", UnitScheme("three", ("AU1", "AU4", "AU12")))
    truth, prediction = (
        make_table(read_csv(cases / name).rename({"id": "item"}), targets=[target])
        for name in (file, "A05_au_pred.csv")
    )
    right = expected("A05")
    for unit in target.columns:
        pairs = [
            pair
            for pair in zip(truth.frame[unit].to_list(), prediction.frame[unit].to_list(), strict=True)
            if pair[0] is not None
        ]
        assert len(pairs) == right["n_per_AU"][unit]
        assert f1(pairs) == Fraction(right["per_AU_F1"][unit]["exact"])


def test_class_numbers_need_a_code_table(cases: Path) -> None:
    """Case A07."""
    labels = ("neutral", "happiness", "sadness", "surprise", "fear", "disgust", "anger", "contempt")
    official = CategoryScheme("official", labels, codes=dict(enumerate(labels)))
    alphabetical = CategoryScheme("alphabetical", labels, codes=dict(enumerate(sorted(labels))))
    truth, prediction = (
        read_csv(cases / name).rename({"image": "item"})
        for name in ("A07_truth_official_codes.csv", "A07_pred_alphabetical_codes.csv")
    )
    read = [
        make_table(frame, targets=[Target("expression", found)]).frame["expression"].to_list()
        for frame, found in ((truth, official), (prediction, alphabetical))
    ]
    assert read[0] == read[1]
    assert len(set(read[0])) == 8
    for frame in (truth, prediction):
        with pytest.raises(
            InputError, match="12 cells of column 'expression' hold a number that no code table explains"
        ):
            make_table(frame, targets=[Target("expression", scheme("expressions-8-contempt"))])


def test_spellings_of_labels(cases: Path, expected) -> None:
    """Case A08."""
    right = expected("A08")
    target = Target("emotion", CategoryScheme("four", ("angry", "surprise", "sad", "happy"), {"joy": "happy"}))
    frame = read_csv(cases / "A08_labels.csv").rename({"file": "item"})
    with pytest.raises(UnknownNameError) as caught:
        make_table(frame, targets=[target])
    assert "'Angray' (row 4): did you mean 'angry'?" in caught.value.what
    assert "'Superise' (row 6): did you mean 'surprise'?" in caught.value.what
    known = frame.filter(~frame["emotion"].is_in(right["unknown"]))
    counts = make_table(known, targets=[target]).frame["emotion"].value_counts()
    assert dict(counts.iter_rows()) == right["counts"]


def test_a_spreadsheet_s_mark_line_ends_and_blank_line(cases: Path, expected) -> None:
    """Case A09."""
    right = expected("A09")
    path = cases / "A09_va_bom_crlf.txt"
    assert read_csv(path).columns == ["valence", "arousal"]
    assert read_csv(path).height == right["n_frames"]
    table = read_frames(path, VA)
    assert table.height == right["n_frames"]
    valence = table.frame["valence"]
    assert valence.is_null().to_list() == [False, False, True, False, False]
    assert len(valence.drop_nulls()) == right["n_valid"]
    assert sum(Fraction(str(value)) for value in valence.drop_nulls()) / 4 == Fraction(right["mean_valence"]["exact"])


def test_words_that_mean_missing_elsewhere(cases: Path, expected) -> None:
    """Case A10."""
    right = expected("A10")
    frame = read_csv(cases / "A10_na_strings.csv")
    assert dict(frame["accent"].value_counts().iter_rows()) == right["accent"]
    assert dict(frame["emotion"].value_counts().iter_rows()) == {"happy": 2, "None": 1, "null": 1, "sad": 1, "angry": 1}
    assert sorted(frame["speaker"].unique()) == sorted(right["speakers"])
    assert frame["speaker"].to_list().count("03") == 2
    assert sum(frame.null_count().row(0)) == right["missing_cells"] == frame["rating"].null_count()
    emotions = CategoryScheme("five", ("happy", "None", "null", "sad", "angry"))
    keyed = frame.with_row_index("item")
    table = make_table(keyed, targets=[Target("emotion", emotions)], groups=["accent", "speaker"])
    assert table.frame["accent"].null_count() == table.frame["emotion"].null_count() == 0


def test_windows_bytes(cases: Path, expected) -> None:
    """Case A11."""
    right = expected("A11")
    path = cases / "A11_cp1252.csv"
    with pytest.raises(InputError) as caught:
        read_csv(path)
    assert f"{path}: line 2, byte offset {right['first_bad_byte_offset']}: the byte 0x92" in str(caught.value)
    assert "looks like Windows-1252" in str(caught.value)
    frame = read_csv(path, encoding="cp1252")
    assert frame.height == right["rows"]
    assert frame["speaker"].n_unique() == right["distinct_speakers"]
    assert frame["speaker"].to_list().count("O’Neil") == 2
    with pytest.raises(InputError, match=r"U\+0092"):
        read_csv(path, encoding="latin-1")


def test_duplicate_missing_and_extra_predictions(cases: Path, expected) -> None:
    """Case A12."""
    right = expected("A12")
    truth = read_csv(cases / "A12_truth.csv")["id"]
    prediction = read_csv(cases / "A12_pred.csv").rename({"id": "item"})
    with pytest.raises(InputError) as caught:
        match(truth, prediction)
    told = caught.value.what
    for kind, words in (
        ("conflicting_duplicates", "with different predictions: {}"),
        ("identical_duplicates", "with the same prediction: {}"),
        ("missing", "have no prediction: {}"),
        ("extra", "belongs to no item: {}"),
        ("whitespace", "has surrounding blanks: {}"),
    ):
        assert words.format(", ".join(map(repr, right[kind]))) in told
    with pytest.raises(InputError, match="different predictions: 'u2'"):
        match(truth, prediction, rule="missing wrong", forgive=["identical duplicates", "surrounding blanks"])


def test_invalid_frames_and_frames_from_1(cases: Path, expected) -> None:
    """Case A13."""
    right = expected("A13")
    truth = read_frames(cases / "A13_clip07.txt", VA).frame
    prediction = read_csv(cases / "A13_pred_clip07.csv")
    keys = [item.removeprefix("A13_") for item in truth["item"]]
    assert keys == prediction["image_location"].to_list()
    valid = truth["valence"].is_not_null()
    assert (valid.sum(), (~valid).sum()) == (right["n_valid"], right["n_invalid"])
    for dimension in ("valence", "arousal"):
        # CCC is exactly 1 where prediction and truth are equal and not constant.
        assert truth[dimension].filter(valid).to_list() == [float(x) for x in prediction[dimension].filter(valid)]


def test_segments_written_with_different_digits(cases: Path, expected) -> None:
    """Case A29."""
    right = expected("A29")
    keys = []
    for name in ("A29_table.csv", "A29_pred.csv"):
        frame = read_csv(cases / name)
        times = [seconds_column(frame[column]) for column in ("start", "end")]
        assert times[0].to_list() == seconds_column(frame["start"].cast(float)).to_list()
        keys.append(segment_keys(frame["file"], *times))
    found = match(*keys)
    assert found.pairs.height == right["matched"]
    files = ["a.wav", "a.wav", "b.wav", "b.wav"]
    assert keys[0].to_list() == [segment_key(file, *us) for file, us in zip(files, right["keys_us"], strict=True)]
