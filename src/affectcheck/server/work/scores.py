"""Scores: a child combines checked predictions and kept labels; the tallies and a sketch are kept in the vault."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from affectcheck.challenges import plain
from affectcheck.server.accounts.actors import SYSTEM
from affectcheck.server.contests.labels import label_set_of
from affectcheck.server.contests.tracks import contest_by_id
from affectcheck.server.ledger import results
from affectcheck.server.ledger.rows import submission_row
from affectcheck.server.storage.tables import campaign, submission
from affectcheck.server.work.task import Task

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.server.portal import Portal
    from affectcheck.server.storage.jobs import Job
    from affectcheck.server.work.scratch import Scratch


def prepare(portal: Portal, held: Job, scratch: Scratch) -> Task | None:
    """The score of a submission; None where there is nothing to do."""
    with portal.database.write() as connection:
        if not results.begun(connection, held, portal.now()):
            return None
        row = submission_row(connection, held.subject)
        board = contest_by_id(connection, row["contest"], SYSTEM)
        label_set = _label_set(connection, held) or board.label_set
        labels = label_set_of(connection, label_set, SYSTEM)
        others = {} if held.campaign else _others(connection, row)
    facts = row["facts"]
    asked = {
        "track": plain(board.track),
        "name": row["id"],
        "predictions": scratch.link(portal.vault, facts["predictions"], "predictions.parquet"),
        "items": scratch.link(portal.uploads, facts["items"], "items.parquet"),
        "labels": scratch.link(portal.vault, labels.digest, "labels.parquet"),
        "others": {name: str(portal.vault.path(digest)) for name, digest in others.items()},
        "resamples": board.settings.resamples,
        "seed": board.settings.seed,
        "shares": scratch.path("shares.npz"),
        "sketch": scratch.path("sketch.npz"),
    }
    return Task(asked, lambda found: _write(portal, held, label_set, found, scratch))


def _write(portal: Portal, held: Job, label_set: str, found: Mapping[str, Any], scratch: Scratch) -> bool:
    shares = scratch.keep("shares.npz", portal.vault)
    facts = {"sketch": scratch.keep("sketch.npz", portal.vault), "flags": found["result"]["flags"]}
    evaluation = results.NewEvaluation(label_set, found["scorer"], found["score"], found["result"], shares, facts)
    with portal.database.write() as connection:
        return results.scored(connection, held, evaluation, portal.now())


def _label_set(connection: sa.Connection, held: Job) -> str:
    """Of a campaign; empty for the board's own."""
    if not held.campaign:
        return ""
    return str(connection.execute(sa.select(campaign.c.label_set).where(campaign.c.id == held.campaign)).scalar_one())


def _others(connection: sa.Connection, row: sa.RowMapping) -> dict[str, str]:
    """Submissions of other teams that were checked against the same list, and their sketches."""
    asked = (
        sa.select(submission.c.id, submission.c.facts)
        .where(submission.c.contest == row["contest"], submission.c.team != row["team"])
        .order_by(submission.c.received, submission.c.id)
    )
    found = {one.id: one.facts for one in connection.execute(asked) if one.facts.get("sketch")}
    return {key: facts["sketch"] for key, facts in found.items() if facts.get("items") == row["facts"]["items"]}
