from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from affectcheck.challenges import load_track
from affectcheck.challenges.track_parts import Phase
from affectcheck.server.accounts.actors import SYSTEM, VISITOR
from affectcheck.server.contests.settings import TrackSettings
from affectcheck.server.contests.showing import ended, rounded, shown_to
from contest_rows import add_contest

if TYPE_CHECKING:
    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.contests.tracks import Contest
    from affectcheck.server.portal import Portal
    from portal_clock import SetClock


@pytest.fixture
def contest(sqlite_portal: Portal, organiser: Actor, clock: SetClock) -> Contest:
    """A hidden phase of one day that is open, then a public one of one day."""
    day = timedelta(days=1)
    phases = (
        Phase(name="quiet", opens=clock.now, closes=clock.now + day, board="hidden"),
        Phase(name="loud", opens=clock.now + day, closes=clock.now + 2 * day),
    )
    track = load_track("abaw6-va").model_copy(update={"phases": phases})
    return add_contest(sqlite_portal, organiser, track=track, labels=False)


@pytest.mark.parametrize(
    ("given", "days", "expected"),
    [
        (("phase", "score"), 0, (False, True)),
        (("phase", "score"), 1, (True, True)),
        (("phase", "score"), 2, (True, True)),
        (("phase", "none"), 0, (False, False)),
        (("phase", "none"), 1, (False, False)),
        (("phase", "none"), 2, (True, True)),
        (("public", "score"), 0, (True, True)),
        (("hidden", "score"), 1, (False, True)),
        (("hidden", "score"), 9, (False, True)),
        (("hidden", "none"), 1, (False, False)),
        (("hidden", "none"), 9, (False, True)),
    ],
)
def test_what_others_see(
    contest: Contest, clock: SetClock, given: tuple[str, str], days: int, expected: tuple[bool, bool]
) -> None:
    (board, feedback), (seen, told) = given, expected
    found = replace(contest, settings=TrackSettings(board=board, feedback=feedback))
    shown = shown_to(found, VISITOR, clock.forward(days=days))
    assert (shown.board, shown.own_score, shown.exact) == (seen, told, False)
    assert bool(shown.reason) == (not seen)
    assert shown.parts == (days >= 2)


def test_organisers_see_all_at_any_time(contest: Contest, organiser: Actor, clock: SetClock) -> None:
    found = replace(contest, settings=TrackSettings(board="hidden", feedback="none", parts_shown=False))
    for actor in (organiser, SYSTEM):
        shown = shown_to(found, actor, clock.now)
        assert (shown.board, shown.own_score, shown.parts, shown.exact, shown.reason) == (True, True, True, True, "")


@pytest.mark.parametrize("scope", ["read", "submit"])
def test_a_narrow_token_of_an_organiser_sees_what_everyone_sees(
    contest: Contest, organiser: Actor, clock: SetClock, scope: str
) -> None:
    assert shown_to(contest, replace(organiser, scope=scope), clock.now) == shown_to(contest, VISITOR, clock.now)


def test_parts_are_shown_after_the_end_where_the_organiser_shows_them(contest: Contest, clock: SetClock) -> None:
    hidden = replace(contest, settings=TrackSettings(parts_shown=False))
    assert not shown_to(hidden, VISITOR, clock.forward(days=5)).parts


def test_an_archived_track_is_over_and_public(contest: Contest, clock: SetClock) -> None:
    track = load_track("raf-db")
    always = replace(contest, track=track)
    assert not ended(always, clock.now)
    assert ended(replace(always, archived=clock.now), clock.now)
    assert shown_to(replace(contest, archived=clock.now), VISITOR, clock.now).board


@pytest.mark.parametrize(
    ("score", "digits", "shown"),
    [(0.12345, 3, 0.123), (0.1235, 3, 0.123), (-0.0004, 3, 0.0), (0.5, 1, 0.5), (1 / 3, None, 1 / 3), (-1.0, 2, -1.0)],
)
def test_scores_are_rounded_to_what_is_shown(score: float, digits: int | None, shown: float) -> None:
    assert rounded(score, digits) == shown
    assert str(rounded(score, digits)) == str(shown)
