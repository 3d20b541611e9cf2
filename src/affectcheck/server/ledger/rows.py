"""Rows of submissions: read, lock and move them; every move stands in the audit log.

Locks are taken in one order, team before job before submission before track, so that no two transactions wait for each
other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

import sqlalchemy as sa

from affectcheck.challenges import MoveError, moved, slot_after
from affectcheck.server.faults import ConflictError, NotThereError
from affectcheck.server.storage import audit, jobs
from affectcheck.server.storage.tables import contest, submission, team

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from affectcheck.challenges import Event, State

#: Events that change what a board shows.
_SHOWN: Final = frozenset({"finish", "withdraw", "disqualify", "reinstate"})
#: States in which nothing more is done by the portal.
_ENDS: Final = frozenset({"invalid", "scored", "failed"})


@dataclass(frozen=True)
class Moving:
    """Who moves a submission, and when.

    Attributes:
        actor_id: account, or ``system``.
        now: the moment.
        detail: what the audit log says beside the states.
    """

    actor_id: str
    now: datetime
    detail: Mapping[str, Any] = field(default_factory=dict)


def submission_row(connection: sa.Connection, submission_id: str) -> sa.RowMapping:
    """A submission as it is kept.

    Raises:
        NotThereError: there is none.
    """
    row = connection.execute(sa.select(submission).where(submission.c.id == submission_id)).mappings().first()
    if row is None:
        raise NotThereError("no such submission", code="E_NO_SUBMISSION")
    return row


def lock_team(connection: sa.Connection, team_id: str) -> None:
    """Nobody else moves a submission of this team until the transaction ends."""
    connection.execute(sa.select(team.c.id).where(team.c.id == team_id).with_for_update())


def locked(connection: sa.Connection, submission_id: str) -> sa.RowMapping:
    """A submission whose team is locked.

    Raises:
        NotThereError: there is none.
    """
    row = submission_row(connection, submission_id)
    while True:
        lock_team(connection, row["team"])
        found = submission_row(connection, submission_id)
        if found["team"] == row["team"]:
            return found
        row = found  # teams were merged meanwhile


def lock_contest(connection: sa.Connection, contest_id: str) -> sa.RowMapping:
    """A track; nobody else changes it until the transaction ends.

    Raises:
        NotThereError: there is none.
    """
    row = connection.execute(sa.select(contest).where(contest.c.id == contest_id).with_for_update()).mappings().first()
    if row is None:
        raise NotThereError("no such track", code="E_NO_TRACK")
    return row


def move(
    connection: sa.Connection, row: sa.RowMapping, event: Event, by: Moving, changes: Mapping[str, Any] | None = None
) -> State:
    """Move a submission.

    Args:
        connection: of a transaction that has locked its team.
        row: as it is.
        event: what happens to it.
        by: who does that.
        changes: other columns; ``slot`` frees the one that it has.

    Returns:
        Its new state.

    Raises:
        ConflictError: that does not happen in its state, or it needs a slot and none is free.
    """
    values = dict(changes or {})
    try:
        state = moved(row["state"], event, before=cast("State", row["before"]) or None)
        values["slot"] = slot_after(
            state,
            values.get("slot", row["slot"]),
            taken=taken_slots(connection, row["team"], row["contest"], but=row["id"]),
            limit=_limit(connection, row["contest"]),
        )
    except MoveError as error:
        raise ConflictError(error.what, code="E_STATE", expected=error.expected, cause=error.cause) from error
    values |= {"state": state, "finished": by.now if state in _ENDS else row["finished"]}
    connection.execute(submission.update().where(submission.c.id == row["id"]).values(**values))
    detail = {**by.detail, "from": row["state"], "to": state, "slot": values["slot"]}
    audit.record(connection, by.actor_id, f"submission.{event}", row["id"], detail, by.now)
    if event in _SHOWN:
        board_changed(connection, row["contest"], by.now)
    return state


def taken_slots(connection: sa.Connection, team_id: str, contest_id: str, *, but: str = "") -> tuple[int, ...]:
    """Slots that a team's submissions to a track hold.

    Args:
        connection: of a transaction that has locked the team.
        team_id: whose.
        contest_id: of which track.
        but: a submission that does not count.
    """
    mine = (submission.c.team == team_id) & (submission.c.contest == contest_id) & (submission.c.id != but)
    found = connection.execute(sa.select(submission.c.slot).where(mine, submission.c.slot.is_not(None)))
    return tuple(sorted(found.scalars()))


def board_changed(connection: sa.Connection, contest_id: str, now: datetime) -> None:
    """What a board shows has changed: kept pages are old, and intervals of places are computed anew."""
    version = contest.update().where(contest.c.id == contest_id).values(version=contest.c.version + 1)
    connection.execute(version)
    jobs.add(connection, "standing", contest_id, now=now)


def _limit(connection: sa.Connection, contest_id: str) -> int:
    track = connection.execute(sa.select(contest.c.track).where(contest.c.id == contest_id)).scalar_one()
    return int(track.get("submissions", 5))
