"""What is done between two pieces of work: leases that ended, letters, places to be drawn, what killed workers left."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa

from affectcheck.server.accounts import letters, vouchers
from affectcheck.server.boards.standing import standing_of
from affectcheck.server.contests.labels import labels_refused
from affectcheck.server.ledger.results import settle
from affectcheck.server.storage import jobs, references
from affectcheck.server.storage.tables import contest, job, label_set
from affectcheck.server.work.scratch import sweep

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from affectcheck.server.portal import Portal

_LOG: Final = logging.getLogger("affectcheck.server.work")
_LETTERS: Final = logging.getLogger("affectcheck.server.letters")


class Upkeep:
    """Regular tasks of a worker, each once it is due by the portal's clock; several workers may do them at once."""

    def __init__(self, portal: Portal) -> None:
        self._portal = portal
        self._tasks: tuple[tuple[timedelta, Callable[[], None]], ...] = (
            (timedelta(seconds=2), self._leases),
            (timedelta(seconds=5), self._letters),
            (timedelta(seconds=60), self._standings),
            (timedelta(hours=6), self._leftovers),
        )
        self._due: list[datetime] = [portal.now()] * len(self._tasks)

    def look(self) -> None:
        """Do what is due; what fails is told in the log and does not keep a worker from its work."""
        now = self._portal.now()
        for place, (every, task) in enumerate(self._tasks):
            if self._due[place] > now:
                continue
            self._due[place] = now + every
            try:
                task()
            except Exception:  # noqa: BLE001  # told in the log
                _LOG.exception("upkeep")

    def _leases(self) -> None:
        for found in jobs.reap(self._portal.database, self._portal.now()):
            _LOG.warning("%s of %s is %s after attempt %s", found.kind, found.subject, found.state, found.attempt)
        for lost in settle(self._portal):
            if lost.incident:
                _LOG.error("incident %s: every worker of submission %s went silent", lost.incident, lost.submission)
        self._lost_labels()

    def _lost_labels(self) -> None:
        """Labels whose workers went silent every time."""
        lost = (job.c.kind == "labels") & (job.c.state == "failed") & (label_set.c.state == "received")
        asked = sa.select(label_set.c.id).join_from(label_set, job, job.c.subject == label_set.c.id).where(lost)
        with self._portal.database.read() as connection:
            found = connection.execute(asked).scalars().all()
        for one in found:
            with self._portal.database.write() as connection:
                labels_refused(connection, one, "they could not be read, by a fault of the portal", self._portal.now())

    def _letters(self) -> None:
        letters.deliver(self._portal, _LETTERS.info)

    def _standings(self) -> None:
        """Places that nobody has asked for, such as after a change of settings."""
        asked = sa.select(job.c.id).where(job.c.kind == "standing", job.c.subject == contest.c.id)
        busy = asked.where(job.c.state.in_(("waiting", "running", "failed"))).exists()
        live = sa.select(contest.c.id).where(contest.c.label_set.is_not(None), contest.c.archived.is_(None), ~busy)
        with self._portal.database.read() as connection:
            found = connection.execute(live).scalars().all()
            missing = [one for one in found if standing_of(connection, one) is not None]
        for one in missing:
            with self._portal.database.write() as connection:
                jobs.add(connection, "standing", one, now=self._portal.now())

    def _leftovers(self) -> None:
        portal = self._portal
        gone = references.sweep(portal.database, {references.UPLOADS: portal.uploads, references.VAULT: portal.vault})
        folders = sweep(portal, older_s=references.YOUNG_S)
        if any((*gone, folders)):
            _LOG.info("removed: %s unfinished and %s orphaned files, %s folders", *gone, folders)
        letters.forget(portal)
        vouchers.forget(portal)
