from __future__ import annotations

import hashlib
import io
import json
import zipfile
from typing import TYPE_CHECKING

import anyio
import pytest

from affectcheck.server.contests.settings import TrackSettings
from portal_scene import labels, predictions

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from affectcheck.server.portal import Portal
    from portal_scene import Crew, Scene

    from .conftest import Program, Programs


@pytest.fixture
def crew(scene: Scene) -> Crew:
    scene.contest()
    return scene.team("Blue")


@pytest.fixture
def program(programs: Programs, crew: Crew) -> Program:
    return programs.of(crew.captain, "submit")


def test_a_submission_is_taken_followed_and_scored(program: Program, scene: Scene, sqlite_portal: Portal) -> None:
    data = predictions()
    sent = program.submit("faces", data)
    assert sent.status_code == 202, sent.text
    receipt = sent.json()
    assert (receipt["digest"], receipt["size"]) == (hashlib.sha256(data).hexdigest(), len(data))
    assert (receipt["state"], receipt["slot"], receipt["already"]) == ("received", 1, False)
    assert sqlite_portal.uploads.read(receipt["digest"]) == data
    told = program.get(f"/submissions/{receipt['id']}").json()
    assert (told["state"], told["progress"]["position"], told["score"]) == ("received", 1, None)
    assert told["declaration"]["method"] == "Trees"
    scene.judge("faces", receipt["id"], 0.71239)
    told = program.get(f"/submissions/{receipt['id']}").json()
    assert (told["state"], told["score"]["text"], told["score"]["value"]) == ("scored", "0.712", 0.712)
    assert told["score"]["result"] is None
    assert program.get("/tracks/faces/submissions").json() == [told]
    given = program.get(f"/submissions/{receipt['id']}/file")
    assert given.content == data
    assert given.headers["content-disposition"] == 'attachment; filename="predictions.csv"'


def test_equal_bytes_are_one_submission(program: Program, scene: Scene) -> None:
    data = predictions()
    first = program.submit("faces", data)
    again = program.submit("faces", data)
    told = program.submit("faces", data, digest=hashlib.sha256(data).hexdigest())
    assert [first.status_code, again.status_code, told.status_code] == [202, 200, 200]
    assert first.json()["id"] == again.json()["id"] == told.json()["id"]
    assert again.json()["already"]
    assert len(program.get("/tracks/faces/submissions").json()) == 1


def test_bytes_that_are_others_than_stated_are_refused(program: Program) -> None:
    answer = program.submit("faces", predictions(), digest="0" * 64)
    assert (answer.status_code, answer.json()["code"]) == (422, "E_DIGEST")
    assert program.get("/tracks/faces/submissions").json() == []


@pytest.mark.parametrize(
    ("declared", "what"),
    [
        ("{", "is not JSON"),
        ("[1]", "is not an object"),
        ("[" * 20_000, "is not JSON"),
        ("{}", "method: not answered"),
        (json.dumps({"method": "T", "pretraining": "none", "colour": "red"}), "colour"),
    ],
)
def test_a_declaration_that_is_none_is_refused_before_the_file(program: Program, declared: str, what: str) -> None:
    answer = program.submit("faces", predictions(), declared=declared)
    assert (answer.status_code, answer.json()["code"]) == (422, "E_DECLARATION")
    assert what in answer.json()["what"]


@pytest.mark.parametrize("ascii_only", [True, False])
def test_declarations_are_of_any_script(program: Program, ascii_only: bool) -> None:
    values = {"method": "Bäume", "pretraining": "нет"}
    text = json.dumps(values, ensure_ascii=ascii_only)
    sent = program.call(
        "POST",
        "/tracks/faces/submissions",
        content=predictions(),
        params={"file_name": "p.csv"},
        headers={"Affectcheck-Declaration": text.encode()},
    )
    assert sent.status_code == 202, sent.text
    told = program.get(f"/submissions/{sent.json()['id']}").json()["declaration"]
    assert (told["method"], told["pretraining"]) == ("Bäume", "нет")


def test_a_sixth_is_refused_with_its_reason(program: Program) -> None:
    answers = [program.submit("faces", predictions(seed=seed)) for seed in range(6)]
    assert [one.status_code for one in answers] == [202] * 5 + [409]
    assert answers[-1].json()["code"] == "E_SLOTS_IN_USE"


def test_too_many_bytes_are_told_with_the_number(program: Program, sqlite_portal: Portal) -> None:
    object.__setattr__(sqlite_portal.settings.limits, "upload", 100)
    answer = program.submit("faces", b"x" * 101)
    assert (answer.status_code, answer.json()["code"]) == (413, "E_TOO_LARGE")
    assert "100 bytes" in answer.json()["expected"]
    assert not list((sqlite_portal.uploads.root / "incoming").iterdir())
    longer = program.submit("faces", b"x" * (2 << 20))  # its length is told before its first byte is read
    assert longer.status_code == 413
    assert str(100 + (1 << 20)) in longer.json()["what"]


def test_an_empty_file_and_a_bad_name_are_refused(program: Program) -> None:
    assert program.submit("faces", b"").json()["code"] == "E_EMPTY"
    assert program.submit("faces", b"x", file_name="a\nb").json()["code"] == "E_REQUEST"
    assert program.submit("faces", b"x", file_name="").json()["code"] == "E_REQUEST"


def test_an_upload_is_never_held_in_memory(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    from starlette.requests import Request

    async def body(_: Request) -> bytes:
        raise AssertionError("the body was read as a whole")

    monkeypatch.setattr(Request, "body", body)
    assert program.submit("faces", predictions()).status_code == 202


def test_a_team_chooses_and_withdraws(programs: Programs, scene: Scene) -> None:
    scene.contest(settings=TrackSettings(counting="chosen"))
    crew = scene.team("Blue")
    program = programs.of(crew.captain, "submit")
    first, second = (program.submit("faces", predictions(seed=seed)).json()["id"] for seed in (1, 2))
    scene.judge("faces", first, 0.7)
    scene.judge("faces", second, 0.6)
    assert program.post(f"/submissions/{second}/choose").status_code == 204
    assert program.get("/tracks/faces/board").json()["rows"][0]["score"]["text"] == "0.600"
    assert program.get(f"/submissions/{second}").json()["chosen"]
    assert program.post(f"/submissions/{second}/withdraw", {"reason": "an error of ours"}).status_code == 204
    told = program.get(f"/submissions/{second}").json()
    assert (told["state"], told["slot"]) == ("withdrawn", 2)
    assert program.post(f"/submissions/{second}/withdraw", {}).status_code == 409


def test_an_organiser_sees_all_and_judges(organiser: Program, program: Program, scene: Scene) -> None:
    one = program.submit("faces", predictions()).json()["id"]
    scene.judge("faces", one, 0.71239)
    listed = organiser.get("/tracks/faces/all-submissions").json()
    assert [(found["id"], found["team_name"], found["score"]["value"]) for found in listed] == [(one, "Blue", 0.71239)]
    assert organiser.get("/tracks/faces/all-submissions", params={"state": "invalid"}).json() == []
    assert organiser.get("/tracks/faces/all-submissions", params={"state": "good"}).status_code == 422
    assert organiser.get(f"/submissions/{one}/file").content == predictions()
    assert organiser.post(f"/submissions/{one}/disqualify", {"reason": " "}).status_code == 422
    assert organiser.post(f"/submissions/{one}/disqualify", {"reason": "two accounts"}).status_code == 204
    assert program.get(f"/submissions/{one}").json()["reason"] == "two accounts"
    assert organiser.get("/tracks/faces/board").json()["rows"] == []
    assert organiser.post(f"/submissions/{one}/reinstate").status_code == 204
    assert len(organiser.get("/tracks/faces/board").json()["rows"]) == 1
    assert organiser.post(f"/submissions/{one}/accept-late").status_code == 409
    assert organiser.post(f"/submissions/{one}/rerun").status_code == 409


def test_the_audit_log_is_read_in_pages_and_verified(organiser: Program, program: Program) -> None:
    program.submit("faces", predictions())
    rows = organiser.get("/audit", params={"most": 3}).json()
    assert [row["number"] for row in rows] == [1, 2, 3]
    more = organiser.get("/audit", params={"after": 3}).json()
    assert more[0]["before_hash"] == rows[-1]["hash"]
    assert more[-1]["action"] == "submission.receive"
    state = organiser.get("/audit/state").json()
    assert (state["rows"], state["faults"]) == (more[-1]["number"], [])


def test_labels_are_mended_by_a_campaign(organiser: Program, program: Program, scene: Scene) -> None:
    scene.judge("faces", program.submit("faces", predictions()).json()["id"], 0.5)
    mended = scene.labels("faces", labels(40, seed=9))
    started = organiser.post("/tracks/faces/campaigns", {"label_set": mended, "reason": "item 7 was wrong"})
    assert (started.status_code, started.json()["state"], started.json()["total"]) == (202, "running", 1)
    key = started.json()["id"]
    assert organiser.post(f"/campaigns/{key}/switch", {"confirm": "faces"}).status_code == 409
    assert [one["id"] for one in organiser.get("/tracks/faces/campaigns").json()] == [key]
    assert organiser.get(f"/campaigns/{key}/changes").status_code == 409
    assert organiser.post(f"/campaigns/{key}/cancel").status_code == 204
    assert organiser.get(f"/campaigns/{key}").json()["state"] == "cancelled"


def test_facts_that_organisers_alone_see_are_not_told_to_teams(
    organiser: Program, program: Program, scene: Scene
) -> None:
    one = program.submit("faces", predictions()).json()["id"]
    scene.judge("faces", one, 0.5, flags=["constant"], files=["predictions.csv"])
    assert "constant" in json.dumps(organiser.get(f"/submissions/{one}").json()["facts"])
    assert "constant" not in program.get(f"/submissions/{one}").text


def test_a_campaign_that_is_ready_is_looked_at_switched_and_switched_back(
    organiser: Program, program: Program, scene: Scene
) -> None:
    one = program.submit("faces", predictions()).json()["id"]
    scene.judge("faces", one, 0.5)
    mended = scene.labels("faces", labels(40, seed=9))
    key = organiser.post("/tracks/faces/campaigns", {"label_set": mended, "reason": "item 7 was wrong"}).json()["id"]
    score_anew(scene, one, mended, 0.75)
    changed = organiser.get(f"/campaigns/{key}/changes").json()
    assert (changed["scored"], changed["teams"][0]["score_before"], changed["teams"][0]["score_after"]) == (
        1,
        0.5,
        0.75,
    )
    assert organiser.post(f"/campaigns/{key}/switch", {"confirm": "other"}).status_code == 422
    for state, score in (("switched", "0.750"), ("ready", "0.500")):
        assert organiser.post(f"/campaigns/{key}/switch", {"confirm": "faces"}).json()["state"] == state
        assert organiser.get("/tracks/faces/board").json()["rows"][0]["score"]["text"] == score


def score_anew(scene: Scene, submission: str, label_set: str, score: float) -> None:
    """What a worker does for a campaign."""
    from affectcheck.challenges import SCORER
    from affectcheck.server.ledger import results
    from affectcheck.server.storage import jobs
    from portal_scene import LEASE, made_result

    while (job := jobs.claim(scene.portal.database, "test", scene.clock(), LEASE)) is not None:
        if (job.kind, job.subject) == ("score", submission):
            break
    assert job is not None
    found = results.NewEvaluation(label_set, SCORER, score, made_result("faces", score, 40))
    with scene.portal.database.write() as connection:
        assert results.scored(connection, job, found, scene.clock())


def test_everything_of_a_track_is_exported_and_nothing_stays_behind(
    organiser: Program, program: Program, sqlite_portal: Portal
) -> None:
    program.submit("faces", predictions())
    given = organiser.get("/tracks/faces/export")
    assert given.headers["content-disposition"] == 'attachment; filename="faces-export.zip"'
    with zipfile.ZipFile(io.BytesIO(given.content)) as archive:
        names = archive.namelist()
        assert any(archive.read(name) == predictions() for name in names)
        assert not any(archive.read(name) == labels(40) for name in names)
    assert not list(sqlite_portal.settings.data.glob("export-*"))
    assert organiser.get("/tracks/none/export").status_code == 404
    assert not list(sqlite_portal.settings.data.glob("export-*"))


def test_an_upload_that_stands_still_is_ended(
    program: Program, sqlite_portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    from affectcheck.server.web import guard

    monkeypatch.setattr(guard, "UPLOAD_SECONDS", 0.2)

    async def slow() -> AsyncIterator[bytes]:
        yield b"item,mood\n"
        await anyio.sleep(5)
        yield b"item-0000,calm\n"

    answer = program.submit("faces", slow())  # type: ignore[arg-type]
    assert answer.status_code == 408
    assert "No byte came" in answer.json()["what"]
    assert program.get("/tracks/faces/submissions").json() == []
    assert not list((sqlite_portal.uploads.root / "incoming").iterdir())
