"""``affectcheck board``: published tables, runs among them, and what is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from affectcheck.cli.app import run

if TYPE_CHECKING:
    from pathlib import Path

    Printed = pytest.CaptureFixture[str]


def test_boards_are_listed(capsys: Printed) -> None:
    assert run(["board"]) == 0
    assert "gft           Action units on GFT, fair protocol" in capsys.readouterr().out
    assert run(["board", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 8


def test_a_board_with_values_of_ones_own(capsys: Printed) -> None:
    assert run(["board", "disfa", "--own", "mine=0.4589"]) == 0
    told = capsys.readouterr()
    assert "Action units on DISFA, fair protocol (test set; paper 1, Table VI), by f1" in told.out
    assert "\n2      mine (own)     0.4589\n" in told.out
    assert "gender dpd -0.17" in told.out
    assert "note: The text calls EffNet_b0 the worst; ViT_b_32 is lower." in told.err
    assert run(["board", "disfa", "--by", "age eod", "--own", "mine=0.3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["rows"][0] == {"place": 1, "model": "mine", "own": True, "age eod": 0.3}
    assert found["rows"][1]["model"] == "ConvNeXt_l"
    assert found["correlations"]["age dpd"] == pytest.approx(0.42, abs=0.005)


def test_a_run_of_ones_own(tmp_path: Path, capsys: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    labels = ("anger", "disgust", "fear", "happiness", "neutral", "sadness", "surprise")
    rows = [f"i{n},{labels[n % 7]},{labels[n % 7 if n % 5 else 0]}" for n in range(70)]
    (tmp_path / "p.csv").write_text("\n".join(["item,truth,prediction", *rows]), encoding="utf-8")
    asked = ["score", "p.csv", "--labels", "expressions-7", "--resamples", "0", "--by", "none"]
    assert run([*asked, "--metrics", "f1_macro", "-o", "mine"]) == 0
    assert run([*asked, "--metrics", "accuracy", "-o", "other"]) == 0
    capsys.readouterr()
    assert run(["board", "raf-db", "--run", "mine", "--json"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["rows"][0]["model"] == "mine"
    assert "whether its items are the board's test set is not known here" in told.err
    assert run(["board", "raf-db", "--run", "other"]) == 2
    assert "no score 'f1_macro' in the run" in capsys.readouterr().err
    assert run(["board", "raf-db", "--run", "mine", "--by", "age sp"]) == 2


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["rafdb"], "unknown board 'rafdb'"),
        (["raf-db", "--by", "ccc"], "unknown column of the board"),
        (["raf-db", "--own", "mine"], "NAME=VALUE, such as"),
        (["raf-db", "--own", "mine=71"], "per cent; write 0.71"),
        (["raf-db", "--own", "=0.5"], "NAME=VALUE, a fraction"),
        (["--own", "mine=0.5"], "--by, --run or --own without a board"),
    ],
)
def test_what_is_refused(words: list[str], fault: str, capsys: Printed) -> None:
    assert run(["board", *words]) == 2
    assert fault in capsys.readouterr().err
