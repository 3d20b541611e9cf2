from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from affectcheck.annotations.toml_text import toml_text
from affectcheck.challenges import plain
from affectcheck.challenges.track_parts import Baseline
from affectcheck.server.accounts.actors import VISITOR
from affectcheck.server.boards.board import board_of
from affectcheck.server.boards.export import board_csv, board_json, board_latex, export_all, guarded
from affectcheck.server.contests.labels import receive_labels
from affectcheck.server.contests.settings import TrackSettings
from affectcheck.server.contests.tracks import add_baseline, close_phase, contest_of, receive_items
from affectcheck.server.faults import ForbiddenError, NotThereError
from affectcheck.server.storage.tables import submission
from contest_rows import Sent, add_contest, add_entry, add_team, read

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.boards.view import BoardRow, BoardView
    from affectcheck.server.contests.tracks import Contest
    from affectcheck.server.portal import Portal

SIX = ("=", "+", "-", "@", "\t", "\r")


@pytest.fixture
def contest(sqlite_portal: Portal, organiser: Actor, member: Actor) -> Contest:
    """Three teams, two of which tie, a baseline of the test set, groups and their disparities."""
    settings = TrackSettings(groups=("sex",), fairness_shown=True)
    found = add_contest(sqlite_portal, organiser, settings=settings)
    for minute, (name, score) in enumerate((("Reds & Co_1", 0.41234), ("Blues", 0.3), ("Greens", 0.30001))):
        declared = {"method": f"{name} net", "uni_task": name == "Blues", "pretraining": "none", "notes": []}
        team = add_team(sqlite_portal, found, name)
        add_entry(sqlite_portal, found, member, Sent(team, score, minute=minute, declaration=declared))
    stated = Baseline(name="ours", split="test", score=0.9, source="this portal")
    add_baseline(sqlite_portal, organiser, found.slug, stated)
    return read(sqlite_portal, found.slug)


def seen(portal: Portal, slug: str, actor: Actor) -> BoardView:
    with portal.database.read() as connection:
        return board_of(connection, contest_of(connection, slug, actor), actor, portal.now())


def rows_of(view: BoardView) -> list[BoardRow]:
    return [*view.rows, *view.baselines]


@pytest.mark.parametrize("over", [False, True])
def test_csv_has_the_rows_of_the_page(sqlite_portal: Portal, organiser: Actor, contest: Contest, over: bool) -> None:
    if over:
        close_phase(sqlite_portal, organiser, contest.slug, "test", "over")
    for actor in (VISITOR, organiser):
        view = seen(sqlite_portal, contest.slug, actor)
        table = list(csv.DictReader(io.StringIO(board_csv(view), newline="")))
        assert len(table) == len(rows_of(view)) == 5
        columns = [*view.part_columns, *view.group_columns, *view.disparity_columns]
        for line, row in zip(table, rows_of(view), strict=True):
            assert (line["kind"], line["place"]) == (row.kind, "" if row.place is None else str(row.place))
            assert (line["team"], line["method"]) == (row.team, row.declared.method)
            assert float(line["score"]) == row.score.value
            assert line["score_low"] == ("" if row.score.low is None else repr(row.score.low))
            assert line["split"] == row.split
            cells = [*row.parts, *row.groups, *row.disparities]
            assert len(cells) == len(columns)
            for column, cell in zip(columns, cells, strict=True):
                told = (column.metric, column.attribute, column.group, column.part)
                name = " ".join(one for one in told if one)
                assert line[name] == ("" if cell.value is None else repr(cell.value))
                assert line[f"{name} items"] == ("" if cell.support is None else str(cell.support))
        assert [line["uni_task"] for line in table] == ["no", "yes", "no", "", ""]
        assert table[0]["received"] == "2026-03-02T12:00:00Z"
        assert [line["used"] for line in table] == ["1", "1", "1", "", ""]


def test_the_places_in_all_three_are_those_of_the_page(sqlite_portal: Portal, contest: Contest) -> None:
    view = seen(sqlite_portal, contest.slug, VISITOR)
    expected = [(1, "Reds & Co_1", 0.412), (2, "Blues", 0.3), (2, "Greens", 0.3)]
    assert [(row.place, row.team, row.score.value) for row in view.rows] == expected
    told = json.loads(board_json(view))
    assert [(row["place"], row["team"], row["score"]["value"]) for row in told["rows"]] == expected
    lines = [line.split(" & ") for line in board_latex(view).replace(r"\&", "AND").splitlines() if " & " in line]
    assert [(line[0], line[1], line[3]) for line in lines[1:4]] == [
        ("1", r"Reds AND Co\_1", r"\textbf{0.412}"),
        ("2", "Blues", "0.300"),
        ("2", "Greens", "0.300"),
    ]


def test_json_holds_all_of_the_view(sqlite_portal: Portal, contest: Contest) -> None:
    view = seen(sqlite_portal, contest.slug, VISITOR)
    told = json.loads(board_json(view))
    assert told["format"] == 1
    assert (told["as_of"], told["version"], told["tie_rule"]) == ("2026-03-02T12:00:00Z", view.version, view.tie_rule)
    assert [row["groups"][0]["support"] for row in told["rows"]] == [60, 60, 60]
    assert told["rows"][0]["received"] == "2026-03-02T12:00:00Z"
    assert told["baselines"][1]["source"] == "paper 3, Table 4"


def test_latex_is_a_whole_table_with_the_best_in_bold(
    sqlite_portal: Portal, organiser: Actor, contest: Contest
) -> None:
    close_phase(sqlite_portal, organiser, contest.slug, "test", "over")
    view = seen(sqlite_portal, contest.slug, VISITOR)
    text = board_latex(view)
    lines = text.splitlines()
    assert lines[0].startswith("% Valence and arousal")
    assert (lines[1][:15], lines[-1]) == (r"\begin{tabular}", r"\end{tabular}")
    assert [text.count(rule) for rule in (r"\toprule", r"\midrule", r"\bottomrule")] == [1, 2, 1]
    widths = {len(re.findall(r"(?<!\\)&", line)) for line in lines if line.endswith(r"\\")}
    columns = re.search(r"\{(r\w+)\}", lines[1])[1]
    assert widths == {len(columns) - 1}
    bold = [re.findall(r"\\textbf\{([^}]*)\}", line) for line in lines]
    assert [found for found in bold if found] == [
        ["0.412", "0.422", "0.402", "0.432", "0.392", "0.040"],
        ["0.040"],
        ["0.040"],
    ]
    assert "ours (test)" in text
    assert "–" not in text


def test_a_board_without_teams_is_a_table_too(sqlite_portal: Portal, organiser: Actor) -> None:
    found = add_contest(sqlite_portal, organiser, labels=False)
    view = seen(sqlite_portal, found.slug, VISITOR)
    assert board_latex(view).count(r"\midrule") == 1
    assert board_latex(replace(view, baselines=())).count(r"\\") == 1
    assert len(board_csv(view).splitlines()) == 2


@pytest.mark.parametrize("first", SIX)
def test_no_cell_of_a_csv_is_a_formula(sqlite_portal: Portal, organiser: Actor, member: Actor, first: str) -> None:
    evil = f"{first}cmd|' /C calc'!A0"
    found = add_contest(sqlite_portal, organiser)
    declared = {"method": evil, "link": evil, "pretraining": evil, "other_data": evil, "notes": []}
    team = add_team(sqlite_portal, found, evil)
    add_entry(sqlite_portal, found, member, Sent(team, -0.2, declaration=declared))
    view = seen(sqlite_portal, found.slug, organiser)
    poisoned = replace(view.baselines[0], team=evil, split=evil, source=evil)
    rows = list(csv.reader(io.StringIO(board_csv(replace(view, baselines=(poisoned,))), newline="")))
    cells = [cell for row in rows for cell in row]
    assert cells.count(f"'{evil}") == 8
    assert all(float(cell) < 0 for cell in cells if cell.startswith(SIX))  # numbers are no texts of others
    assert guarded("'=1") == "'=1"


def test_texts_of_others_do_not_leave_their_cell_in_latex(
    sqlite_portal: Portal, organiser: Actor, member: Actor
) -> None:
    found = add_contest(sqlite_portal, organiser)
    evil = "\\input{/etc/passwd}\n\\\\ & % $x$"
    team = add_team(sqlite_portal, found, "Reds")
    add_entry(sqlite_portal, found, member, Sent(team, 0.2, declaration={"method": evil, "notes": []}))
    text = board_latex(seen(sqlite_portal, found.slug, VISITOR))
    assert r"\textbackslash{}input\{/etc/passwd\}" in text
    assert r"\input{" not in text


def whole(portal: Portal, organiser: Actor, contest: Contest, folder: Path) -> dict[str, bytes]:
    target = folder / "all.zip"
    export_all(portal, organiser, contest.slug, target)
    with zipfile.ZipFile(target) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def lines(content: bytes) -> list[dict]:
    return [json.loads(line) for line in content.decode().splitlines()]


@pytest.fixture
def hidden(sqlite_portal: Portal, organiser: Actor, member: Actor) -> Contest:
    """A hidden track with a list, labels, files of teams, and a submission that was disqualified."""
    found = add_contest(sqlite_portal, organiser, settings=TrackSettings(board="hidden", feedback="none"), labels=False)
    receive_items(sqlite_portal, organiser, found.slug, "list.csv", [b"image_location\nv/00001.jpg\n"])
    canary = b"image_location,valence,arousal\nv/00001.jpg,0.424242,0.1\n"
    labels = receive_labels(sqlite_portal, organiser, found.slug, "hidden-labels.csv", [canary])
    from affectcheck.server.contests.labels import labels_ready

    with sqlite_portal.database.write() as connection:
        items = contest_of(connection, found.slug, organiser).items
        facts = {"items": items, "height": 1, "labelled": 1, "groups": {}}
        labels_ready(connection, labels.id, labels.digest, facts, sqlite_portal.now())
    found = read(sqlite_portal, found.slug)
    team = add_team(sqlite_portal, found, "Reds", member)
    kept = sqlite_portal.uploads.put([b"a team's ", b"predictions"], most=100)
    for state, name in (("scored", "../../evil.CSV"), ("disqualified", "x.php"), ("invalid", "p.zip")):
        key = add_entry(sqlite_portal, found, member, Sent(team, 0.3, state=state, reason="because"))
        with sqlite_portal.database.write() as connection:
            digest = kept.digest if state != "invalid" else "9" * 64
            mine = sa.update(submission).where(submission.c.id == key)
            connection.execute(mine.values(file_name=name, digest=digest))
    return read(sqlite_portal, found.slug)


def test_everything_of_a_hidden_track(sqlite_portal: Portal, organiser: Actor, hidden: Contest, tmp_path: Path) -> None:
    found = whole(sqlite_portal, organiser, hidden, tmp_path)
    sent = {row["state"]: row for row in lines(found["submissions.jsonl"])}
    assert set(sent) == {"scored", "disqualified", "invalid"}
    assert sent["disqualified"]["reason"] == "because"
    assert found[f"submissions/{sent['scored']['id']}.csv"] == b"a team's predictions"
    assert found[f"submissions/{sent['disqualified']['id']}"] == b"a team's predictions"
    assert [row["score"] for row in lines(found["evaluations.jsonl"])] == [0.3] * 3
    assert not any("shares" in row for row in lines(found["evaluations.jsonl"]))
    assert [row["place"] for row in json.loads(found["board.json"])["rows"]] == [1]
    assert json.loads(found["board.json"])["disqualified"][0]["reason"] == "because"
    assert found["board.csv"].startswith(b"kind,place")
    assert b"tabular" in found["board.tex"]
    assert found["track.toml"].decode() == toml_text(plain(hidden.track))
    assert json.loads(found["contest.json"])["settings"] == {"board": "hidden", "feedback": "none"}
    assert [row["name"] for row in lines(found["members.jsonl"])] == ["mia"]
    assert [row["name"] for row in lines(found["baselines.jsonl"])] == ["ResNet50, ImageNet weights"]
    assert [row["state"] for row in lines(found["labels.jsonl"])] == ["ready"]
    assert found["items.parquet"][:4] == b"PAR1"
    actions = [row["action"] for row in lines(found["audit.jsonl"])]
    assert actions[-1] == "contest.export"
    assert {"event.create", "contest.create", "contest.items", "labels.receive", "labels.ready"} <= set(actions)


def test_the_manifest_names_every_file_with_its_digest(
    sqlite_portal: Portal, organiser: Actor, hidden: Contest, tmp_path: Path
) -> None:
    found = whole(sqlite_portal, organiser, hidden, tmp_path)
    manifest = json.loads(found.pop("manifest.json"))
    assert manifest["files"] == {
        name: {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)} for name, content in found.items()
    }
    invalid = next(row["id"] for row in lines(found["submissions.jsonl"]) if row["state"] == "invalid")
    assert manifest["missing"] == [f"submissions/{invalid}.zip"]
    assert (manifest["slug"], manifest["format"]) == (hidden.slug, 1)


def test_no_label_and_no_secret_is_in_it(
    sqlite_portal: Portal, organiser: Actor, hidden: Contest, tmp_path: Path
) -> None:
    found = whole(sqlite_portal, organiser, hidden, tmp_path)
    for name, content in found.items():
        for secret in (b"424242", b"@example.org", b"join_hash", b'password"'):
            assert secret not in content, name
        assert ".." not in name


def test_only_organisers_have_it(sqlite_portal: Portal, organiser: Actor, member: Actor, tmp_path: Path) -> None:
    with pytest.raises(ForbiddenError):
        export_all(sqlite_portal, member, "abaw6-va", tmp_path / "all.zip")
    with pytest.raises(NotThereError):
        export_all(sqlite_portal, organiser, "abaw6-va", tmp_path / "all.zip")
    assert not (tmp_path / "all.zip").exists()


def test_an_empty_track_can_be_exported(sqlite_portal: Portal, organiser: Actor, tmp_path: Path) -> None:
    found = add_contest(sqlite_portal, organiser, labels=False)
    files = whole(sqlite_portal, organiser, found, tmp_path)
    assert "items.parquet" not in files
    assert files["submissions.jsonl"] == b""


def test_what_no_json_holds_is_an_error() -> None:
    from affectcheck.server.boards.whole import _told

    with pytest.raises(TypeError, match="bytes"):
        _told(b"x")
