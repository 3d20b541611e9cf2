from __future__ import annotations

import threading
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from affectcheck.challenges import load_track
from affectcheck.challenges.track_parts import Phase
from affectcheck.server.accounts.actors import VISITOR, Actor
from affectcheck.server.boards import kept as kept_module
from affectcheck.server.boards.board import board_of
from affectcheck.server.boards.kept import KeptBoards, kept_boards
from affectcheck.server.contests.settings import TrackSettings
from affectcheck.server.contests.tracks import contest_of, edit_settings
from contest_rows import Sent, add_account, add_contest, add_entry, add_team

if TYPE_CHECKING:
    from affectcheck.server.boards.view import BoardView
    from affectcheck.server.contests.tracks import Contest
    from affectcheck.server.portal import Portal
    from portal_clock import SetClock


@pytest.fixture
def contest(sqlite_portal: Portal, organiser: Actor, member: Actor) -> Contest:
    found = add_contest(sqlite_portal, organiser)
    for minute, (name, score) in enumerate((("Reds", 0.41234), ("Blues", 0.3))):
        team = add_team(sqlite_portal, found, name, *([member] if name == "Blues" else []))
        add_entry(sqlite_portal, found, member, Sent(team, score, minute=minute))
    return found


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Boards that were made, not taken from the kept ones."""
    found: list[object] = []
    real = kept_module.board_for

    def counting(*arguments: object) -> BoardView:
        found.append(arguments)
        return real(*arguments)

    monkeypatch.setattr(kept_module, "board_for", counting)
    return found


def ask(portal: Portal, boards: KeptBoards, slug: str, actor: Actor) -> BoardView:
    with portal.database.read() as connection:
        return boards.board_of(connection, contest_of(connection, slug, actor), actor, portal.now())


def plainly(portal: Portal, slug: str, actor: Actor) -> BoardView:
    with portal.database.read() as connection:
        return board_of(connection, contest_of(connection, slug, actor), actor, portal.now())


def test_kept_boards_are_what_would_be_made(
    sqlite_portal: Portal, organiser: Actor, member: Actor, contest: Contest, made: list[object]
) -> None:
    boards, people = KeptBoards(), (VISITOR, organiser, member, add_account(sqlite_portal, "nora"))
    for actor in (*people, *reversed(people)):
        assert ask(sqlite_portal, boards, contest.slug, actor) == plainly(sqlite_portal, contest.slug, actor)
    assert (len(boards), len(made)) == (2, 2)  # what organisers see, and what everyone sees


@pytest.mark.parametrize("first", range(4))
def test_what_one_sees_is_never_given_to_others(
    sqlite_portal: Portal, organiser: Actor, member: Actor, contest: Contest, first: int
) -> None:
    boards = KeptBoards()
    narrow = replace(organiser, scope="read")
    order = [organiser, VISITOR, member, narrow]
    for actor in (*order[first:], *order[:first]):
        view = ask(sqlite_portal, boards, contest.slug, actor)
        assert view.exact == (actor is organiser)
        assert ("0.41234" in str(view)) == (actor is organiser)
        assert [row.is_own for row in view.rows] == [False, actor is member]


def test_a_change_makes_a_new_board(
    sqlite_portal: Portal, organiser: Actor, member: Actor, contest: Contest, made: list[object]
) -> None:
    boards = KeptBoards()
    ask(sqlite_portal, boards, contest.slug, VISITOR)
    team = add_team(sqlite_portal, contest, "Greens")
    add_entry(sqlite_portal, contest, member, Sent(team, 0.9))
    assert ask(sqlite_portal, boards, contest.slug, VISITOR).rows[0].team == "Greens"
    edit_settings(sqlite_portal, organiser, contest.slug, TrackSettings(board="hidden"))
    hidden = ask(sqlite_portal, boards, contest.slug, VISITOR)
    assert (hidden.visible, hidden.rows) == (False, ())
    assert len(made) == 3


def test_the_end_of_a_phase_is_no_change_and_shows_another_board(
    sqlite_portal: Portal, organiser: Actor, member: Actor, clock: SetClock
) -> None:
    phase = Phase(name="test", closes=clock.now + timedelta(days=1), board="hidden")
    track = load_track("abaw6-au").model_copy(update={"phases": (phase,)})
    contest = add_contest(sqlite_portal, organiser, track=track)
    mine, other = add_team(sqlite_portal, contest, "Mine", member), add_team(sqlite_portal, contest, "Other")
    for team in (mine, other):
        add_entry(sqlite_portal, contest, member, Sent(team, 0.5))
    boards = KeptBoards()
    assert ask(sqlite_portal, boards, contest.slug, VISITOR).rows == ()
    assert [row.team for row in ask(sqlite_portal, boards, contest.slug, member).rows] == ["Mine"]
    assert ask(sqlite_portal, boards, contest.slug, VISITOR).rows == ()
    clock.forward(days=1)
    for actor in (VISITOR, member):
        view = ask(sqlite_portal, boards, contest.slug, actor)
        assert (len(view.rows), view.as_of) == (2, clock.now)


def test_the_one_asked_for_longest_ago_goes_first(sqlite_portal: Portal, organiser: Actor, made: list[object]) -> None:
    boards = KeptBoards(most=2)
    names = ["t0", "t1", "t2"]
    for name in names:
        track = load_track("abaw6-va").model_copy(update={"name": name})
        add_contest(sqlite_portal, organiser, track=track, labels=False)
    for name in ("t0", "t1", "t0", "t2"):
        ask(sqlite_portal, boards, name, VISITOR)
    assert (len(boards), len(made)) == (2, 3)
    ask(sqlite_portal, boards, "t0", VISITOR)
    assert len(made) == 3
    ask(sqlite_portal, boards, "t1", VISITOR)
    assert len(made) == 4


def test_many_threads_at_once_get_what_is_theirs(
    sqlite_portal: Portal, organiser: Actor, member: Actor, contest: Contest
) -> None:
    boards, faults = KeptBoards(most=1), []
    expected = {actor.id: plainly(sqlite_portal, contest.slug, actor) for actor in (VISITOR, organiser, member)}

    def work(actor: Actor) -> None:
        for _ in range(15):
            if ask(sqlite_portal, boards, contest.slug, actor) != expected[actor.id]:
                faults.append(actor.id)

    threads = [threading.Thread(target=work, args=(actor,)) for actor in (VISITOR, organiser, member) * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert len(boards) == 1


def test_each_portal_has_its_own(sqlite_portal: Portal) -> None:
    other = replace(sqlite_portal)
    assert kept_boards(sqlite_portal) is kept_boards(sqlite_portal)
    assert kept_boards(sqlite_portal) is not kept_boards(other)
