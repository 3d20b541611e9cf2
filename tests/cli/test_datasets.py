"""``datasets list`` and ``show``: size, labels in order, access; and a made-up copy through ``partition make``."""

from __future__ import annotations

import json

import pytest

from affectcheck.cli.app import run
from affectcheck.datasets import DATASETS
from label_trees import affectnet_row, disfa, put


def out(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(list(words)) == 0
    return capsys.readouterr().out


def line_of(text: str, name: str) -> str:
    return next(line for line in text.splitlines() if line.split()[:1] == [name])


def test_the_list_says_size_labels_groups_and_access(capsys):
    text = out(capsys, "datasets", "list")
    assert all(line_of(text, name) for name in DATASETS.names())
    assert line_of(text, "disfa").split()[:5] == ["disfa", "261628", "27", "au", "(12"]
    affectnet = line_of(text, "affectnet")
    assert "291650  not known  expression (8 classes), affect (2 dimensions)" in affectnet
    assert "on request" in affectnet
    assert "no affect" in line_of(text, "fairface")
    assert "gender, race, age" in line_of(text, "raf-db")
    assert "your own" in line_of(text, "table")


def test_a_card_lists_labels_in_order_and_options_one_a_line(capsys):
    text = out(capsys, "datasets", "show", "affectnet")
    assert "- expression (expressions-8-contempt): anger, disgust, fear, happiness, neutral, sadness, surprise" in text
    assert "- classes: expressions to keep: 8, or 7 without contempt, whose items are left out [8]" in text
    assert "automatically annotated lists are read where they are [yes]" in text
    assert max(map(len, text.splitlines())) < 120
    assert [line.split()[0] for line in text.splitlines() if line[:1].strip()][:2] == ["name", "title"]
    assert "None" not in text


@pytest.mark.parametrize("name", DATASETS.names())
def test_every_card_is_shown_as_text_and_strict_json(capsys, name):
    shown = json.loads(out(capsys, "datasets", "show", name, "--json"))
    assert shown["access"]
    assert shown["provenance"]
    text = out(capsys, "datasets", "show", name)
    assert f"access       {shown['access']}" in text


def test_a_partition_of_a_copy(capsys, tmp_path):
    disfa(tmp_path / "disfa", [f"SN{n:03}" for n in range(1, 8)])
    out(capsys, "partition", "make", "--data", f"disfa:{tmp_path / 'disfa'}", "-o", str(tmp_path / "made"))
    assert (tmp_path / "made").is_dir()


def test_a_copy_that_does_not_fit_is_bad_input(capsys, tmp_path):
    put(tmp_path, {"Manually_Annotated_file_lists/training.csv": affectnet_row("1/a.jpg", 12) + "\n"})
    assert run(["partition", "make", "--data", f"affectnet:{tmp_path}", "-o", str(tmp_path / "made")]) == 2
    message = capsys.readouterr().err
    assert "training.csv: 1 rows with a label that the list does not have" in message
    assert "line 1: '1/a.jpg'" in message
    assert "Traceback" not in message
