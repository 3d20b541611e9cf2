"""Limits of correctness tests from human raters, from the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from affectcheck.behaviour import load_suites
from affectcheck.cli.app import run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def votes(tones: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three raters; one of them is wrong about every fourth item."""
    monkeypatch.setenv("AFFECTCHECK_CACHE", str(tmp_path / "cache"))
    rows = ["item,a,b,c"]
    for number, line in enumerate((tones.parent / "labels.csv").read_text(encoding="utf-8").splitlines()[1:]):
        item, *_, label = line.split(",")
        other = "sadness" if label == "anger" else "anger"
        rows.append(f"{item},{label},{label},{other if number % 4 == 0 else label}")
    path = tmp_path / "votes.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def words(tones: Path, votes: Path, *more: str) -> list[str]:
    base = ["suites", "raters", "correctness-classification", "--data", f"table:{tones}", "--votes", str(votes)]
    return [*base, "--votes-raters", "a,b,c", "--draws", "20", *more]


def test_limits_of_people_make_a_test_that_runs(
    tones: Path, votes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "people.json"
    assert run(words(tones, votes, "-o", str(own))) == 0
    shown = capsys.readouterr().out
    assert "uar: 0.9" in shown
    assert str(own) in shown
    (definition,) = load_suites([str(own)])
    limits = {one.metric: one.limit for one in definition.task[0].comparison}
    assert limits["uar"] == pytest.approx(1 - 1 / 12, abs=0.02)
    command = ["test", "-d", f"table:{tones}", "-m", "random-categorical", "--partition", "none", "-s", str(own)]
    assert run([*command, "--resamples", "20"]) == 1
    assert "0.9" in capsys.readouterr().out


def test_limits_are_rows_as_json(tones: Path, votes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words(tones, votes, "--rater", "left out", "--json")) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["metric"] for row in rows} >= {"uar", "uap"}


@pytest.mark.parametrize(
    ("more", "told"),
    [(["-o", "people.toml"], "is no .json file"), (["--rater", "best"], "unknown rater 'best'")],
)
def test_wrong_options_exit_with_2(
    tones: Path, votes: Path, more: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words(tones, votes, *more)) == 2
    assert told in capsys.readouterr().err


def test_one_test_at_a_time(tones: Path, votes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([word.replace("correctness-classification", "correctness") for word in words(tones, votes)]) == 2
    assert "is a suite of" in capsys.readouterr().err


@pytest.mark.parametrize(("text", "told"), [("{", "not JSON"), ("[]", "not a test definition")])
def test_files_that_are_no_definitions(tmp_path: Path, text: str, told: str) -> None:
    from affectcheck.errors import InputError

    path = tmp_path / "own.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=told):
        load_suites([str(path)])


def test_limits_of_people_who_saw_action_units(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = ["item,AU1,AU12", *(f"i{n:02},{n % 2},{n // 20}" for n in range(40))]
    (tmp_path / "labels.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    own = 'file = "labels.csv"\nitem = "item"\n[targets.units]\nunits = ["AU1", "AU12"]\n'
    (tmp_path / "labels.toml").write_text(own, encoding="utf-8")
    said = ["item,rater,AU1,AU12"]
    said += [f"i{n:02},{r},{n % 2 if n % 4 != k else 0},{n // 20}" for k, r in enumerate("ab") for n in range(40)]
    (tmp_path / "votes.csv").write_text("\n".join(said) + "\n", encoding="utf-8")
    command = ["suites", "raters", "face-correctness-detection", "-d", f"table:{tmp_path / 'labels.toml'}"]
    assert run([*command, "--votes", str(tmp_path / "votes.csv"), "--rater", "mean"]) == 0
    shown = capsys.readouterr().out
    assert "unit_recall AU1: 0.7500 (0.5000 to 1.0000; published 0.5)" in shown
    assert "unit_recall AU12: 1.0000" in shown
