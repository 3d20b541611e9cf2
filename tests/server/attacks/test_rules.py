"""T7, T8, T11, T19: ends of phases by every way in, times as people read them, one switch of a board, one board."""

from __future__ import annotations

import csv
import io
import json
import re
import threading
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import TYPE_CHECKING

import pytest

from affectcheck.challenges.times import moment_of, told
from affectcheck.challenges.track_parts import Phase
from affectcheck.errors import InputError
from affectcheck.server.faults import RefusedError
from affectcheck.server.ledger.campaigns import campaign_of, start_campaign, switch
from portal_clock import NOON
from portal_scene import labels, moods_track, predictions

if TYPE_CHECKING:
    from collections.abc import Callable

    from portal_scene import Crew, Scene

    from ..api.conftest import Programs  # noqa: TID252  # tests are no package
    from ..web.conftest import Person  # noqa: TID252  # tests are no package

END = NOON + timedelta(hours=1)
SECONDS = {-1: True, 0: False, 1: False}


def _closing(scene: Scene) -> Crew:
    scene.contest(track=moods_track(phases=[Phase(name="test", opens=NOON, closes=END)]))
    return scene.team("Blue")


def _sent_by_api(programs: Programs, crew: Crew) -> bool:
    answer = programs.of(crew.captain, "submit").submit("faces", predictions())
    assert answer.status_code == 202 or answer.json()["code"] in ("E_CLOSED", "E_NOT_OPEN_YET")
    return answer.status_code == 202


@pytest.mark.parametrize("seconds", SECONDS)
def test_t7_the_end_of_a_phase_by_the_api(programs: Programs, scene: Scene, seconds: int) -> None:
    crew = _closing(scene)
    scene.clock.set(END + timedelta(seconds=seconds))
    assert _sent_by_api(programs, crew) is SECONDS[seconds]


@pytest.mark.parametrize("seconds", SECONDS)
def test_t7_the_end_of_a_phase_by_the_page(person: Callable[..., Person], scene: Scene, seconds: int) -> None:
    crew = _closing(scene)
    browser = person(crew.email)
    page = "/tracks/faces/submit"
    code = browser.code(page)  # the form was opened while there was time
    scene.clock.set(END + timedelta(seconds=seconds))
    fields = [("form_code", (None, code)), ("method", (None, "Trees")), ("pretraining", (None, "none"))]
    answer = browser.request("POST", page, files=[*fields, ("file", ("p.csv", predictions()))])
    assert (answer.status_code == 303) is SECONDS[seconds]
    with scene.portal.database.read() as connection:
        count = connection.exec_driver_sql("SELECT count(*) FROM submission").scalar()
    assert count == int(SECONDS[seconds])


@pytest.mark.parametrize("seconds", SECONDS)
def test_t7_the_beginning_of_a_phase(scene: Scene, seconds: int) -> None:
    crew = _closing(scene)
    scene.clock.set(NOON + timedelta(seconds=seconds))
    if seconds < 0:
        with pytest.raises(RefusedError) as refused:
            scene.send(crew)
        assert (refused.value.code, refused.value.again) == ("E_NOT_OPEN_YET", NOON)
    else:
        assert scene.send(crew).state == "received"


@pytest.mark.parametrize("seconds", SECONDS)
def test_t7_an_upload_that_ends_behind_the_end_is_late_and_not_scored(scene: Scene, seconds: int) -> None:
    from affectcheck.server.ledger.intake import receive
    from portal_scene import DECLARED

    crew = _closing(scene)
    scene.clock.set(END - timedelta(minutes=1))

    def slow() -> object:
        yield predictions()
        scene.clock.set(END + timedelta(seconds=seconds))

    sent = {"file_name": "x.csv", "declaration": DECLARED, "began": scene.clock()}
    found = receive(scene.portal, crew.captain, "faces", blocks=slow(), **sent)
    assert found.state == ("received" if SECONDS[seconds] else "late")


def test_t8_times_where_clocks_are_changed() -> None:
    summer, winter = datetime(2027, 3, 28, 0, 59, 59, tzinfo=UTC), datetime(2027, 3, 28, 1, tzinfo=UTC)
    assert told(summer, "Europe/Berlin").local == "2027-03-28 01:59:59 CET (UTC+01:00)"
    assert told(winter, "Europe/Berlin").local == "2027-03-28 03:00:00 CEST (UTC+02:00)"
    assert told(winter).anywhere == "2027-03-27 13:00:00 AoE"
    assert told(datetime(2028, 2, 29, 11, 59, 59, tzinfo=UTC)).anywhere == "2028-02-28 23:59:59 AoE"
    assert moment_of(datetime.fromisoformat("2027-03-14T23:59:59"), "AoE") == datetime(
        2027, 3, 15, 11, 59, 59, tzinfo=UTC
    )
    for wall, said in (("2027-03-28T02:30", "never show"), ("2027-10-31T02:30", "show twice")):
        with pytest.raises(InputError, match=said):
            moment_of(datetime.fromisoformat(wall), "Europe/Berlin")


def test_t8_a_page_tells_an_end_in_utc_and_anywhere_on_earth(person: Callable[..., Person], scene: Scene) -> None:
    end = datetime(2026, 3, 29, 11, 59, 59, tzinfo=UTC)
    scene.contest(track=moods_track(phases=[Phase(name="test", opens=NOON, closes=end)]))
    text = unescape(re.sub(r"<[^>]*>", "", person().get("/tracks/faces").text))
    assert "2026-03-29 11:59:59 UTC" in text
    assert "2026-03-28 23:59:59 AoE" in text


def _two_scored(scene: Scene) -> tuple[str, str]:
    """Under the first labels Blue leads, under the second ones Red does."""
    scene.contest()
    ids = [scene.send(scene.team(name)).id for name in ("Blue", "Red")]
    for one, score in zip(ids, (0.75, 0.5), strict=True):
        scene.judge("faces", one, score)
    return ids[0], ids[1]


def _shown(scene: Scene) -> tuple[tuple[str, int | None, str], ...]:
    return tuple((row.team, row.place, row.score) for row in scene.board().rows)


def _score_campaign(scene: Scene, scores: dict[str, float], label_set: str, scorer: str) -> None:
    """As workers would; nothing is shown of a campaign that is not switched."""
    from affectcheck.server.ledger import results
    from affectcheck.server.storage import jobs
    from portal_scene import LEASE, made_result

    before = _shown(scene)
    while (job := jobs.claim(scene.portal.database, "test", scene.clock(), LEASE)) is not None:
        with scene.portal.database.write() as connection:
            if job.kind != "score":
                jobs.finish(connection, job, scene.clock())
                continue
            assert results.begun(connection, job, scene.clock())
            value = scores[job.subject]
            found = results.NewEvaluation(label_set, scorer, value, made_result("faces", value, 40))
            assert results.scored(connection, job, found, scene.clock())
        assert _shown(scene) == before


def test_t11_a_campaign_is_switched_at_once_and_back(scene_on_both: Scene) -> None:
    """Readers that look all the while see one board or the other, and never a mixture."""
    scene = scene_on_both
    blue, red = _two_scored(scene)
    before = _shown(scene)
    corrected = scene.labels("faces", labels(40, seed=9))
    made = start_campaign(scene.portal, scene.organiser, "faces", corrected, "item 7 was wrong")
    _score_campaign(scene, {blue: 0.25, red: 0.625}, corrected, made.scorer)
    with scene.portal.database.read() as connection:
        assert campaign_of(connection, made.id, scene.organiser).state == "ready"
    seen, stop = set(), threading.Event()

    def look() -> None:
        while not stop.is_set():
            seen.add(_shown(scene))

    readers = [threading.Thread(target=look) for _ in range(3)]
    for reader in readers:
        reader.start()
    boards = []
    for _ in range(6):
        switch(scene.portal, scene.organiser, made.id, "faces")
        boards.append(_shown(scene))
    stop.set()
    for reader in readers:
        reader.join()
    after = boards[0]
    assert [(row[0], row[1]) for row in after] == [("Red", 1), ("Blue", 2)]
    assert boards == [after, before] * 3
    assert seen <= {before, after}
    assert scene.faults() == []


def test_t11_a_campaign_is_not_switched_by_a_slip(scene: Scene) -> None:
    _two_scored(scene)
    before = _shown(scene)
    corrected = scene.labels("faces", labels(40, seed=9))
    made = start_campaign(scene.portal, scene.organiser, "faces", corrected, "item 7 was wrong")
    for confirm in ("faces", "other"):  # not ready; another name
        with pytest.raises(RefusedError):
            switch(scene.portal, scene.organiser, made.id, confirm)
    assert _shown(scene) == before


def test_t19_csv_json_and_latex_are_the_page(person: Callable[..., Person], scene: Scene) -> None:
    scene.contest()
    for name, score in (("Blue", 0.7123456), ("Red", 0.7123499), ("Grey", 0.1), ("Dim", None)):
        scene.judge("faces", scene.send(scene.team(name)).id, score)
    visitor = person()
    page = visitor.get("/tracks/faces/board").text
    rows = list(csv.DictReader(io.StringIO(visitor.get("/tracks/faces/board.csv").text)))
    told_json = json.loads(visitor.get("/tracks/faces/board.json").text)
    view = scene.board()
    shown = [(row.team, row.place, row.score.text if row.place is not None else "") for row in view.rows]
    assert [(row["team"], row["place"]) for row in rows] == [(team, str(place or "")) for team, place, _ in shown]
    assert [float(row["score"]) for row in rows if row["place"]] == [float(text) for _, place, text in shown if place]
    assert [(row["team"], row["place"]) for row in told_json["rows"]] == [(team, place) for team, place, _ in shown]
    latex = visitor.get("/tracks/faces/board.tex").text
    places = [page.index(team) for team, place, _ in shown if place is not None]
    assert places == sorted(places)
    for team, place, score in shown:
        if place is not None:
            assert team in latex
            assert score in page
    assert "0.7123456" not in page + visitor.get("/tracks/faces/board.csv").text + json.dumps(told_json) + latex


@pytest.mark.parametrize("mark", ["=", "+", "-", "@", "\t", "\r"])
def test_t19_no_export_holds_a_formula(mark: str) -> None:
    from affectcheck.server.boards.export import guarded

    assert guarded(f"{mark}cmd|' /C calc'!A0").startswith("'")
    assert guarded("Blue") == "Blue"
