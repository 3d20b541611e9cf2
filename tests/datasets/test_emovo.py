"""EMOVO: names as annotation, and names that do not fit."""

from __future__ import annotations

import pytest

from affectcheck.datasets import load_dataset
from affectcheck.errors import InputError
from speech_trees import emovo, sound


def test_the_layout_of_the_archive(tmp_path):
    table = load_dataset("emovo", emovo(tmp_path / "EMOVO"))
    assert table.height == 14
    assert table.frame.row(0, named=True) == {
        "item": "f1/dis-f1-b1.wav",
        "media": "f1/dis-f1-b1.wav",
        "subject": "f1",
        "sex": "female",
        "expression": "disgust",
        "sentence": "b1",
    }
    assert table.frame.get_column("expression").to_list()[1:7] == [
        *("happiness", "neutral", "fear", "anger", "surprise", "sadness")
    ]
    assert table.frame.get_column("sex").to_list()[-1] == "male"
    assert table.notes == ("14 of the 588 items of the set are here",)
    assert load_dataset("emovo", tmp_path).root == tmp_path / "EMOVO"


def test_four_classes_and_junk_of_a_mac(tmp_path):
    sound(emovo(tmp_path), "f1/._dis-f1-b1.wav")
    table = load_dataset(f"emovo:{tmp_path}?scheme=expressions-4")
    assert sorted(set(table.frame.get_column("expression"))) == ["anger", "happiness", "neutral", "sadness"]
    assert "left out 6 items" in table.notes[-1]


def test_capital_letters(tmp_path):
    sound(tmp_path, "F1/DIS-F1-B1.WAV", "f2/GIO-f2-N5.wav", "M1/rab-m1-l4.wav")
    table = load_dataset("emovo", tmp_path)
    assert table.frame.select("item", "subject", "expression", "sentence").rows() == [
        ("F1/DIS-F1-B1.WAV", "f1", "disgust", "b1"),
        ("M1/rab-m1-l4.wav", "m1", "anger", "l4"),
        ("f2/GIO-f2-N5.wav", "f2", "happiness", "n5"),
    ]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("f1/joy-f1-b1.wav", "emotion joy is none of dis"),
        ("f1/dis-f9-b1.wav", "speaker f9"),
        ("f1/dis-f1-b9.wav", "sentence b9"),
        ("f1/dis-f2-b1.wav", "speaker f2 in the folder f1"),
        ("f1/dis_f1_b1.wav", "not EMOTION-SPEAKER-SENTENCE"),
    ],
)
def test_names_that_do_not_fit(tmp_path, name, told):
    with pytest.raises(InputError, match="1 file names that do not fit") as caught:
        load_dataset("emovo", sound(emovo(tmp_path), name))
    assert name in str(caught.value)
    assert told in str(caught.value)


def test_a_folder_of_something_else(tmp_path):
    (tmp_path / "wav").mkdir()
    with pytest.raises(InputError, match="no f1 or f2 or f3 of data set 'emovo': the folder holds wav"):
        load_dataset("emovo", tmp_path)
