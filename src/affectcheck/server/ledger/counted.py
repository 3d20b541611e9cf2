"""Which submissions stand on a board, by which scores, and the intervals of their places."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from affectcheck.challenges import Entry, RankInterval, ranking
from affectcheck.server.contests.showing import rounded
from affectcheck.server.storage.tables import contest, evaluation, submission, team

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.challenges import Ranked
    from affectcheck.server.contests.tracks import Contest


@dataclass(frozen=True)
class Standing:
    """Intervals of the places of a board's submissions.

    Attributes:
        label_set, scorer: under which they were scored.
        intervals: of each submission that counts, by id, best place first.
        resamples, seed: of the draws.
    """

    label_set: str
    scorer: str
    intervals: Mapping[str, RankInterval] = field(default_factory=dict)
    resamples: int = 1000
    seed: int = 0

    def plain(self) -> dict[str, Any]:
        """The values as JSON holds them."""
        found = asdict(self)
        found["intervals"] = [[key, *interval] for key, interval in self.intervals.items()]
        return found

    @classmethod
    def from_plain(cls, values: Mapping[str, Any]) -> Standing | None:
        """What ``plain`` gave; None where nothing was computed yet."""
        if not values:
            return None
        intervals = {key: RankInterval(*interval) for key, *interval in values["intervals"]}
        return cls(**{**values, "intervals": intervals})

    def is_of(self, board: Contest, counted: tuple[str, ...]) -> bool:
        """Whether it is of the board as it is: of these labels and these submissions."""
        return (self.label_set, self.scorer) == (board.label_set, board.scorer) and set(self.intervals) == set(counted)


def board_entries(connection: sa.Connection, board: Contest) -> tuple[Entry, ...]:
    """Every submission of every team with its score on the board, to the digits that are shown.

    Teams stand under their ids, since names are for people. A submission that has no score under the labels and the scorer
    of the board has none.
    """
    judged = (
        (evaluation.c.submission == submission.c.id)
        & (evaluation.c.scorer == board.scorer)
        & (evaluation.c.label_set == board.label_set)
    )
    asked = (
        sa.select(submission.c.id, submission.c.team, submission.c.received, submission.c.state, submission.c.chosen)
        .add_columns(evaluation.c.score)
        .join_from(submission, team, team.c.id == submission.c.team)
        .join(evaluation, judged, isouter=True)
        .where(submission.c.contest == board.id)
        .order_by(submission.c.received, submission.c.id)
    )
    digits = board.settings.digits
    return tuple(
        Entry(
            row.id,
            row.team,
            row.received,
            row.state,
            None if row.score is None else rounded(row.score, digits),
            row.chosen,
        )
        for row in connection.execute(asked)
    )


def board_ranking(connection: sa.Connection, board: Contest) -> tuple[Ranked, ...]:
    """Teams by place, each with the submission that counts."""
    entries = board_entries(connection, board)
    return ranking(entries, higher_is_better=board.track.higher_is_better, counting=board.settings.counting)


def counted_ids(connection: sa.Connection, board: Contest) -> tuple[str, ...]:
    """The submissions that have a place, best first."""
    return tuple(row.entry.key for row in board_ranking(connection, board) if row.entry is not None)


def shares_of(connection: sa.Connection, board: Contest, ids: tuple[str, ...]) -> tuple[str, ...]:
    """Digests of the tallies of submissions in the vault, in their order; empty where a score has none."""
    judged = (evaluation.c.scorer == board.scorer) & (evaluation.c.label_set == board.label_set)
    asked = sa.select(evaluation.c.submission, evaluation.c.shares).where(judged, evaluation.c.submission.in_(ids))
    found = {row.submission: row.shares for row in connection.execute(asked)}
    return tuple(found[one] for one in ids)


def keep_standing(connection: sa.Connection, contest_id: str, found: Standing) -> None:
    """Keep intervals of places; the board is another one then."""
    values = {"standing": found.plain(), "version": contest.c.version + 1}
    connection.execute(contest.update().where(contest.c.id == contest_id).values(**values))
