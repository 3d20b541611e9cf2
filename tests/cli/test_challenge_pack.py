"""``affectcheck challenge pack``: what an organiser sees, and what stays as it was."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from affectcheck.cli.app import run

if TYPE_CHECKING:
    from pathlib import Path

    Printed = pytest.CaptureFixture[str]


@pytest.fixture
def words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    for name, video in (("train", "a"), ("validation", "b"), ("test", "c")):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{video}.txt").write_text("valence,arousal\n0.25,0.5\n", encoding="utf-8")
    return ["challenge", "pack", "va.zip", "-t", "abaw6-va", "--train", "train", "--validation", "validation"]


def test_a_pack_is_told(words: list[str], tmp_path: Path, capsys: Printed) -> None:
    asked = [*words, "--test", "test", "--crops", "https://example.org/crops.zip"]
    assert run(asked) == 0
    told = capsys.readouterr()
    assert "train       1 item\n" in told.out
    assert told.out.endswith("\n\nva.zip\n")
    assert "note: no --licence" in told.err
    assert "who is seen is not known in train, validation, test" in told.err
    assert run(asked) == 2
    assert "va.zip exists" in capsys.readouterr().err
    before = (tmp_path / "va.zip").read_bytes()
    assert run([*asked, "--overwrite", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["items"] == {"train": 1, "validation": 1, "test": 1}
    assert found["bytes"] == len(before)
    assert (tmp_path / "va.zip").read_bytes() == before


def test_a_recording_in_two_parts_is_refused(words: list[str], tmp_path: Path, capsys: Printed) -> None:
    assert run([*words, "--test", "train", "--licence", "CC0"]) == 2
    told = capsys.readouterr().err
    assert "1 item both in train and in test: 'a/00001.jpg'" in told
    assert "likely cause: one file given for two parts" in told
    assert not (tmp_path / "va.zip").exists()
    assert run([*words, "--test", "test", "--crops", "nowhere"]) == 2


def test_a_folder_that_is_there_and_an_address_that_is_not_secure(
    words: list[str], tmp_path: Path, capsys: Printed
) -> None:
    asked = [*words[:2], "folder", *words[3:], "--test", "test"]
    assert run(asked) == 0
    capsys.readouterr()
    assert run(asked) == 2
    told = capsys.readouterr().err
    assert "something is there already: folder" in told
    assert "the name of a new folder, or a .zip" in told
    assert run([*words, "--test", "test", "--crops", "http://example.org/crops.zip"]) == 2
    assert "an address that begins with https://" in capsys.readouterr().err
    assert not (tmp_path / "va.zip").exists()
