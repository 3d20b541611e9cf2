"""What ``score`` prints beside a value: its interval or why there is none; parts of disparities on request."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affectcheck.cli.app import run

if TYPE_CHECKING:
    from pathlib import Path

AFFECT = ["--labels", "valence-arousal", "--prediction", "valence=v,arousal=a", "--by", "sex"]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = []
    for i in range(60):
        valence, arousal = (i * 7 % 20) / 10 - 1, (i * 3 % 20) / 10 - 1
        rows.append(f"i{i},s{i % 6},{'fm'[i % 2]},{valence},{arousal},{0.8 * valence + (i % 3) / 10:.3f},{arousal / 2}")
    (tmp_path / "affect.csv").write_text("\n".join(["item,subject,sex,valence,arousal,v,a", *rows]))
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    capsys.readouterr()
    assert run(["score", "affect.csv", *AFFECT, *words]) == 0
    return capsys.readouterr().out.splitlines()


def test_parts_of_disparities_are_printed_on_request(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def local(lines: list[str]) -> list[str]:
        return [" ".join(line.split()[:4]) for line in lines if line.startswith("local_ccc (paper)")]

    assert [line.rpartition(" ")[0] for line in local(printed(capsys, "--resamples", "20"))] == [
        "local_ccc (paper) sex"
    ]
    assert local(printed(capsys, "--resamples", "20", "--parts"))[1:] == [
        "local_ccc (paper) sex valence",
        "local_ccc (paper) sex arousal",
    ]


def test_why_there_is_no_interval_stands_beside_a_value(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "--resamples", "20")
    whole = next(line for line in lines if line.startswith("mae") and " sex " not in line)
    assert "[" in whole
    of_group = next(line for line in lines if line.startswith("mae") and " sex f " in line)
    assert of_group.endswith("no interval: 3 subject clusters")


def test_intervals_that_nobody_asked_for_are_not_excused(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert not [line for line in printed(capsys, "--resamples", "0") if "no interval" in line]
