"""A folder of Parquet files is scored in batches by the same verb as a file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.cli.app import run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = [(f"s{n % 7}", "fm"[n % 7 % 2], "ab"[n % 2], "ab"[n % 3 > 0]) for n in range(210)]
    frame = pl.DataFrame(rows, schema=["subject", "sex", "truth", "prediction"], orient="row")
    (tmp_path / "parts").mkdir()
    for number in range(3):
        frame.slice(number * 70, 70).write_parquet(tmp_path / "parts" / f"{number}.parquet")
    frame.write_parquet(tmp_path / "whole.parquet")
    return tmp_path / "parts"


def scores(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, float]:
    capsys.readouterr()
    assert run(["score", *words, "--by", "sex", "--resamples", "20", "--json"]) == 0
    return {
        f"{score['metric']} {score['place']}": score["value"]
        for score in json.loads(capsys.readouterr().out)["scores"]
        if score.get("value") is not None
    }


def test_folder_pattern_and_file_have_the_same_scores(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = scores(capsys, "whole.parquet")
    assert len(whole) > 10
    assert scores(capsys, "parts") == whole
    assert scores(capsys, "parts/*.parquet", "--engine", "polars") == whole
    assert scores(capsys, "whole.parquet", "--engine", "polars") == whole


def test_a_run_of_a_folder_is_kept_without_items(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", "parts", "--resamples", "20", "-o", "run"]) == 0
    assert (folder.parent / "run" / "report.html").is_file()
    assert not (folder.parent / "run" / "items.parquet").exists()
    capsys.readouterr()
    assert run(["runs", "."]) == 0
    assert "parts" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["parts", "whole.parquet"], "predictions in a file of their own"),
        (["parts", "--votes", "whole.parquet"], "votes for a folder"),
        (["parts", "--engine", "dask"], "unknown engine 'dask'"),
        (["none/*.parquet"], "folder of Parquet files not found: none/*.parquet"),
        (["parts", "--steps", "offset:a=1"], "neighbours"),
        (["parts", "--prediction", "guess"], "unknown column 'guess'"),
    ],
)
def test_what_a_folder_cannot_be_scored_with_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    capsys.readouterr()
    assert run(["score", *words]) == 2
    assert told in capsys.readouterr().err
