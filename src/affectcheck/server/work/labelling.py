"""Labels: a child reads what an organiser sent, and keeps it in the vault in the form that scores are made from."""

from __future__ import annotations

import os
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from affectcheck.challenges import plain
from affectcheck.server.accounts.actors import SYSTEM
from affectcheck.server.contests.labels import label_set_of, labels_ready, labels_refused
from affectcheck.server.contests.tracks import contest_by_id
from affectcheck.server.storage import jobs
from affectcheck.server.work.label_files import TABLES
from affectcheck.server.work.task import Task

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.server.portal import Portal
    from affectcheck.server.storage.jobs import Job
    from affectcheck.server.work.scratch import Scratch

_BLOCK: Final = 1 << 20


def prepare(portal: Portal, held: Job, scratch: Scratch) -> Task | None:
    """The reading of labels; None where there is nothing to do."""
    with portal.database.write() as connection:
        labels = label_set_of(connection, held.subject, SYSTEM)
        if labels.state != "received":
            jobs.finish(connection, held, portal.now())
            return None
        board = contest_by_id(connection, labels.contest_id, SYSTEM)
    name = str(labels.facts.get("file_name", "labels"))
    source = str(portal.vault.path(labels.digest))
    items = scratch.link(portal.uploads, board.items, "items.parquet") if board.items else ""
    asked = {
        "track": plain(board.track),
        "source": source,
        "name": name,
        "items": items,
        "kept": scratch.path("kept.parquet"),
        "made_items": scratch.path("made.parquet"),
        "scratch": str(scratch.folder),
        # What was unpacked has an ending of its own, which is not told twice.
        "paths": {
            **{
                f"{scratch.folder}/labels{ending}": name for ending in ("", *TABLES, PurePosixPath(name).suffix.lower())
            },
            source: name,
            str(scratch.folder): name,
        },
    }
    return Task(
        asked,
        lambda found: _write(portal, held, (board.items, labels.digest), found, scratch),
        lambda fault: _refuse(portal, held, fault),
    )


def _write(portal: Portal, held: Job, of: tuple[str, str], found: Mapping[str, Any], scratch: Scratch) -> bool:
    """Where the track was given another list meanwhile, ``labels_ready`` raises, and they are read anew."""
    listed, digest = of
    kept = scratch.keep("kept.parquet", portal.vault)
    items = listed or scratch.keep("made.parquet", portal.uploads)
    with portal.database.write() as connection:
        if not jobs.finish(connection, held, portal.now()):
            return False
        labels_ready(connection, held.subject, kept, {**found, "items": items}, portal.now())
    _own(portal, digest)
    return True


def _own(portal: Portal, digest: str) -> None:
    """Labels as sent become the worker's, so that the web's user, who wrote them, can no longer read them."""
    path = portal.vault.path(digest)
    if path.stat().st_uid == os.geteuid():
        return
    with path.open("rb") as file:
        portal.vault.put(iter(lambda: file.read(_BLOCK), b""), most=path.stat().st_size)


def _refuse(portal: Portal, held: Job, fault: Mapping[str, Any]) -> bool:
    where = f"{fault['where']}: " if fault["where"] else ""
    more = [
        f"{name}: {fault[key]}" for key, name in (("expected", "expected"), ("cause", "likely cause")) if fault[key]
    ]
    return refuse_labels(portal, held, "\n".join((f"{where}{fault['what']}", *more)))


def refuse_labels(portal: Portal, held: Job, fault: str) -> bool:
    """Write that labels cannot be used; False: the lease was lost, and nothing is written."""
    with portal.database.write() as connection:
        if not jobs.finish(connection, held, portal.now()):
            return False
        labels_refused(connection, held.subject, fault, portal.now())
    return True
