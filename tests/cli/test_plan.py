"""``plan``: what it prints, as text and as JSON, from numbers and from pilots."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from affectcheck.cli.app import run

if TYPE_CHECKING:
    from pathlib import Path

STATED = ["plan", "--metric", "uar", "--score", "0.6", "--items", "60", "--classes", "8", "--between", "0.08"]


def told(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    capsys.readouterr()
    assert run([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def pilot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = [
        f"i{n},{'ab'[n % 2]},{'ab'[n % 2 if n * 7 % 10 > n // 10 % 5 else 1 - n % 2]},s{n // 10}" for n in range(120)
    ]
    (tmp_path / "both.csv").write_text("\n".join(["item,truth,prediction,subject", *rows]))
    assert run(["score", "both.csv", "--resamples", "0", "--by", "none", "-o", "run"]) == 0
    return tmp_path / "run"


def test_subjects_for_a_gap_and_power_by_subjects(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*STATED, "--subjects", "12"]) == 0
    told = capsys.readouterr()
    assert "18 subjects in each of two groups detect a gap of 0.1 in uar with a power of 0.8" in told.out
    assert "12 subjects detect a gap of 0.121 with that power, and one of 0.1 with a power of 0.638" in told.out
    assert "fewer than 20 subjects" in told.err


def test_json_holds_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(
        capsys, *STATED, "--compare", "models", "--gap", "0.05", "--agreement", "0.5", "--check", "--repetitions", "20"
    )
    assert (found["question"], found["needed"], found["study"]["between"]) == ("models", 35, 0.08)
    assert {row["subjects"] for row in found["rows"]} >= {35, 70}
    assert found["check"]["repetitions"] == 20
    assert 0.5 <= found["check"]["power"]["value"] <= 1.0
    assert found["cautious"] is None
    assert found["study"]["pilot"] == []


def test_a_check_prints_the_simulated_power_beside_the_planned_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*STATED, "--gap", "0.2", "--check", "--repetitions", "20", "--seed", "4"]) == 0
    out = capsys.readouterr().out
    assert "checked by 20 simulated studies of" in out
    assert "(seed 4), Welch's t over subjects" in out
    assert "(planned 0." in out


def test_a_gap_that_there_could_not_be(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["plan", "--metric", "accuracy", "--score", "0.95", "--items", "5", "--between", "0.05", "--gap", "0.02"]
    assert run([*words, "--subjects", "3"]) == 0
    assert "3 subjects detect none that there could be with that power" in capsys.readouterr().out


def test_a_disparity_is_simulated(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["plan", "--metric", "eop", "--gap", "0.4", "--score", "0.7", "--classes", "3", "--items", "30"]
    words += ["--between", "0.05", "--repetitions", "20"]
    assert run(words) == 0
    out = capsys.readouterr().out
    assert "groups that score 0.900, 0.500: eop 0.4" in out
    assert "above the limit of 0.1 and the noise floor" in out
    found = told(capsys, *words)
    assert found["disparity"]["metric"] == "eop"
    assert found["scores"] == pytest.approx([0.9, 0.5])


def test_a_pilot_tells_it_all(pilot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plan", "--pilot", str(pilot), "--gap", "0.2"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("from the pilot: uar about 0.")
    assert "10 items a subject" in said.out
    assert "which the pilot leaves open" in said.out
    assert "the pilot's 12 subjects tell how they differ only roughly" in said.err
    found = told(capsys, "plan", "--pilot", str(pilot), "--gap", "0.2", "--metric", "accuracy")
    assert found["study"]["pilot"][0]["subjects"] == 12
    assert found["study"]["classes"] is None
    assert found["cautious"]["needed"] >= found["needed"]
    assert found["cautious"]["between"] == found["study"]["pilot"][0]["between_high"]


def test_a_stated_deviation_needs_no_caution_and_two_pilots_tell_agreement(
    pilot: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    both = [
        "plan",
        "--compare",
        "models",
        "--pilot",
        str(pilot),
        "--pilot",
        str(pilot),
        "--gap",
        "0.1",
        "--between",
        "0.1",
    ]
    found = told(capsys, *both)
    assert found["study"]["agreement"] == 0.99
    assert found["cautious"] is None
    assert run([*both, "--pilot", str(pilot)]) == 2
    assert "3 pilots" in capsys.readouterr().err
    assert run(["plan", "--metric", "uar_gap", "--pilot", str(pilot), "--gap", "0.4", "--repetitions", "10"]) == 0
    assert "uar_gap 0.4" in capsys.readouterr().out


def test_a_deviation_that_the_pilot_leaves_open_but_cannot_be_is_not_planned(
    pilot: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import affectcheck.uncertainty.influence as module

    monkeypatch.setattr(module, "CERTAINTY", 1.0 - 1e-12)
    assert told(capsys, "plan", "--pilot", str(pilot), "--gap", "0.2")["cautious"] is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--score", "0.6"], "how subjects differ is stated not at all"),
        (["--between", "0.1"], "no score is expected"),
        (["--score", "0.6", "--between", "0.1", "--shares", "a,b"], "--shares is 'a,b'"),
        (["--score", "0.6", "--between", "0.1", "--compare", "people"], "people"),
        (["--score", "0.6", "--between", "0.1", "--metric", "mae"], "are not planned"),
        (["--score", "0.6", "--between", "0.1", "--subjects", "2"], "2 subjects"),
        (["--pilot", "nowhere"], "nowhere"),
    ],
)
def test_what_cannot_be_planned_is_said(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plan", *words]) == 2
    assert message in capsys.readouterr().err
