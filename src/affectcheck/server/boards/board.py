"""The board of a track, for whoever looks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa

from affectcheck.challenges import digits_apart
from affectcheck.metrics import METRICS
from affectcheck.server.boards.cells import Digits
from affectcheck.server.boards.reference import references_of, split_of
from affectcheck.server.boards.rows import Told, rows_of
from affectcheck.server.boards.standing import ranked_of, standing_state
from affectcheck.server.boards.view import BoardRow, BoardView, Disqualified
from affectcheck.server.contests.showing import Shown, ended, shown_to
from affectcheck.server.storage.tables import membership, submission, team

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from affectcheck.challenges import Ranked
    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.contests.tracks import Contest

__all__ = ["BoardRow", "BoardView", "Sight", "board_for", "board_of", "sight_of"]


@dataclass(frozen=True)
class Sight:
    """How far somebody sees a board.

    Attributes:
        shown: what is shown.
        ended: whether no phase is open or to come.
        team: id of the own team; empty where there is none.
    """

    shown: Shown
    ended: bool
    team: str = ""


def board_of(connection: sa.Connection, contest: Contest, actor: Actor, now: datetime) -> BoardView:
    """The board of a track, from evaluations under its labels and scorer alone.

    Args:
        connection: any.
        contest: as ``contest_of`` gives it to the same person.
        actor: who looks: organisers see all with all digits; others what the settings let them, and their own team.
        now: the moment.
    """
    return board_for(connection, contest, sight_of(connection, contest, actor, now), now)


def sight_of(connection: sa.Connection, contest: Contest, actor: Actor, now: datetime) -> Sight:
    """How far somebody sees a board at a moment."""
    own = ""
    if actor.known:
        mine = (membership.c.event == contest.event_id) & (membership.c.account == actor.id)
        own = connection.execute(sa.select(membership.c.team).where(mine)).scalar() or ""
    return Sight(shown_to(contest, actor, now), ended(contest, now), own)


def board_for(connection: sa.Connection, contest: Contest, sight: Sight, now: datetime) -> BoardView:
    """The board of a track, as far as it is seen."""
    shown, track = sight.shown, contest.track
    ranked = ranked_of(connection, contest)
    digits = _digits(contest, ranked, shown)
    seen = [row for row in ranked if shown.board or (shown.own_score and row.team == sight.team)]
    rows, columns = rows_of(connection, contest, Told(seen, shown, digits))
    submissions = [row.entry.key for row in ranked if row.entry is not None]
    return BoardView(
        slug=contest.slug,
        title=track.title,
        event_slug=contest.event_slug,
        event_title=contest.event_title,
        metric=track.metric,
        metric_title=METRICS.get(track.metric).title,
        higher_is_better=track.higher_is_better,
        split=split_of(track),
        digits=digits.shown,
        counting=contest.settings.counting,
        tie_rule=_tie_rule(contest),
        rows=own_marked(rows, sight.team),
        baselines=references_of(connection, contest, ranked if shown.board else None, columns, digits),
        disqualified=_disqualified(connection, contest) if shown.exact else (),
        part_columns=columns.parts,
        group_columns=columns.groups,
        disparity_columns=columns.disparities,
        visible=shown.board,
        reason=shown.reason,
        standing=standing_state(connection, contest, submissions) if shown.board else "none",
        exact=shown.exact,
        ended=sight.ended,
        as_of=now,
        version=contest.version,
    )


def own_marked(rows: Sequence[BoardRow], own: str) -> tuple[BoardRow, ...]:
    """Rows among which the own team's is marked."""
    return tuple(replace(row, is_own=True) if own and row.team_id == own else row for row in rows)


def _digits(contest: Contest, ranked: Sequence[Ranked], shown: Shown) -> Digits:
    limit = contest.settings.digits
    if limit is not None:
        return Digits(limit, None if shown.exact else limit)
    scores = [row.entry.score for row in ranked if row.entry is not None and row.entry.score is not None]
    return Digits(digits_apart(scores), None)


def _tie_rule(contest: Contest) -> str:
    digits, counting = contest.settings.digits, contest.settings.counting
    basis = (
        "Scores are ranked with all their digits"
        if digits is None
        else f"Scores are ranked as they are shown, rounded to {digits} digit{'s' if digits > 1 else ''}: those that look "
        "equal count as equal, even where they differ behind"
    )
    which = (
        "Of a team the submission that it chose counts, and its best where it chose none"
        if counting == "chosen"
        else "Of a team its best submission counts, and of equal ones the earliest"
    )
    return (
        f"{basis}. Equal scores share a place, and the places behind them are left out (1, 2, 2, 4); among them the earlier "
        f"submission stands first. {which}."
    )


_OFF: Final = (
    sa.select(submission.c.id, team.c.name, submission.c.reason, submission.c.received)
    .join(team, team.c.id == submission.c.team)
    .where(submission.c.state == "disqualified")
    .order_by(submission.c.received, submission.c.id)
)


def _disqualified(connection: sa.Connection, contest: Contest) -> tuple[Disqualified, ...]:
    found: list[Any] = list(connection.execute(_OFF.where(submission.c.contest == contest.id)))
    return tuple(Disqualified(*row) for row in found)
