"""What a reader may count on everywhere: files of one noun and a readable length, and a project that speaks of itself."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
VAGUE = {"utils", "util", "helpers", "helper", "common", "core", "misc", "base"}
LONGEST = 500
TABLES = {"tests/reports/records.py"}  # records made by hand, a table of data


def tracked(*patterns: str) -> list[Path]:
    done = subprocess.run(["git", "ls-files", *patterns], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip("not a git work tree: nothing says which files belong to the project")
    return [ROOT / line for line in done.stdout.splitlines() if (ROOT / line).is_file()]


def test_no_file_is_too_long_to_read() -> None:
    lengths = {str(p.relative_to(ROOT)): len(p.read_text().splitlines()) for p in tracked("*.py")}
    assert not {name: n for name, n in lengths.items() if n > LONGEST and name not in TABLES}


def test_no_room_or_file_is_called_what_everything_could_be_called() -> None:
    assert not [
        p for p in tracked("src", "tests", "benchmarks") if {part.split(".")[0] for part in p.parts[-3:]} & VAGUE
    ]


def test_nothing_is_left_to_do_in_the_code() -> None:
    pattern = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b|raise NotImplementedError")
    assert not [p for p in tracked("src/*.py") if pattern.search(p.read_text())]


def test_every_room_says_what_it_is_and_what_it_gives() -> None:
    for room in (ROOT / "src" / "affectcheck").iterdir():
        if room.is_dir() and (room / "__init__.py").is_file():
            text = (room / "__init__.py").read_text()
            assert text.startswith('"""'), room.name
            assert "__all__" in text, room.name


def test_no_data_of_others_is_in_the_repository() -> None:
    media = {".wav", ".flac", ".mp3", ".mp4", ".parquet", ".npz", ".csv"}
    assert not [p for p in tracked() if p.suffix in media]


def test_every_change_that_is_told_has_a_known_type() -> None:
    types = {"scores", "feature", "fix", "breaking"}
    assert all(p.suffixes[-2:] in [[f".{t}", ".md"] for t in types] for p in tracked("changelog.d/*.md"))
