"""Files that are there are somebody's: a verb replaces them only where that is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affectcheck.cli.app import run

if TYPE_CHECKING:
    from pathlib import Path

VERBS = (
    ["predict", "--data", "table:none.toml", "--model", "random-categorical"],
    ["train", "--data", "table:none.toml"],
    ["suites", "judge", "values.csv"],
    ["suites", "leaderboard"],
    ["suites", "raters", "correctness-classification", "--data", "table:none.toml", "--votes", "votes.csv"],
)


@pytest.mark.parametrize("words", VERBS, ids=lambda words: " ".join(words[:2]))
def test_a_file_that_is_there_is_refused_before_anything_is_read(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    suffix = {"train": ".npz", "raters": ".json"}.get(words[0], {"raters": ".json"}.get(words[1], ".csv"))
    mine = tmp_path / f"mine{suffix}"
    mine.write_text("mine")
    assert run([*words, "-o", mine.name]) == 2
    told = capsys.readouterr().err
    assert f"{mine.name} exists" in told
    assert "--overwrite to replace it" in told
    assert mine.read_text() == "mine"


def test_what_is_said_to_be_replaced_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "board.csv").write_text("mine")
    assert run(["suites", "leaderboard", "--table", "V", "-o", "board.csv", "--overwrite"]) == 0
    assert "mine" not in (tmp_path / "board.csv").read_text()
    (tmp_path / "folder.csv").mkdir()
    assert run(["suites", "leaderboard", "--table", "V", "-o", "folder.csv", "--overwrite"]) == 2
    assert "folder.csv is a folder" in capsys.readouterr().err
