"""T17, T20: a log that tells of every hand laid on it, and backups of a portal that is in use."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from affectcheck.server.opening import SECRET_FILE, open_portal
from affectcheck.server.settings import Settings
from affectcheck.server.storage.backup import Place, backup
from affectcheck.server.storage.blobs import Blobs
from affectcheck.server.storage.references import UPLOADS, VAULT
from affectcheck.server.storage.restoring import restore
from affectcheck.server.storage.tables import audit, submission
from affectcheck.server.storage.verifying import verify
from portal_clock import NOON

if TYPE_CHECKING:
    from pathlib import Path

    from portal_scene import Scene

    from ..api.conftest import Programs  # noqa: TID252  # tests are no package


def _busy(scene: Scene) -> None:
    scene.contest()
    crew = scene.team("Blue")
    scene.judge("faces", scene.send(crew).id, 0.5)
    scene.refuse(scene.send(crew).id)


HANDS = {
    "changed": audit.update().where(audit.c.number == 3).values(detail={}),
    "left out": audit.delete().where(audit.c.number == 3),
    "another actor": audit.update().where(audit.c.number == 2).values(actor="somebody"),
    "hidden in time": audit.update().where(audit.c.number == 4).values(at=NOON.replace(year=2020)),
    "put in": audit.insert().values(
        number=9999, at=NOON, actor="x", action="x", subject="x", detail={}, before_hash="", hash="x"
    ),
}


@pytest.mark.parametrize("hand", HANDS)
def test_t17_a_hand_laid_on_the_log_is_told(programs: Programs, scene: Scene, hand: str) -> None:
    _busy(scene)
    organiser = programs.of(scene.organiser, "organise")
    assert scene.faults() == []
    assert organiser.get("/audit/state").json()["faults"] == []
    with scene.portal.database.write() as connection:
        connection.execute(HANDS[hand])
    assert scene.faults() != []
    assert organiser.get("/audit/state").json()["faults"] != []


def test_t17_every_change_of_a_submission_is_in_the_log(scene: Scene) -> None:
    _busy(scene)
    with scene.portal.database.read() as connection:
        logged = {(row.action, row.subject) for row in connection.execute(audit.select())}
        ids = connection.execute(submission.select()).mappings().all()
    actions = {row["id"]: {action for action, subject in logged if subject == row["id"]} for row in ids}
    ended = {row["state"]: actions[row["id"]] for row in ids}
    assert {"submission.receive", "submission.check", "submission.queue", "submission.score", "submission.finish"} <= (
        ended["scored"]
    )
    assert {"submission.receive", "submission.check", "submission.refuse"} <= ended["invalid"]


def test_t20_a_portal_backed_up_while_teams_send_comes_back_whole(scene: Scene, tmp_path: Path) -> None:
    scene.contest(items=10)
    crews = [scene.team(f"Team {number}") for number in range(4)]
    data = scene.portal.settings.data
    here = Place(
        scene.portal.settings.database, {UPLOADS: scene.portal.uploads, VAULT: scene.portal.vault}, data / SECRET_FILE
    )
    stop = threading.Event()

    def send() -> None:
        for crew in crews:
            for _ in range(5):
                if not stop.is_set():
                    scene.judge("faces", scene.send(crew).id, 0.5)

    sender = threading.Thread(target=send)
    sender.start()
    try:
        made = [backup(here, tmp_path / f"kept-{number}", now=NOON) for number in range(3)]
    finally:
        stop.set()
        sender.join()
    assert sum(one.chain["number"] for one in made) > 0
    for number, one in enumerate(made):
        back = tmp_path / f"back-{number}"
        stores = {UPLOADS: Blobs(back / UPLOADS), VAULT: Blobs(back / VAULT)}
        restore(tmp_path / f"kept-{number}", Place(f"sqlite:///{back / 'portal.db'}", stores, back / SECRET_FILE))
        portal = open_portal(Settings(back), upgrade=False)
        assert verify(portal.database, stores, known=one.known) == []
        assert portal.settings.secret == scene.portal.settings.secret
        portal.close()
