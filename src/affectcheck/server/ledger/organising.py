"""What an organiser does with submissions: disqualify with a reason, reinstate, take a late one, check a failed one anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.server.accounts import letters
from affectcheck.server.accounts.actors import require
from affectcheck.server.contests import texts
from affectcheck.server.ledger.mailing import members_of
from affectcheck.server.ledger.results import await_score
from affectcheck.server.ledger.rows import Moving, locked, move
from affectcheck.server.storage import jobs

if TYPE_CHECKING:
    import sqlalchemy as sa

    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.portal import Portal


def disqualify(portal: Portal, actor: Actor, submission_id: str, reason: str, *, free_slot: bool = False) -> None:
    """Take a submission off the board, whatever its state; its team is told why.

    Args:
        portal: which.
        actor: an organiser.
        submission_id: of the submission.
        reason: that its team and the audit log are told.
        free_slot: whether the team gets its slot back.

    Raises:
        RefusedError: no reason.
        ConflictError: it is disqualified already.
    """
    require(actor, "organise")
    why = texts.why(reason)
    now = portal.now()
    with portal.database.write() as connection:
        row = locked(connection, submission_id)
        jobs.cancel(connection, now, subject=submission_id)
        slot = None if free_slot else row["slot"]
        by = Moving(actor.id, now, {"reason": why, "slot_freed": free_slot})
        move(connection, row, "disqualify", by, {"reason": why, "before": row["state"], "slot": slot, "chosen": False})
        _tell(connection, portal, row, ("disqualified", f"The organisers disqualified it: {why}"))


def reinstate(portal: Portal, actor: Actor, submission_id: str) -> None:
    """Undo a disqualification; what was being checked or scored begins anew.

    Raises:
        ConflictError: it is not disqualified, or its slot is used by another one.
    """
    require(actor, "organise")
    now = portal.now()
    with portal.database.write() as connection:
        row = locked(connection, submission_id)
        state = move(connection, row, "reinstate", Moving(actor.id, now), {"before": "", "reason": ""})
        if state == "received":
            jobs.add(connection, "check", submission_id, now=now)
        elif state == "queued":
            await_score(connection, row, now)
        _tell(connection, portal, row, ("reinstated", f"The organisers reinstated it; it is {state}."))


def accept_late(portal: Portal, actor: Actor, submission_id: str) -> None:
    """Take an upload that ended behind its phase.

    Raises:
        ConflictError: it is not late.
    """
    _check_anew(portal, actor, submission_id, late=True)


def rerun(portal: Portal, actor: Actor, submission_id: str) -> None:
    """Check one anew that failed by a fault of the portal.

    Raises:
        ConflictError: it has not failed, or the team has used its slot for another one.
    """
    _check_anew(portal, actor, submission_id, late=False)


def _check_anew(portal: Portal, actor: Actor, submission_id: str, *, late: bool) -> None:
    require(actor, "organise")
    now = portal.now()
    with portal.database.write() as connection:
        row = locked(connection, submission_id)
        changes = {"reason": "", "fault": None}
        move(connection, row, "accept" if late else "reopen", Moving(actor.id, now), changes)
        jobs.add(connection, "check", submission_id, now=now)


def _tell(connection: sa.Connection, portal: Portal, row: sa.RowMapping, what: tuple[str, str]) -> None:
    word, sentence = what
    body = f"Your submission {row['id']} ({row['file_name']}):\n\n{sentence}\n\n{portal.settings.address}/\n"
    for address in members_of(connection, [row["team"]]):
        letters.post(connection, address, f"A submission was {word}", body, portal.now())
