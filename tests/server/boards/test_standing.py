from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affectcheck.challenges import RankInterval
from affectcheck.server.accounts.actors import VISITOR
from affectcheck.server.accounts.teams import merge_teams
from affectcheck.server.boards.board import board_of
from affectcheck.server.boards.standing import standing_of, standing_ready
from affectcheck.server.contests.settings import TrackSettings
from affectcheck.server.contests.tracks import contest_of, edit_settings
from affectcheck.server.faults import NotThereError
from affectcheck.server.storage import jobs
from contest_rows import Sent, add_contest, add_entry, add_team, read

if TYPE_CHECKING:
    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.boards.standing import WantedStanding
    from affectcheck.server.boards.view import BoardView
    from affectcheck.server.contests.tracks import Contest
    from affectcheck.server.portal import Portal


@pytest.fixture
def contest(sqlite_portal: Portal, organiser: Actor) -> Contest:
    return add_contest(sqlite_portal, organiser)


def enter(portal: Portal, contest: Contest, member: Actor, name: str, score: float, **options: object) -> str:
    return add_entry(portal, contest, member, Sent(add_team(portal, contest, name), score, **options))


def wanted(portal: Portal, contest: Contest) -> WantedStanding | None:
    with portal.database.read() as connection:
        return standing_of(connection, contest.id)


def keep(portal: Portal, found: WantedStanding, *intervals: RankInterval) -> bool:
    with portal.database.write() as connection:
        return standing_ready(connection, found, intervals)


def seen(portal: Portal, contest: Contest) -> BoardView:
    with portal.database.read() as connection:
        return board_of(connection, contest_of(connection, contest.slug, VISITOR), VISITOR, portal.now())


def test_intervals_are_made_of_what_counts(
    sqlite_portal: Portal, organiser: Actor, member: Actor, contest: Contest
) -> None:
    worse = enter(sqlite_portal, contest, member, "Reds", 0.3, shares="1" * 64)
    better = enter(sqlite_portal, contest, member, "Blues", 0.4, shares="2" * 64)
    found = wanted(sqlite_portal, contest)
    assert found.submissions == (better, worse)
    assert found.shares == ("2" * 64, "1" * 64)
    assert (found.track, found.resamples, found.seed) == (contest.track, 1000, 0)
    assert seen(sqlite_portal, contest).standing == "computing"
    before = read(sqlite_portal, contest.slug).version
    assert keep(sqlite_portal, found, RankInterval(1, 2, 1), RankInterval(2, 2, 2))
    view = seen(sqlite_portal, contest)
    assert view.standing == "ready"
    assert [(row.place, row.place_low, row.place_high) for row in view.rows] == [(1, 1, 2), (2, 2, 2)]
    assert read(sqlite_portal, contest.slug).version == before + 1
    assert wanted(sqlite_portal, contest) is None


def test_intervals_of_others_than_those_that_count_are_not_shown(
    sqlite_portal: Portal, member: Actor, contest: Contest
) -> None:
    enter(sqlite_portal, contest, member, "Reds", 0.3)
    found = wanted(sqlite_portal, contest)
    enter(sqlite_portal, contest, member, "Blues", 0.4)
    assert not keep(sqlite_portal, found, RankInterval(1, 1, 1))
    assert seen(sqlite_portal, contest).standing == "computing"
    again = wanted(sqlite_portal, contest)
    assert keep(sqlite_portal, again, RankInterval(1, 1, 1), RankInterval(2, 2, 2))
    enter(sqlite_portal, contest, member, "Greens", 0.1)
    view = seen(sqlite_portal, contest)
    assert (view.standing, {row.place_low for row in view.rows}) == ("computing", {None})


@pytest.mark.parametrize("change", [{"resamples": 500}, {"seed": 7}])
def test_other_draws_are_other_intervals(
    sqlite_portal: Portal, organiser: Actor, member: Actor, contest: Contest, change: dict[str, int]
) -> None:
    enter(sqlite_portal, contest, member, "Reds", 0.3)
    found = wanted(sqlite_portal, contest)
    assert keep(sqlite_portal, found, RankInterval(1, 1, 1))
    edit_settings(sqlite_portal, organiser, contest.slug, TrackSettings(**change))
    with sqlite_portal.database.read() as connection:
        assert [one.kind for one in jobs.of_subject(connection, contest.id)] == ["standing"]
    assert seen(sqlite_portal, contest).standing == "computing"
    assert not keep(sqlite_portal, found, RankInterval(1, 1, 1))
    again = wanted(sqlite_portal, contest)
    assert (again.resamples, again.seed) == (change.get("resamples", 1000), change.get("seed", 0))


def test_other_digits_may_let_others_count(
    sqlite_portal: Portal, organiser: Actor, member: Actor, contest: Contest
) -> None:
    team = add_team(sqlite_portal, contest, "Reds")
    first = add_entry(sqlite_portal, contest, member, Sent(team, 0.30001))
    second = add_entry(sqlite_portal, contest, member, Sent(team, 0.30002, minute=1))
    found = wanted(sqlite_portal, contest)
    assert found.submissions == (first,)
    assert keep(sqlite_portal, found, RankInterval(1, 1, 1))
    edit_settings(sqlite_portal, organiser, contest.slug, TrackSettings(digits=None))
    assert seen(sqlite_portal, contest).standing == "computing"
    assert wanted(sqlite_portal, contest).submissions == (second,)


def test_an_interval_holds_the_place_that_is_shown(sqlite_portal: Portal, member: Actor, contest: Contest) -> None:
    for name, score in (("Reds", 0.30001), ("Blues", 0.30004)):
        enter(sqlite_portal, contest, member, name, score)
    keep(sqlite_portal, wanted(sqlite_portal, contest), RankInterval(2, 2, 2), RankInterval(1, 1, 1))
    rows = seen(sqlite_portal, contest).rows
    assert [(row.place, row.place_low, row.place_high) for row in rows] == [(1, 1, 2), (1, 1, 1)]


def test_a_place_without_an_interval(sqlite_portal: Portal, member: Actor, contest: Contest) -> None:
    enter(sqlite_portal, contest, member, "Reds", 0.3)
    keep(sqlite_portal, wanted(sqlite_portal, contest), RankInterval(None, None, 1, "too few videos"))
    view = seen(sqlite_portal, contest)
    assert (view.standing, view.rows[0].place, view.rows[0].place_low) == ("ready", 1, None)


def test_where_no_intervals_can_be_made(
    sqlite_portal: Portal, organiser: Actor, member: Actor, contest: Contest
) -> None:
    assert wanted(sqlite_portal, contest) is None
    assert seen(sqlite_portal, contest).standing == "none"
    enter(sqlite_portal, contest, member, "Reds", 0.3)
    edit_settings(sqlite_portal, organiser, contest.slug, TrackSettings(resamples=0))
    assert wanted(sqlite_portal, contest) is None
    edit_settings(sqlite_portal, organiser, contest.slug, TrackSettings())
    enter(sqlite_portal, contest, member, "Blues", 0.2, shares="")
    assert wanted(sqlite_portal, contest) is None
    assert seen(sqlite_portal, contest).standing == "none"


def test_a_track_that_is_not_there(sqlite_portal: Portal) -> None:
    with sqlite_portal.database.read() as connection, pytest.raises(NotThereError):
        standing_of(connection, "none")


def test_merged_teams_are_ranked_anew(sqlite_portal: Portal, organiser: Actor, member: Actor, contest: Contest) -> None:
    into, goes = (add_team(sqlite_portal, contest, name) for name in ("Reds", "Blues"))
    add_entry(sqlite_portal, contest, member, Sent(into, 0.3))
    add_entry(sqlite_portal, contest, member, Sent(goes, 0.4))
    keep(sqlite_portal, wanted(sqlite_portal, contest), RankInterval(1, 2, 1), RankInterval(1, 2, 2))
    merge_teams(sqlite_portal, organiser, "abaw", into, goes)
    view = seen(sqlite_portal, contest)
    assert [(row.team, row.score.text, row.used) for row in view.rows] == [("Reds", "0.400", 2)]
    assert view.standing == "computing"
    with sqlite_portal.database.read() as connection:
        assert [(one.kind, one.state) for one in jobs.of_subject(connection, contest.id)] == [("standing", "waiting")]
