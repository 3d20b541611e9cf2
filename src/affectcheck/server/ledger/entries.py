"""Submissions as somebody may see them: organisers all of it, a team its own, others nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa

from affectcheck.challenges import RUNNING, BoardScore
from affectcheck.server.accounts.actors import require
from affectcheck.server.accounts.teams import team_of
from affectcheck.server.clock import system_clock
from affectcheck.server.contests.showing import Shown, rounded, shown_to
from affectcheck.server.contests.tracks import contest_by_id
from affectcheck.server.faults import NotThereError
from affectcheck.server.storage import jobs
from affectcheck.server.storage.tables import account, evaluation, job, submission, team

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from affectcheck.challenges import BoardValue
    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.contests.tracks import Contest

#: Facts that teams are not told: where files lie, and what their predictions are alike to.
_OWN_FACTS: Final = ("rows", "files", "notes")
_JUDGED: Final = ("scored", "withdrawn", "disqualified")
#: Columns that are told as they are kept.
_SAME: Final = (
    "id", "contest", "team", "team_name", "author", "author_name", "phase", "state", "slot", "file_name", "digest",
    "size", "declaration", "fault", "chosen", "reason", "began", "received", "finished",
)  # fmt: skip


@dataclass(frozen=True)
class Progress:
    """How far the check or the scorer is.

    Attributes:
        position: in the queue; 1 is next, 0 runs; None where nothing is to be done.
        done, total: steps; 0 where they are not known.
        attempt: which one it is.
    """

    position: int | None
    done: int
    total: int
    attempt: int


@dataclass(frozen=True)
class ShownScore:
    """A score as somebody may see it.

    Attributes:
        text: to the digits of the track; a dash where it is undefined.
        value: unrounded for organisers, else to the digits of the track; None where it is undefined.
        reason: why it is undefined.
        result: all of it for organisers; of a team's own, without other submissions and single videos, after the end of the
            last phase, where the track shows parts.
    """

    text: str
    value: float | None
    reason: str = ""
    result: BoardScore | None = None


@dataclass(frozen=True)
class Submission:
    """A submission.

    Attributes:
        id, phase, state, slot, file_name, digest, size, chosen, reason, began, received, finished: as they are kept.
        contest, track_title, team, team_name, author, author_name: whose it is.
        declaration: as it was taken.
        fault: code, what, where, expected and cause, of one that is invalid or failed.
        facts: rows, files and notes; for organisers also flags and digests.
        progress: while it is checked or scored.
        score: where there is one that may be seen.
        mine: whether it is of the team of whoever asks.
    """

    id: str
    contest: str
    track_title: str
    team: str
    team_name: str
    author: str
    author_name: str
    phase: str
    state: str
    slot: int | None
    file_name: str
    digest: str
    size: int
    declaration: Mapping[str, Any]
    fault: Mapping[str, Any] | None
    facts: Mapping[str, Any]
    chosen: bool
    reason: str
    began: datetime
    received: datetime
    finished: datetime | None
    progress: Progress | None
    score: ShownScore | None
    mine: bool


def submission_of(
    connection: sa.Connection, submission_id: str, actor: Actor, *, now: datetime | None = None
) -> Submission:
    """One submission.

    Raises:
        NotThereError: there is none, or it is of another team.
    """
    asked = sa.select(submission.c.team, submission.c.contest).where(submission.c.id == submission_id)
    place = connection.execute(asked).first()
    if place is None:
        raise _not_there()
    try:
        board = contest_by_id(connection, place.contest, actor)
    except NotThereError as error:  # of a track that is hidden: not even that is told
        raise _not_there() from error
    if not _may_see(connection, board.event_id, place.team, actor):
        raise _not_there()
    found = _found(connection, board, submission.c.id == submission_id, actor, now)
    if not found:
        raise _not_there()
    return found[0]


def submissions_of(
    connection: sa.Connection, board: Contest, team_id: str, actor: Actor, *, now: datetime | None = None
) -> tuple[Submission, ...]:
    """Submissions of a team to a track, the newest first.

    Raises:
        NotThereError: it is another team.
    """
    if not _may_see(connection, board.event_id, team_id, actor):
        raise _not_there()
    return _found(connection, board, submission.c.team == team_id, actor, now)


def all_submissions(
    connection: sa.Connection, board: Contest, actor: Actor, *, state: str = "", now: datetime | None = None
) -> tuple[Submission, ...]:
    """Submissions of all teams to a track, the newest first.

    Args:
        connection: of a transaction.
        board: the track.
        actor: an organiser.
        state: only those in this state.
        now: the moment.
    """
    require(actor, "organise")
    return _found(connection, board, submission.c.state == state if state else sa.true(), actor, now)


def as_shown(value: float, digits: int | None) -> str:
    """A score to so many digits behind the point; with None to all that it has."""
    return repr(value) if digits is None else f"{rounded(value, digits):.{digits}f}"


def _not_there() -> NotThereError:
    return NotThereError("no such submission", code="E_NO_SUBMISSION")


def _may_see(connection: sa.Connection, event_id: str, team_id: str, actor: Actor) -> bool:
    if actor.organises:
        return True
    mine = team_of(connection, event_id, actor.id) if actor.known else None
    return mine is not None and mine.id == team_id


def _found(
    connection: sa.Connection, board: Contest, which: sa.ColumnElement[bool], actor: Actor, now: datetime | None
) -> tuple[Submission, ...]:
    mine = team_of(connection, board.event_id, actor.id) if actor.known else None
    judged = (
        (evaluation.c.submission == submission.c.id)
        & (evaluation.c.scorer == board.scorer)
        & (evaluation.c.label_set == board.label_set)
    )
    asked = (
        sa.select(
            submission, team.c.name.label("team_name"), account.c.name.label("author_name"), evaluation.c.score,
            evaluation.c.result,
        )
        .join_from(submission, team, team.c.id == submission.c.team)
        .join(account, account.c.id == submission.c.author)
        .join(evaluation, judged, isouter=True)
        .where(submission.c.contest == board.id, which)
        .order_by(submission.c.received.desc(), submission.c.id.desc())
    )  # fmt: skip
    rows = connection.execute(asked).mappings().all()
    ahead = _progress(connection, [row["id"] for row in rows if row["state"] in RUNNING])
    shown = shown_to(board, actor, now or system_clock())
    return tuple(
        _submission(row, board, ahead.get(row["id"]), shown, own=mine is not None and mine.id == row["team"])
        for row in rows
    )  # fmt: skip


def _progress(connection: sa.Connection, ids: Iterable[str]) -> dict[str, Progress]:
    found = {}
    for one in ids:
        row = connection.execute(
            sa.select(job.c.done, job.c.total, job.c.attempt)
            .where(job.c.subject == one, job.c.campaign == "", job.c.state.in_(("waiting", "running")))
            .order_by(job.c.kind)
        ).first()
        if row is not None:
            found[one] = Progress(jobs.position(connection, one), row.done, row.total, row.attempt)
    return found


def _submission(
    row: sa.RowMapping, board: Contest, progress: Progress | None, shown: Shown, *, own: bool
) -> Submission:
    told = row["facts"] if shown.exact else {name: row["facts"][name] for name in _OWN_FACTS if name in row["facts"]}
    return Submission(
        **{name: row[name] for name in _SAME},
        track_title=board.track.title,
        facts=told,
        progress=progress,
        score=_score(row, board, shown),
        mine=own,
    )


def _score(row: sa.RowMapping, board: Contest, shown: Shown) -> ShownScore | None:
    if row["result"] is None or row["state"] not in _JUDGED or not shown.own_score:
        return None
    result = BoardScore.from_plain(row["result"])
    value, digits = row["score"], board.settings.digits
    if value is None or not math.isfinite(value):
        return ShownScore("—", None, result.headline.reason or "undefined", result if shown.exact else None)
    text = as_shown(value, digits)
    if shown.exact:
        return ShownScore(text, value, result=result)
    return ShownScore(text, rounded(value, digits), result=limited(result, digits) if shown.parts else None)


def limited(result: BoardScore, digits: int | None) -> BoardScore:
    """A score without other submissions and single videos, to the digits of its track."""

    def cut(found: tuple[BoardValue, ...]) -> tuple[BoardValue, ...]:
        return tuple(_cut(one, digits) for one in found)

    return replace(
        result,
        headline=_cut(result.headline, digits),
        parts=cut(result.parts),
        others=cut(result.others),
        groups=cut(result.groups),
        disparities=cut(result.disparities),
        videos=(),
        flags=(),
    )


def _cut(value: BoardValue, digits: int | None) -> BoardValue:
    if digits is None:
        return value

    def shown(one: float | None) -> float | None:
        return None if one is None else rounded(one, digits)

    return replace(
        value, value=shown(value.value), low=shown(value.low), high=shown(value.high), floor=shown(value.floor)
    )
