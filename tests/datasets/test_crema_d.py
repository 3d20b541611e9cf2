"""CREMA-D: intended and perceived labels, actors, ties and what copies lack; tiny trees and the real tables."""

from __future__ import annotations

import json

import pytest

from affectcheck.annotations import read_csv
from affectcheck.datasets import load_dataset
from affectcheck.datasets.crema_tables import VOTED
from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from label_trees import CLIPS, crema_d, put, touch


def test_what_actors_were_asked_for(tmp_path):
    table = load_dataset("crema-d", crema_d(tmp_path))
    assert table.items.to_list() == list(CLIPS)
    assert table.target().scheme.name == "cremad-6"
    assert table.frame.get_column("expression").to_list() == ["neutral", "happiness", "anger", "sadness"]
    assert table.frame.get_column("level").to_list() == ["unspecified", "low", "high", "unspecified"]
    assert table.frame.get_column("sentence").to_list() == ["IEO", "IEO", "IEO", "MTI"]
    assert table.frame.get_column("subject").to_list() == ["1001", "1001", "1002", "1076"]
    assert table.frame.select("sex", "age", "age_years", "race", "ethnicity").unique(maintain_order=True).rows() == [
        ("male", "50-59", 51, "white", "not hispanic"),
        ("female", "20-29", 21, "black", "hispanic"),
        ("female", "70+", 74, "unknown", "not hispanic"),
    ]
    assert table.frame.get_column("media").to_list() == ["AudioWAV/1001_IEO_NEU_XX.wav", None, None, None]
    assert table.notes == (
        "4 of the 7442 items of the set are here",
        "1076_MTI_SAD_XX has no sound",
        "labels are what actors were asked for",
        "3 of 4 recordings are not here, such as AudioWAV/1001_IEO_HAP_LO.wav: labels without media",
    )


def test_recordings_in_capital_letters(tmp_path):
    root = crema_d(tmp_path)
    (root / "AudioWAV/1001_IEO_NEU_XX.wav").rename(root / "AudioWAV/1001_IEO_NEU_XX.WAV")
    touch(root, "AudioWAV/1001_IEO_HAP_LO.Wav", "AudioWAV/1001_IEO_HAP_LO.WAV")
    table = load_dataset("crema-d", root)
    assert table.frame.get_column("media").to_list() == ["AudioWAV/1001_IEO_NEU_XX.WAV", None, None, None]
    told = "1 recordings differ from the list in capital letters, such as AudioWAV/1001_IEO_NEU_XX.wav"
    assert told in table.notes
    (root / "SentenceFilenames.csv").unlink()
    (root / "AudioWAV/1001_IEO_HAP_LO.Wav").unlink()
    media = ["AudioWAV/1001_IEO_HAP_LO.WAV", "AudioWAV/1001_IEO_NEU_XX.WAV"]
    assert load_dataset("crema-d", root).frame.get_column("media").to_list() == media


def test_a_folder_of_other_files(tmp_path):
    root = crema_d(tmp_path)
    (root / "SentenceFilenames.csv").unlink()
    (root / "AudioWAV/1001_IEO_NEU_XX.wav").rename(root / "AudioWAV/1001_IEO_NEU_XX.mp3")
    with pytest.raises(InputError, match=r"no recordings: the folder holds 1001_IEO_NEU_XX\.mp3"):
        load_dataset("crema-d", root)


@pytest.mark.parametrize("counts", [True, False])
def test_what_people_perceived(tmp_path, counts):
    root = crema_d(tmp_path, counts=counts)
    voice = load_dataset(f"crema-d:{root}?labels=voice")
    assert voice.items.to_list() == [CLIPS[0], CLIPS[2], CLIPS[3]]
    assert voice.frame.get_column("expression").to_list() == ["neutral", "anger", "sadness"]
    assert voice.frame.get_column("intended").to_list() == ["neutral", "anger", "sadness"]
    assert "left out 1 row with a tie of votes, such as N:S" in voice.notes
    assert "labels are what most people perceived, from the voice alone" in voice.notes
    assert ("agreement" in voice.frame.columns) == counts
    face = load_dataset(f"crema-d:{root}?labels=face")
    assert face.frame.get_column("expression").to_list() == ["neutral", "happiness", "anger", "sadness"]


def test_a_level_that_nobody_gave_is_unknown(tmp_path):
    crema_d(tmp_path, counts=False)
    levels = load_dataset("crema-d", tmp_path, labels="av").frame.get_column("perceived_level").to_list()
    assert levels == [64.78, 57.38, 82.0, None]
    crema_d(tmp_path)
    levels = load_dataset("crema-d", tmp_path, labels="av").frame.get_column("perceived_level").to_list()
    assert levels == [50.0] * 4
    text = (tmp_path / "processedResults/tabulatedVotes.csv").read_text()
    put(tmp_path, {"processedResults/tabulatedVotes.csv": text.replace(",50", ",-1")})
    assert load_dataset("crema-d", tmp_path, labels="av").frame.get_column("perceived_level").null_count() == 4


def test_votes_and_agreement_by_counts(tmp_path):
    table = load_dataset(f"crema-d:{crema_d(tmp_path)}?labels=voice")
    assert table.frame.select("votes", "agreement").rows() == [(10, 0.9), (10, 1.0), (10, 0.9)]


def test_clips_without_votes_are_counted(tmp_path):
    crema_d(tmp_path)
    text = (tmp_path / "processedResults/tabulatedVotes.csv").read_text()
    put(tmp_path, {"processedResults/tabulatedVotes.csv": text.replace(CLIPS[2], "1099_IEO_ANG_HI")})
    table = load_dataset("crema-d", tmp_path, labels="face")
    assert CLIPS[2] not in table.items
    assert "left out 1 row without votes" in table.notes


def test_clips_by_the_folder_of_sound_where_their_list_is_not_here(tmp_path):
    crema_d(tmp_path)
    (tmp_path / "SentenceFilenames.csv").unlink()
    touch(tmp_path, "AudioWAV/._1001_IEO_NEU_XX.wav")
    assert load_dataset("crema-d", tmp_path).items.to_list() == [CLIPS[0]]
    for path in (tmp_path / "AudioWAV").iterdir():
        path.unlink()
    (tmp_path / "AudioWAV").rmdir()
    with pytest.raises(MissingPathError, match="SentenceFilenames"):
        load_dataset("crema-d", tmp_path)


def test_options_and_tables_that_there_are_not(tmp_path):
    crema_d(tmp_path, counts=False)
    with pytest.raises(UnknownNameError, match="kind of labels 'audio'"):
        load_dataset("crema-d", tmp_path, labels="audio")
    (tmp_path / "processedResults/summaryTable.csv").unlink()
    with pytest.raises(MissingPathError, match="summaryTable"):
        load_dataset("crema-d", tmp_path, labels="voice")
    put(tmp_path, {"VideoDemographics.csv": "id,Age\n1,2\n"})
    with pytest.raises(UnknownNameError, match="lacks ActorID, Sex, Race, Ethnicity"):
        load_dataset("crema-d", tmp_path)
    (tmp_path / "VideoDemographics.csv").unlink()
    with pytest.raises(InputError, match=r"no VideoDemographics\.csv"):
        load_dataset("crema-d", tmp_path)


@pytest.mark.parametrize("name", ["1001_IEO_JOY_XX", "1001_IEO_ANG_UP", "1001-IEO-ANG-HI", "1001_IEO_ANG"])
def test_names_of_clips_that_do_not_fit(tmp_path, name):
    crema_d(tmp_path)
    put(tmp_path, {"SentenceFilenames.csv": f'"Stimulus_Number","Filename"\n1,"{name}"\n'})
    with pytest.raises(InputError, match="1 names of clips that are not of the set's form") as caught:
        load_dataset("crema-d", tmp_path)
    assert name in str(caught.value)


def test_actors_that_are_not_known_or_have_no_age(tmp_path):
    crema_d(tmp_path)
    put(tmp_path, {"SentenceFilenames.csv": '"Stimulus_Number","Filename"\n1,"1099_IEO_ANG_HI"\n'})
    with pytest.raises(InputError, match=r"1 actors of clips whom VideoDemographics\.csv does not have") as caught:
        load_dataset("crema-d", tmp_path)
    assert "1099" in str(caught.value)
    put(tmp_path, {"VideoDemographics.csv": "ActorID,Age,Sex,Race,Ethnicity\n1001,adult,Male,Asian,Hispanic\n"})
    with pytest.raises(InputError, match="1 actors without an age in whole years"):
        load_dataset("crema-d", tmp_path)


def test_votes_that_are_no_codes(tmp_path):
    crema_d(tmp_path, counts=False)
    text = (tmp_path / "processedResults/summaryTable.csv").read_text()
    put(tmp_path, {"processedResults/summaryTable.csv": text.replace('"N:S"', '"N;S"')})
    with pytest.raises(InputError, match="1 votes that are no codes") as caught:
        load_dataset("crema-d", tmp_path, labels="voice")
    assert f"{CLIPS[1]}: 'N;S'" in str(caught.value)


@pytest.mark.shared
def test_the_real_tables(shared_data):
    folder = shared_data / "data" / "crema-d-ratings"
    table = load_dataset("crema-d", folder)
    assert table.height == 7442
    assert table.frame.get_column("subject").n_unique() == 91
    assert dict(table.frame.get_column("expression").value_counts().iter_rows())["neutral"] == 1087
    assert "1076_MTI_SAD_XX has no sound" in table.notes
    stated = json.loads((folder / "speaker_splits.json").read_text())
    split = dict(table.frame.select("subject", "partition").unique().iter_rows())
    assert split == {str(actor): part for part, actors in stated.items() for actor in actors}
    test = load_dataset("crema-d", folder, part="test")
    assert test.frame.get_column("subject").n_unique() == 17
    voice = load_dataset("crema-d", folder, labels="voice")
    summary = read_csv(folder / "summaryTable.csv")
    ties = summary.get_column("VoiceVote").str.contains(":").sum()
    assert voice.height == 7442 - ties
    stated = dict(zip(summary.get_column("FileName"), summary.get_column("VoiceVote"), strict=True))
    heard = zip(voice.items, voice.frame.get_column("expression"), strict=True)
    assert all(VOTED[stated[item]] == label for item, label in heard)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('\n"100001",', '\n"1",', "line 2: '1001_IEO_NEU_XX': row number is '1'"),
        ('\n"100001",', "\n,", "line 2: '1001_IEO_NEU_XX': row number is empty"),
        (CLIPS[1], CLIPS[0], f"line 3: '{CLIPS[0]}'"),
        (f'9,0,"{CLIPS[0]}"', f'x,-1,"{CLIPS[0]}"', f"line 2: '{CLIPS[0]}': N is 'x', S is '-1'"),
    ],
)
def test_counts_that_do_not_fit(tmp_path, old, new, told):
    crema_d(tmp_path)
    file = "processedResults/tabulatedVotes.csv"
    text = (tmp_path / file).read_text()
    assert old in text
    put(tmp_path, {file: text.replace(old, new)})
    with pytest.raises(InputError, match=r"tabulatedVotes\.csv: ") as caught:
        load_dataset("crema-d", tmp_path, labels="voice")
    assert told in str(caught.value)
