"""Words in context as a data set: spoken by anybody, the same in any number of processes, whole, resumable."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import numpy as np
import pytest
import soundfile

from affectcheck.datasets import Making, load_dataset
from affectcheck.datasets.sentiment_sentences import Selection, select
from affectcheck.datasets.speech_synthesis import load_speaker
from affectcheck.datasets.words_in_context import CARD, read
from affectcheck.datasets.words_in_context_making import make_speech
from affectcheck.datasets.words_in_context_worker import clip_names, clip_path, main, speak_sentences
from affectcheck.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SPEAKERS = '''
import os
import numpy as np
from affectcheck.media.clip import Clip

class Tone:
    """A speaker whose tone depends on all that it is given; it counts what it has spoken."""
    name = "tone"
    version = "1"

    def key(self, language):
        return f"tone {self.version} {language}"

    def speak(self, text, language, seed):
        with open(os.environ["TONES"], "a") as file:
            file.write(text + "\\n")
        hz = 100 + sum(map(ord, text + language)) % 300 + seed % 7
        return Clip((0.3 * np.sin(np.arange(4410) * hz / 22050 * 6.283)).astype(np.float32), 22050)

class Newer(Tone):
    version = "2"

class Broken(Tone):
    def speak(self, text, language, seed):
        raise RuntimeError("boom")

class Clock(Tone):
    def speak(self, text, language, seed):
        clip = super().speak(text, language, seed)
        return Clip(clip.samples * np.float32(int.from_bytes(os.urandom(1), "big") / 512 + 0.1), clip.rate_hz)

tone = Tone()
no_speaker = 3
def wrong():
    return 3
'''


@pytest.fixture
def spoken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with what the tone has spoken, one text a line; speakers of one's own can be imported."""
    modules = tmp_path / "modules"
    modules.mkdir()
    (modules / "own_speakers.py").write_text(SPEAKERS, encoding="utf-8")
    monkeypatch.syspath_prepend(str(modules))
    monkeypatch.delitem(sys.modules, "own_speakers", raising=False)
    path = tmp_path / "spoken.txt"
    path.touch()
    monkeypatch.setenv("TONES", str(path))
    return path


def tones(**options: object) -> Selection:
    fields = {"languages": ("de", "en"), "per_cell": 3, "voices": ("python:own_speakers:Tone",)}
    return Selection(**{**fields, **options})


def texts(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def all_bytes(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_the_table_is_unlabelled_and_names_sentence_and_voice(tmp_path: Path, spoken: Path) -> None:
    table = load_dataset(
        "words-in-context?languages=de,en&per_cell=2&voices=python:own_speakers:Tone", root=tmp_path / "made"
    )
    assert table.frame.columns[:4] == ["item", "media", "language", "sentiment"]
    assert set(table.frame.columns) >= {"text", "template", "word", "voice"}
    assert dict(table.targets) == {}
    assert table.groups == ("language", "sentiment")
    assert table.height == 12
    counts = table.frame.group_by("language", "sentiment").len()
    assert counts.get_column("len").to_list() == [2] * 6
    assert table.frame["voice"].unique().to_list() == ["tone"]
    for row in table.frame.iter_rows(named=True):
        assert row["word"] in row["text"]
        info = soundfile.info(table.root / row["media"])
        assert (info.samplerate, info.channels, info.format) == (16_000, 1, "FLAC")
    with pytest.raises(InputError, match="no labels"):
        table.target()


def test_bytes_depend_neither_on_the_number_of_processes_nor_on_the_order(tmp_path: Path, spoken: Path) -> None:
    one = make_speech(tones(), tmp_path / "one", workers=1)
    many = make_speech(tones(), tmp_path / "many", workers=4)
    assert one == many
    assert all_bytes(tmp_path / "one") == all_bytes(tmp_path / "many")
    clips = select(tones())[::-1]
    back = {clip.item: clip for clip in speak_sentences(tmp_path / "back", clips)}
    assert back == one


def test_a_larger_selection_speaks_what_a_smaller_one_lacks(tmp_path: Path, spoken: Path) -> None:
    make_speech(tones(), tmp_path / "made")
    assert len(texts(spoken)) == 18
    make_speech(tones(), tmp_path / "made")
    assert len(texts(spoken)) == 18, "nothing is spoken again"
    make_speech(tones(per_cell=5), tmp_path / "made")
    assert len(texts(spoken)) == len(set(texts(spoken))) == 30


def test_another_version_of_a_speaker_speaks_anew(tmp_path: Path, spoken: Path) -> None:
    old = make_speech(tones(), tmp_path / "made")
    new = make_speech(tones(voices=("python:own_speakers:Newer",)), tmp_path / "made")
    assert len(texts(spoken)) == 36
    assert {clip.clip for clip in old.values()}.isdisjoint({clip.clip for clip in new.values()})


def test_clips_go_up_to_the_last_in_progress(tmp_path: Path, spoken: Path) -> None:
    seen: list[tuple[int, int]] = []
    making = Making(tmp_path / "made", lambda done, total: seen.append((done, total)))
    spec = "words-in-context?languages=ja&per_cell=2&voices=python:own_speakers:tone"
    assert load_dataset(spec, making=making).root == tmp_path / "made"
    assert seen == [(done, 6) for done in range(1, 7)]


def test_without_a_root_clips_are_kept_in_the_cache(
    tmp_path: Path, spoken: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFECTCHECK_CACHE", str(tmp_path / "cache"))
    table = read(languages="zh", per_cell=1, voices="python:own_speakers:Tone")
    assert table.root == tmp_path / "cache" / "words-in-context"


@pytest.mark.parametrize("damage", ["deleted", "changed"])
def test_a_damaged_clip_is_made_again(tmp_path: Path, spoken: Path, damage: str) -> None:
    folder = tmp_path / "made"
    made = make_speech(tones(), folder)
    before = all_bytes(folder)
    path = clip_path(folder, next(iter(made.values())).clip)
    if damage == "deleted":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:200])
    assert make_speech(tones(), folder) == made
    assert all_bytes(folder) == before
    assert len(texts(spoken)) == 19


def test_a_speaker_that_does_not_say_the_same_twice_is_found(tmp_path: Path, spoken: Path) -> None:
    selection = tones(voices=("python:own_speakers:Clock",), per_cell=1)
    made = make_speech(selection, tmp_path)
    for clip in made.values():
        clip_path(tmp_path, clip.clip).unlink()
    with pytest.raises(InputError, match="came out different"):
        make_speech(selection, tmp_path)


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda data: data["clips"].popitem(), "no 'en-"),
        (lambda data: data.pop("clips"), "no 'clips'"),
        (lambda data: data["clips"].update({item: row[:2] for item, row in data["clips"].items()}), "argument: 'file'"),
    ],
)
def test_a_damaged_manifest_is_one_clear_error(
    tmp_path: Path, spoken: Path, damage: Callable[[dict[str, object]], object], told: str
) -> None:
    make_speech(tones(), tmp_path)
    path = next(tmp_path.glob("manifest-*.json"))
    data = json.loads(path.read_text())
    data["clips"] = dict(sorted(data["clips"].items()))
    damage(data)
    path.write_text(json.dumps(data))
    with pytest.raises(InputError, match="a manifest that cannot be read") as caught:
        make_speech(tones(), tmp_path)
    assert told in str(caught.value)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="a manifest that cannot be read"):
        make_speech(tones(), tmp_path)


def test_another_file_is_no_manifest(tmp_path: Path, spoken: Path) -> None:
    make_speech(tones(per_cell=1), tmp_path)
    next(tmp_path.glob("manifest-*.json")).write_text("{}")
    with pytest.raises(InputError, match="not a manifest of words in context"):
        make_speech(tones(per_cell=1), tmp_path)


def test_a_speaker_that_fails_is_one_clear_error(tmp_path: Path, spoken: Path) -> None:
    with pytest.raises(Exception, match="making synthetic speech failed: RuntimeError: boom"):
        make_speech(tones(voices=("python:own_speakers:Broken",)), tmp_path)
    assert not list(tmp_path.glob("manifest-*"))


def test_a_folder_that_cannot_be_written_is_the_users_to_mend(tmp_path: Path, spoken: Path) -> None:
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "clips").write_text("a file where the folder belongs")
    with pytest.raises(InputError, match="cannot write") as caught:
        make_speech(tones(), tmp_path / "made")
    assert caught.value.cause


def test_the_worker_speaks_its_share(tmp_path: Path, spoken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fields = {"languages": ["de"], "per_language": 6, "per_cell": 0, "seed": 2, "voices": ["python:own_speakers:Tone"]}
    assert main([str(tmp_path), json.dumps(fields), "1", "3"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    clips = select(Selection(("de",), 6, 0, 2, ("python:own_speakers:Tone",)))
    assert [line["item"] for line in lines] == [clips[1].sentence.item, clips[4].sentence.item]
    assert [line["clip"] for line in lines] == [clip_names(clips)[line["item"]] for line in lines]


def test_a_run_killed_halfway_goes_on_to_the_same_data(tmp_path: Path, spoken: Path) -> None:
    pytest.importorskip("espeakng_loader", reason="eSpeak NG is of the extra 'synthetic'")
    code = (
        "import sys; from pathlib import Path; from affectcheck.datasets.sentiment_sentences import Selection\n"
        "from affectcheck.datasets.words_in_context_making import make_speech\n"
        "make_speech(Selection(('fr',), per_cell=40), Path(sys.argv[1]), workers=1)"
    )
    folder = tmp_path / "killed"
    process = subprocess.Popen([sys.executable, "-c", code, str(folder)])
    deadline = time.monotonic() + 30
    while len(list(folder.rglob("*.flac"))) < 5 and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not list(folder.glob("manifest-*"))
    selection = Selection(("fr",), per_cell=40)
    assert make_speech(selection, folder) == make_speech(selection, tmp_path / "whole", workers=1)
    deadline = time.monotonic() + 30  # the killed program's own process ends when it finds nobody listening
    while list(folder.rglob(".*")) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert all_bytes(folder) == all_bytes(tmp_path / "whole")


def test_the_default_voices_speak_every_language(tmp_path: Path) -> None:
    pytest.importorskip("espeakng_loader", reason="eSpeak NG is of the extra 'synthetic'")
    table = read(tmp_path, per_cell=4)
    assert table.height == 4 * 3 * 8
    assert table.frame["voice"].n_unique() == 4
    for media in table.frame["media"]:
        samples, rate_hz = soundfile.read(table.root / media)
        assert 0.8 < len(samples) / rate_hz < 5
        assert 0.05 < np.abs(samples).max() < 0.99
        assert np.sqrt(np.mean(samples**2)) > 0.01


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("python:own_speakers", InputError, "no speaker is named in 'own_speakers'"),
        ("python:own_speakers:nobody", InputError, "no speaker 'nobody'"),
        ("python:nowhere_at_all:x", InputError, "no speaker 'x'"),
        ("python:own_speakers:no_speaker", InputError, "no speaker"),
        ("python:own_speakers:wrong", InputError, "is no speaker: int"),
        ("festival", UnknownNameError, "unknown speaker 'festival'"),
        ("espeak:f9", UnknownNameError, "unknown variant of eSpeak NG's voices 'f9'"),
    ],
)
def test_speakers_that_are_none(spec: str, error: type[Exception], message: str, spoken: Path) -> None:
    with pytest.raises(error, match=message):
        load_speaker(spec)


def test_an_unknown_language_of_the_engine_is_refused() -> None:
    pytest.importorskip("espeakng_loader", reason="eSpeak NG is of the extra 'synthetic'")
    with pytest.raises(UnknownNameError, match="'sv'"):
        load_speaker("espeak").key("sv")


def test_the_key_of_a_voice_names_engine_version_and_voice() -> None:
    pytest.importorskip("espeakng_loader", reason="eSpeak NG is of the extra 'synthetic'")
    speaker = load_speaker("espeak:m3")
    assert speaker.name == "espeak-m3"
    assert "espeakng-loader" in speaker.key("zh")
    assert "cmn+m3" in speaker.key("zh")
    assert load_speaker("espeak").name == "espeak-f2"


def test_the_card_says_what_it_is() -> None:
    assert CARD.description.startswith("SYNTHETIC")
    assert "Apache-2.0" in CARD.licence
    assert "native speaker" in CARD.provenance
    assert not CARD.needs_root
