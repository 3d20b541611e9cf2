"""``partition stats`` and ``partition published``: text, JSON and files, of a table and of what papers publish."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.cli.app import run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def data(tmp_path: Path) -> str:
    """A small table with its own partition, as ``--data`` takes it."""
    rows = ["file,who,sex,mood,set"]
    rows += [
        f"{row:02d}.jpg,p{row % 8},{'FM'[row % 2]},{('anger', 'neutral')[row % 3 % 2]},{('train', 'test')[row % 4 == 0]}"
        for row in range(36)
    ]
    (tmp_path / "labels.csv").write_text("\n".join(rows) + "\n")
    (tmp_path / "labels.toml").write_text(
        'file = "labels.csv"\nname = "small"\nitem = "file"\nsubject = "who"\npartition = "set"\ngroups = ["sex"]\n\n'
        '[targets.mood]\nlabels = ["anger", "neutral"]\n'
    )
    return f"table:{tmp_path / 'labels.toml'}"


def test_the_own_partition_and_a_made_one_beside_it(
    data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "fair"
    assert run(["partition", "make", "--data", data, "-o", str(folder)]) == 0
    capsys.readouterr()
    assert run(["partition", "stats", "--data", data, str(folder), str(folder), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in found["partitions"]] == ["original", "fair", "fair (2)"]
    counts = {(r["partition"], r["set"], r["value"]): r["count"] for r in found["counts"]}
    assert counts["original", "train", "all"] + counts["original", "test", "all"] == 36
    assert (
        sum(counts["fair", part, "anger"] for part in ("train", "validation", "test"))
        == counts["original", "train", "anger"] + counts["original", "test", "anger"]
    )
    assert found["partitions"][1]["deviations"]["targets"] == [0.55, 0.15, 0.3]
    assert run(["partition", "stats", "--data", data, str(folder)]) == 0
    text = capsys.readouterr().out
    assert "original: train" in text
    assert "fair: validation" in text
    assert "Deviations in percentage points" in text


@pytest.mark.parametrize("suffix", ["md", "tex", "csv"])
def test_a_file_by_its_suffix(data: str, tmp_path: Path, suffix: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / f"out.{suffix}"
    assert run(["partition", "stats", "--data", data, "-o", str(path), "--no-shares", "--beside", "raf-db"]) == 0
    assert str(path) in capsys.readouterr().out
    text = path.read_text(encoding="utf-8")
    assert "RAF-DB, new" in text
    if suffix == "csv":
        assert (
            pl.read_csv(path).filter(column="sex", partition="RAF-DB, new", value="F").get_column("count").sum() == 8182
        )
    else:
        assert "Share of the items" not in text


def test_another_suffix_and_an_unknown_publication_are_bad_input(
    data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["partition", "stats", "--data", data, "-o", str(tmp_path / "out.pdf")]) == 2
    assert "csv, html, md, tex" in capsys.readouterr().err
    assert run(["partition", "stats", "--data", data, "--beside", "rafdb"]) == 2
    assert "raf-db" in capsys.readouterr().err
    assert run(["partition", "published", "rafdb"]) == 2


def test_published_partitions_are_listed_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["partition", "published"]) == 0
    assert "paper 1, Tables II and III" in capsys.readouterr().out
    assert run(["partition", "published", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert {"raf-db", "gft"} < {one["name"] for one in listed}
    assert run(["partition", "published", "gft"]) == 0
    text = capsys.readouterr().out
    assert "impossible" not in text
    assert "AU1: 5,116 items after, 27,551 before" in text
    assert "subjects: 96" in text
    assert run(["partition", "published", "gft", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert {one["key"] for one in shown["inconsistencies"]} >= {"impossible AU9"}
    assert shown["partitions"][1]["deviations"]["empty"] == 7
    assert run(["partition", "published", "c-expr-db"]) == 0
    assert "What does not add up" not in capsys.readouterr().out


def test_an_audit_is_written_beside_a_published_partition(
    data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "audit.md"
    arguments = ["partition", "audit", "--data", data, "--no-content", "--draws", "20", "--beside", "raf-db"]
    assert run([*arguments, "-o", str(path)]) == 1
    text = path.read_text(encoding="utf-8")
    assert "| sets of the protocol | FAIL |" in text
    assert "RAF-DB, new (images), test" in text
    capsys.readouterr()
    assert run(arguments) == 2
    assert "--beside without a report" in capsys.readouterr().err
