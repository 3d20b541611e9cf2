"""Intervals of places: made by a worker from shares of the submissions that count, and shown while these still do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from affectcheck.server.accounts.actors import SYSTEM
from affectcheck.server.contests.tracks import contest_by_id
from affectcheck.server.ledger.counted import Standing, board_ranking, counted_ids, keep_standing, shares_of
from affectcheck.server.ledger.rows import lock_contest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import sqlalchemy as sa

    from affectcheck.challenges import Ranked, RankInterval, Track
    from affectcheck.server.boards.view import StandingState
    from affectcheck.server.contests.tracks import Contest


class Places(NamedTuple):
    """Bounds of the interval of a place, both included; None where there is none."""

    low: int | None
    high: int | None


@dataclass(frozen=True)
class WantedStanding:
    """Intervals of places that a worker is to make.

    Attributes:
        contest_id: of which track.
        track: its rules.
        submissions: those that count, best place first.
        shares: digests of their tallies in the vault, in the same order.
        label_set, scorer: under which they were scored.
        resamples, seed: of the draws.
    """

    contest_id: str
    track: Track
    submissions: tuple[str, ...]
    shares: tuple[str, ...]
    label_set: str
    scorer: str
    resamples: int
    seed: int


def standing_of(connection: sa.Connection, contest_id: str) -> WantedStanding | None:
    """What a worker is to combine by ``challenges.rank_intervals``; None where it is there, or cannot be made.

    Raises:
        NotThereError: no such track.
    """
    contest = contest_by_id(connection, contest_id, SYSTEM)
    submissions, settings = counted_ids(connection, contest), contest.settings
    if standing_state(connection, contest, submissions) != "computing":
        return None
    shares = shares_of(connection, contest, submissions)
    return WantedStanding(
        contest.id,
        contest.track,
        submissions,
        shares,
        contest.label_set,
        contest.scorer,
        settings.resamples,
        settings.seed,
    )


def standing_ready(connection: sa.Connection, wanted: WantedStanding, intervals: Sequence[RankInterval]) -> bool:
    """Keep intervals of places, if they are of what counts now.

    Args:
        connection: of the transaction that ends the worker's job.
        wanted: as ``standing_of`` gave it.
        intervals: one for each of its submissions, in their order.

    Returns:
        False where other submissions count meanwhile, or are drawn otherwise: nothing was kept; whatever changed that has
        added a job for what counts now.

    Raises:
        NotThereError: no such track.
    """
    lock_contest(connection, wanted.contest_id)
    if standing_of(connection, wanted.contest_id) != wanted:
        return False
    found = Standing(
        wanted.label_set,
        wanted.scorer,
        dict(zip(wanted.submissions, intervals, strict=True)),
        wanted.resamples,
        wanted.seed,
    )
    keep_standing(connection, wanted.contest_id, found)
    return True


def standing_state(connection: sa.Connection, contest: Contest, submissions: Sequence[str]) -> StandingState:
    """Whether the intervals of a track are of exactly the submissions that count, as they are drawn now."""
    if not contest.settings.resamples or not submissions:
        return "none"
    if _kept(contest, submissions) is not None:
        return "ready"
    return "computing" if all(shares_of(connection, contest, tuple(submissions))) else "none"


def places_of(contest: Contest, ranked: Sequence[Ranked]) -> Mapping[str, Places]:
    """Submission to the interval of its place; empty where there are none of exactly what counts now.

    Places are drawn on scores with all their digits, and told on those that are shown: an interval always holds the place.
    """
    places = {row.entry.key: row.place for row in ranked if row.entry is not None}
    found = _kept(contest, tuple(places))
    return {} if found is None else {key: _around(found.intervals[key], place) for key, place in places.items()}


def ranked_of(connection: sa.Connection, contest: Contest) -> tuple[Ranked, ...]:
    """Teams that have a place, by the id of the team."""
    return tuple(row for row in board_ranking(connection, contest) if row.entry is not None)


def _kept(contest: Contest, submissions: Sequence[str]) -> Standing | None:
    found = Standing.from_plain(contest.standing)
    settings = contest.settings
    if found is None or (found.resamples, found.seed) != (settings.resamples, settings.seed):
        return None
    return found if found.is_of(contest, tuple(submissions)) else None


def _around(found: RankInterval, place: int | None) -> Places:
    if found.low is None or found.high is None or place is None:
        return Places(None, None)
    return Places(min(found.low, place), max(found.high, place))
