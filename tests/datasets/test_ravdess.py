"""RAVDESS in both layouts, on tiny trees and on the real files."""

from __future__ import annotations

import polars as pl
import pytest

from affectcheck.datasets import DATASETS, load_dataset
from affectcheck.datasets.corpus_files import CodeError
from affectcheck.datasets.ravdess import EMOTIONS, parse_name
from affectcheck.errors import InputError, MissingPathError
from affectcheck.media import load_items

METADATA = """file,speaker,sex,emotion,split
Actor_01/03-01-05-02-01-01-01.flac,1,male,angry,train
Actor_02/03-01-08-01-02-02-02.flac,2,female,surprised,test
"""


def test_original_layout(put, ravdess_files):
    table = load_dataset("ravdess", put(*ravdess_files))
    assert table.height == 30
    assert table.name == "ravdess"
    assert table.groups == ("sex",)
    assert table.target().scheme.name == "ravdess-8"
    row = table.frame.row(by_predicate=pl.col("item") == "Actor_02/03-01-06-02-01-01-02.wav", named=True)
    assert row == {
        "item": "Actor_02/03-01-06-02-01-01-02.wav",
        "media": "Actor_02/03-01-06-02-01-01-02.wav",
        "subject": "02",
        "partition": "train",
        "sex": "female",
        "expression": "fear",
        "intensity": "strong",
        "statement": "kids",
        "repetition": 1,
    }
    assert table.notes == ("30 of the 1440 items of the set are here",)
    assert len(list(load_items(table))) == 30


def test_the_partition_of_the_paper_without_a_table(put):
    names = [f"Actor_{actor:02}/03-01-05-02-01-01-{actor:02}.wav" for actor in (15, 16, 20, 21, 24)]
    table = load_dataset("ravdess", put(*names))
    assert table.frame.get_column("partition").to_list() == ["train", "dev", "dev", "test", "test"]
    test = load_dataset("ravdess", table.root, part="test")
    assert test.frame.get_column("sex").to_list() == ["male", "female"]


def test_packed_layout_with_its_table(put):
    files = ("Actor_01/03-01-05-02-01-01-01.flac", "Actor_02/03-01-08-01-02-02-02.flac")
    table = load_dataset("ravdess", put(*files, metadata=METADATA))
    assert table.frame.get_column("partition").to_list() == ["train", "test"]
    assert table.frame.get_column("expression").to_list() == ["anger", "surprise"]
    assert table.frame.get_column("statement").to_list() == ["kids", "dogs"]


def test_a_table_that_contradicts_the_names(put):
    wrong = METADATA.replace("1,male,angry", "7,female,happy")
    with pytest.raises(InputError, match="3 contradictions") as caught:
        load_dataset("ravdess", put("Actor_01/03-01-05-02-01-01-01.flac", metadata=wrong))
    message = str(caught.value)
    assert "emotion is 'happy' in metadata.csv, 'anger' by the file name" in message
    assert "sex is 'female' in metadata.csv, 'male' by the file name" in message
    assert "speaker is '7' in metadata.csv, '1' by the file name" in message


def test_a_table_that_lists_other_files(put):
    table = load_dataset("ravdess", put("Actor_03/03-01-01-01-01-01-03.flac", metadata=METADATA))
    assert table.frame.get_column("partition").to_list() == [None]
    assert any("2 files of metadata.csv are not here" in note for note in table.notes)
    assert any("1 files are not in metadata.csv" in note for note in table.notes)


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ("path,label\na,b\n", "no column file"),
        (METADATA + METADATA.splitlines()[1] + "\n", "1 files stand in it twice"),
    ],
)
def test_a_table_that_is_not_the_sets(put, metadata, message):
    with pytest.raises(InputError, match=message):
        load_dataset("ravdess", put("Actor_01/03-01-05-02-01-01-01.flac", metadata=metadata))


def test_song_and_other_modalities_are_left_out_and_counted(put):
    root = put(
        "Actor_01/03-01-05-02-01-01-01.wav",
        "Actor_01/03-02-05-02-01-01-01.wav",
        "Actor_01/03-02-03-01-01-01-01.wav",
        "Actor_01/01-01-05-02-01-01-01.wav",
    )
    table = load_dataset("ravdess", root)
    assert table.height == 1
    assert "left out 2 files of song" in table.notes
    assert "left out 1 files of other modalities (sound of a video)" in table.notes


def test_song_alone_is_nothing(put):
    with pytest.raises(InputError, match="no recordings of data set 'ravdess'"):
        load_dataset("ravdess", put("Actor_01/03-02-05-02-01-01-01.wav"))


def test_speech_and_song_unpacked_side_by_side(put):
    root = put(
        "Audio_Song_Actors_01-24/Actor_01/03-02-05-02-01-01-01.wav",
        "Audio_Speech_Actors_01-24/Actor_01/03-01-05-02-01-01-01.wav",
    )
    table = load_dataset("ravdess", root)
    assert table.items.to_list() == ["Actor_01/03-01-05-02-01-01-01.wav"]
    assert table.root == root / "Audio_Speech_Actors_01-24"
    assert len(list(load_items(table))) == 1


def test_a_copy_within_the_copy_is_read_once(put, ravdess_files):
    nested = tuple(f"audio_speech_actors_01-24/{file}" for file in ravdess_files)
    assert load_dataset("ravdess", put(*ravdess_files, *nested)).height == 30


def test_what_lies_beside_the_copy_is_told_and_several_copies_are_refused(put):
    root = put(
        "Actor_01/03-01-03-01-01-01-01.wav", "actor_02/03-01-03-01-01-01-02.WAV", "b/Actor_03/03-01-03-01-01-01-03.wav"
    )
    table = load_dataset("ravdess", root)
    assert table.items.to_list() == ["Actor_01/03-01-03-01-01-01-01.wav", "actor_02/03-01-03-01-01-01-02.WAV"]
    assert table.notes[0] == "1 files in b/ were not read"
    root = put("a/Actor_01/03-01-03-01-01-01-01.wav", "b/Actor_03/03-01-03-01-01-01-03.wav", under="two")
    with pytest.raises(InputError, match="several copies lie below the root: a, b"):
        load_dataset("ravdess", root)


def test_hidden_and_other_files_are_no_items(put):
    root = put("Actor_01/03-01-05-02-01-01-01.wav")
    (root / "Actor_01" / "._03-01-05-02-01-01-01.wav").write_bytes(b"x")
    (root / "Actor_01" / "notes.txt").write_text("x")
    assert load_dataset("ravdess", root).height == 1


def test_all_faulty_names_are_told_at_once(put):
    root = put(
        "Actor_01/03-01-05-02-01-01-01.wav",
        "Actor_01/03-01-09-02-01-01-01.wav",
        "Actor_01/03-01-05-02-01-01-02.wav",
        "Actor_01/03-01-05-02-01-01.wav",
        "Actor_01/03-01-01-02-01-01-01.wav",
        "Actor_01/03-01-05-02-01-01-01.flac",
    )
    with pytest.raises(InputError, match="5 file names that do not fit") as caught:
        load_dataset("ravdess", root)
    message = str(caught.value)
    assert "03-01-09-02-01-01-01.wav: emotion 09 is not in 01 to 08" in message
    assert "actor 02 in the folder Actor_01" in message
    assert "not seven numbers" in message
    assert "neutral has no strong intensity" in message
    assert "the same name as" in message


def test_a_long_list_of_faults_is_cut(put):
    root = put(*(f"Actor_01/x{number}.wav" for number in range(60)))
    with pytest.raises(InputError, match="60 file names that do not fit") as caught:
        load_dataset("ravdess", root)
    assert "and 10 more" in str(caught.value)


@pytest.mark.parametrize(
    ("stem", "message"),
    [
        ("04-01-05-02-01-01-01", "modality 04"),
        ("03-03-05-02-01-01-01", "vocal channel 03"),
        ("03-01-00-02-01-01-01", "emotion 00"),
        ("03-01-05-03-01-01-01", "intensity 03"),
        ("03-01-05-02-03-01-01", "statement 03"),
        ("03-01-05-02-01-03-01", "repetition 03"),
        ("03-01-05-02-01-01-25", "actor 25"),
        ("03-01-05-02-01-01-1", "not seven numbers"),
        ("03-01-05-02-01-01-01 (1)", "not seven numbers"),
    ],
)
def test_codes_out_of_range_are_named(stem, message):
    with pytest.raises(CodeError, match=message):
        parse_name(stem)


def test_a_root_without_the_set(put, tmp_path):
    root = put(*(f"wav/{name}.wav" for name in "abcdefg"))
    for name in "abcdefg":
        (root / f"{name}.txt").write_text("x")
    with pytest.raises(InputError, match="no recordings of data set 'ravdess'") as caught:
        load_dataset("ravdess", root)
    assert "which holds a.txt, b.txt, c.txt, d.txt, e.txt and 3 more" in str(caught.value)
    with pytest.raises(InputError, match="not a folder"):
        load_dataset("ravdess", root / "a.txt")
    with pytest.raises(MissingPathError):
        DATASETS.get("ravdess").read(tmp_path / "gone")


def test_mapped_to_seven_expressions_calm_is_left_out_and_counted(put, ravdess_files):
    table = load_dataset(f"ravdess:{put(*ravdess_files)}?scheme=expressions-7")
    assert table.height == 26
    assert table.target().scheme.name == "expressions-7"
    assert table.frame.get_column("expression").dtype == pl.Enum(table.target().scheme.labels)
    assert table.notes[-1] == (
        "labels of ravdess-8 mapped to expressions-7; left out 4 items without a counterpart: calm (4)"
    )


def test_calm_to_neutral_when_stated(put, ravdess_files):
    table = load_dataset(f"ravdess:{put(*ravdess_files)}?scheme=expressions-7&mapping=calm=neutral,joy=")
    counts = dict(table.frame.get_column("expression").cast(pl.String).value_counts().iter_rows())
    assert counts["neutral"] == 2 + 4
    assert "happiness" not in counts
    assert "mapped calm to neutral; left out 4 items without a counterpart: happiness (4)" in table.notes[-1]


def test_a_mapping_alone_keeps_the_scheme(put, ravdess_files):
    table = load_dataset("ravdess", put(*ravdess_files), mapping="calm=neutral")
    assert table.target().scheme.name == "ravdess-8"
    assert table.height == 30


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("scheme=au-12-disfa", "no scheme of categories"),
        ("scheme=expressions-77", "unknown scheme"),
        ("scheme=race-5", "no label of 'ravdess-8' has a counterpart"),
        ("scheme=expressions-7&mapping=calm=peace", "unknown label of expressions-7 'peace'"),
        ("scheme=expressions-7&mapping=peace=neutral", "unknown label of ravdess-8 'peace'"),
    ],
)
def test_mappings_that_are_none(put, ravdess_files, option, message):
    with pytest.raises(InputError, match=message):
        load_dataset(f"ravdess:{put(*ravdess_files)}?{option}")


@pytest.mark.shared
def test_the_real_set(shared_data):
    table = load_dataset("ravdess", shared_data / "data" / "ravdess-speech")
    frame = table.frame
    assert table.notes == ()
    assert (frame.height, frame.get_column("subject").n_unique()) == (1440, 24)
    assert set(frame.group_by("subject").len().get_column("len")) == {60}
    counts = dict(frame.get_column("expression").cast(pl.String).value_counts().iter_rows())
    assert counts == {label: 96 if label == "neutral" else 192 for label in EMOTIONS.values()}
    assert dict(frame.group_by("sex").agg(pl.col("subject").n_unique()).iter_rows()) == {"female": 12, "male": 12}
    split = dict(frame.group_by("partition").agg(pl.col("subject").unique().sort()).iter_rows())
    assert split["dev"] == ["16", "17", "19", "20"]
    assert split["test"] == ["21", "22", "23", "24"]
    assert len(split["train"]) == 16


@pytest.mark.shared
def test_the_known_duplicate_and_the_quietest_clips(shared_data):
    table = load_dataset("ravdess", shared_data / "data" / "ravdess-speech")
    twins = table.select([f"Actor_07/03-01-03-01-02-0{number}-07.flac" for number in (1, 2)])
    first, second = load_items(twins)
    assert first.digest == second.digest
    names = [note for note in DATASETS.get("ravdess").card.notes if "byte-identical" in note]
    assert "Actor_07/03-01-03-01-02-01-07" in names[0]
    assert all(item.audio.notes == () for item in load_items(table.select(table.items[:60])))
