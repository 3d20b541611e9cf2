"""Options of the verbs that run behaviour tests."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from affectcheck.cli.app import run
from affectcheck.cli.suite_choices import baseline_verdicts, group_columns
from affectcheck.errors import InputError
from affectcheck.records import Header, RunRecord, Threshold, Verdict, load_run, save_run

if TYPE_CHECKING:
    from pathlib import Path

LIMIT = Threshold(0.9, "gt", "stated")


@pytest.fixture
def baseline(tmp_path: Path) -> Path:
    verdict = Verdict(
        "correctness-classification", "correctness", "uar", "passed", value=0.95, threshold=LIMIT, data="tones@1"
    )
    save_run(RunRecord(Header(), verdicts=(verdict,)), tmp_path)
    return tmp_path


def test_a_baseline_of_other_rules_is_refused_before_any_work(baseline: Path, tmp_path: Path) -> None:
    assert [one.metric for one in baseline_verdicts(baseline, "corrected")] == ["uar"]
    assert baseline_verdicts(None, "corrected") == ()
    with pytest.raises(InputError, match="--margin without --baseline"):
        baseline_verdicts(None, "corrected", 0.1)
    with pytest.raises(InputError, match="a margin of inf"):
        baseline_verdicts(baseline, "corrected", float("inf"))
    with pytest.raises(InputError, match="judged in mode corrected"):
        baseline_verdicts(baseline, "published")
    (tmp_path / "empty").mkdir()
    save_run(RunRecord(Header()), tmp_path / "empty")
    with pytest.raises(InputError, match="holds no verdicts"):
        baseline_verdicts(tmp_path / "empty", "corrected")


def test_what_is_broken_beside_a_baseline_decides(
    tones: Path, baseline: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["test", "--data", f"table:{tones}", "--model", "random-categorical", "--partition", "none"]
    words += ["--tests", "correctness-classification", "--only", "uar", "--cache", str(baseline / "cache"), "-j", "1"]
    assert run(words) == 1
    assert "mean over tests" in capsys.readouterr().out
    assert run([*words, "--baseline", str(baseline), "--json"]) == 1
    gate = json.loads(capsys.readouterr().out)["gate"]
    assert gate["counts"]["broken"] == 1
    assert run([*words, "--baseline", str(baseline), "--margin", "1"]) == 0
    assert "1 near their limit" in capsys.readouterr().out
    assert run([*words, "--baseline", str(baseline), "--mode", "published"]) == 2
    assert run([*words, "--baseline", str(baseline), "-o", str(baseline), "--overwrite"]) == 1
    assert "1 broken" in capsys.readouterr().out  # beside what the folder held before


def test_a_dry_run_names_the_tests(tones: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--data", f"table:{tones}", "--model", "random-categorical", "--partition", "none", "--dry-run"]
    words += ["--cache", str(tmp_path), "--tests", "fairness-*"]
    for verb in ("test", "audit"):
        assert run([verb, *words, "--json"]) == 0
        tests = json.loads(capsys.readouterr().out)["tests"]
        assert {test["name"] for test in tests} >= {"fairness-sex"}
    from corpora import write_corpus

    other = write_corpus(tmp_path / "other")
    assert run(["test", *words, "--data", f"table:{other}", "--json"]) == 0
    assert [one["data"] for one in json.loads(capsys.readouterr().out)] == [f"table:{tones}", f"table:{other}"]
    assert run(["audit", *words, "--by", "nothing"]) == 2
    assert run(["test", *words, "--by", "sex*sex"]) == 2
    assert run(["test", *words, "--engine", "nowhere"]) == 2


def test_none_is_no_suite(tones: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--data", f"table:{tones}", "--model", "random-categorical", "--partition", "none", "--suite", "none"]
    words += ["--cache", str(tmp_path), "-j", "1", "--json"]
    assert run(["test", *words]) == 2
    assert "no tests are chosen" in capsys.readouterr().err
    assert run(["test", *words, "--by", "sex", "--dry-run"]) == 0
    assert [one["name"] for one in json.loads(capsys.readouterr().out)["tests"]] == ["fairness-by-sex"]
    attributes = {}
    for by in ("none", "", "sex"):
        output = tmp_path / f"by-{by}"
        assert run(["audit", *words, "--resamples", "0", "--by", by, "-o", str(output)]) == 0
        attributes[by] = {score.place.attribute for score in load_run(output).scores}
    assert attributes == {"none": {""}, "": {"", "sex"}, "sex": {"", "sex"}}


def test_columns_are_named_one_by_one() -> None:
    assert group_columns("race, device") == ("race", "device")
    assert group_columns("race*age, device") == ("race*age", "device")
    for wrong in ("race*", "race*race"):
        with pytest.raises(InputError, match="no intersection"):
            group_columns(wrong)
