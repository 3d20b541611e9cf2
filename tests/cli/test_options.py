"""Options that are out of range, misspelt or meaningless end with 2 and a message that says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import pytest

from affectcheck.behaviour.definition import Mode
from affectcheck.cli import choices
from affectcheck.cli.app import run
from affectcheck.metrics.rules import CONVENTIONS
from affectcheck.predictions.options import ENGINES

if TYPE_CHECKING:
    from pathlib import Path

ROWS = "".join(f"i{n},{'ab'[n % 2]},{'ab'[n % 3 > 0]},s{n % 6},{'fm'[n % 2]}\n" for n in range(24))


@pytest.fixture
def scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "both.csv").write_text(f"item,truth,prediction,subject,sex\n{ROWS}")
    assert run(["score", "both.csv", "--resamples", "10", "-o", "run"]) == 0
    return tmp_path


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert run(list(words)) == 2
    told = capsys.readouterr()
    assert told.out == ""
    return told.err


def test_a_report_of_an_unknown_format_is_refused(scored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "unknown report format 'pdf'" in refused(capsys, "report", "run", "-o", "out.pdf")
    assert not (scored / "out.pdf").exists()
    assert run(["report", "run", "-o", "pages"]) == 0
    assert (scored / "pages" / "report.html").is_file()


@pytest.mark.parametrize("seeds", ["9-0", "0-99999999999", "-1", "a"])
def test_a_range_of_seeds_goes_upwards_and_is_finite(seeds: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "seeds" in refused(capsys, "audit", "--data", "table:none.csv", "--seeds", seeds)


def test_a_dimension_named_twice_is_refused(scored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "each unit or dimension once" in refused(capsys, "score", "both.csv", "--truth", "valence=a,valence=b")


def test_what_has_no_interval_and_who_has_no_group_is_said(scored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (scored / "few.csv").write_text("item,truth,prediction,subject,sex\na,x,x,1,f\nb,y,x,2,m\nc,y,y,1,\n")
    capsys.readouterr()
    assert run(["score", "few.csv", "--by", "sex", "--resamples", "10"]) == 0
    told = capsys.readouterr().err
    assert "note: 1 item in no group of 'sex': missing 1\n" in told
    assert "no interval: 2 subject clusters: an interval needs at least 5" in told


def test_the_decision_on_a_disparity_stands_beside_it(scored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f"{i},{'xy'[i % 2]},{'xy'[(i + i // 4 % 2) % 2]},{i // 4},{'fm'[i // 4 % 2]}" for i in range(40)]
    (scored / "groups.csv").write_text("\n".join(["item,truth,prediction,subject,sex", *rows]))
    capsys.readouterr()
    assert run(["score", "groups.csv", "--by", "sex"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[-1] == "reading"
    (gap,) = (line for line in lines if line.startswith("uar_gap "))
    assert gap.endswith("exceeds")


def test_another_partition_in_the_folder_is_not_replaced_in_silence(
    tones: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["partition", "make", "--data", f"table:{tones}", "-o", "part"]
    assert run(words) == 0
    assert run(words) == 0
    other = [*words, "--protocol", "50-50", "--names", "train,test"]
    assert "holds another partition" in refused(capsys, *other)
    assert run([*other, "--overwrite"]) == 0


def test_a_file_that_is_not_there_is_called_what_it_is(scored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "file to score not found: none.csv" in refused(capsys, "score", "none.csv")
    assert "the folder of a run" in refused(capsys, "score", "run")
    assert "file of predictions not found: none.csv" in refused(capsys, "score", "both.csv", "none.csv")


def test_a_thousand_processes_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--workers" in refused(capsys, "audit", "--data", "table:none.csv", "--workers", "1000")


def test_a_run_without_verdicts_is_listed_as_such(scored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert run(["runs", "."]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split() == ["run", "score", "both", "both", "none"]


def test_words_of_options_are_those_of_the_rooms() -> None:
    assert get_args(Mode) == choices.MODES
    assert ENGINES == choices.ENGINES
    assert CONVENTIONS == choices.CONVENTIONS
