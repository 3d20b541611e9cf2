from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from affectcheck.cli.app import run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "both.csv").write_text("file,truth,prediction,who\na,x,x,1\nb,y,x,2\nc,y,y,3\n")
    return tmp_path


def passed(capsys: pytest.CaptureFixture[str], *words: str) -> dict:
    assert run([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)["header"]["arguments"]["passed"]


def test_command_line_beats_environment_beats_file(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "affectcheck.toml").write_text('[score]\nresamples = 7\nmetrics = ["uar", "uap"]\nseed = 3\n')
    monkeypatch.setenv("AFFECTCHECK_SCORE_SEED", "4")
    told = passed(capsys, "score", "both.csv", "--resamples", "9")
    assert (told["resamples"], told["seed"], told["metrics"]) == (9, 4, "uar,uap")
    assert told["origins"] == {"seed": "environment", "metrics": "configuration file"}


def test_another_file_is_named_before_the_verb(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "other.toml").write_text("[score]\nseed = 5\n[partition.make]\nseed = 6\n")
    assert passed(capsys, "--config", "other.toml", "score", "both.csv")["seed"] == 5
    assert "seed" not in passed(capsys, "score", "both.csv")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[scores]\nseed = 1", "did you mean 'score'"),
        ("[score]\nsed = 1", "did you mean 'seed'"),
        ("score = 1", "is a verb"),
        ("[score]\nseed = {a = 1}", "holds dict"),
        ("[score", "not TOML"),
        ('[score]\nseed = "many"', "'--seed'"),
    ],
)
def test_a_mistake_in_the_file_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    (folder / "affectcheck.toml").write_text(text)
    assert run(["score", "both.csv"]) == 2
    assert message in capsys.readouterr().err


def test_a_stated_file_must_be_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--config", "none.toml", "score", "both.csv"]) == 2
    assert "configuration file not found" in capsys.readouterr().err


def test_options_are_spelt_as_on_the_command_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "affectcheck.toml").write_text('[score]\nlabels = "x,y,z"\nmap = "z="\ntruth-labels = "x=x"\n')
    told = passed(capsys, "score", "both.csv")
    assert (told["mapping"], told["truth_labels"]) == ("z=", "x=x")
    (folder / "affectcheck.toml").write_text('[score]\ntruth_labels = "x=x"\n')
    assert passed(capsys, "score", "both.csv")["truth_labels"] == "x=x"


def test_a_wanted_version_in_the_environment_changes_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for value in ("1", "0.1.0"):
        monkeypatch.setenv("AFFECTCHECK_VERSION", value)
        assert passed(capsys, "score", "both.csv", "--seed", "1") == {"file": "both.csv", "seed": 1}
