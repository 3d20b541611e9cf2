"""Teams, uploads by a form, what becomes of them, and what a team does with them."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

import pytest

from affectcheck.challenges.track_parts import Phase
from affectcheck.server.contests.settings import TrackSettings
from portal_clock import NOON
from portal_scene import moods_track, predictions

from .conftest import Person, main_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from portal_clock import SetClock
    from portal_scene import Crew, Scene

SENT = {"method": "Trees", "pretraining": "none"}


@pytest.fixture
def crew(scene: Scene) -> Crew:
    scene.contest()
    return scene.team("Alpha")


def key_of(answer: Any) -> str:
    assert answer.status_code == 303, main_of(answer)
    return str(answer.headers["location"].partition("?")[0].rpartition("/")[2])


def test_a_team_is_made_joined_and_left(person: Callable[..., Person], scene: Scene) -> None:
    scene.event()
    (_, first), (_, second) = scene.person("Ada"), scene.person("Bo")
    ada, bo = person(first), person(second)
    page = "/events/emotions/team"
    assert "This is needed" in main_of(ada.post(page, f"{page}/create", name=""))
    assert "expected" in main_of(ada.post(page, f"{page}/create", name="<b>"))
    made = ada.post(page, f"{page}/create", name="Alpha", affiliation="Lund")
    code = made.text.partition('id="join-code">')[2].partition("<")[0]
    assert len(code) > 20
    assert code not in ada.get(page).text
    assert "This is needed" in main_of(bo.post(page, f"{page}/join", join_code=""))
    assert "No team has this code" in main_of(bo.post(page, f"{page}/join", join_code="wrong"))
    assert bo.post(page, f"{page}/join", join_code=code).headers["location"] == f"{page}?done=joined"
    assert "Only the captain" in main_of(bo.post(f"{page}/leave", f"{page}/code"))
    assert 'id="join-code"' in ada.post(page, f"{page}/code").text
    assert "Leave Alpha?" in main_of(bo.get(f"{page}/leave"))
    assert bo.post(f"{page}/leave").headers["location"] == "/events/emotions?done=left"
    assert "in no team" in main_of(bo.post(page, f"{page}/leave"))
    assert "Alpha" in main_of(bo.get("/events/emotions"))


def test_a_file_is_sent_checked_and_scored(person: Callable[..., Person], scene: Scene, crew: Crew) -> None:
    someone, data = person(crew.email), predictions()
    page = "/tracks/faces/submit"
    assert "5 of 5" in main_of(someone.get(page))
    key = key_of(someone.upload(page, page, "mine.csv", data, **SENT, uni_task="", link="", other_data="", text=""))
    told = main_of(someone.get(f"/submissions/{key}"))
    assert hashlib.sha256(data).hexdigest() in told
    assert "received" in told
    part = someone.get(f"/submissions/{key}/state").text
    assert "data-follow" in part
    assert "<html" not in part
    scene.judge("faces", key, 0.71236)
    assert "data-ended" in someone.get(f"/submissions/{key}/state").text
    assert "0.712" in main_of(someone.get(f"/submissions/{key}"))
    mine = main_of(someone.get("/tracks/faces/submissions"))
    assert "mine.csv" in mine
    assert "0.712" in mine
    again = someone.upload(page, page, "mine.csv", data, **SENT)
    assert again.headers["location"] == f"/submissions/{key}?done=there"
    receipt = someone.get(f"/submissions/{key}/receipt")
    assert receipt.json()["sha256"] == hashlib.sha256(data).hexdigest()
    assert "attachment" in receipt.headers["content-disposition"]


def test_faults_of_a_declaration_stand_at_their_fields(person: Callable[..., Person], crew: Crew) -> None:
    someone, page = person(crew.email), "/tracks/faces/submit"
    answer = someone.upload(
        page, page, "mine.csv", predictions(), method="", pretraining="", link="http://x", text="mine"
    )
    told = answer.text
    assert answer.status_code == 422
    for name in ("method", "pretraining", "link"):
        assert f'id="e-{name}"' in told
    assert "mine</textarea>" in told
    assert "choose it once more" in main_of(answer)


def test_what_is_refused_of_files(person: Callable[..., Person], crew: Crew) -> None:
    someone, page = person(crew.email), "/tracks/faces/submit"
    assert "Choose a file" in main_of(someone.upload(page, page, "", b"", **SENT))
    assert "An empty file" in main_of(someone.upload(page, page, "mine.csv", b"", **SENT))
    code = someone.code(page)
    without = someone.request("POST", page, files=[("form_code", (None, "0" * 64)), ("file", ("a.csv", b"x"))])
    assert without.status_code == 403
    late = someone.request("POST", page, files=[("file", ("a.csv", b"x")), ("form_code", (None, code))])
    assert late.status_code == 403  # texts that come behind the file come too late
    two = someone.request(
        "POST", page, files=[("form_code", (None, code)), *(("method", (None, v)) for v in "ab"), ("file", ("a", b""))]
    )
    assert two.status_code == 422
    assert someone.request("POST", page, data={"form_code": code}).status_code == 422


def test_late_files_are_kept_and_said_to_be(person: Callable[..., Person], scene: Scene, clock: SetClock) -> None:
    closes = NOON.replace(hour=18)
    scene.contest("faces", moods_track(phases=(Phase(name="test", closes=closes),)))
    crew = scene.team("Alpha")
    someone = person(crew.email)
    assert "6 hours" in main_of(someone.get("/tracks/faces/submit"))
    assert "6 hours" in main_of(someone.get("/tracks/faces"))
    clock.set(closes)
    page = "/tracks/faces/submit"
    assert "No phase is open" in main_of(someone.get(page))
    assert "closed at" in main_of(someone.upload(page, page, "mine.csv", predictions(), **SENT))


def test_what_the_check_refuses_is_told_with_its_cure(person: Callable[..., Person], scene: Scene, crew: Crew) -> None:
    sent = scene.send(crew)
    scene.refuse(sent.id, "E_MISSING")
    told = main_of(person(crew.email).get(f"/submissions/{sent.id}"))
    for words in (
        "The check refuses the file",
        "E_MISSING",
        "not of right form",
        "as none of the 5",
        "Send another file",
    ):
        assert words in told


def test_choosing_and_withdrawing(person: Callable[..., Person], scene: Scene) -> None:
    scene.contest(settings=TrackSettings(counting="chosen"))
    crew = scene.team("Alpha")
    first, second = scene.send(crew), scene.send(crew)
    for receipt in (first, second):
        scene.judge("faces", receipt.id, 0.5)
    someone, path = person(crew.email), f"/submissions/{first.id}"
    assert someone.post(path, f"{path}/choose").headers["location"] == f"{path}?done=chosen"
    assert "chosen" in main_of(someone.get(path))
    unsure = someone.post(f"{path}/withdraw", reason="a mistake")
    assert "Tick this to withdraw" in main_of(unsure)
    assert 'value="a mistake"' in unsure.text
    done = someone.post(f"{path}/withdraw", sure="yes", reason="a mistake")
    assert done.headers["location"] == f"{path}?done=withdrawn"
    assert "withdrawn" in main_of(someone.get(path))
    assert "could not be done" in main_of(someone.post(path, f"{path}/withdraw", sure="yes"))
    assert "cannot count" in main_of(someone.post(path, f"{path}/choose"))


def test_others_see_nothing_of_it(person: Callable[..., Person], scene: Scene, crew: Crew, visitor: Person) -> None:
    sent, other = scene.send(crew), scene.team("Beta")
    for path in ("", "/state", "/receipt", "/withdraw"):
        assert person(other.email).get(f"/submissions/{sent.id}{path}").status_code == 404
        assert visitor.get(f"/submissions/{sent.id}{path}").status_code == 303
    assert person(other.email).post("/account", f"/submissions/{sent.id}/choose").status_code == 404
    _, email = scene.person()
    for path in ("submit", "submissions"):
        assert "in no team" in main_of(person(email).get(f"/tracks/faces/{path}"))


@pytest.mark.parametrize("name", ["abaw6-va", "abaw6-expr", "abaw6-au", "abaw6-ce", "abaw6-emi", "raf-db", "disfa"])
def test_every_track_of_the_package_has_its_page(visitor: Person, scene: Scene, name: str) -> None:
    from affectcheck.challenges import load_track
    from affectcheck.server.contests.tracks import create_contest, publish_contest, receive_pack

    scene.event()
    create_contest(scene.portal, scene.organiser, "emotions", load_track(name))
    publish_contest(scene.portal, scene.organiser, name)
    told = main_of(visitor.get(f"/tracks/{name}"))
    assert load_track(name).title in told
    assert re.search(
        rf"affectcheck challenge check \S+ --track {name} affectcheck submit \S+ --track {name} --method", told
    )
    assert visitor.get(f"/tracks/{name}/pack").status_code == 404
    receive_pack(scene.portal, scene.organiser, name, "pack.zip", iter([b"PK"]))
    pack = visitor.get(f"/tracks/{name}/pack")
    assert (pack.content, pack.headers["content-disposition"]) == (b"PK", f'attachment; filename="{name}-pack.zip"')
    assert "Download the pack" in main_of(visitor.get(f"/tracks/{name}"))
