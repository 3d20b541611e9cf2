"""What `models` and `predict` say of models of others."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from affectcheck.cli.app import run

if TYPE_CHECKING:
    from pathlib import Path


def out_of(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(list(words)) == 0
    return capsys.readouterr().out


def test_an_adapter_lists_each_option_with_need_default_and_meaning(capsys: pytest.CaptureFixture[str]) -> None:
    text = out_of(capsys, "models", "show", "command")
    lines = {line.split()[0]: " ".join(line.split()) for line in text.splitlines() if line.strip()}
    assert "named as command:SOURCE?OPTION=VALUE&OPTION=VALUE" in lines["named"]
    assert lines["SOURCE"] == "SOURCE yes - program and arguments, quoted as in a shell; nothing is expanded"
    assert lines["timeout_s"].startswith("timeout_s no 60 seconds for one clip")
    assert lines["labels"].startswith("labels this, or dimensions - its classes")
    assert "Raises" not in text
    found = json.loads(out_of(capsys, "models", "show", "command", "--json"))
    assert found["options"][0]["needed"] == "yes"
    assert {"feed", "encoding", "version"} < {option["name"] for option in found["options"]}


def test_a_card_and_a_recipe_are_told_without_marks_of_python(capsys: pytest.CaptureFixture[str]) -> None:
    card = out_of(capsys, "models", "show", "random-categorical?labels=anger,neutral")
    assert [line.split(maxsplit=1)[1] for line in card.splitlines() if line.startswith("parts")] == ["anger, neutral"]
    assert "'" not in card
    recipe = out_of(capsys, "models", "show", "baseline")
    assert "metric uar" in recipe
    assert "{" not in recipe


@pytest.fixture
def outside(tones: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """A prediction of every item of the tiny corpus outside the declared range, and one that fails."""
    monkeypatch.setenv("AFFECTCHECK_CACHE", str(tmp_path / "cache"))
    (tmp_path / "model.py").write_text(
        "COUNT = []\ndef f(samples, rate_hz):\n    COUNT.append(1)\n    if len(COUNT) == 15:\n"
        "        raise ValueError('too short')\n    return 7.0\nf.dimensions = 'arousal'\n"
    )
    model = f"{tmp_path / 'model.py'}:f"
    return ["predict", "-d", f"table:{tones}", "-m", model, "-o", str(tmp_path / "p.csv"), "-j", "1"]


def test_many_cautions_are_counted_and_a_fault_comes_first(
    outside: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(outside) == 0
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 11
    assert told[0].startswith("error: ")
    assert told[0].endswith("ValueError: too short")
    assert told[10] == "… and 110 more (110 outside the declared range), all listed by --json"
    assert run([*outside, "--json", "--fresh", "--overwrite"]) == 0
    faults = json.loads(capsys.readouterr().out)["faults_of_items"]
    assert sum(fault["severity"] == "warning" for fault in faults) >= 119


@pytest.mark.parametrize(
    ("name", "told"), [("p.xls", "as '.xls'"), ("p", "a file without suffix"), ("p.csv", "a folder")]
)
def test_where_predictions_cannot_go_is_told_before_they_are_made(
    outside: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, told: str
) -> None:
    if name == "p.csv":
        (tmp_path / name).mkdir()
    outside[outside.index("-o") + 1] = str(tmp_path / name)
    assert run(outside) == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "cache").exists()
