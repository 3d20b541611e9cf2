"""Intervals of places: a child draws them from the tallies of the submissions that count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affectcheck.challenges import RankInterval, plain
from affectcheck.server.boards.standing import standing_of, standing_ready
from affectcheck.server.storage import jobs
from affectcheck.server.work.task import Task

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.server.boards.standing import WantedStanding
    from affectcheck.server.portal import Portal
    from affectcheck.server.storage.jobs import Job
    from affectcheck.server.work.scratch import Scratch


def prepare(portal: Portal, held: Job, _scratch: Scratch) -> Task | None:
    """The intervals of a board; None where they are there, or cannot be made."""
    with portal.database.write() as connection:
        wanted = standing_of(connection, held.subject)
        if wanted is None:
            jobs.finish(connection, held, portal.now())
            return None
    asked = {
        "track": plain(wanted.track),
        "shares": [str(portal.vault.path(digest)) for digest in wanted.shares],
        "resamples": wanted.resamples,
        "seed": wanted.seed,
    }
    return Task(asked, lambda found: _write(portal, held, wanted, found))


def _write(portal: Portal, held: Job, wanted: WantedStanding, found: Mapping[str, Any]) -> bool:
    """Where other submissions count meanwhile, intervals are drawn anew."""
    intervals = [RankInterval(*one) for one in found["intervals"]]
    with portal.database.write() as connection:
        if not jobs.finish(connection, held, portal.now()):
            return False
        if not standing_ready(connection, wanted, intervals):
            jobs.add(connection, "standing", held.subject, now=portal.now())
    return True
