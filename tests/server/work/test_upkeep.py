"""What a worker does beside its work: letters, places that are missing, what killed ones left behind."""

from __future__ import annotations

import logging
import os
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from affectcheck.server.accounts import vouchers
from affectcheck.server.accounts.letters import post
from affectcheck.server.contests.settings import TrackSettings
from affectcheck.server.contests.tracks import edit_settings
from affectcheck.server.ledger.counted import Standing
from affectcheck.server.storage.tables import letter, voucher
from affectcheck.server.work import handling
from affectcheck.server.work.worker import Worker
from portal_children import run_here

if TYPE_CHECKING:
    from portal_scene import Scene


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Children are no processes, but functions."""
    monkeypatch.setattr(handling, "run", run_here)


@pytest.mark.usefixtures("here")
def test_upkeep_sends_letters_and_draws_what_is_missing(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    scene.contest(settings=TrackSettings(resamples=0))
    scene.send(scene.team("Blue"))
    scene.work()
    assert scene.contest_of().standing == {}
    edit_settings(scene.portal, scene.organiser, "faces", TrackSettings(resamples=10))
    scene.clock.forward(minutes=2)
    scene.work()
    assert len(Standing.from_plain(scene.contest_of().standing).intervals) == 1

    with scene.portal.database.write() as connection:
        post(connection, "a@example.org", "A word", "Hello.", scene.clock())
    scene.clock.forward(minutes=1)
    with caplog.at_level(logging.INFO, logger="affectcheck"):
        scene.work()
    assert "A word" in caplog.text
    with scene.portal.database.read() as connection:
        assert connection.execute(sa.select(letter.c.sent)).scalar_one() == scene.clock()


def test_letters_and_codes_do_not_pile_up(scene: Scene) -> None:
    with scene.portal.database.write() as connection:
        post(connection, "a@example.org", "Old", "Hello.", scene.clock())
        vouchers.issue(connection, "reset", "old", scene.clock(), timedelta(hours=1))
    Worker(scene.portal).step()
    scene.clock.forward(days=30, minutes=1)
    with scene.portal.database.write() as connection:
        post(connection, "a@example.org", "New", "Hello.", scene.clock())
        vouchers.issue(connection, "reset", "new", scene.clock(), timedelta(hours=1))
    Worker(scene.portal).step()
    with scene.portal.database.read() as connection:
        assert connection.execute(sa.select(letter.c.subject)).scalars().all() == ["New"]
        kept = connection.execute(sa.select(voucher.c.subject).where(voucher.c.kind == "reset")).scalars().all()
        assert kept == ["old", "new"]
    scene.clock.forward(hours=12)
    Worker(scene.portal).step()
    with scene.portal.database.read() as connection:
        kept = connection.execute(sa.select(voucher.c.subject).where(voucher.c.kind == "reset")).scalars().all()
        assert kept == ["new"]


def test_upkeep_that_fails_keeps_no_worker_from_its_work(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> int:
        raise OSError("no mail today")

    monkeypatch.setattr("affectcheck.server.work.upkeep.letters.deliver", broken)
    assert not Worker(scene.portal).step()
    assert "no mail today" in caplog.text


def test_folders_of_killed_workers_are_removed(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    root = scene.portal.vault.root / "scratch"
    for name, age in (("old", 2 * 86400), ("young", 60)):
        (root / name).mkdir(parents=True)
        (root / name / "file").write_text("x")
        moment = (root / name).stat().st_mtime - age
        os.utime(root / name, (moment, moment))
    with caplog.at_level(logging.INFO, logger="affectcheck"):
        Worker(scene.portal).step()
    assert [path.name for path in root.iterdir()] == ["young"]
    assert "1 folders" in caplog.text
