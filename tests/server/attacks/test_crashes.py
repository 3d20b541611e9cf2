"""T3, T4: processes that are killed outright lose nothing, and nothing is done twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from affectcheck.server.ledger.intake import receive
from affectcheck.server.storage.references import UPLOADS, VAULT, sweep
from affectcheck.server.storage.tables import evaluation, job, submission
from portal_scene import predictions

if TYPE_CHECKING:
    from affectcheck.server.portal import Portal
    from portal_scene import Scene

TESTS = Path(__file__).parents[2]
WORKER = """
import sys, threading
from pathlib import Path
from affectcheck.server.opening import open_portal
from affectcheck.server.settings import Settings
from affectcheck.server.work.worker import Worker
portal = open_portal(Settings(Path(sys.argv[1]), database=sys.argv[2]), upgrade=False)
Worker(portal, "first").run(threading.Event())
"""
KILLED = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from portal_scene import DECLARED, blocks, predictions
from affectcheck.server.accounts.tokens import actor_of_token
from affectcheck.server.ledger import intake
from affectcheck.server.opening import open_portal
from affectcheck.server.settings import Settings
portal = open_portal(Settings(Path(sys.argv[2]), database=sys.argv[3]), upgrade=False)
actor = actor_of_token(portal, sys.argv[4])
real = intake._insert
def die(*arguments):
    real(*arguments)
    os.kill(os.getpid(), signal.SIGKILL)
intake._insert = die
sent = {"file_name": "x.csv", "declaration": DECLARED, "began": portal.now()}
intake.receive(portal, actor, "faces", blocks=blocks(predictions(10, seed=7)), **sent)
"""


def _job(portal: Portal, kind: str) -> sa.Row:
    with portal.database.read() as connection:
        return connection.execute(sa.select(job).where(job.c.kind == kind)).one()


def _children(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _until(true: object, seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "it did not come to that"
        time.sleep(0.01)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["check", "score"])
def test_t3_a_killed_worker_s_work_is_done_once_by_another(scene_on_both: Scene, kind: str) -> None:
    scene, portal = scene_on_both, scene_on_both.portal
    scene.clock.set(datetime.now(UTC))
    scene.contest(items=30)
    scene.work()
    found = scene.send(scene.team("Blue"))
    worker = subprocess.Popen([sys.executable, "-c", WORKER, portal.settings.data, portal.settings.database])
    try:
        _until(lambda: _has(portal, kind) and _job(portal, kind).state == "running" and _children(worker.pid))
        child = _children(worker.pid)[0]
    finally:
        worker.send_signal(signal.SIGKILL)
        worker.wait()
    _until(lambda: not Path(f"/proc/{child}").exists() or _is_dead(child))
    assert (_job(portal, kind).state, _job(portal, kind).attempt) == ("running", 1)
    scene.clock.set(datetime.now(UTC) + timedelta(minutes=2))
    scene.work("second")
    assert (_job(portal, kind).state, _job(portal, kind).attempt) == ("done", 2)
    assert scene.entry(found.id).state == "scored"
    with portal.database.read() as connection:
        assert connection.execute(sa.select(evaluation.c.submission)).scalars().all() == [found.id]
    assert scene.faults() == []


def _has(portal: Portal, kind: str) -> bool:
    with portal.database.read() as connection:
        return connection.execute(sa.select(job.c.id).where(job.c.kind == kind)).first() is not None


def _is_dead(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def test_t3_whoever_lost_the_lease_writes_no_score(scene: Scene) -> None:
    """A worker that hangs wakes up after another has done its work: one score, and it is the other's."""
    from affectcheck.server.ledger import results
    from affectcheck.server.storage import jobs

    scene.contest()
    found = scene.send(scene.team("Blue"))
    scene.judge("faces", found.id, 0.5)
    hung = jobs.Job("x", "score", found.id, "", "running", 1, "hung", 0, 0, scene.clock(), "")
    with scene.portal.database.read() as connection:
        board = scene.contest_of()
        real = next(one for one in jobs.of_subject(connection, found.id) if one.kind == "score")
    late = results.NewEvaluation(board.label_set, board.scorer, 0.9, {})
    for held in (hung, real):
        with scene.portal.database.write() as connection:
            assert not results.scored(connection, held, late, scene.clock())
    with scene.portal.database.read() as connection:
        assert connection.execute(sa.select(evaluation.c.score)).scalars().all() == [0.5]


@pytest.mark.slow
def test_t4_a_server_killed_between_file_and_row_leaves_a_file_that_is_swept(scene_on_both: Scene) -> None:
    from affectcheck.server.accounts.tokens import make_token

    scene, portal = scene_on_both, scene_on_both.portal
    scene.clock.set(datetime.now(UTC))
    scene.contest(items=10)
    crew = scene.team("Blue")
    token = make_token(portal, crew.captain, "test", "submit")
    before = set(portal.uploads.digests())
    arguments = [TESTS, portal.settings.data, portal.settings.database, token]
    killed = subprocess.run([sys.executable, "-c", KILLED, *arguments], check=False)
    assert killed.returncode == -signal.SIGKILL
    with portal.database.read() as connection:
        assert connection.execute(sa.select(submission.c.id)).all() == []
    orphan = set(portal.uploads.digests()) - before
    assert len(orphan) == 1
    stores = {UPLOADS: portal.uploads, VAULT: portal.vault}
    assert sweep(portal.database, stores) == (0, 0)  # it is young: its row might be on its way
    for digest in portal.uploads.digests():
        os.utime(portal.uploads.path(digest), (0, 0))
    assert sweep(portal.database, stores) == (0, 1)
    assert set(portal.uploads.digests()) == before
    assert scene.send(crew, data=predictions(10, seed=7)).slot == 1
    assert scene.faults() == []


@pytest.mark.parametrize("stage", ["bytes", "row"])
def test_t4_an_upload_that_breaks_off_takes_no_slot(scene_on_both: Scene, monkeypatch: object, stage: str) -> None:
    from affectcheck.server.ledger import intake
    from portal_scene import DECLARED

    scene = scene_on_both
    scene.contest(items=10)
    crew = scene.team("Blue")

    def broken(data: bytes = b"") -> object:
        yield b"item,mood\n"
        if stage == "bytes":
            raise ConnectionError("the connection broke")

    def full(*_: object) -> None:
        raise OSError("no space left")

    if stage == "row":
        monkeypatch.setattr(intake.audit, "record", full)
    sent = {"file_name": "x.csv", "declaration": DECLARED, "began": scene.clock()}
    with pytest.raises(OSError, match=r"connection broke|no space left"):
        receive(scene.portal, crew.captain, "faces", blocks=broken(), **sent)
    monkeypatch.undo()
    with scene.portal.database.read() as connection:
        assert connection.execute(sa.select(submission.c.id)).all() == []
    assert list((scene.portal.uploads.root / "incoming").iterdir()) == []
    assert scene.send(crew).slot == 1
    assert scene.faults() == []
