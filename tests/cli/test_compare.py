"""The verb `compare`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from affectcheck import seeds
from affectcheck.cli.app import run

if TYPE_CHECKING:
    from pathlib import Path


SCORE = ["score", "truth.csv", "--by", "sex", "--resamples", "100"]


def write(folder: Path, name: str, accuracy: float) -> None:
    random = seeds.rng(0, name)
    rows = ["item,prediction"]
    truth = ["item,truth,subject,sex"]
    for number in range(96):
        label = "abc"[number % 3]
        truth.append(f"{number}.wav,{label},s{number // 12},{'fm'[number // 12 % 2]}")
        rows.append(f"{number}.wav,{label if random.random() < accuracy else 'abc'[int(random.integers(3))]}")
    (folder / f"{name}.csv").write_text("\n".join(rows) + "\n")
    (folder / "truth.csv").write_text("\n".join(truth) + "\n")


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("compared")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, accuracy in (("good", 0.95), ("poor", 0.4)):
            write(folder, name, accuracy)
            assert run([*SCORE, f"{name}.csv", "-o", f"runs/{name}"]) == 0
    return folder


@pytest.fixture
def folders(scored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Run folders that are read alone; what is written goes to a folder of the test."""
    monkeypatch.chdir(tmp_path)
    return [str(scored / "runs" / name) for name in ("good", "poor")]


def test_tables_of_differences_and_ranks(folders: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", *folders, "--by", "sex", "--resamples", "100"]) == 0
    shown = capsys.readouterr()
    lines = shown.out.splitlines()
    uar = next(line for line in lines if line.startswith("uar (paper)"))
    assert "good − poor" in uar
    assert "good is better" in uar
    assert any("permutation of 8 subjects, all 256 ways" in line for line in lines)
    assert any(line.startswith("uar (paper)") and line.endswith("1     1 to 1 of 2") for line in lines)
    assert any(line.startswith("uar|convention:paper|") for line in lines)
    assert "note: No interval: a distance between groups is biased upwards" in shown.err


def test_a_run_folder_with_reports(folders: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", *folders, "--resamples", "50", "--metrics", "uar,accuracy", "-o", "out"]
    assert run(words) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "out/report.html"
    record = json.loads((tmp_path / "out" / "run.json").read_text())
    assert {one["metric"] for one in record["comparisons"]} == {"uar", "accuracy"}
    assert record["header"]["arguments"]["passed"]["runs"] == folders
    assert "## Models compared" in (tmp_path / "out" / "report.md").read_text()
    assert run(words) == 2
    assert run([*words, "--overwrite"]) == 0


def test_json_is_the_record(folders: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", *folders, "--reference", "good", "--resamples", "20", "--parts", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert {(one["first"], one["second"]) for one in record["comparisons"]} == {("poor", "good")}
    assert any(one["place"]["part"] for one in record["comparisons"])
    assert record["ranks"][0]["models"] == 2


def test_what_may_not_be_compared_exits_with_2(
    folders: list[str], scored: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(scored)
    assert run([*SCORE, "poor.csv", "--metrics", "uar", "--seed", "5", "-o", "runs/other"]) == 0
    assert run(["compare", folders[0], "runs/other"]) == 2
    assert "seed: '0' and '5'" in capsys.readouterr().err
    assert run(["compare", folders[0]]) == 2
    assert run(["compare", *folders, "--method", "normal"]) == 2
    assert run(["compare", *folders, "--reference", "best"]) == 2
    assert "did you mean" not in capsys.readouterr().out
