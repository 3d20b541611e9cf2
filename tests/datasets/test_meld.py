"""MELD: lengths, broken recordings, sound beside videos; tiny trees and the real lists."""

from __future__ import annotations

import pytest

from affectcheck.datasets import load_dataset
from affectcheck.errors import InputError, UnknownNameError
from label_trees import put
from speech_trees import MELD_HEAD, meld, meld_row


def test_the_layout_of_the_archive(tmp_path):
    table = load_dataset("meld", meld(tmp_path))
    frame = table.frame
    assert frame.get_column("item").to_list()[:2] == ["train/dia0_utt0", "train/dia0_utt1"]
    assert frame.get_column("expression").to_list()[:7] == [
        *("anger", "disgust", "fear", "happiness", "neutral", "sadness", "surprise")
    ]
    assert frame.get_column("media").to_list()[:2] == ["train_splits/dia0_utt0.wav", "train_splits/dia0_utt1.mp4"]
    assert dict(frame.select("subject", "sex").unique().iter_rows()) == {
        "Rachel": "female",
        "Joey": "male",
        "The Interviewer": None,
    }
    assert "left out 2 rows whose recording is broken" in table.notes
    assert table.notes[-1].startswith("6 recordings are videos, whose sound is not decoded: ffmpeg")


def test_lengths_at_the_limits_stay(tmp_path):
    table = load_dataset("meld", meld(tmp_path), part="test")
    assert table.items.to_list() == ["test/dia0_utt0", "test/dia0_utt3", "test/dia0_utt4"]
    assert table.frame.get_column("length_s").to_list() == [0.76, 30.0, pytest.approx(1.539)]
    assert table.notes[:3] == (
        "5 of 15 items are in the partition test",
        "left out 1 row of less than 0.76 s",
        "left out 1 row of more than 30 s",
    )
    whole = load_dataset(f"meld:{tmp_path}?part=test&shortest=0&longest=0")
    assert whole.height == 5


def test_lists_and_folders_of_their_own(tmp_path):
    put(tmp_path, {"train/train_sent_emo.csv": MELD_HEAD + meld_row(0, 0), "train/train_splits/dia0_utt0.mp4": "x"})
    table = load_dataset("meld", tmp_path)
    assert table.frame.get_column("media").to_list() == ["train/train_splits/dia0_utt0.mp4"]
    with pytest.raises(UnknownNameError, match="unknown partition 'test'"):
        load_dataset("meld", tmp_path, part="test")


def test_recordings_in_capital_letters(tmp_path):
    root = meld(tmp_path)
    for name in ("output_repeated_splits_test/dia0_utt0.wav", "dev_splits_complete/dia1_utt0.mp4"):
        (root / name).rename((root / name).with_suffix((root / name).suffix.upper()))
    media = dict(load_dataset("meld", root).frame.select("item", "media").iter_rows())
    assert media["test/dia0_utt0"] == "output_repeated_splits_test/dia0_utt0.WAV"
    assert media["dev/dia1_utt0"] == "dev_splits_complete/dia1_utt0.MP4"
    assert media["train/dia0_utt0"] == "train_splits/dia0_utt0.wav"


def test_utterances_hold_what_was_left_of_windows_apostrophes(tmp_path):
    put(tmp_path, {"train_sent_emo.csv": MELD_HEAD + meld_row(0, 0).replace("Oh, no", "my company\x92s")})
    assert load_dataset("meld", tmp_path).items.to_list() == ["train/dia0_utt0"]


def test_rows_that_do_not_fit(tmp_path):
    put(tmp_path, {"test_sent_emo.csv": MELD_HEAD + meld_row(0, 0, start="12:04:05 AM") + meld_row("x", 0)})
    with pytest.raises(InputError, match="2 rows with times or numbers that do not fit") as caught:
        load_dataset("meld", tmp_path)
    assert "line 2: '0': StartTime is '12:04:05 AM'" in str(caught.value)
    assert "line 3: '0': Dialogue_ID is 'x'" in str(caught.value)
    put(tmp_path, {"test_sent_emo.csv": MELD_HEAD + meld_row(0, 0, start=f"{'9' * 30}:00:01,000")})
    with pytest.raises(InputError, match="1 rows with times or numbers that do not fit"):
        load_dataset("meld", tmp_path)
    put(tmp_path, {"test_sent_emo.csv": "Speaker,Emotion\nRoss,joy\n"})
    with pytest.raises(UnknownNameError, match="the list lacks Sentiment, Dialogue_ID"):
        load_dataset("meld", tmp_path)


@pytest.mark.shared
def test_the_real_lists(shared_data):
    folder = shared_data / "data" / "meld-labels"
    whole = load_dataset("meld", folder, shortest=0, longest=0)
    assert whole.height == 13_708 - 2
    test = load_dataset("meld", folder, part="test", shortest=0, longest=0)
    counts = dict(test.frame.get_column("expression").value_counts().iter_rows())
    assert counts == {
        **{"neutral": 1256, "happiness": 402, "anger": 345, "surprise": 281, "sadness": 208},
        **{"disgust": 68, "fear": 50},
    }
    kept = load_dataset("meld", folder, part="test")
    # Exactly 0.76 s is not shorter than 0.76 s; counted in binary fractions of seconds, one row fewer is left.
    assert kept.height == 2428
    assert kept.frame.get_column("length_s").min() == 0.76
    assert test.frame.get_column("length_s").max() == pytest.approx(304.94)
    assert whole.frame.get_column("subject").n_unique() == 304
