"""A worker that is killed loses nothing and does nothing twice, wherever it is."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from affectcheck.server.storage.tables import evaluation, job
from affectcheck.server.work.worker import Worker
from portal_children import WORKER, begin, runs, wait_for

if TYPE_CHECKING:
    from portal_scene import Scene

pytestmark = pytest.mark.slow


def killed_at(scene: Scene, point: str) -> None:
    """A worker begins, comes to the point, and is killed."""
    data = scene.portal.settings.data
    mark = data / "reached"
    mark.unlink(missing_ok=True)
    url = scene.portal.database.url.render_as_string(hide_password=False)
    process = begin(WORKER, str(data), url, point, scene.clock().isoformat())
    wait_for(lambda: mark.exists() and mark.read_text())
    child = int(mark.read_text()) if point == "child" else 0
    process.kill()
    process.wait()
    if child:
        wait_for(lambda: not runs(child))
    scene.clock.forward(seconds=61)


def scores(scene: Scene) -> int:
    with scene.portal.database.read() as connection:
        return connection.execute(sa.select(sa.func.count()).select_from(evaluation)).scalar_one()


@pytest.mark.parametrize("point", ["claimed", "child", "result", "committed"])
def test_it_is_scored_once(scene: Scene, point: str) -> None:
    play(scene, point)


def test_it_is_scored_once_though_its_result_was_half_written(scene_on_both: Scene) -> None:
    play(scene_on_both, "transaction")


def play(scene: Scene, point: str) -> None:
    scene.contest()
    key = scene.send(scene.team("Blue")).id
    killed_at(scene, point)
    assert scene.entry(key).state == {"claimed": "received", "committed": "queued"}.get(point, "checking")
    assert Worker(scene.portal).step()
    if point != "committed":
        assert scene.entry(key).state == "queued"
    if point in ("child", "transaction"):  # once more, in the middle of the score
        killed_at(scene, point)
        assert scores(scene) == 0
    scene.work()
    assert (scene.entry(key).state, scores(scene)) == ("scored", 1)
    with scene.portal.database.read() as connection:
        assert set(connection.execute(sa.select(job.c.state)).scalars()) == {"done"}
    assert scene.faults() == []


def test_three_kills_fail_it_and_its_slot_is_free(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    scene.contest()
    crew = scene.team("Blue")
    key = scene.send(crew, data=b"item,mood\n").id
    for _ in range(3):
        killed_at(scene, "claimed")
        with caplog.at_level(logging.INFO):
            Worker(scene.portal)._upkeep.look()
    entry = scene.entry(key, crew.captain)
    assert (entry.state, entry.slot, entry.fault["code"]) == ("failed", None, "E_INCIDENT")
    assert entry.reason.removeprefix("incident ") in caplog.text
    assert scene.faults() == []
