"""What a team does with its submissions: choose the one that counts, or withdraw one."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from affectcheck.challenges import RUNNING
from affectcheck.server.accounts import throttle
from affectcheck.server.accounts.actors import require
from affectcheck.server.accounts.teams import team_of
from affectcheck.server.contests import texts
from affectcheck.server.contests.showing import ended
from affectcheck.server.contests.tracks import contest_by_id
from affectcheck.server.faults import ConflictError, NotThereError
from affectcheck.server.ledger.rows import Moving, board_changed, locked, move
from affectcheck.server.storage import audit
from affectcheck.server.storage.tables import submission

if TYPE_CHECKING:
    import sqlalchemy as sa

    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.contests.tracks import Contest
    from affectcheck.server.portal import Portal

CHOSEN_AN_HOUR: Final = 60
_CHOOSABLE: Final = RUNNING | {"scored"}


def choose(portal: Portal, actor: Actor, submission_id: str) -> None:
    """Let a submission count for its team, whatever the others score.

    Raises:
        NotThereError: there is none of that id in a team of the actor's.
        ConflictError: the best counts on this track, the last phase has ended, or it cannot count.
        TooManyError: it was chosen too often within an hour.
    """
    require(actor, "submit")
    # Each is a row of the audit log, a board made anew for everyone, and places drawn anew.
    throttle.hit(portal, f"choose {actor.id}", limit=CHOSEN_AN_HOUR, window=timedelta(hours=1))
    now = portal.now()
    with portal.database.write() as connection:
        row, board = own(connection, actor, submission_id)
        if board.settings.counting != "chosen":
            raise ConflictError("nothing is chosen on this track: the best submission counts", code="E_NOT_CHOSEN")
        if ended(board, now):
            raise ConflictError("the last phase has ended: nothing is chosen any more", code="E_CLOSED")
        if row["state"] not in _CHOOSABLE:
            raise ConflictError(
                f"a submission that is {row['state']} cannot count", code="E_STATE", expected="a scored one"
            )
        mine = (submission.c.contest == row["contest"]) & (submission.c.team == row["team"])
        connection.execute(submission.update().where(mine).values(chosen=submission.c.id == submission_id))
        audit.record(connection, actor.id, "submission.choose", submission_id, {"team": row["team"]}, now)
        board_changed(connection, row["contest"], now)


def withdraw(portal: Portal, actor: Actor, submission_id: str, reason: str = "") -> None:
    """Take a scored submission off the board; its slot stays used.

    Raises:
        NotThereError: there is none of that id in a team of the actor's.
        ConflictError: it is not scored.
        RefusedError: the reason is too long, or has a character that is not seen.
    """
    require(actor, "submit")
    now, said = portal.now(), texts.line("reason", reason, most=texts.REASON, least=0)
    with portal.database.write() as connection:
        row, _ = own(connection, actor, submission_id)
        by = Moving(actor.id, now, {"reason": said})
        move(connection, row, "withdraw", by, {"reason": said, "chosen": False})


def own(connection: sa.Connection, actor: Actor, submission_id: str) -> tuple[sa.RowMapping, Contest]:
    """A submission of a team of the actor's, whose team is locked, and its track.

    Raises:
        NotThereError: it is of another team, or there is none.
    """
    row = locked(connection, submission_id)
    board = contest_by_id(connection, row["contest"], actor)
    mine = team_of(connection, board.event_id, actor.id)
    if mine is None or mine.id != row["team"]:
        raise NotThereError("no such submission", code="E_NO_SUBMISSION")
    return row, board
