"""Checks: a child reads the upload against the list of items, without any label."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from affectcheck.challenges import plain
from affectcheck.server.accounts.actors import SYSTEM
from affectcheck.server.contests.tracks import contest_by_id
from affectcheck.server.ledger import results
from affectcheck.server.ledger.rows import submission_row
from affectcheck.server.work.task import Task
from affectcheck.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.server.portal import Portal
    from affectcheck.server.storage.jobs import Job
    from affectcheck.server.work.scratch import Scratch


def prepare(portal: Portal, held: Job, scratch: Scratch) -> Task | None:
    """The check of a submission; None where there is nothing to do."""
    with portal.database.write() as connection:
        if not results.begun(connection, held, portal.now()):
            return None
        row = submission_row(connection, held.subject)
        board = contest_by_id(connection, row["contest"], SYSTEM)
    upload, items = str(portal.uploads.path(row["digest"])), scratch.link(portal.uploads, board.items, "items.parquet")
    asked = {
        "track": plain(board.track),
        "upload": upload,
        "name": row["file_name"],
        "items": items,
        "predictions": scratch.path("predictions.parquet"),
        "upload_limits": asdict(portal.settings.limits),
        "paths": {upload: row["file_name"], items: "the list of items", str(scratch.folder): "the portal"},
    }
    against = {"items": board.items, "by": __version__}
    return Task(
        asked,
        lambda found: _write(portal, held, {**found, **against}, scratch),
        lambda fault: _refuse(portal, held, {**fault, "facts": against}),
    )


def _write(portal: Portal, held: Job, found: Mapping[str, Any], scratch: Scratch) -> bool:
    kept = scratch.keep("predictions.parquet", portal.vault)
    facts = {**found, "predictions": kept}
    with portal.database.write() as connection:
        return results.checked(connection, held, facts, portal.now())


def _refuse(portal: Portal, held: Job, fault: Mapping[str, Any]) -> bool:
    with portal.database.write() as connection:
        return results.refused(connection, held, fault, portal.now())
