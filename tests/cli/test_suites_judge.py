"""``suites judge`` and ``suites leaderboard``: counts, cells, places among published models, and what is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.cli.app import run
from affectcheck.records import Header, Place, RunRecord, Score, Signature, Verdict, save_run

if TYPE_CHECKING:
    from pathlib import Path

VALUES = """task,model_id,model_name,test,dataset,metric,subkey,value
valence,1,m,correctness_regression,iemocap,Mean Absolute Error,,0.05
valence,1,m,correctness_regression,iemocap,Concordance Correlation Coeff,,0.2
valence,1,m,robustness_small_changes,iemocap,Percentage Unchanged Predictions Gain,,0.97
valence,1,m,fairness_sex,iemocap,Precision Per Bin Male,"(0.25, 0.5]",
emotion,2,m-cat,correctness_classification,meld,Recall per Class,anger,0.6
"""


@pytest.fixture
def values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "values.csv"
    path.write_text(VALUES)
    return path


def test_judge_prints_counts_both_means_and_the_cells(values: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["suites", "judge", str(values)]) == 0
    text = capsys.readouterr().out
    lines = [line.split() for line in text.splitlines()]
    assert ["m", "valence", "correctness_regression", "1", "1", "0", "0.500"] in lines
    assert ["m", "valence", "fairness_sex", "0", "0", "1", "-"] in lines
    assert ["m", "valence", "all", "4", "2", "1", "1", "0.667", "0.750"] in lines
    assert ["robustness", "m", "-", "-", "1.000", "-", "-"] in lines
    assert ["correctness", "m", "-", "-", "0.500", "1.000", "-"] in lines


def test_judge_writes_every_comparison_and_prints_json(values: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["suites", "judge", str(values), "--mode", "corrected", "-o", "verdicts.csv", "--json"]) == 0
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert found["mode"] == "corrected"
    assert "stated ones" in captured.err
    assert found["table_5"]["all tests"]["m"]["valence"] == 0.667
    assert sum(one["passed"] for one in found["tests"]) == 3
    frame = pl.read_csv(values.parent / "verdicts.csv")
    assert frame.get_column("verdict").to_list() == ["passed", "failed", "passed", "not applicable", "passed"]
    assert run(["suites", "judge", str(values), "-o", "again.csv"]) == 0
    assert capsys.readouterr().out.rstrip().endswith("again.csv")


def test_judge_tells_a_row_that_is_wrong(values: Path, capsys: pytest.CaptureFixture[str]) -> None:
    values.write_text(VALUES.replace("0.97", "many"))
    assert run(["suites", "judge", str(values)]) == 2
    assert "row 4" in capsys.readouterr().err


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    scores = [Score("ccc", 0.62, 9, Signature("ccc"), Place(part="arousal"))]
    verdicts = [Verdict("robustness-gain", "robustness", "unchanged", "passed", place=Place(part="arousal"))]
    header = Header(model={"name": "mine", "kind": "dimensions"})
    save_run(RunRecord(header, scores=tuple(scores), verdicts=tuple(verdicts)), tmp_path / "run")
    return tmp_path / "run"


def test_the_leaderboards_show_every_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["suites", "leaderboard"]) == 0
    text = capsys.readouterr().out
    for table in ("Table V:", "Table VI:", "Table VII:"):
        assert table in text
    assert "-0.12" in text
    assert "0.871" in text


def test_a_run_is_placed_among_the_published_models(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["suites", "leaderboard", "--run", str(mine), "-o", "boards.csv"]) == 0
    captured = capsys.readouterr()
    own = [line for line in captured.out.splitlines() if line.lstrip().startswith("→")]
    assert ["→", "mine", "0.62", "(6", "of", "9)", "-", "-", "-", "-"] in [line.split() for line in own]
    assert "not on table VII" in captured.err
    frame = pl.read_csv(mine.parent / "boards.csv")
    assert frame.filter(pl.col("own")).height == 5  # four blocks of table V, one of table VI
    assert run(["suites", "leaderboard", "--table", "V", "--run", str(mine), "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    (row,) = [one for one in found["rows"] if one["own"] and one["block"] == "robustness"]
    assert row["values"]["arousal"] == 1.0
    assert row["places"]["arousal"] == 1


def test_a_run_without_what_the_one_table_shows_is_refused(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["suites", "leaderboard", "--table", "VII", "--run", str(mine)]) == 2
    assert "no run holds" in capsys.readouterr().err
    assert run(["suites", "leaderboard", "--run", str(mine), "--run", str(mine)]) == 2
    assert "two runs" in capsys.readouterr().err
