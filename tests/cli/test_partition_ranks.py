"""``affectcheck partition ranks``: run folders, partitions and published scores; what is printed, written, refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.annotations import read_csv
from affectcheck.cli.app import run

if TYPE_CHECKING:
    from pathlib import Path

LABELS = ("calm", "joy", "sad")
MODELS = ("m0", "m1", "m2")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Thirty subjects with two partitions of them, the predictions of three models, and published scores."""
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(0)
    subject = np.repeat(np.arange(30), 8)
    truth = random.integers(0, 3, subject.size)
    items = [f"s{s:02d}/{k}.png" for k, s in enumerate(subject)]
    sets = [np.where(np.isin(subject, range(*ends)), "test", "train") for ends in ((0, 10), (10, 30))]
    table = {"item": items, "subject": [f"s{s:02d}" for s in subject], "mood": [LABELS[t] for t in truth]}
    pl.DataFrame(table | dict(zip(("old", "new"), sets, strict=True))).write_csv("faces.csv")
    (tmp_path / "faces.toml").write_text(
        'file = "faces.csv"\nname = "faces"\nitem = "item"\nsubject = "subject"\n\n'
        '[targets.mood]\nlabels = ["calm", "joy", "sad"]\n'
    )
    for k, model in enumerate(MODELS):
        right = random.random(subject.size) < 0.9 - 0.25 * k
        predicted = [LABELS[t if r else (t + 1) % 3] for t, r in zip(truth, right, strict=True)]
        pl.DataFrame({"item": items, "prediction": predicted}).write_csv(f"{model}.csv")
        for side, mask in zip("ab", sets, strict=True):
            scored = pl.DataFrame(
                {"item": items, "truth": table["mood"], "prediction": predicted, "subject": table["subject"]}
            )
            (tmp_path / side).mkdir(exist_ok=True)
            scored.filter(pl.Series(mask == "test")).write_csv(f"{side}/{model}.csv")
    (tmp_path / "board.csv").write_text("model,score_a,score_b\nx,0.5,0.6\ny,0.4,0.7\nz,0.3,0.1\nw,,1\n")
    return tmp_path


QUICK = ("--resamples", "100", "--draws", "20")
DATA = ("partition", "ranks", "-d", "table:faces.toml", "--a", "old", "--b", "new", *QUICK)
FILES = tuple(word for model in MODELS for word in ("-p", f"{model}.csv"))


def out_of(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert run(list(words)) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def test_two_partitions(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = out_of(capsys, *DATA, *FILES, "--names", "original,new", "--metric", "f1_macro", "--target", "mood")
    assert text.startswith("3 models by f1_macro, on original and on new\nKendall's tau-b: 1.000, 95% interval [")
    assert "two test sets dealt anew from the same items: tau" in text
    assert "Pairs most likely to swap:" in text
    assert "Smaller test sets:" in text
    assert "kendall_tau_b|labels:calm,joy,sad|target:mood|options:of=f1_macro,models=3|" in text
    assert run([*DATA, *FILES, "--prediction", "predicted"]) == 2


def test_a_partition_may_be_a_folder_or_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out_of(capsys, "partition", "make", "-d", "table:faces.toml", "-o", "made")
    read_csv(folder / "faces.csv").select("item", part="old").write_csv("old.csv")
    words = ("partition", "ranks", "-d", "table:faces.toml", "--a", "old.csv", "--b", "made", *FILES, *QUICK, "--json")
    found = json.loads(out_of(capsys, *words))
    assert found["names"] == ["a", "b"]
    assert found["metric"] == "uar"
    assert {row["set"] for row in found["stability"]} == {"a", "b"}


def test_run_folders(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for side in "ab":
        for model in MODELS:
            words = ("score", f"{side}/{model}.csv", "--subject", "subject", "--resamples", "0")
            out_of(capsys, *words, "-o", f"runs-{side}/{model}")
    words = ("partition", "ranks", "--a", "runs-a", *QUICK)
    each = [word for model in MODELS for word in ("--b", f"runs-b/{model}")]
    text = out_of(capsys, *words, *each, "--metric", "accuracy")
    assert text.startswith("3 models by accuracy, on a and on b\nKendall's tau-b: 1.000")
    assert run(["partition", "ranks", "--a", "runs-a", "--b", "runs-a/m0", "--b", "runs-a/m0"]) == 2
    assert "two runs of the model" in capsys.readouterr().err
    alone = out_of(capsys, *words, "--b", "runs-b/m0")
    assert "undefined, 1 model has both scores" in alone
    assert "Pairs" not in alone
    assert "Smaller test sets" not in alone
    (folder / "empty").mkdir()
    assert run(["partition", "ranks", "--a", "runs-a", "--b", "empty"]) == 2


def test_published_scores(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = out_of(capsys, "partition", "ranks", "board.csv")
    assert "4 models by published scores, on a and on b\nKendall's tau-b: 0.333; no interval:" in text
    assert "p = 1 (exact) that unrelated rankings agree or disagree as much" in text
    assert "w" in text
    assert "-      -" in text
    (folder / "one.csv").write_text("model,score\nx,0.5\ny,0.4\n")
    (folder / "two.csv").write_text("model,rank\nx,1\ny,2\n")
    assert "tau-b: 1.000" in out_of(capsys, "partition", "ranks", "one.csv", "two.csv")
    (folder / "ranks.csv").write_text("model,rank_a,rank_b\nx,1,2\ny,2,1\n")
    assert "tau-b: -1.000" in out_of(capsys, "partition", "ranks", "ranks.csv")
    assert "tau-b: -1.000" in out_of(capsys, "partition", "ranks", "ranks.csv", "--columns", "rank_b,rank_a")
    (folder / "tied.csv").write_text("model,score_a,score_b\nx,1,2\ny,1,1\n")
    assert "undefined, all models are tied in the first set" in out_of(capsys, "partition", "ranks", "tied.csv")


@pytest.mark.parametrize("suffix", [".md", ".csv", ".json"])
def test_files(folder: Path, capsys: pytest.CaptureFixture[str], suffix: str) -> None:
    out_of(capsys, *DATA, *FILES, "-o", f"out{suffix}")
    text = (folder / f"out{suffix}").read_text()
    if suffix == ".md":
        assert text.startswith("# Rankings on a and b\n\n3 models by uar")
        assert "| model | a | rank on a | b | rank on b | moved |\n| --- |" in text
        assert "a model that was trained on a may have seen them" in text
    elif suffix == ".csv":
        assert read_csv(folder / "out.csv").height == 3
    else:
        assert json.loads(text)["tau"]["value"] == 1.0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "nothing to compare"),
        (["--a", "runs"], "nothing to compare"),
        (["board.csv", "--a", "x"], "beside --a"),
        (["board.csv", "board.csv", "board.csv"], "one or two files"),
        (["board.csv", "--columns", "score_a"], "two columns or none"),
        (["board.csv", "--names", "a"], "two names"),
        (["board.csv", "-o", "x.pdf"], "unknown format of rankings '.pdf'"),
        (["no.csv"], "file of scores not found"),
        (["-d", "table:faces.toml", "--a", "old"], "1 --a, 0 --b and 0 --predictions"),
        (["-d", "table:faces.toml", "--a", "old", "--b", "nwe", "-p", "m0.csv"], "column of a partition 'nwe'"),
        (["-d", "table:faces.toml", "--a", "old", "--b", "new", "-p", "m0.csv", "-p", "a/m0.csv"], "called 'm0'"),
    ],
)
def test_what_is_refused(folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    assert run(["partition", "ranks", *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error
