"""Published tables through table descriptions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affectcheck.annotations import describe, make_table, read_csv, read_table
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import CategoryScheme, Target, scheme

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.shared


def test_emobank_s_scale_of_five_becomes_shares(shared_data: Path) -> None:
    described = describe(
        {
            "item": "id",
            "partition": "split",
            "groups": ["category"],
            "targets": {
                "affect": {
                    "scheme": "affect-3",
                    "columns": {"arousal": "A", "dominance": "D", "valence": "V"},
                    "file_low": 1.0,
                    "file_high": 5.0,
                }
            },
        }
    )
    table = read_table(shared_data / "data" / "emobank-vad" / "emobank.csv", described)
    assert table.height == 10_062
    first = table.frame.row(0, named=True)
    assert (first["valence"], first["arousal"], first["dominance"]) == (0.5, 0.5, pytest.approx(0.55))
    assert table.frame["partition"].unique().sort().to_list() == ["dev", "test", "train"]


def test_fairface_s_groups_become_those_of_the_schemes(shared_data: Path) -> None:
    described = describe(
        {
            "item": "file",
            "partition": "part",
            "groups": {"age": "age-9", "gender": "sex-2", "race": "race-7-fairface"},
        }
    )
    table = read_table(shared_data / "data" / "fairface-subset" / "labels.csv", described)
    assert set(table.frame["age"].unique()) <= set(scheme("age-9").labels)
    assert table.frame["gender"].unique().sort().to_list() == ["female", "male"]
    assert table.frame["race"].n_unique() == 7
    assert table.frame["service_test"].unique().sort().to_list() == ["False", "True"]


def test_the_accent_archive_s_misspelt_sex_is_told_with_its_row(shared_data: Path) -> None:
    frame = read_csv(shared_data / "data" / "accent-archive-metadata" / "speakers_all.csv")
    assert frame.columns[-3:] == ["column_10", "column_11", "column_12"]
    keyed = frame.with_columns(item=frame["speakerid"])
    with pytest.raises(UnknownNameError, match=r"'famale' \(row \d+\): did you mean 'female'"):
        make_table(keyed, targets=[], groups={"sex": scheme("sex-2")})
    assert make_table(keyed, targets=[], groups=["sex"]).height == 2_171


def test_ties_in_crema_d_s_votes_are_no_labels(shared_data: Path) -> None:
    frame = read_csv(shared_data / "data" / "crema-d-ratings" / "summaryTable.csv").rename({"FileName": "item"})
    votes = CategoryScheme("votes", ("A", "D", "F", "H", "N", "S"))
    with pytest.raises(UnknownNameError, match=r"'N:S' \(rows"):
        make_table(frame, targets=[Target("VoiceVote", votes)])


def test_meld_s_utterances_have_no_key_of_their_own(shared_data: Path) -> None:
    frame = read_csv(shared_data / "data" / "meld-labels" / "dev_sent_emo.csv")
    with pytest.raises(InputError, match="occur more than once"):
        make_table(frame.rename({"Utterance_ID": "item"}), targets=[])
    emotions = CategoryScheme("meld", tuple(frame["Emotion"].unique().sort()))
    table = make_table(frame.rename({"Sr No.": "item"}), targets=[Target("Emotion", emotions)], groups=["Speaker"])
    assert table.height == 1_109
