"""EmoDB in both layouts, on tiny trees and on the real files."""

from __future__ import annotations

import polars as pl
import pytest

from affectcheck.datasets import load_dataset
from affectcheck.datasets.corpus_files import CodeError
from affectcheck.datasets.emodb import SPEAKERS, Speaker, parse_name
from affectcheck.errors import InputError
from affectcheck.media import load_items

METADATA = """file,speaker,sex,age,emotion,recognition_pct,naturalness_pct,speech_truncated,split
flac/03a01Fa.flac,03,male,31,happiness,90.0,75.0,0,train
flac/16b10Wb.flac,16,female,31,anger,100,,1,test
"""


def test_original_layout(put, emodb_files):
    table = load_dataset("emodb", put(*emodb_files))
    assert table.height == 14
    assert table.groups == ("sex", "age")
    assert sorted(table.frame.filter(subject="03").get_column("expression").cast(pl.String)) == list(
        table.target().scheme.labels
    )
    row = table.frame.row(by_predicate=pl.col("item") == "wav/09a01Aa.wav", named=True)
    assert row == {
        "item": "wav/09a01Aa.wav",
        "media": "wav/09a01Aa.wav",
        "subject": "09",
        "partition": "train",
        "sex": "female",
        "age": "20-29",
        "expression": "fear",
        "age_years": 21,
        "sentence": "a01",
        "version": "a",
    }
    assert table.notes == ("14 of the 535 items of the set are here",)
    assert len(list(load_items(table))) == 14


def test_the_partition_of_the_paper_without_a_table(put, emodb_files):
    root = put(*emodb_files, "wav/12a01Fa.wav", "wav/16a01Na.wav")
    test = load_dataset(f"emodb:{root}?part=test&scheme=expressions-4")
    assert test.frame.get_column("subject").to_list() == ["12", "16"]
    assert "2 of 16 items are in the partition test" in test.notes


def test_packed_layout_with_its_table(put):
    table = load_dataset("emodb", put("flac/03a01Fa.flac", "flac/16b10Wb.flac", metadata=METADATA))
    assert table.frame.get_column("partition").to_list() == ["train", "test"]
    assert table.frame.get_column("recognition_share").to_list() == [0.9, 1.0]
    assert table.frame.get_column("naturalness_share").to_list() == [0.75, None]
    assert table.frame.get_column("is_cut").to_list() == [False, True]
    assert "in 1 of 2 clips speech is cut off at 2 s, by metadata.csv" in table.notes


def test_files_in_the_root_itself(put):
    assert load_dataset("emodb", put("03a01Fa.wav")).items.to_list() == ["03a01Fa.wav"]


def test_two_containers_are_one_set(put):
    table = load_dataset("emodb", put("wav/03a01Fa.wav", "flac/03a01Fa.flac", "flac/03a01Wa.flac"))
    assert table.items.to_list() == ["wav/03a01Fa.wav"]
    assert "2 files in flac/ were not read beside wav/" in table.notes


def test_a_table_that_mislabels(put):
    wrong = METADATA.replace("happiness", "fear").replace("male,31,", "male,32,", 1)
    with pytest.raises(InputError, match="2 contradictions") as caught:
        load_dataset("emodb", put("flac/03a01Fa.flac", metadata=wrong))
    assert "emotion is 'fear' in metadata.csv, 'happiness' by the file name" in str(caught.value)


@pytest.mark.parametrize("cell", ["ninety", "101", "-1", "nan"])
def test_shares_that_are_none(put, cell):
    with pytest.raises(InputError, match=r"recognition_pct of flac/03a01Fa\.flac is"):
        load_dataset("emodb", put("flac/03a01Fa.flac", metadata=METADATA.replace("90.0", cell)))


@pytest.mark.parametrize(
    ("stem", "message"),
    [
        ("04a01Fa", "speaker 04 is none of 03, 08"),
        ("03a03Fa", "sentence a03"),
        ("03a01Xa", "emotion X"),
        ("03a01fa", "capital"),
        ("03a01F", "capital"),
        ("03a01Faxx", "capital"),
    ],
)
def test_codes_that_are_none(stem, message):
    with pytest.raises(CodeError, match=message):
        parse_name(stem)


def test_all_faulty_names_are_told_at_once(put):
    with pytest.raises(InputError, match="2 file names that do not fit") as caught:
        load_dataset("emodb", put("wav/03a01Fa.wav", "wav/99a01Fa.wav", "wav/test.wav"))
    assert "wav/99a01Fa.wav: speaker 99" in str(caught.value)
    assert "wav/test.wav: not two digits" in str(caught.value)


def test_a_root_without_the_set(put):
    root = put("Actor_01/03-01-05-02-01-01-01.wav")
    with pytest.raises(InputError, match="no recordings of data set 'emodb'") as caught:
        load_dataset("emodb", root)
    assert "which holds Actor_01" in str(caught.value)
    empty = root / "Actor_02"
    empty.mkdir()
    with pytest.raises(InputError, match="which holds nothing"):
        load_dataset("emodb", empty)


def test_boredom_has_no_counterpart(put, emodb_files):
    table = load_dataset("emodb", put(*emodb_files), scheme="expressions-7")
    assert table.height == 12
    assert "boredom (2)" in table.notes[-1]


def test_speakers_are_five_and_five():
    assert sorted(number for number, speaker in SPEAKERS.items() if speaker.sex == "male") == [
        "03",
        "10",
        "11",
        "12",
        "15",
    ]
    assert Speaker("female", 30).decade == "30-39"


@pytest.mark.shared
def test_the_real_set(shared_data):
    table = load_dataset("emodb", shared_data / "data" / "emodb")
    frame = table.frame
    assert table.notes == ("in 379 of 535 clips speech is cut off at 2 s, by metadata.csv",)
    assert (frame.height, frame.get_column("subject").n_unique()) == (535, 10)
    assert dict(frame.get_column("expression").cast(pl.String).value_counts().iter_rows()) == {
        "anger": 127,
        "boredom": 81,
        "disgust": 46,
        "fear": 69,
        "happiness": 71,
        "neutral": 79,
        "sadness": 62,
    }
    assert dict(frame.get_column("subject").value_counts().iter_rows()) == {
        "03": 49,
        "08": 58,
        "09": 43,
        "10": 38,
        "11": 55,
        "12": 35,
        "13": 61,
        "14": 69,
        "15": 56,
        "16": 71,
    }
    assert frame.get_column("recognition_share").min() >= 0.8
    assert frame.get_column("naturalness_share").min() == pytest.approx(0.45)
    assert frame.get_column("is_cut").sum() == 379
    test = frame.filter(partition="test").get_column("subject").unique().sort().to_list()
    assert test == ["12", "14", "15", "16"]
    clips = list(load_items(table.select(table.items[:40])))
    assert all(item.audio.rate_hz == 16_000 and item.audio.duration_s <= 2.0 for item in clips)
