"""What organisers do on pages, and what they are told when it does not work."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

from affectcheck.challenges.track_parts import Phase
from affectcheck.server.storage.tables import audit, team
from portal_clock import NOON
from portal_scene import labels, moods_track

from .conftest import Person, main_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from portal_clock import SetClock
    from portal_scene import Scene

TOML = """
format = 1
name = "moods"
title = "Moods of voices"
scheme = "moods"
metric = "f1_macro"
own = { labels = ["calm", "glad", "grim"] }
file = { coding = "label", columns = ["mood"] }
"""


@pytest.fixture
def olga(scene: Scene, person: Callable[..., Person]) -> Person:
    return person("olga@example.org")


def done(answer: Any) -> str:
    assert answer.status_code == 303, main_of(answer)
    return str(answer.headers["location"].rpartition("done=")[2])


def test_events_are_made_edited_and_published(olga: Person, visitor: Person) -> None:
    assert "There is no event yet" in main_of(olga.get("/"))
    assert "This is needed" in main_of(olga.post("/organise", "/organise/events", slug="", title=""))
    assert "small letters" in main_of(olga.post("/organise", "/organise/events", slug="No!", title="x"))
    assert done(olga.post("/organise", "/organise/events", slug="voices", title="Voices", team_size="3")) == "created"
    page = "/organise/events/voices"
    assert visitor.get("/events/voices").status_code == 404
    assert "This is needed" in main_of(olga.post(page, title=""))
    assert "1 to 100" in main_of(olga.post(page, title="x", team_size="0"))
    assert "characters" in main_of(olga.post(page, title="x" * 300))
    assert done(olga.post(page, title="Voices 2027", description="One.\n\nTwo.", team_size="4")) == "saved"
    assert done(olga.post(page, f"{page}/publish", published="yes")) == "published"
    assert "Voices 2027 One. Two." in main_of(visitor.get("/events/voices"))
    assert done(olga.post(page, f"{page}/publish", published="no")) == "saved"
    assert visitor.get("/events/voices").status_code == 404


def test_tracks_are_made_from_the_package_and_from_toml(olga: Person, scene: Scene) -> None:
    scene.event()
    page = "/organise/events/emotions/tracks"
    assert "Choose a track" in main_of(olga.post(page, built_in="", toml=""))
    assert "No such track" in main_of(olga.post(page, built_in="nothing", toml=""))
    assert "Not TOML" in main_of(olga.post(page, built_in="", toml="format = "))
    refused = olga.post(page, built_in="", toml='format = 1\nname = "x"')
    assert 'id="e-toml"' in refused.text
    assert olga.post(page, built_in="abaw6-va", toml="").headers["location"] == "/organise/tracks/abaw6-va?done=created"
    taken = olga.post(page, built_in="abaw6-va", toml="")
    assert 'id="e-slug"' in taken.text
    assert done(olga.post(page, built_in="", toml=TOML, slug="voices")) == "created"


def test_files_are_taken_and_faults_told(olga: Person, scene: Scene) -> None:
    from affectcheck.server.contests.tracks import create_contest

    scene.event()
    create_contest(scene.portal, scene.organiser, "emotions", moods_track())
    page = "/organise/tracks/faces"
    assert "Choose a file" in main_of(olga.upload(page, f"{page}/items", "", b""))
    assert 'id="e-items_file"' in olga.upload(page, f"{page}/items", "items.exe", b"x").text
    assert done(olga.upload(page, f"{page}/items", "items.csv", b"item\na\nb\n")) == "uploaded"
    assert done(olga.upload(page, f"{page}/pack", "pack.zip", b"PK")) == "uploaded"
    assert done(olga.upload(page, f"{page}/labels", "labels.csv", b"item,mood\n", note="first")) == "labels"
    assert "first" in main_of(olga.get(page))
    without = olga.request("POST", f"{page}/labels", files=[("file", ("labels.csv", b"x"))])
    assert without.status_code == 403


def test_settings_baselines_and_archiving(olga: Person, scene: Scene) -> None:
    scene.contest()
    page = "/organise/tracks/faces"
    values = {
        "board": "public",
        "counting": "chosen",
        "feedback": "score",
        "digits": "4",
        "groups": "",
        "text": "A.\n\nB.",
    }
    assert done(olga.post(page, f"{page}/settings", **values, parts_shown="yes")) == "saved"
    settings = scene.contest_of().settings
    assert (settings.digits, settings.counting, settings.text) == (4, "chosen", ("A.", "B."))
    assert done(olga.post(page, f"{page}/settings", **values, all_digits="yes")) == "saved"
    assert scene.contest_of().settings.digits is None
    for wrong in ({"digits": "0"}, {"feedback": "none"}, {"groups": "shoes"}):
        answer = olga.post(page, f"{page}/settings", **{**values, **wrong})
        assert answer.status_code == 422
        assert "A." in answer.text
    made = {"baseline_name": "Old", "baseline_score": "0.25", "baseline_source": "paper 3"}
    assert done(olga.post(page, f"{page}/baselines", **made)) == "saved"
    assert "Old" in main_of(olga.get("/tracks/faces/board"))
    for score in ("", "much", "nan", "1_0", "٣"):
        assert olga.post(page, f"{page}/baselines", **{**made, "baseline_score": score}).status_code == 422, score
    remove = olga.get(page).text.partition(f"{page}/baselines/")[2].partition('"')[0]
    assert done(olga.post(page, f"{page}/baselines/{remove}")) == "removed"
    assert done(olga.post(page, f"{page}/publish", published="no")) == "saved"
    assert done(olga.post(page, f"{page}/publish", published="yes")) == "published"
    assert "Type faces" in main_of(olga.post(page, f"{page}/archive", archive_name="x"))
    assert "is not over" in main_of(olga.post(page, f"{page}/archive", archive_name="faces"))
    assert done(olga.post(page, f"{page}/phases/close", phase="open", reason="all is said")) == "closed"
    assert done(olga.post(page, f"{page}/archive", archive_name="faces")) == "archived"
    assert "archived" in main_of(olga.get("/tracks/faces"))
    over = main_of(olga.get(page))
    assert "nothing of it changes any more" in over
    assert not any(
        words in over for words in ("Open now", "Move phases", "Upload", "Save the settings", "Remove", "Add")
    )
    assert "Archive the track" not in main_of(olga.get(page))


def test_phases_are_opened_closed_and_moved(olga: Person, scene: Scene, clock: SetClock) -> None:
    phases = (Phase(name="dry", closes=NOON), Phase(name="test", opens=NOON.replace(hour=20)))
    scene.contest(track=moods_track(phases=phases))
    page = "/organise/tracks/faces"
    assert "This is needed" in main_of(olga.post(page, f"{page}/phases/open", phase="test", reason=""))
    assert done(olga.post(page, f"{page}/phases/open", phase="test", reason="all is ready")) == "opened"
    clock.forward(minutes=5)
    assert "is open" in main_of(olga.post(page, f"{page}/phases/open", phase="test", reason="all is ready"))
    assert "This is needed" in main_of(olga.post(page, f"{page}/phases/close", phase="test", reason=""))
    assert done(olga.post(page, f"{page}/phases/close", phase="test", reason="a fault")) == "closed"
    assert "is not open" in main_of(olga.post(page, f"{page}/phases/close", phase="test", reason="a fault"))
    form = {
        "zone": "Europe/Berlin",
        "phase_name_0": "dry",
        "phase_closes_0": "2026-03-02T12:00:00Z",
        "phase_name_1": "test",
        "phase_opens_1": "2026-03-02 13:00:00",
        "phase_closes_1": "2026-03-09 13:00:00",
        "phase_hidden_1": "yes",
        "phase_name_2": "",
        "move_reason": "a week more",
    }
    assert done(olga.post(page, f"{page}/phases", **form)) == "moved"
    moved = scene.contest_of().track.phases[1]
    assert (str(moved.opens), str(moved.closes)) == ("2026-03-02 12:00:00+00:00", "2026-03-09 12:00:00+00:00")
    assert moved.board == "hidden"
    for name, value, words in (
        ("phase_closes_1", "tomorrow", "A time such as"),
        ("phase_closes_1", "2026-03-29 02:30:00", "never show"),
        ("phase_closes_1", "2026-03-01 02:30:00", "closes at"),
        ("zone", "Mars/Olympus", "Mars/Olympus"),
        ("move_reason", "", "reason"),
        ("phase_opens_1", "2026-01-02 13:00:00", "opens before"),
    ):
        answer = olga.post(page, f"{page}/phases", **{**form, name: value})
        assert answer.status_code == 422, value
        assert words in main_of(answer), main_of(answer)


def test_submissions_are_filtered_disqualified_and_reinstated(
    olga: Person, scene: Scene, person: Callable[..., Person]
) -> None:
    scene.contest()
    first, second = scene.team("Alpha"), scene.team("Beta")
    one, two = scene.send(first), scene.send(second)
    scene.judge("faces", one.id, 0.5, flags=[{"text": "always the same class"}])
    listing = "/organise/tracks/faces/submissions"
    assert "2 submissions" in main_of(olga.get(listing))
    assert "1 submission," in main_of(olga.get(f"{listing}?state=scored"))
    assert "1 submission," in main_of(olga.get(f"{listing}?team=Beta"))
    flagged = main_of(olga.get(f"{listing}?flagged=yes"))
    assert "1 submission," in flagged
    assert "always the same class" in flagged
    assert "no such submission" in main_of(olga.get(f"{listing}?state=late"))
    page = f"/organise/submissions/{one.id}"
    assert "This is needed" in main_of(olga.post(page, f"{page}/disqualify", reason=""))
    assert done(olga.post(page, f"{page}/disqualify", reason="labels were used", free_slot="yes")) == "disqualified"
    assert "labels were used" in main_of(person(first.email).get(f"/submissions/{one.id}"))
    assert "could not be done" in main_of(olga.post(page, f"{page}/disqualify", reason="again"))
    assert "labels were used" in main_of(olga.get("/tracks/faces/board"))
    assert done(olga.post(page, f"{page}/reinstate")) == "reinstated"
    assert "could not be done" in main_of(olga.post(page, f"{page}/accept"))
    assert "no such action" in main_of(olga.post(page, f"{page}/explode"))
    assert "could not be done" in main_of(
        olga.post(f"/organise/submissions/{two.id}", f"/organise/submissions/{two.id}/reopen")
    )


def test_a_campaign_is_started_switched_back_and_cancelled(olga: Person, scene: Scene) -> None:
    scene.contest()
    crew = scene.team("Alpha")
    sent = scene.send(crew)
    scene.judge("faces", sent.id, 0.5)
    other = scene.labels("faces", labels(40, seed=3))
    page = "/organise/tracks/faces"
    assert "This is needed" in main_of(olga.post(page, f"{page}/campaigns", label_set=other, campaign_reason=""))
    started = olga.post(page, f"{page}/campaigns", label_set=other, campaign_reason="classes were mixed up")
    campaign = started.headers["location"].partition("?")[0]
    assert "0 of 1 score" in main_of(olga.get(campaign))
    assert "classes were mixed up" in main_of(olga.get(page))
    assert done(olga.post(campaign, f"{campaign}/cancel")) == "cancelled"
    assert "could not be done" in main_of(olga.post(page, f"{campaign}/cancel"))
    assert "This is needed" in main_of(olga.post(page, f"{campaign}/switch", confirm=""))
    assert olga.post(page, f"{campaign}/switch", confirm="faces").status_code == 422
    assert (
        'id="e-label_set"'
        in olga.post(page, f"{page}/campaigns", label_set=scene.contest_of().label_set, campaign_reason="why not").text
    )


def test_teams_are_merged_and_names_that_look_alike_are_flagged(olga: Person, scene: Scene) -> None:
    one, two = scene.team("Alpha"), scene.team("A1pha 2")
    page = "/organise/events/emotions/teams"
    scene.team("Beta")
    told = main_of(olga.get(page))
    assert "Alpha and A1pha 2 look alike" in told
    assert told.count("look alike") == 1
    assert "Tick this" in main_of(olga.post(page, f"{page}/merge", into=one.id, **{"from": two.id}))
    assert "another team" in main_of(olga.post(page, f"{page}/merge", into=one.id, sure="yes", **{"from": one.id}))
    assert "could not be done" in main_of(olga.post(page, f"{page}/merge", into=one.id, sure="yes", **{"from": "x"}))
    assert done(olga.post(page, f"{page}/merge", into=one.id, sure="yes", **{"from": two.id})) == "merged"
    with scene.portal.database.read() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(team)).scalar_one() == 2


def test_the_log_is_shown_filtered_and_verified(olga: Person, scene: Scene) -> None:
    scene.contest()
    for number in range(60):
        scene.team(f"Team {number}")
    page = olga.get("/organise/log")
    assert "team.create" in page.text
    assert "Earlier rows" in main_of(page)
    before = page.text.partition("/organise/log?before=")[2].partition("&")[0]
    assert "contest.create" in olga.get(f"/organise/log?before={before}").text
    assert "1 row" in main_of(olga.get("/organise/log?action=contest.create"))
    assert "The chain is whole" in main_of(olga.get("/organise/log?verify=yes"))
    with scene.portal.database.write() as connection:
        connection.execute(audit.update().where(audit.c.number == 2).values(actor="somebody else"))
    assert "The chain is broken" in main_of(olga.get("/organise/log?verify=yes"))


def test_everything_is_exported_and_nothing_stays_on_the_disk(olga: Person, scene: Scene) -> None:
    scene.contest()
    answer = olga.get("/organise/tracks/faces/export")
    assert 'filename="faces.zip"' in answer.headers["content-disposition"]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        assert archive.namelist()
    assert not list(scene.portal.settings.data.glob("export-*"))


def test_pages_of_organisers_are_not_for_others(scene: Scene, person: Callable[..., Person]) -> None:
    scene.contest()
    crew = scene.team("Alpha")
    sent, someone = scene.send(crew), person(crew.email)
    track = "/organise/tracks/faces"
    for path in (
        "/organise", "/organise/events/emotions", "/organise/events/emotions/teams", "/organise/events/emotions/tracks",
        track, f"{track}/submissions", f"{track}/export", f"/organise/submissions/{sent.id}", "/organise/log",
        f"/organise/campaigns/{sent.id}",
    ):  # fmt: skip
        assert someone.get(path).status_code == 403, path
    for path in (
        "/organise/events", "/organise/invite", "/organise/events/emotions", "/organise/events/emotions/publish",
        "/organise/events/emotions/tracks", f"{track}/settings", f"{track}/publish", f"{track}/baselines",
        f"{track}/phases", f"/organise/submissions/{sent.id}/disqualify", f"/organise/submissions/{sent.id}/reinstate",
        "/organise/events/emotions/teams/merge", f"{track}/campaigns", f"/organise/campaigns/{sent.id}/switch",
        f"{track}/baselines/{sent.id}/remove", f"/organise/campaigns/{sent.id}/cancel",
    ):  # fmt: skip
        assert someone.post("/account", path, title="x", slug="x", email="x@example.org").status_code == 403, path
    for kind in ("items", "labels", "pack"):
        assert someone.upload("/account", f"{track}/{kind}", "x.csv", b"x").status_code == 403, kind
