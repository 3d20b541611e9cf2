"""DES and PESD: the form of names is the user's to state, or a table beside the files."""

from __future__ import annotations

import pytest

from affectcheck.datasets import load_dataset
from affectcheck.datasets.named_by_form import pattern_of
from affectcheck.errors import InputError, UnknownNameError
from label_trees import put
from speech_trees import acted, acted_of, sound


def test_the_form_by_default(tmp_path):
    table = load_dataset("des", acted(tmp_path, "anger", "Joy", "neutral", speakers=("HO", "JZB", "DHC", "KLA", "XY")))
    assert table.items[0] == "wav/DHC/DHC_Joy_s1.wav"
    assert dict(table.frame.select("subject", "sex").unique().iter_rows()) == {
        **{"HO": "female", "JZB": "female", "DHC": "male", "KLA": "male", "XY": None}
    }
    assert set(table.frame.get_column("expression")) == {"anger", "happiness", "neutral"}
    assert set(table.frame.get_column("text")) == {"s1"}


def test_a_stated_form_with_codes_and_widths(tmp_path):
    sound(tmp_path, "A/k1a03.wav", "A/k2r03.wav", "B/m1s1.wav")
    options = {
        "form": "{any}/{speaker:2}{expression:1}{text}",
        "codes": "a=anger,r=happiness,s=sadness",
        "female": "K1, k2",
        "male": "m1",
    }
    table = load_dataset("pesd", tmp_path, **options)
    assert table.frame.select("subject", "sex", "expression", "text").rows() == [
        ("k1", "female", "anger", "03"),
        ("k2", "female", "happiness", "03"),
        ("m1", "male", "sadness", "1"),
    ]
    assert table.notes == ("3 of the 240 items of the set are here",)


def test_a_table_beside_the_files(tmp_path):
    sound(tmp_path, "1.wav", "2.wav", "3.flac")
    metadata = "file,speaker,expression,sex,text\n1.wav,a,strach,f,1\n2.wav,b,bored,m,2\n4.wav,b,joy,m,2\n"
    put(tmp_path, {"metadata.csv": metadata})
    table = load_dataset("pesd", tmp_path, codes="strach=fear")
    assert table.frame.select("item", "sex", "expression").rows() == [
        ("1.wav", "female", "fear"),
        ("2.wav", "male", "boredom"),
    ]
    assert table.notes[:2] == ("1 files are not in metadata.csv", "1 files of metadata.csv are not here")
    put(tmp_path, {"metadata.csv": "file,speaker,expression\nx\\9.wav,a,fear\n"})
    with pytest.raises(InputError, match=r"no file of metadata\.csv is here, such as x\\9\.wav") as caught:
        load_dataset("pesd", tmp_path)
    assert "with slashes, such as 1.wav" in str(caught.value)
    put(tmp_path, {"metadata.csv": "file,speaker,expression\n"})
    with pytest.raises(InputError, match="the table has no rows"):
        load_dataset("pesd", tmp_path)
    put(tmp_path, {"metadata.csv": "file,emotion\n1.wav,a\n"})
    with pytest.raises(InputError, match="no column speaker, expression"):
        load_dataset("pesd", tmp_path)


def test_blanks_around_cells_and_a_set_of_unknown_size(tmp_path):
    sound(tmp_path, "1.wav", "2.wav")
    put(tmp_path, {"metadata.csv": "file,speaker,expression,sex\n1.wav, HO ,anger,\n2.wav,HO, sadness, \n"})
    table = load_dataset("des", tmp_path)
    assert table.frame.select("subject", "sex", "expression").rows() == [
        ("HO", "female", "anger"),
        ("HO", "female", "sadness"),
    ]
    assert table.notes == ()


def test_a_stated_speaker_who_is_not_here(tmp_path):
    with pytest.raises(UnknownNameError, match="unknown speaker 'KLB'") as caught:
        load_dataset("des", acted(tmp_path, "anger"), female="ho", male="KLB")
    assert "did you mean 'KLA'?" in str(caught.value)


def test_another_scheme(tmp_path):
    table = load_dataset("pesd", acted_of("pesd-6", tmp_path), scheme="expressions-4", mapping="boredom=neutral")
    assert table.height == 2 * 5


def test_what_does_not_fit_is_listed(tmp_path):
    acted(tmp_path, "anger")
    sound(tmp_path, "x.wav")
    with pytest.raises(InputError, match="1 files that do not fit the form") as caught:
        load_dataset("des", tmp_path)
    assert "x.wav" in str(caught.value)
    (tmp_path / "x.wav").unlink()
    acted(tmp_path, "wut9")
    with pytest.raises(InputError, match="2 expressions without a label") as caught:
        load_dataset("des", tmp_path)
    assert "wav/HO/HO_wut9_s1.wav: 'wut9'" in str(caught.value)
    with pytest.raises(InputError, match="both female and male: ho"):
        load_dataset("des", tmp_path, female="HO", male="ho", codes="wut9=anger")
    with pytest.raises(UnknownNameError, match="'rage'"):
        load_dataset("des", tmp_path, codes="wut9=rage")


def test_nothing_to_read(tmp_path):
    put(tmp_path, {"readme.txt": "x"})
    with pytest.raises(InputError, match=r"no recordings of data set 'des' in .*, which holds readme\.txt"):
        load_dataset("des", tmp_path)


@pytest.mark.parametrize(
    "form",
    [
        "{speaker}",
        "{speaker}_{expression}_{speaker}",
        "plain",
        "{speaker:0}_{expression}",
        "{speaker:99999999999}_{expression}",
    ],
)
def test_forms_that_are_none(form):
    with pytest.raises(InputError, match="not a form"):
        pattern_of(form)


def test_a_field_that_there_is_not():
    with pytest.raises(UnknownNameError, match="field of a form 'emotion'"):
        pattern_of("{speaker}_{emotion}")
