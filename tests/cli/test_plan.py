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
        (
            ["--score", "0.6"],
            "one of: their deviation (--between), the intra-class correlation (--icc), a pilot run (--pilot)",
        ),
        (["--score", "0.6", "--between", "0.1", "--icc", "0.1"], "how subjects differ is stated twice"),
        (["--score", "0.6", "--between", "-0.1"], "a deviation between subjects of -0.1\n  expected: 0 or more"),
        (["--metric", "ccc", "--score", "0.6", "--between", "nan"], "a deviation between subjects of nan"),
        (["--score", "0.6", "--icc", "-0.5"], "an intra-class correlation of -0.5"),
        (["--score", "0.6", "--icc", "nan"], "from 0 to below 1"),
        (["--score", "0.6", "--icc", "1"], "from 0 to below 1"),
        (
            ["--score", "0.6", "--between", "0.1", "--gap", "1.5"],
            "expected: less than 0.78, or subjects that differ less",
        ),
        (["--score", "0.6", "--between", "0.1", "--gap", "inf"], "a gap of inf about a score of 0.6"),
        (["--score", "0.6", "--icc", "0.99"], "one of the two would have a deviation between subjects of"),
        (["--metric", "uar_gap", "--score", "0.6", "--between", "0.1", "--gap", "0.9"], "lie 0.9 apart"),
        (["--score", "0.6", "--between", "0.1", "--shares", "inf,1"], "one above 0 for each"),
        (["--score", "0.6", "--between", "0.1", "--shares", "1,nan"], "one above 0 for each"),
        (["--between", "0.1"], "the score that the study is about (--score)"),
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


@pytest.mark.parametrize("metric", ["uar", "f1_macro", "ccc"])
def test_subjects_who_hardly_differ_are_planned_as_those_who_do_not(
    metric: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["plan", "--metric", metric, "--score", "0.6"]
    alike = told(capsys, *words, "--between", "0")
    assert told(capsys, *words, "--icc", "0") == alike
    for hardly in (("--icc", "1e-12"), ("--between", "1e-6")):
        assert told(capsys, *words, *hardly)["rows"][0] == pytest.approx(alike["rows"][0], rel=1e-3)


STATED_SO = ["--score", "0.6", "--between", "0.1"]
GAP_SO = [*STATED_SO, "--metric", "uar_gap", "--gap", "0.3", "--repetitions", "5"]


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ([*STATED_SO, "--by", "sex"], "by"),
        ([*STATED_SO, "--part", "valence"], "part"),
        ([*STATED_SO, "--agreement", "0.3"], "agreement"),
        ([*STATED_SO, "--groups", "3"], "groups"),
        ([*STATED_SO, "--limit", "0.2"], "limit"),
        ([*STATED_SO, "--repetitions", "10"], "repetitions"),
        ([*STATED_SO, "--metric", "ccc", "--classes", "3"], "classes"),
        ([*STATED_SO, "--metric", "ccc", "--shares", "1,2"], "shares"),
        ([*GAP_SO, "--compare", "models"], "compare"),
        ([*GAP_SO, "--level", "0.9"], "level"),
        ([*GAP_SO, "--check"], "check"),
    ],
)
def test_options_of_another_question_are_refused(
    words: list[str], option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["plan", *words]) == 2
    assert f"--{option} has no meaning for this plan" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--classes", "3"], "--classes has no meaning for this plan"),
        (["--pilot", "run"], "one for each of two models: --compare models"),
        (["--part", "valence"], "part 'valence' of a pilot of categories"),
        (["--metric", "ccc"], "run: 'ccc' of a pilot of categories\n  expected: a pilot of dimensions"),
        (["--metric", "recall"], "studies of 'recall' are not planned"),
    ],
)
def test_what_a_pilot_does_not_tell_is_refused(
    pilot: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["plan", "--pilot", "run", *words]) == 2
    assert message in capsys.readouterr().err


def test_a_pilot_whose_subjects_do_not_differ_leaves_nothing_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [f"i{n},{'ab'[n % 2]},{'ab'[n % 2 if n % 10 > 3 else 1 - n % 2]},s{n // 10}" for n in range(120)]
    (tmp_path / "alike.csv").write_text("\n".join(["item,truth,prediction,subject", *rows]))
    assert run(["score", "alike.csv", "--resamples", "0", "--by", "none", "-o", "run"]) == 0
    assert run(["plan", "--pilot", "run", "--gap", "0.2"]) == 0
    said = capsys.readouterr()
    assert "leaves open" not in said.out
    assert "differ by less than their items alone would make them" in said.err
