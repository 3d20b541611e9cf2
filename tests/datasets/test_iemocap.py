"""IEMOCAP: who speaks, no agreement, ratings that are missing or off the scale, and lines that do not fit."""

from __future__ import annotations

import pytest

from affectcheck.datasets import load_dataset
from affectcheck.errors import InputError, UnknownNameError
from label_trees import put
from speech_trees import IEMOCAP_HEAD, iemocap, iemocap_turn


def test_the_letter_behind_the_last_underscore_speaks(tmp_path):
    table = load_dataset("iemocap", iemocap(tmp_path))
    rows = {row["item"]: row for row in table.frame.iter_rows(named=True)}
    woman, man = rows["Ses01F_impro01_F000"], rows["Ses01F_impro01_M001"]
    assert (woman["subject"], woman["sex"], man["subject"], man["sex"]) == ("01F", "female", "01M", "male")
    assert woman["media"] == "Session1/sentences/wav/Ses01F_impro01/Ses01F_impro01_F000.wav"
    assert (woman["from_s"], woman["to_s"], woman["kind"]) == (6.2901, 8.2357, "improvised")
    scripted = rows["Ses04M_script01_1b_F000"]
    assert (scripted["subject"], scripted["kind"], scripted["dialogue"]) == ("04F", "scripted", "Ses04M_script01_1b")


def test_classes_and_no_agreement(tmp_path):
    frame = load_dataset("iemocap", iemocap(tmp_path)).frame
    assert frame.get_column("expression").to_list()[:11] == [
        *("anger", "disgust", "excitement", "fear", "frustration", "happiness", "neutral", "other", "sadness"),
        *("surprise", None),
    ]
    assert frame.get_column("arousal")[10] == 0.5


def test_ratings_from_0_to_1(tmp_path):
    table = load_dataset("iemocap", iemocap(tmp_path))
    frame = table.frame
    assert frame.row(0, named=True)["valence"] == pytest.approx(0.375)
    assert frame.row(0, named=True)["arousal"] == pytest.approx(0.5)
    assert frame.row(0, named=True)["dominance"] == pytest.approx(0.75)
    assert frame.select("valence", "arousal", "dominance").rows()[11:] == [(0.0, 1.0, None), (0.5, None, 0.5)]
    assert "1 rating outside 1 to 5 count as unknown" in table.notes
    assert "1 rating of arousal, dominance, valence missing" in table.notes
    assert "1 turn without agreement (xxx), which gives no class" in table.notes
    assert "sessions 2, 3, 5 are not here" in table.notes
    assert table.target("affect").scheme.name == "affect-3"


def test_the_partition_of_the_paper(tmp_path):
    iemocap(tmp_path)
    test = load_dataset(f"iemocap:{tmp_path}?part=test")
    assert set(test.frame.get_column("session")) == {4}
    assert load_dataset("iemocap", tmp_path, part="train").height == 11
    with pytest.raises(UnknownNameError, match="unknown partition 'dev'"):
        load_dataset("iemocap", tmp_path, part="dev")


def test_excitement_as_happiness_in_four_classes(tmp_path):
    table = load_dataset(f"iemocap:{iemocap(tmp_path)}?scheme=expressions-4&mapping=excitement=happiness")
    classes = table.frame.get_column("expression").to_list()
    assert classes == ["anger", "happiness", "happiness", "neutral", "sadness", None, "anger", "neutral"]


def test_labels_without_a_counterpart_are_told_where_there_are_some(tmp_path):
    note = load_dataset(f"iemocap:{iemocap(tmp_path)}?scheme=expressions-4&part=test").notes[-1]
    assert note == "labels of iemocap-10 mapped to expressions-4"
    note = load_dataset(f"iemocap:{tmp_path}?scheme=expressions-7&part=train").notes[-1]
    assert note.endswith("left out 3 items without a counterpart: excitement (1), frustration (1), other (1)")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (iemocap_turn("Ses02F_impro01_F000", "ang"), "in the evaluations of Ses01F_impro09 of session 1"),
        (iemocap_turn("Ses01F_impro01_F000", "ang"), "in the evaluations of Ses01F_impro09 of session 1"),
        (iemocap_turn("Ses01F_impro09_X000", "ang"), "the turn is called"),
        (iemocap_turn("Ses01F_impro09_F000", "joy"), "the class joy is none of ang"),
        (iemocap_turn("Ses01F_impro09_F000", "ang", "1.0, 2.0"), "2 ratings [1.0, 2.0], not 3"),
        (iemocap_turn("Ses01F_impro09_F000", "ang", "1.0, 2.0, high"), "are no numbers"),
        ("[1.0 2.0] Ses01F_impro09_F000\n", "[1.0 2.0]"),
        (iemocap_turn("Ses01F_impro09_F000", "ang", times="6.2.9 - 8.2"), "[6.2.9 - 8.2]"),
        (" " + iemocap_turn("Ses01F_impro09_F000", "joy"), "the class joy is none of ang"),
    ],
)
def test_lines_that_do_not_fit(tmp_path, line, told):
    iemocap(tmp_path)
    put(tmp_path, {"Session1/dialog/EmoEvaluation/Ses01F_impro09.txt": IEMOCAP_HEAD + line})
    with pytest.raises(InputError, match="1 lines of turns that do not fit") as caught:
        load_dataset("iemocap", tmp_path)
    assert "Session1/dialog/EmoEvaluation/Ses01F_impro09.txt: line 3" in str(caught.value)
    assert told in str(caught.value)


def test_nan_is_no_rating_and_a_turn_stands_once(tmp_path):
    iemocap(tmp_path)
    name = "Session1/dialog/EmoEvaluation/Ses01F_impro09.txt"
    put(tmp_path, {name: iemocap_turn("Ses01F_impro09_F000", "ang", "1.0, nan, 3.0")})
    assert load_dataset("iemocap", tmp_path).frame.get_column("arousal").null_count() == 2
    put(tmp_path, {name: 2 * iemocap_turn("Ses01F_impro09_F000", "ang")})
    with pytest.raises(InputError, match="Ses01F_impro09_F000"):
        load_dataset("iemocap", tmp_path)


def test_lines_that_begin_with_blanks_and_files_without_turns(tmp_path):
    folder = "Session2/dialog/EmoEvaluation/"
    put(
        iemocap(tmp_path),
        {
            folder + "Ses02F_impro01.txt": IEMOCAP_HEAD + "  " + iemocap_turn("Ses02F_impro01_F000", "ang"),
            folder + "Ses02F_impro02.txt": IEMOCAP_HEAD,
        },
    )
    table = load_dataset("iemocap", tmp_path)
    assert "Ses02F_impro01_F000" in table.items.to_list()
    assert f"no turn stands in 1 file of evaluations, such as {folder}Ses02F_impro02.txt" in table.notes
    for session in (3, 5):
        put(tmp_path, {f"Session{session}/dialog/EmoEvaluation/Ses0{session}F_impro01.txt": IEMOCAP_HEAD})
    path = tmp_path / "Session5/dialog/EmoEvaluation/Ses05F_impro01.txt"
    path.unlink()
    path.parent.rmdir()
    assert "session 5 is not here" in load_dataset("iemocap", tmp_path).notes


def test_evaluations_that_cannot_be_read(tmp_path):
    (iemocap(tmp_path) / "Session4/dialog/EmoEvaluation/Ses04F_impro01.txt").mkdir()
    with pytest.raises(InputError, match=r"Ses04F_impro01\.txt: cannot read"):
        load_dataset("iemocap", tmp_path)


def test_folders_without_turns(tmp_path):
    put(tmp_path, {"Session1/dialog/EmoEvaluation/Ses01F_impro01.txt": IEMOCAP_HEAD})
    with pytest.raises(InputError, match="1 folders of evaluations without a single turn"):
        load_dataset("iemocap", tmp_path)
    with pytest.raises(InputError, match="no Session1/dialog/EmoEvaluation"):
        load_dataset("iemocap", tmp_path / "Session1" / "dialog")
