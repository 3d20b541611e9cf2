"""``affectcheck board``: published tables, runs among them, and what is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from affectcheck.cli.app import run
from affectcheck.records import Header, Place, RunRecord, Score, Signature, save_run

if TYPE_CHECKING:
    from pathlib import Path

    Printed = pytest.CaptureFixture[str]


def test_boards_are_listed(capsys: Printed) -> None:
    assert run(["board"]) == 0
    listed = capsys.readouterr().out
    assert "\ngft             Action units on GFT, fair protocol " in listed
    assert "1 model    paper 3, Table 4\n" in listed
    assert "8 models   paper 2, Table VII\n" in listed
    assert run(["board", "--json"]) == 0
    names = json.loads(capsys.readouterr().out)
    assert len(names) == 15
    assert {"raf-db", "abaw6-emi", "ser-tests"} < set(names)


def test_a_board_with_values_of_ones_own(capsys: Printed) -> None:
    assert run(["board", "disfa", "--own", "mine=0.4589"]) == 0
    told = capsys.readouterr()
    assert "Action units on DISFA, fair protocol (test set; paper 1, Table VI), by f1" in told.out
    assert "\n2      mine (own)     0.4589\n" in told.out
    assert "\ngender dpd       -0.17 [-0.45, +0.15]\n" in told.out
    assert "note: The text calls EffNet_b0 the worst; ViT_b_32 is lower." in told.err
    assert run(["board", "disfa", "--by", "age eod", "--own", "mine=0.3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["rows"][0] == {"place": 1, "model": "mine", "own": True, "age eod": 0.3}
    assert found["rows"][1]["model"] == "ConvNeXt_l"
    correlation = found["correlations"]["age dpd"]
    assert correlation["value"] == pytest.approx(0.42, abs=0.005)
    assert correlation["low"] < correlation["value"] < correlation["high"]
    assert correlation["models"] == 42


def test_baselines_of_paper_3(capsys: Printed) -> None:
    assert run(["board", "abaw6-emi", "--own", "mine=0.24"]) == 0
    told = capsys.readouterr().out
    assert "(validation set; paper 3, Table 7), by p_emi" in told
    assert "\n2      mine (own)                                   0.2400\n4      vision" in told
    assert "Spearman" not in told  # no column of groups
    assert run(["board", "abaw6-expr"]) == 0
    assert "adds up to 1,504,436" in capsys.readouterr().err


def test_tables_of_paper_2(capsys: Printed) -> None:
    assert run(["board", "ser-tests", "--own", "mine=0.81"]) == 0
    told = capsys.readouterr().out
    assert "→  mine           -        -          -        -        0.810 (5 of 9)" in told
    assert "CNN14 84.4 % of valence" in told
    assert run(["board", "ser-tests", "--by", "robustness emotion", "--own", "mine=0.8", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["name"], found["source"]) == ("ser-tests", "paper 2, Table V")
    robustness = [row for row in found["rows"] if row["block"] == "robustness"]
    assert [row["model"] for row in robustness][:3] == ["w2v2-L-vox", "mine", "hubert-L"]
    assert robustness[1]["places"] == {"arousal": None, "dominance": None, "valence": None, "emotion": 2, "mean": None}
    assert run(["board", "ser-sentiment"]) == 0
    assert "+0.12" in capsys.readouterr().out


def test_a_speech_run_of_ones_own(tmp_path: Path, capsys: Printed) -> None:
    scores = (Score("ccc", 0.62, 9, Signature("ccc"), Place(part="arousal")),)
    save_run(RunRecord(Header(model={"name": "mine", "kind": "dimensions"}), scores=scores), tmp_path / "mine")
    assert run(["board", "ser-benchmarks", "--run", str(tmp_path / "mine"), "--json"]) == 0
    (row,) = [one for one in json.loads(capsys.readouterr().out)["rows"] if one["own"]]
    assert (row["model"], row["values"]["arousal"], row["places"]["arousal"]) == ("mine", 0.62, 6)
    assert run(["board", "ser-sentiment", "--run", str(tmp_path / "mine")]) == 2  # nothing of what it shows
    assert run(["board", "ser-benchmarks", "--run", str(tmp_path / "mine"), "--own", "mine=0.2"]) == 2
    assert "--own and --run of one name: 'mine'" in capsys.readouterr().err


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
    capsys.readouterr()
    assert run(["board", "raf-db", "--run", "mine", "--own", "mine=0.2"]) == 2
    assert "--own and --run of one name: 'mine'" in capsys.readouterr().err
    assert run(["board", "raf-db", "--run", "mine", "--run", str(tmp_path / "mine")]) == 2
    assert "two runs called 'mine'" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["svg", "html", "png", "pdf"])
def test_a_plot_of_one_board(kind: str, tmp_path: Path, capsys: Printed) -> None:
    pytest.importorskip("vl_convert")
    path = tmp_path / f"plot.{kind}"
    assert run(["board", "raf-db", "--plot", str(path), "--own", "mine=0.7"]) == 0
    told = capsys.readouterr().out
    assert "raf-db  age: EOP     47      +0.54 [+0.28, +0.73]" in told
    assert told.endswith(f"\n\n{path}\n")
    assert {"svg": b"<svg", "html": b"<html", "png": b"\x89PNG", "pdf": b"%PDF"}[kind] in path.read_bytes()[:200]
    assert run(["board", "raf-db", "--plot", str(path)]) == 2
    assert "exists" in capsys.readouterr().err


def test_a_plot_of_all_boards_and_of_speech_models(tmp_path: Path, capsys: Printed) -> None:
    pytest.importorskip("vl_convert")
    assert run(["board", "--plot", str(tmp_path / "all.svg"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["correlations"]) == 47  # 7 boards of 6 columns, and 5 of speech models
    assert {row["board"] for row in found["correlations"]} >= {"raf-db", "gft", "ser-tests"}
    assert "affectnet-va" not in {row["board"] for row in found["correlations"]}  # it has no difference between groups
    assert run(["board", "ser-tests", "--plot", str(tmp_path / "speech.svg"), "--own", "mine=0.5"]) == 0
    assert "ser-tests  mean: fairness tests failed       8       +0.07 [-0.67, +0.74]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["rafdb"], "unknown board 'rafdb'"),
        (["raf-db", "--by", "ccc"], "unknown column of the board"),
        (["raf-db", "--own", "mine"], "NAME=VALUE, such as"),
        (["raf-db", "--own", "mine=71"], "per cent; write 0.71"),
        (["raf-db", "--own", "=0.5"], "NAME=VALUE, a fraction"),
        (["raf-db", "--own", "mine=nan"], "NAME=VALUE, a fraction\n"),
        (["raf-db", "--own", "a=0.5", "--own", "a=0.6"], "--own a twice"),
        (["ser-tests", "--own", "a=0.5", "--own", "a=0.6"], "--own a twice"),
        (["--own", "mine=0.5"], "no board was named"),
        (["ser-tests", "--by", "age"], "unknown column of table V of paper 2: 'age'"),
        (["ser-tests", "--own", "CNN14=0.5"], "a published model is called 'CNN14'"),
        (["ser-sentiment", "--own", "mine=0.5"], "which ranks nothing"),
        (["raf-db", "--plot", "p.gif"], "cannot write a plot to p.gif"),
        (["abaw6-va", "--plot", "p.svg"], "board 'abaw6-va' has no column of groups"),
        (["ser-sentiment", "--plot", "p.svg"], "board 'ser-sentiment' has no column of groups"),
        (["ser-tests", "--plot", "p.svg", "--by", "mean"], "a plot of paper 2, which takes --own alone"),
        (["raf-db", "--plot", "p.svg", "--by", "age eop"], "values of 'f1', which the plot is over"),
    ],
)
def test_what_is_refused(words: list[str], fault: str, capsys: Printed) -> None:
    assert run(["board", *words]) == 2
    assert fault in capsys.readouterr().err
