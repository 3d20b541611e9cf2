"""``affectcheck challenge``: what a participant and an organiser see, and how each verb ends."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from affectcheck.challenges import load_track
from affectcheck.cli.app import run

if TYPE_CHECKING:
    from pathlib import Path

    Printed = pytest.CaptureFixture[str]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Labels of one video, and two submissions, one of which is a frame short."""
    (tmp_path / "labels").mkdir()
    lines = [f"{n / 30:.3f},{-n / 40:.3f}" for n in range(30)]
    (tmp_path / "labels" / "v.txt").write_text("valence,arousal\n" + "\n".join([*lines, "-5,-5"]), encoding="utf-8")
    rows = [f"v/{n:05}.jpg,{n / 31:.3f},{-n / 41:.3f}" for n in range(1, 32)]
    head = "image_location,valence,arousal\n"
    (tmp_path / "good.csv").write_text(head + "\n".join(rows), encoding="utf-8")
    (tmp_path / "short.csv").write_text(head + "\n".join(rows[:20]), encoding="utf-8")
    return tmp_path


def test_tracks_are_listed_and_shown(capsys: Printed) -> None:
    assert run(["challenge", "list"]) == 0
    assert "abaw6-emi     dimensions  p_emi" in capsys.readouterr().out
    assert run(["challenge", "list", "--json"]) == 0
    assert "raf-db" in json.loads(capsys.readouterr().out)
    assert run(["challenge", "show", "abaw6-va"]) == 0
    shown = capsys.readouterr().out
    assert "baseline     0.22 ResNet50, ImageNet weights (validation; paper 3, Table 4)" in shown
    assert "  image_location,valence,arousal\n  video61_left/00001.jpg,0.1,0.1\n" in shown
    for name, line in (
        ("abaw6-au", "jpg,1,0,0"),
        ("raf-db", "item-1,anger"),
        ("abaw6-emi", "\n  00001,0.1"),
        ("abaw6-ce", "jpg,1,0,0,0,0,0,0"),
    ):
        assert run(["challenge", "show", name]) == 0
        assert line in capsys.readouterr().out
    assert run(["challenge", "show", "abaw6-va", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["labels"]["marker"] == -5
    assert run(["challenge", "show", "abaw6"]) == 2
    assert "did you mean" in capsys.readouterr().err


def test_a_participant_checks(files: Path, capsys: Printed) -> None:
    assert run(["challenge", "check", str(files / "good.csv"), "-t", "abaw6-va"]) == 0
    told = capsys.readouterr()
    assert told.out == "valid: 31 rows in 1 file\n"
    assert "no list of items was given" in told.err
    listed = ["--items", str(files / "good.csv")]
    assert run(["challenge", "check", str(files / "good.csv"), "-t", "abaw6-va", *listed, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["valid"], found["rows"], found["notes"], len(found["digest"]) > 10) == (True, 31, [], True)
    assert run(["challenge", "check", str(files / "short.csv"), "-t", "abaw6-va", *listed]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "11 items have no prediction: 'v/00021.jpg'" in told.err


def test_a_program_learns_what_is_wrong(files: Path, capsys: Printed) -> None:
    asked = ["challenge", "check", str(files / "short.csv"), "-t", "abaw6-va", "--items", str(files / "good.csv")]
    assert run([*asked, "--json"]) == 2
    told = capsys.readouterr()
    found = json.loads(told.out)
    assert (found["valid"], found["fault"]["code"]) == (False, "E_MISSING_FRAMES")
    assert set(found["fault"]) == {"code", "what", "where", "expected", "cause"}
    assert "11 items have no prediction: 'v/00021.jpg'" in found["fault"]["what"]
    assert told.err.startswith("error: short.csv: ")


def test_units_that_are_known_in_part_are_scored(tmp_path: Path, capsys: Printed) -> None:
    head = f"image_location,{','.join(load_track('abaw6-au').columns)}\n"
    rows = [f"v/{n}.jpg{',1' * 12}\n" for n in (1, 2)]
    (tmp_path / "p.csv").write_text(head + "".join(rows), encoding="utf-8")
    (tmp_path / "l.csv").write_text(
        head + f"v/1.jpg{',-1' * 6}{',1' * 6}\nv/2.jpg{',1' * 6}{',-1' * 6}\n", encoding="utf-8"
    )
    words = [str(tmp_path / "p.csv"), "-t", "abaw6-au", "--labels", str(tmp_path / "l.csv"), "--resamples", "0"]
    assert run(["challenge", "score", *words]) == 0
    assert capsys.readouterr().out.startswith("p_au = 1.000000 on 2 of 2 items\n")


def test_scores_by_part_and_video(files: Path, capsys: Printed) -> None:
    asked = ["challenge", "score", str(files / "good.csv"), "-t", "abaw6-va", "-l", str(files / "labels")]
    assert run(asked) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("p_va = 0.99")
    assert " on 30 of 31 items" in shown.splitlines()[0]
    assert "Videos, lowest first" in shown
    assert run([*asked, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["videos"] == [{"video": "v", "frames": 30, "score": pytest.approx(found["score"]["value"])}]
    assert {score["place"]["part"] for score in found["scores"]} == {"", "valence", "arousal"}


def test_a_score_that_is_undefined_says_why(files: Path, capsys: Printed) -> None:
    (files / "labels" / "v.txt").write_text("valence,arousal\n0,0\n0,0\n", encoding="utf-8")
    (files / "flat.csv").write_text("image_location,valence,arousal\nv/1,0,0\nv/2,0,0\n", encoding="utf-8")
    asked = ["challenge", "score", str(files / "flat.csv"), "-t", "abaw6-va", "-l", str(files / "labels")]
    assert run(asked) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("p_va = undefined: ")
    assert "v  2  undefined" in shown


def test_many_videos_are_cut_on_a_screen(files: Path, capsys: Printed) -> None:
    rows = []
    for number in range(15):
        (files / "labels" / f"w{number:02}.txt").write_text("valence,arousal\n0,0\n1,1\n", encoding="utf-8")
        rows += [f"w{number:02}/1,0,0", f"w{number:02}/2,1,1"]
    text = (files / "good.csv").read_text(encoding="utf-8") + "\n" + "\n".join(rows)
    (files / "good.csv").write_text(text, encoding="utf-8")
    asked = ["challenge", "score", str(files / "good.csv"), "-t", "abaw6-va", "-l", str(files / "labels")]
    assert run(asked) == 0
    told = capsys.readouterr()
    assert "and 4 more videos; all are in --json" in told.out
    assert "note: of 61 frames not annotated in 'label': 1" in told.err


def test_ranks(tmp_path: Path, capsys: Printed) -> None:
    path = tmp_path / "b.csv"
    path.write_text("team,score\na,0.50000001\nb,0.5\nc,\n", encoding="utf-8")
    assert run(["challenge", "rank", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "1      a     0.50000001  1" in shown
    assert "–      c                 no valid score: 3 is failed" in shown
    assert run(["challenge", "rank", str(path), "--lower", "--json"]) == 0
    assert [row["team"] for row in json.loads(capsys.readouterr().out)] == ["b", "a", "c"]
    assert run(["challenge", "rank", str(path), "--track", "abaw6-au"]) == 0
    assert capsys.readouterr().out == shown
    assert run(["challenge", "rank", str(path), "--track", "abaw6-au", "--lower"]) == 2


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--scheme", "expressions-7", "--metric", "uar"], ("categories", "label", 7)),
        (
            ["--scheme", "mood", "--labels", "calm,tense", "--metric", "f1_macro", "--column", "mood"],
            ("categories", "label", 2),
        ),
        (
            ["--scheme", "pair", "--units", "AU1,AU2", "--metric", "unit_f1", "--unit", "frame"],
            ("units", "indicator", 2),
        ),
        (["--scheme", "pain", "--dimensions", "pain:0:16", "--metric", "ccc"], ("dimensions", "value", 1)),
        (["--scheme", "au-12-disfa", "--metric", "unit_f1"], ("units", "indicator", 12)),
    ],
)
def test_new_tracks(tmp_path: Path, capsys: Printed, options: list[str], expected: tuple[str, str, int]) -> None:
    from affectcheck.challenges import load_track

    path = tmp_path / "mine.toml"
    assert run(["challenge", "new", str(path), "--title", "Mine", *options]) == 0
    track = load_track(path)
    assert (track.kind, track.file.coding, len(track.parts)) == expected
    capsys.readouterr()
    assert run(["challenge", "new", str(path), "--title", "Mine", *options]) == 2
    assert "something is there already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "options", "fault"),
    [
        ("mine.json", ["--scheme", "expressions-7", "--metric", "uar"], "a file that ends in .toml"),
        ("mine.toml", ["--scheme", "expressions-7", "--metric", "p_va"], "metric 'p_va' scores dimensions"),
        ("mine.toml", ["--scheme", "x", "--dimensions", "a,b", "--metric", "ccc"], "--dimensions a,b"),
        ("My Track.toml", ["--scheme", "expressions-7", "--metric", "uar"], "is no name: lower-case letters"),
    ],
)
def test_tracks_that_cannot_be(tmp_path: Path, capsys: Printed, name: str, options: list[str], fault: str) -> None:
    assert run(["challenge", "new", str(tmp_path / name), "--title", "Mine", *options]) == 2
    assert fault in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_names_of_teams_do_not_steer_a_terminal(tmp_path: Path, capsys: Printed) -> None:
    (tmp_path / "s.csv").write_text('team,score\n"a\x1b[31mb\nc",-0.0\nd,0.0\n', encoding="utf-8")
    assert run(["challenge", "rank", str(tmp_path / "s.csv")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[2:]] == [
        ["1", "a\ufffd[31mb\ufffdc", "0.000", "1"],
        ["1", "d", "0.000", "2"],
    ]


def test_submissions_are_ranked_without_a_portal(tmp_path: Path, capsys: Printed) -> None:
    classes = ("neutral", "happiness", "sadness", "anger")
    rows = [f"i{n},{classes[n % 4]},s{n // 4},{'female' if n % 8 < 4 else 'male'}" for n in range(96)]
    (tmp_path / "labels.csv").write_text("item,label,subject,gender\n" + "\n".join(rows), encoding="utf-8")
    for name, every in (("fine", 9), ("weak", 2), ("fine2", 9)):
        sent = [f"i{n},{classes[(n + (n % every == 0)) % 4]}" for n in range(96)]
        (tmp_path / f"{name}.csv").write_text("item,label\n" + "\n".join(sent), encoding="utf-8")
    track = tmp_path / "faces.toml"
    options = ["--title", "Faces", "--scheme", "faces", "--metric", "f1_macro", "--labels", ",".join(classes)]
    assert run(["challenge", "new", str(track), *options]) == 0
    capsys.readouterr()
    files = [str(tmp_path / f"{name}.csv") for name in ("weak", "fine", "fine2")]
    asked = ["challenge", "board", *files, "-t", str(track), "-l", str(tmp_path / "labels.csv"), "--resamples", "100"]
    assert run(asked) == 0
    shown = capsys.readouterr().out.splitlines()
    assert [line.split()[:3] for line in shown[2:5]] == [
        ["1", "1–1", "fine"],
        ["1", "1–1", "fine2"],
        ["3", "3–3", "weak"],
    ]
    assert "eop gender" in shown[0]
    assert any(line.startswith("fine2: ") and "fine" in line for line in shown[5:])
    assert "not told apart at this support: fine and fine2" in shown
    assert run([*asked, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["place"] for row in told["rows"]] == [1, 1, 3]
    assert [(one["ahead"], one["behind"], one["apart"]) for one in told["differences"]] == [
        ("fine", "fine2", False),
        ("fine2", "weak", True),
    ]
    (tmp_path / "short.csv").write_text("item,label\ni0,anger\n", encoding="utf-8")
    assert run([*asked, str(tmp_path / "short.csv")]) == 2
    assert "95 items have no prediction" in capsys.readouterr().err
