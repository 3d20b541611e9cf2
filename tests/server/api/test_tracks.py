from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from affectcheck.challenges import parse_track, plain
from affectcheck.server.contests import files as contest_files
from affectcheck.server.storage.tables import label_set
from portal_scene import item_names, labels, moods_track

if TYPE_CHECKING:
    from affectcheck.server.portal import Portal
    from portal_scene import Scene

    from .conftest import Program

TOML = """
format = 1
name = "faces"
title = "Faces"
scheme = "moods"
metric = "f1_macro"
[own]
labels = ["calm", "glad", "grim"]
[file]
coding = "label"
"""


@pytest.fixture
def event(organiser: Program, scene: Scene) -> Program:
    scene.event()
    return organiser


@pytest.mark.parametrize(
    "asked",
    [
        {"toml": TOML},
        {"track": plain(moods_track())},
        {"built_in": "abaw6-va", "slug": "faces"},
    ],
)
def test_a_track_is_made_of_its_file_its_values_or_a_name(event: Program, visitor: Program, asked: Any) -> None:
    made = event.post("/events/emotions/tracks", asked)
    assert made.status_code == 201, made.text
    told = made.json()
    assert (told["slug"], told["event"], told["published"]) == ("faces", "emotions", False)
    assert parse_track(told["track"]).metric == told["metric"]
    assert visitor.get("/tracks/faces").status_code == 404
    assert event.post("/tracks/faces/publish", {}).json()["published"]
    assert visitor.get("/tracks/faces").json()["title"] == told["title"]
    assert [one["slug"] for one in visitor.get("/events/emotions/tracks").json()] == ["faces"]


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        ({}, "not one track"),
        ({"toml": TOML, "built_in": "abaw6-va"}, "not one track"),
        ({"built_in": "/etc/passwd"}, "no track '/etc/passwd'"),
        ({"toml": "= ="}, "not TOML"),
        ({"toml": "a = " + "[" * 5000}, "not TOML"),
        ({"toml": TOML + "colour = 1\n"}, "fault"),
        ({"track": {"format": 1}}, "fault"),
    ],
)
def test_what_is_no_track_is_refused(event: Program, asked: Any, what: str) -> None:
    answer = event.post("/events/emotions/tracks", asked)
    assert answer.status_code == 422
    assert what in answer.json()["what"]


def test_settings_and_phases_are_changed_with_a_reason(event: Program, scene: Scene) -> None:
    scene.contest()
    told = event.call("PUT", "/tracks/faces/settings", json={"digits": 2, "board": "hidden"}).json()
    assert (told["settings"]["digits"], told["settings"]["counting"]) == (2, "best")
    assert event.call("PUT", "/tracks/faces/settings", json={"digit": 2}).status_code == 422
    phases = [{"name": "test", "opens": "2026-03-03T00:00:00Z", "closes": "2026-03-09T00:00:00Z"}]
    asked = {"phases": phases, "reason": "dates are known"}
    told = event.call("PUT", "/tracks/faces/phases", json=asked).json()
    assert [(one["name"], one["state"]) for one in told["phases"]] == [("test", "before")]
    assert told["changes"] == "2026-03-03T00:00:00Z"
    refused = event.post("/tracks/faces/open", {"phase": "test", "reason": " "})
    assert refused.status_code == 422
    opened = event.post("/tracks/faces/open", {"phase": "test", "reason": "all is ready"}).json()
    assert opened["phases"][0]["state"] == "open"
    scene.clock.forward(hours=1)
    assert event.post("/tracks/faces/archive").status_code == 409
    closed = event.post("/tracks/faces/close", {"phase": "test", "reason": "done"}).json()
    assert closed["phases"][0]["state"] == "after"
    assert event.post("/tracks/faces/archive").json()["archived"]


def test_baselines_are_added_and_removed(event: Program, visitor: Program, scene: Scene) -> None:
    scene.contest()
    one = {"name": "majority", "split": "test", "score": 0.25, "source": "ours"}
    assert event.post("/tracks/faces/baselines", one).status_code == 201
    listed = visitor.get("/tracks/faces/baselines").json()
    assert [(found["name"], found["score"]) for found in listed] == [("majority", 0.25)]
    assert event.call("DELETE", f"/tracks/faces/baselines/{listed[0]['id']}").status_code == 204
    assert event.call("DELETE", f"/tracks/faces/baselines/{listed[0]['id']}").status_code == 404
    assert visitor.get("/tracks/faces/baselines").json() == []


def test_files_of_a_track_are_sent_and_what_is_public_is_given_out(
    event: Program, visitor: Program, scene: Scene, sqlite_portal: Portal
) -> None:
    event.post("/events/emotions/tracks", {"track": plain(moods_track())})
    event.post("/tracks/faces/publish", {})
    assert visitor.get("/tracks/faces/items").status_code == 404
    listed = ("item\n" + "".join(f"{name}\n" for name in item_names(12))).encode()
    told = event.call("PUT", "/tracks/faces/items", content=listed, params={"file_name": "items.csv"}).json()
    assert told["has_items"]
    given = visitor.get("/tracks/faces/items")
    assert given.content.startswith(b"PAR1")
    assert given.headers["content-disposition"] == 'attachment; filename="faces-items.parquet"'
    assert event.call("PUT", "/tracks/faces/items", content=b"x", params={"file_name": "i.exe"}).status_code == 422
    pack = b"PK\x05\x06" + bytes(18)
    assert event.call("PUT", "/tracks/faces/pack", content=pack, params={"file_name": "pack.zip"}).json()["has_pack"]
    found = visitor.get("/tracks/faces/pack")
    assert found.content == pack
    assert 'filename="faces-pack.zip"' in found.headers["content-disposition"]
    sent = event.call("POST", "/tracks/faces/labels", content=labels(12), params={"file_name": "l.csv", "note": "1st"})
    assert (sent.status_code, sent.json()["state"], sent.json()["note"]) == (202, "received", "1st")
    assert [one["number"] for one in event.get("/tracks/faces/labels").json()] == [1]
    with sqlite_portal.database.read() as connection:
        digest = connection.execute(label_set.select()).mappings().one()["digest"]
    assert sqlite_portal.vault.read(digest) == labels(12)


def test_a_list_that_is_too_long_is_told_with_the_number(
    event: Program, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.contest()
    monkeypatch.setattr(contest_files, "MOST_PACK", 10)
    answer = event.call("PUT", "/tracks/faces/pack", content=b"PK" + bytes(20), params={"file_name": "p.zip"})
    assert answer.status_code == 413
    assert "at most 10 bytes" in answer.json()["expected"]


def test_boards_are_given_out_as_json_csv_and_latex(event: Program, visitor: Program, scene: Scene) -> None:
    scene.contest()
    crew = scene.team("Blue")
    scene.judge("faces", scene.send(crew).id, 0.71239)
    board = visitor.get("/tracks/faces/board")
    assert board.headers["content-type"] == "application/json"
    row = json.loads(board.text)["rows"][0]
    assert (row["team"], row["place"], row["score"]["text"], row["score"]["value"]) == ("Blue", 1, "0.712", 0.712)
    assert event.get("/tracks/faces/board").json()["rows"][0]["score"]["value"] == 0.71239
    table = visitor.get("/tracks/faces/board.csv")
    assert table.headers["content-type"] == "text/csv; charset=utf-8"
    assert "Blue" in table.text
    assert "0.71239" not in table.text
    assert r"\toprule" in visitor.get("/tracks/faces/board.tex").text
    event.call("PUT", "/tracks/faces/settings", json={"board": "hidden"})
    hidden = visitor.get("/tracks/faces/board").json()
    assert (hidden["visible"], hidden["rows"]) == (False, [])
    assert "Blue" not in visitor.get("/tracks/faces/board.csv").text
