"""Speech accent archive: mistakes of its table, speakers drawn, recordings cut; a tiny tree and the real table."""

from __future__ import annotations

import pytest

from affectcheck.cache import cache_folder
from affectcheck.datasets import Making, load_dataset
from affectcheck.datasets import speech_segments as cutting
from affectcheck.datasets.speech_accent_archive import CLIPS, LANGUAGES
from affectcheck.errors import InputError, MediaError, UnknownNameError
from affectcheck.media import Clip, load_item
from affectcheck.media.voice_activity import VoiceActivity, speech_segments
from label_trees import put
from speech_trees import ACCENT_HEAD, accent_archive


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("AFFECTCHECK_CACHE", str(tmp_path_factory.mktemp("cache")))


def test_segments_of_the_tiny_tree(tmp_path):
    table = load_dataset("speech-accent-archive", accent_archive(tmp_path))
    assert table.height == 2 * 4 * 3
    row = table.frame.row(0, named=True)
    assert row["item"] == f"english1#{row['start_us']}-{row['end_us']}"
    assert row["media"] == "recordings/recordings/english1.mp3"
    assert (row["subject"], row["native_language"], row["sex"], row["age"]) == ("1", "english", "male", "20-29")
    assert load_item(row, table.root).audio.duration_s == pytest.approx(
        (row["end_us"] - row["start_us"]) / 1e6, abs=0.01
    )
    assert dict(table.targets) == {}
    assert table.groups == ("native_language", "sex", "age")
    assert table.notes[:3] == (
        "left out 1 row of speakers whose recording is missing",
        "left out 1 row of synthesised voices",
        "left out 1 row of a recording listed before",
    )
    assert "fewer than 60 clips: english (12), urdu (12)" in table.notes
    assert any(note.startswith("no speaker of amharic, arabic") for note in table.notes)
    assert "fewer than 5 speakers of a sex: english (2 female, 2 male), urdu (2 female, 2 male)" in table.notes


def test_famale_is_female(tmp_path):
    table = load_dataset("speech-accent-archive", accent_archive(tmp_path), segments=False)
    assert table.frame.get_column("sex").to_list()[:4] == ["male", "female", "male", "female"]
    assert "start_us" not in table.frame.columns


def test_speakers_are_drawn_the_same_again(tmp_path):
    accent_archive(tmp_path, speakers=3)
    one = load_dataset(f"speech-accent-archive:{tmp_path}?speakers=1&segments=no")
    assert dict(one.frame.group_by("native_language", "sex").len().select("sex", "len").iter_rows()) == {
        "female": 1,
        "male": 1,
    }
    assert load_dataset("speech-accent-archive", tmp_path, speakers=1, segments=False).digest == one.digest
    seeds = {
        load_dataset("speech-accent-archive", tmp_path, speakers=1, segments=False, seed=s).digest for s in range(9)
    }
    assert len(seeds) > 1


def test_languages_by_name(tmp_path):
    accent_archive(tmp_path)
    assert load_dataset("speech-accent-archive", tmp_path, languages="urdu").height == 12
    every = load_dataset("speech-accent-archive", tmp_path, languages="all", speakers=0, segments=False)
    assert every.height == 8
    with pytest.raises(UnknownNameError, match="unknown native language 'klingon'"):
        load_dataset("speech-accent-archive", tmp_path, languages="urdu,klingon")


def test_what_was_cut_is_kept(tmp_path, monkeypatch):
    accent_archive(tmp_path)
    seen: list[tuple[int, int]] = []
    making = Making(progress=lambda done, every: seen.append((done, every)))
    first = load_dataset("speech-accent-archive", tmp_path, making=making)
    assert seen[-1] == (8, 8)
    kept = list(cache_folder().rglob("*.json"))
    assert len(kept) == 8
    kept[0].write_text("[[1")

    def refused(path):
        raise MediaError(f"decoded again: {path}")

    with monkeypatch.context() as patch:
        patch.setattr(cutting, "decode_audio", refused)
        with pytest.raises(InputError, match="1 recordings that cannot be cut"):
            load_dataset("speech-accent-archive", tmp_path)
    assert load_dataset("speech-accent-archive", tmp_path).digest == first.digest


def test_a_cache_that_cannot_be_written_costs_time_only(tmp_path, monkeypatch):
    accent_archive(tmp_path)
    monkeypatch.setenv("AFFECTCHECK_CACHE", str(tmp_path / "speakers_all.csv"))
    path = tmp_path / "recordings/recordings/english1.mp3"
    assert len(cutting.segments_of(path, VoiceActivity()).segments) == 3
    with pytest.raises(MediaError, match="not found"):
        cutting.segments_of(tmp_path / "gone.mp3", VoiceActivity())


def test_recordings_that_are_not_here(tmp_path):
    accent_archive(tmp_path)
    (tmp_path / "recordings/recordings/english1.mp3").unlink()
    table = load_dataset("speech-accent-archive", tmp_path)
    assert table.height == 21
    assert any(note.startswith("1 of 8 recordings are not here") for note in table.notes)
    (tmp_path / "recordings/recordings/english2.mp3").write_text("no sound")
    with pytest.raises(InputError, match="1 recordings that cannot be cut") as caught:
        load_dataset("speech-accent-archive", tmp_path)
    assert "english2.mp3: cannot decode: no sound was found in it (text, not sound)" in str(caught.value)


def test_recordings_that_broke_off_are_told(tmp_path):
    accent_archive(tmp_path)
    path = tmp_path / "recordings/recordings/english1.mp3"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    for _ in ("found", "from the cache"):
        notes = load_dataset("speech-accent-archive", tmp_path).notes
        told = next(note for note in notes if note.startswith("header length"))
        assert told.startswith("header length in 1 recording, such as recordings/recordings/english1.mp3: header 5.")
        assert told.endswith("(truncated download?)")


def test_a_recording_without_speech(tmp_path):
    import numpy as np
    import soundfile

    accent_archive(tmp_path)
    noise = 0.01 * np.random.Generator(np.random.PCG64(0)).standard_normal(32_000)
    soundfile.write(tmp_path / "recordings/recordings/urdu1.mp3", noise, 16_000, format="MP3")
    with pytest.raises(InputError, match=r"urdu1\.mp3: no speech found"):
        load_dataset("speech-accent-archive", tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (",male,1,usa", ",mael,1,usa", "sex is 'mael'"),
        ("\n20,12", "\nold,12", "age is 'old'"),
        ("\n20,12", "\n-1,12", "age is '-1'"),
        (",male,1,usa", ",male,,usa", "speakerid is empty"),
        (",english,male", ",,male", "native_language is empty"),
        (",12,", ",twelve,", "age_onset is 'twelve'"),
    ],
)
def test_rows_that_do_not_fit(tmp_path, old, new, told):
    path = accent_archive(tmp_path) / "speakers_all.csv"
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(InputError, match="1 rows that do not fit") as caught:
        load_dataset("speech-accent-archive", tmp_path)
    assert f"line 2: 'english1': {told}" in str(caught.value)


def test_another_table_and_no_speaker(tmp_path):
    put(tmp_path, {"speakers_all.csv": "age,sex\n1,male\n"})
    with pytest.raises(UnknownNameError, match="the table lacks filename, speakerid, native_language"):
        load_dataset("speech-accent-archive", tmp_path)
    put(tmp_path, {"speakers_all.csv": f'{ACCENT_HEAD}24,12,"a, b",x1,klingon,male,1,usa,FALSE,,,\n'})
    with pytest.raises(InputError, match="no speaker is left"):
        load_dataset("speech-accent-archive", tmp_path)


def test_ten_speakers_of_the_paragraph_give_sixty_clips():
    pytest.importorskip("espeakng_loader")
    import numpy as np

    from affectcheck.datasets.espeak import Engine, Utterance

    text = (
        "Please call Stella. Ask her to bring these things with her from the store: Six spoons of fresh snow peas, "
        "five thick slabs of blue cheese, and maybe a snack for her brother Bob. We also need a small plastic snake and "
        "a big toy frog for the kids. She can scoop these things into three red bags, and we will go meet her Wednesday "
        "at the train station."
    )
    clips = 0
    with Engine() as engine:
        for voice in ("en+f1", "en+m1"):
            for rate in (120, 145, 170, 190, 205):  # 16 to 27 s: slow learners to fast natives
                spoken = engine.speak(Utterance(text, voice, rate_wpm=rate))
                clips += len(speech_segments(Clip(np.asarray(spoken.samples, np.float32), spoken.rate_hz)))
    assert clips >= CLIPS


@pytest.mark.shared
def test_the_real_table_has_the_speakers_that_the_paper_takes(shared_data):
    table = load_dataset("speech-accent-archive", shared_data / "data" / "accent-archive-metadata")
    assert table.height == 310
    counts = table.frame.group_by("native_language", "sex").len()
    assert set(counts.get_column("len")) == {5}
    assert set(counts.get_column("native_language")) == set(LANGUAGES)
    assert len(LANGUAGES) == 31
    every = load_dataset("speech-accent-archive", table.root, languages="all", speakers=0)
    assert every.height == 2171 - 32 - 4
    assert set(every.frame.get_column("sex")) == {"female", "male"}
