"""``affectcheck partition audit`` on partitions of any origin."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from affectcheck.cli.app import run as run_program

if TYPE_CHECKING:
    from pathlib import Path


def run(words: list[str]) -> int:
    return run_program(["partition", "audit", *words])


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A table of 60 items of 12 subjects, without media and without a partition."""
    monkeypatch.chdir(tmp_path)
    rows = ["item,subject,sex,emotion"]
    rows += [f"{n:02d}.jpg,s{n % 12:02d},{'fm'[n % 2]},{('anger', 'neutral')[n // 12 % 2]}" for n in range(60)]
    (tmp_path / "labels.csv").write_text("\n".join(rows) + "\n")
    (tmp_path / "labels.toml").write_text(
        'file = "labels.csv"\nsubject = "subject"\ngroups = ["sex"]\n[targets.emotion]\nscheme = "expressions-4"\n'
    )
    return f"table:{tmp_path / 'labels.toml'}"


def split(path: Path, *, leak: bool = False, header: str = "file,usage") -> Path:
    sets = ["train"] * 7 + ["validation"] * 2 + ["test"] * 3
    lines = [f"{n:02d}.jpg,{'test' if leak and n == 0 else sets[n % 12]}" for n in range(60)]
    path.write_text("\n".join([header, *lines]) + "\n")
    return path


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    return json.loads(capsys.readouterr().out, parse_constant=pytest.fail)


def test_a_file_is_judged_and_all_of_it_is_json(data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--data", data, "--partition", str(split(tmp_path / "s.csv")), "--size-tolerance", "0.2"]
    assert run([*words, "--max-deviation", "0.5", "--json"]) == 0
    found = told(capsys)
    assert found["sets"] == ["train", "validation", "test"]
    assert found["points"]["iv"]["status"] == "passed"
    assert {row["against"] for row in found["distances"]} == {"all", "validation", "test"}
    assert found["units"] == {"subjects": 12}


def test_a_leak_exits_with_1_and_offending_items_are_written(
    data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = str(split(tmp_path / "s.csv", leak=True, header="Image,Where"))
    words = ["--data", data, "--partition", given, "--offending", "bad.csv", "--draws", "20"]
    assert run(words) == 2
    assert "--item-column" not in capsys.readouterr().out
    assert run([*words, "--item-column", "Image", "--part-column", "Where"]) == 1
    out = capsys.readouterr()
    assert "1 subject is in more than one set, 4 pairs of items: s00" in out.out
    assert "point  verdict" in out.out
    assert out.err.rstrip().endswith("bad.csv")
    rows = pl.read_csv(tmp_path / "bad.csv")
    assert rows.columns == ["rule", "value", "item", "set"]
    assert rows.filter(pl.col("rule") == "subject independence").height == 5
    assert rows["value"].unique().to_list() == ["s00"]


def test_options_reach_the_audit(data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--data", data, "--partition", str(split(tmp_path / "s.csv")), "--json", "--draws", "20"]
    run([*words, "--targets", "none", "--groups", "none", "--subjects", "none"])
    found = told(capsys)
    assert found["distances"] == []
    assert found["units"] == {"items": 60}
    run([*words, "--targets", "all", "--groups", "sex", "--subjects", r"\d\d", "--views", "none", "--videos", r"(\d)"])
    found = told(capsys)
    assert {row["column"] for row in found["distances"]} == {"emotion", "sex"}
    rules = {finding["rule"]: finding for finding in found["findings"]}
    assert rules["no frames of one video in two sets"]["status"] == "failed"
    assert rules["no view of a recording in two sets"]["reason"].startswith("stated")
    run([*words, "--width", "1", "--correlation", "0", "--minimum-support", "1", "--targets", "emotion"])
    rules = {finding["rule"]: finding for finding in told(capsys)["findings"]}
    assert rules["adequate data and subjects"]["status"] == "passed"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--partition", "none.csv"], "none.csv"),
        (["--item-column", "x"], "--item-column and --part-column are of no use"),
        (["folder", "--partition", "s.csv"], "two partitions"),
        (["--partition", "s.csv", "-o", "x.pdf"], "unknown format of a report 'pdf'"),
        (["--partition", "s.csv", "--max-deviation", "5"], "a largest deviation of a share of 5"),
        (["--partition", "s.csv", "--correlation", "nan"], "a correlation within subjects of nan"),
        (["--partition", "s.csv", "--views", "("], "the rule for views is no regular expression"),
        ([], "no partition of its own"),
    ],
)
def test_bad_usage(
    data: str, tmp_path: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    split(tmp_path / "s.csv")
    assert run(["--data", data, *words]) == 2
    assert message in capsys.readouterr().err


def test_reports(data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--data", data, "--partition", str(split(tmp_path / "s.csv")), "--draws", "20"]
    for suffix in ("json", "md", "html"):
        assert run([*words, "-o", f"report.{suffix}"]) in {0, 1}
        assert (tmp_path / f"report.{suffix}").stat().st_size > 1000
    assert json.loads((tmp_path / "report.json").read_text())["sets"] == ["train", "validation", "test"]
    assert "subject independence" in (tmp_path / "report.md").read_text()
    capsys.readouterr()


def test_media_that_cannot_be_read_are_counted(
    data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFECTCHECK_CACHE", str(tmp_path / "cache"))
    text = (tmp_path / "labels.toml").read_text().replace('subject = "subject"', 'subject = "subject"\nmedia = "item"')
    (tmp_path / "labels.toml").write_text(text)
    words = ["--data", data, "--partition", str(split(tmp_path / "s.csv")), "--draws", "20", "--json"]
    run(words)
    out = capsys.readouterr()
    assert "not compared: 60 items in all" in out.err
    rules = {finding["rule"]: finding for finding in json.loads(out.out)["findings"]}
    assert "of 60 items the media could not be read" in rules["no content in two sets"]["reason"]
    run([*words, "--no-content"])
    rules = {finding["rule"]: finding for finding in told(capsys)["findings"]}
    assert rules["no content in two sets"]["reason"].startswith("media were not compared")


def test_a_manifest_of_other_data_is_told(data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_program(["partition", "make", "--data", data, "-o", "made"]) == 0
    words = ["made", "--data", data, "--draws", "20"]
    run(words)
    assert "the manifest was made of" not in capsys.readouterr().err
    labels = tmp_path / "labels.csv"
    labels.write_text(labels.read_text().replace("00.jpg,s00,f,anger", "00.jpg,s00,f,neutral"))
    run(words)
    assert "note: the manifest was made of labels with digest" in capsys.readouterr().err


def test_a_partition_file_may_have_other_delimiters(
    data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = split(tmp_path / "s.csv")
    words = ["--data", data, "--partition", str(given), "--size-tolerance", "0.2", "--max-deviation", "0.5", "--json"]
    run(words)
    commas = told(capsys)
    given.write_text(given.read_text().replace(",", ";"))
    assert run([*words, "--delimiter", ";"]) == 0
    assert told(capsys) == commas
