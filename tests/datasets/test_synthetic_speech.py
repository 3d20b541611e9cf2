"""Synthetic speech: the same samples in any order and process, whole files, runs that go on where they stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.datasets import Making, load_dataset
from affectcheck.datasets.espeak import Engine, Utterance, loader
from affectcheck.datasets.speech_files import sound_package
from affectcheck.datasets.speech_processes import require_success
from affectcheck.datasets.synthetic_design import BASIC_7, Design, plan, speakers
from affectcheck.datasets.synthetic_making import MANIFEST, Manifest, generate, read_manifest
from affectcheck.datasets.synthetic_speech import CARD, folder_of, read
from affectcheck.datasets.synthetic_worker import clip_path, main, samples_of, speak_clips
from affectcheck.digest import digest_array
from affectcheck.errors import AffectcheckError, ExtraMissingError, InputError, UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("espeakng_loader", reason="eSpeak NG is of the extra 'synthetic'")

SMALL = Design(speakers=2, languages=("en",))  # 28 clips


def spoken(numbers: list[int]) -> dict[int, str]:
    """Clip number to digest of its samples, spoken in the order given, in this process."""
    clips = plan(Design(speakers=4))
    with Engine() as engine:
        return {number: digest_array(samples_of(engine, clips[number])) for number in numbers}


def test_samples_depend_neither_on_the_order_nor_on_the_process() -> None:
    numbers = list(range(0, 200, 2))
    shuffled = list(np.random.default_rng(1).permutation(numbers))
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        forward, back, mixed = pool.map(spoken, [numbers, numbers[::-1], shuffled])
        halves = list(pool.map(spoken, [numbers[::2], numbers[1::2]]))
    assert forward == back == mixed == halves[0] | halves[1]
    assert len(set(forward.values())) == 100


def test_a_seed_changes_the_samples_of_a_breathy_voice() -> None:
    clip = next(clip for clip in plan(Design()) if clip.speaker.variant == "f2")
    with Engine() as engine:
        mine = engine.speak(clip.utterance).samples
        other = engine.speak(replace(clip.utterance, seed=clip.utterance.seed + 1)).samples
        again = engine.speak(clip.utterance).samples
    assert np.array_equal(mine, again)
    assert not np.array_equal(mine, other)


def test_the_engine_refuses_an_unknown_voice_and_silence() -> None:
    with Engine() as engine:
        with pytest.raises(InputError, match="no voice 'xx'"):
            engine.speak(Utterance("Hello.", "xx"))
        with pytest.raises(AffectcheckError, match="said nothing"):
            engine.speak(Utterance("", "en-us"))


def test_an_engine_that_does_not_start_is_an_error() -> None:
    with Engine() as engine:
        engine._data = "/nowhere"
        with pytest.raises(AffectcheckError, match="does not start"):
            engine.speak(Utterance("Hello.", "en-us"))


@pytest.mark.parametrize(("module", "call"), [("espeakng_loader", loader), ("soundfile", sound_package)])
def test_a_missing_package_names_the_extra(module: str, call: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ExtraMissingError, match=r"synthetic speech needs the package") as caught:
        call()
    assert "affectcheck[synthetic]" in str(caught.value)


def test_the_plan_is_balanced() -> None:
    clips = plan(Design())
    assert len(clips) == CARD.items == 1120
    assert len({clip.item for clip in clips}) == 1120
    assert set(Counter(clip.expression for clip in clips).values()) == {160}
    assert set(Counter((clip.speaker.name, clip.language) for clip in clips).values()) == {14}
    assert Counter(clip.speaker.sex for clip in clips) == {"female": 560, "male": 560}
    assert {clip.strength for clip in clips if clip.expression == "neutral"} == {"normal"}
    assert all(0 <= value <= 1 for clip in clips for value in clip.affect)
    twice = {(c.speaker.name, c.language, c.expression, c.text) for c in clips if c.expression == "neutral"}
    assert len(twice) == 160, "the two neutral takes say different sentences"


def test_a_larger_design_keeps_the_clips_of_a_smaller_one() -> None:
    small = {clip.item: clip for clip in plan(Design(speakers=2, languages=("fr",)))}
    large = {clip.item: clip for clip in plan(Design(speakers=6))}
    assert all(large[item] == clip for item, clip in small.items())


def test_strong_is_farther_from_neutral_than_normal() -> None:
    clips = plan(Design())
    rate = {
        strength: np.mean([c.utterance.rate_wpm for c in clips if (c.expression, c.strength) == ("sadness", strength)])
        for strength in ("normal", "strong")
    }
    neutral = np.mean([clip.utterance.rate_wpm for clip in clips if clip.expression == "neutral"])
    assert rate["strong"] < rate["normal"] < neutral


def test_another_seed_makes_other_speakers() -> None:
    assert speakers(Design(seed=1))[0] != speakers(Design(seed=2))[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"speakers": 3}, "3 speakers"),
        ({"speakers": 0}, "0 speakers"),
        ({"languages": ()}, "are none"),
        ({"languages": ("en", "en")}, "named twice"),
        ({"takes": 3}, "3 takes"),
    ],
)
def test_designs_that_cannot_be_made(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Design(**options)


def test_an_unknown_language_names_the_known() -> None:
    with pytest.raises(UnknownNameError, match="unknown language of synthetic speech 'it'"):
        Design(languages=("it",))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished small data set."""
    folder = tmp_path_factory.mktemp("made")
    generate(SMALL, folder, workers=2)
    return folder


def test_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import soundfile

    monkeypatch.setenv("AFFECTCHECK_CACHE", str(tmp_path))
    table = load_dataset("synthetic-speech", speakers=2, languages="en")
    assert table.height == 28
    assert list(table.targets) == ["expression", "affect"]
    assert table.groups == ("sex", "language")
    assert table.frame["expression"].dtype.categories.to_list() == list(BASIC_7)
    assert table.root.parent == tmp_path
    for media in table.frame["media"]:
        info = soundfile.info(table.root / media)
        assert (info.samplerate, info.channels, info.format) == (16_000, 1, "FLAC")
        assert 0.8 < info.duration < 8
    again = load_dataset("synthetic-speech", root=table.root, speakers=2, languages="en")
    assert again.digest == table.digest


def test_the_result_does_not_depend_on_the_number_of_processes(made: Path, tmp_path: Path) -> None:
    assert generate(SMALL, tmp_path, workers=1) == read_manifest(made)


def test_clips_go_up_to_the_last_in_progress(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    read(tmp_path, speakers=2, languages="en", progress=lambda done, all_: seen.append((done, all_)))
    assert seen == [(done, 28) for done in range(1, 29)]


def test_a_run_killed_halfway_goes_on_to_the_same_data(made: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from affectcheck.datasets.synthetic_making import *\n"
        "generate(Design(speakers=2, languages=('en',)), Path(sys.argv[1]), workers=1)"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)])
    clips = tmp_path / "clips"
    deadline = time.monotonic() + 30
    while len(list(clips.glob("s*.flac")) if clips.exists() else []) < 5 and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not (tmp_path / MANIFEST).exists()
    assert generate(SMALL, tmp_path) == read_manifest(made)


def test_what_is_there_is_read_not_spoken(made: Path, tmp_path: Path) -> None:
    clips = plan(SMALL)[:3]
    first = list(speak_clips(tmp_path, clips))
    clip_path(tmp_path, clips[1].item).write_bytes(b"fLaC, cut off")
    times = {clip.item: clip_path(tmp_path, clip.item).stat().st_mtime_ns for clip in clips}
    assert list(speak_clips(tmp_path, clips)) == first
    changed = [item for item, when in times.items() if clip_path(tmp_path, item).stat().st_mtime_ns != when]
    assert changed == [clips[1].item]
    assert first == [read_manifest(made).clips[clip.item] for clip in clips]


def test_a_deleted_clip_is_made_again(tmp_path: Path) -> None:
    manifest = generate(SMALL, tmp_path)
    clip_path(tmp_path, plan(SMALL)[4].item).unlink()
    assert generate(SMALL, tmp_path) == manifest


@pytest.mark.parametrize("content", [b"junk", None])
def test_clips_that_were_damaged_are_made_again(tmp_path: Path, content: bytes | None) -> None:
    manifest = generate(SMALL, tmp_path)
    path = clip_path(tmp_path, plan(SMALL)[4].item)
    before = path.read_bytes()
    path.write_bytes(before[:1000] if content is None else content)
    assert generate(SMALL, tmp_path) == manifest
    assert path.read_bytes() == before


def test_recordings_are_made_where_they_are_wanted_and_seen(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    making = Making(tmp_path, lambda done, total: seen.append((done, total)))
    table = load_dataset("synthetic-speech?speakers=2&languages=en", making=making)
    assert table.root is not None
    assert table.root.parent == tmp_path
    assert seen[-1] == (28, 28)


def test_clips_that_come_out_different_are_an_error(tmp_path: Path) -> None:
    generate(SMALL, tmp_path)
    path = tmp_path / MANIFEST
    data = json.loads(path.read_text())
    data["clips"][plan(SMALL)[4].item][0] = "0" * 32
    path.write_text(json.dumps(data))
    clip_path(tmp_path, plan(SMALL)[4].item).unlink()
    with pytest.raises(InputError, match="came out different"):
        generate(SMALL, tmp_path)


def test_a_folder_of_other_options_is_refused(made: Path) -> None:
    with pytest.raises(InputError, match="other options") as caught:
        load_dataset(f"synthetic-speech:{made}?seed=3&speakers=2&languages=en")
    assert "seed=3" in caught.value.expected


def test_another_file_is_no_manifest(tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text("{}")
    with pytest.raises(InputError, match="not a manifest of synthetic speech"):
        read_manifest(tmp_path)


def test_a_damaged_manifest_is_one_clear_error(tmp_path: Path, made: Path) -> None:
    data = json.loads((made / MANIFEST).read_text())
    for lacks in ("design", "clips", "engine"):
        (tmp_path / MANIFEST).write_text(json.dumps({name: value for name, value in data.items() if name != lacks}))
        with pytest.raises(InputError, match=f"a manifest that cannot be read: no '{lacks}'"):
            read_manifest(tmp_path)


def test_a_failing_process_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "clips").write_text("a file where the folder belongs")
    with pytest.raises(InputError, match="cannot write") as caught:
        generate(SMALL, tmp_path)
    assert caught.value.cause
    assert not (tmp_path / MANIFEST).exists()


def test_a_process_that_crashes_is_our_error() -> None:
    crash = [sys.executable, "-c", "raise RuntimeError('boom')"]
    process = subprocess.Popen(crash, stderr=subprocess.PIPE, text=True)
    with pytest.raises(AffectcheckError, match="making synthetic speech failed: RuntimeError: boom"):
        require_success(process)


def test_the_worker_speaks_its_share(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    design = json.dumps({"seed": 0, "speakers": 2, "languages": ["en"], "takes": 1})
    assert main([str(tmp_path), design, "3", "14"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    clips = plan(SMALL)
    assert [line["item"] for line in lines] == [clips[3].item, clips[17].item]


def test_the_digest_of_a_manifest_counts_samples_and_keys(made: Path) -> None:
    manifest = read_manifest(made)
    first = next(iter(manifest.clips))
    changed = manifest.clips | {first: replace(manifest.clips[first], digest="0")}
    assert Manifest(manifest.design, manifest.engine, changed).digest != manifest.digest


def test_folders_differ_by_what_is_spoken(tmp_path: Path) -> None:
    assert folder_of(SMALL, tmp_path) != folder_of(replace(SMALL, seed=1), tmp_path)
    assert folder_of(SMALL, tmp_path) == folder_of(SMALL, tmp_path)


def test_the_card_says_that_it_is_synthetic() -> None:
    assert CARD.description.startswith("SYNTHETIC")
    assert "No score here may be quoted" in CARD.cannot_show
    assert not CARD.needs_root


@pytest.mark.slow
def test_a_plain_baseline_finds_it_neither_trivial_nor_impossible(tmp_path: Path) -> None:
    import soundfile
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import recall_score
    from sklearn.model_selection import GroupKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from affectcheck.media.clip import Clip
    from affectcheck.models.speech_features import features

    table = read(tmp_path)
    clips = [Clip(soundfile.read(table.root / media, dtype="float32")[0], 16_000) for media in table.frame["media"]]
    values = np.stack([features(clip) for clip in clips])
    truth, subject = table.frame["expression"].to_numpy(), table.frame["subject"].to_numpy()
    model = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=2000))
    guess = cross_val_predict(model, values, truth, groups=subject, cv=GroupKFold(5))
    assert 0.5 < recall_score(truth, guess, average="macro") < 0.95
