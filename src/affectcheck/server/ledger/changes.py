"""What a campaign changes on the board of its track, before it is switched and after."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import sqlalchemy as sa

from affectcheck.challenges import rank_changes
from affectcheck.server.accounts.actors import SYSTEM
from affectcheck.server.contests.tracks import contest_by_id
from affectcheck.server.faults import ConflictError
from affectcheck.server.ledger.counted import board_entries
from affectcheck.server.storage.tables import team

if TYPE_CHECKING:
    from affectcheck.challenges import RankChanges
    from affectcheck.server.ledger.campaigns import Campaign


def changes(connection: sa.Connection, found: Campaign) -> RankChanges:
    """Teams by name with their places and scores before and after, to the digits of the track.

    Raises:
        ConflictError: not every submission is scored anew yet.
    """
    board = contest_by_id(connection, found.contest, SYSTEM)
    before = replace(board, label_set=found.before["label_set"], scorer=found.before["scorer"])
    after = replace(board, label_set=found.label_set, scorer=found.scorer)
    if found.state not in ("ready", "switched"):
        raise ConflictError(
            f"a campaign that is {found.state}", code="E_STATE", expected="one that has scored every submission"
        )
    teams = connection.execute(sa.select(team.c.id, team.c.name).where(team.c.event == board.event_id))
    names = {row.id: row.name for row in teams}
    entries = [replace(entry, team=names[entry.team]) for entry in board_entries(connection, before)]
    renewed = {entry.key: entry.score for entry in board_entries(connection, after) if entry.state == "scored"}
    return rank_changes(
        entries, renewed, higher_is_better=board.track.higher_is_better, counting=board.settings.counting
    )
