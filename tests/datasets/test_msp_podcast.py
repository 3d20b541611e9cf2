"""MSP-Podcast: the list spelled with sen, unknown speakers, no agreement, ratings from 1 to 7."""

from __future__ import annotations

import pytest

from affectcheck.datasets import load_dataset
from affectcheck.errors import InputError, UnknownNameError
from label_trees import put
from speech_trees import MSP_HEAD, msp_podcast


def test_the_layout_of_the_release(tmp_path):
    table = load_dataset("msp-podcast", msp_podcast(tmp_path))
    frame = table.frame
    assert frame.get_column("expression").to_list() == [
        *("anger", "contempt", "disgust", "fear", "happiness", "neutral", "other", "sadness", "surprise"),
        *(None, "neutral"),
    ]
    assert frame.get_column("partition").to_list()[:5] == ["train", "development", "development", "test-1", "test-2"]
    assert frame.get_column("valence").to_list()[:3] == pytest.approx([0, 1 / 6, 2 / 6])
    assert frame.row(0, named=True)["arousal"] == 0.5
    assert frame.row(0, named=True)["dominance"] == 1.0
    last = frame.row(-1, named=True)
    assert (last["subject"], last["sex"], last["arousal"], last["media"]) == (None, None, None, None)
    assert last["valence"] == pytest.approx(2.5 / 6)
    assert "1 turn without agreement (X), which gives no class" in table.notes
    assert table.has_subjects


def test_partitions_of_the_paper(tmp_path):
    msp_podcast(tmp_path)
    assert load_dataset("msp-podcast", tmp_path, part="test-1").height == 3
    kept = load_dataset(f"msp-podcast:{tmp_path}?part=test-2&scheme=expressions-4")
    assert kept.frame.get_column("expression").to_list() == ["happiness", None]
    with pytest.raises(UnknownNameError, match=r"unknown partition 'test1'"):
        load_dataset("msp-podcast", tmp_path, part="test1")


def test_the_list_spelled_right_and_another_folder_of_sound(tmp_path):
    msp_podcast(tmp_path)
    (tmp_path / "Labels/labels_concensus.csv").rename(tmp_path / "labels_consensus.csv")
    (tmp_path / "Audios").rename(tmp_path / "Audio")
    assert load_dataset("msp-podcast", tmp_path).frame.row(0, named=True)["media"].startswith("Audio/")


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("a.wav,Z,1,1,1,1,Male,Train", "EmoClass is 'Z'"),
        ("a.wav,A,1,1,1,1,Male,Test 9", "Split_Set is 'Test 9'"),
        ("a.wav,A,much,1,1,1,Male,Train", "EmoAct is 'much'"),
        ("a.wav,A,1,inf,1,1,Male,Train", "EmoVal is 'inf'"),
    ],
)
def test_rows_that_do_not_fit(tmp_path, row, told):
    put(tmp_path, {"Labels/labels_concensus.csv": f"{MSP_HEAD}{row}\n"})
    with pytest.raises(InputError, match="1 rows that do not fit") as caught:
        load_dataset("msp-podcast", tmp_path)
    assert f"line 2: 'a.wav': {told}" in str(caught.value)


def test_a_list_without_its_columns(tmp_path):
    put(tmp_path, {"Labels/labels_concensus.csv": "FileName,EmoClass\na.wav,A\n"})
    with pytest.raises(UnknownNameError, match="the list lacks EmoAct, EmoDom, EmoVal, SpkrID, Gender, Split_Set"):
        load_dataset("msp-podcast", tmp_path)
