"""Scores of reference on a board: told beside teams, never ranked among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.server.boards.cells import NOT_TOLD
from affectcheck.server.boards.view import BoardRow
from affectcheck.server.contests.showing import rounded
from affectcheck.server.contests.tracks import baselines_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import sqlalchemy as sa

    from affectcheck.challenges import Ranked, Track
    from affectcheck.server.boards.cells import Columns, Digits
    from affectcheck.server.contests.tracks import Contest, KeptBaseline


def split_of(track: Track) -> str:
    """The part of the data that teams are ranked on; empty where phases are of several."""
    found = {phase.split for phase in track.phases} or {"test"}
    return found.pop() if len(found) == 1 else ""


def references_of(
    connection: sa.Connection, contest: Contest, ranked: Sequence[Ranked] | None, columns: Columns, digits: Digits
) -> tuple[BoardRow, ...]:
    """Scores of reference, those that can be compared with teams' first, best first.

    Args:
        connection: any.
        contest: the track.
        ranked: teams by place; None where that is not told.
        columns: what cells are of.
        digits: how values are shown.
    """
    track = contest.track
    rows = [_row(one, contest, ranked, columns, digits) for one in baselines_of(connection, contest.id)]
    sign = -1.0 if track.higher_is_better else 1.0
    return tuple(sorted(rows, key=lambda row: (not row.comparable, row.split, sign * (row.score.value or 0.0))))


def _row(
    found: KeptBaseline, contest: Contest, ranked: Sequence[Ranked] | None, columns: Columns, digits: Digits
) -> BoardRow:
    comparable = found.split == split_of(contest.track)
    stated = {one.part: digits.stated(found.parts[one.part]) for one in columns.parts if one.part in found.parts}
    return BoardRow(
        kind="baseline",
        place=None,
        team=found.name,
        score=digits.stated(found.score),
        parts=tuple(stated.get(one.part, NOT_TOLD) for one in columns.parts),
        groups=(NOT_TOLD,) * len(columns.groups),
        disparities=(NOT_TOLD,) * len(columns.disparities),
        split=found.split,
        source=found.source,
        comparable=comparable,
        better=None if ranked is None or not comparable else _better(found.score, contest, ranked),
    )


def _better(score: float, contest: Contest, ranked: Sequence[Ranked]) -> int:
    """How many teams are better, as scores are shown."""
    shown = rounded(score, contest.settings.digits)
    teams = [row.entry.score for row in ranked if row.entry is not None and row.entry.score is not None]
    return sum(one > shown if contest.track.higher_is_better else one < shown for one in teams)
