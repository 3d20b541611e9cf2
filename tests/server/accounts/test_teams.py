from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

from affectcheck.errors import InputError
from affectcheck.server.accounts.actors import VISITOR
from affectcheck.server.accounts.teams import (
    create_team,
    join_team,
    leave_team,
    merge_teams,
    new_join_code,
    team_by_id,
    team_of,
    teams_of_event,
)
from affectcheck.server.faults import (
    ConflictError,
    ForbiddenError,
    NotThereError,
    RefusedError,
    TooManyError,
    UnknownLoginError,
)
from affectcheck.server.identifiers import new_id
from affectcheck.server.storage.audit import verify
from affectcheck.server.storage.tables import contest, event, letter, submission, team

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.portal import Portal

pytestmark = pytest.mark.usefixtures("event_id")


def freeze(portal: Portal, team_id: str) -> None:
    with portal.database.write() as connection:
        connection.execute(sa.update(team).where(team.c.id == team_id).values(frozen=True))


def add_track(portal: Portal, event_id: str, slug: str, submissions: int) -> str:
    row = {"id": new_id(portal.now()), "event": event_id, "slug": slug, "settings": {}, "standing": {}}
    with portal.database.write() as connection:
        values = sa.insert(contest).values(**row, track={"submissions": submissions}, created=portal.now())
        connection.execute(values)
    return str(row["id"])


def add_submission(portal: Portal, track: str, owner: str, author: Actor, **values: Any) -> str:
    now = portal.clock.forward(seconds=1)  # type: ignore[attr-defined]  # a SetClock
    row = {"id": new_id(now), "contest": track, "team": owner, "author": author.id, "state": "scored", "size": 1}
    row |= {"declaration": {}, "began": now, "received": now, "slot": None} | values
    with portal.database.write() as connection:
        connection.execute(sa.insert(submission).values(**row))
    return str(row["id"])


def test_a_team_is_made_and_joined(portal: Portal, event_id: str, person: Callable[[str], Actor]) -> None:
    ada, bob = person("Ada"), person("Bob")
    made = create_team(portal, ada, "abaw", "  Team   One ", "  A   University ")
    assert (made.team.name, made.team.affiliation, made.team.frozen) == ("Team One", "A University", False)
    assert made.join_code not in repr(made)
    joined = join_team(portal, bob, f" {made.join_code}\n")
    assert [(member.name, member.captain) for member in joined.members] == [("Ada", True), ("Bob", False)]
    with portal.database.read() as connection:
        assert team_of(connection, event_id, bob.id) == joined
        assert teams_of_event(connection, event_id) == [joined]
        assert team_of(connection, event_id, "nobody") is None
        assert verify(connection) == []
        assert made.join_code not in connection.execute(sa.select(team.c.join_hash)).scalar_one()
    with pytest.raises(NotThereError), portal.database.read() as connection:
        team_by_id(connection, "none")


@pytest.mark.parametrize("name", ["TEAM ONE", "team_one", "Tеam One", "Team 0ne"])
def test_names_that_look_alike_are_refused(portal: Portal, person: Callable[[str], Actor], name: str) -> None:
    create_team(portal, person("Ada"), "abaw", "Team One")
    with pytest.raises(ConflictError, match="looks like"):
        create_team(portal, person("Bob"), "abaw", name)


@pytest.mark.parametrize("name", ["Baseline", "organisers", "x", "a\u202eb", "<script>", "x" * 41])
def test_names_that_are_kept_or_none_are_refused(portal: Portal, person: Callable[[str], Actor], name: str) -> None:
    with pytest.raises(InputError):
        create_team(portal, person("Ada"), "abaw", name)


def test_a_person_is_in_one_team_of_an_event(portal: Portal, person: Callable[[str], Actor]) -> None:
    ada, bob = person("Ada"), person("Bob")
    create_team(portal, ada, "abaw", "Team One")
    code = create_team(portal, bob, "abaw", "Other").join_code
    with pytest.raises(ConflictError, match="in a team of this event already"):
        create_team(portal, ada, "abaw", "Third")
    with pytest.raises(ConflictError, match="in a team of this event already"):
        join_team(portal, ada, code)
    with portal.database.read() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(team)).scalar_one() == 2


def test_events_that_are_not_seen_have_no_teams(
    portal: Portal, organiser: Actor, person: Callable[[str], Actor]
) -> None:
    with pytest.raises(NotThereError):
        create_team(portal, person("Ada"), "none", "Team One")
    with portal.database.write() as connection:
        connection.execute(sa.update(event).values(published=False))
    with pytest.raises(NotThereError):
        create_team(portal, person("Bob"), "abaw", "Team One")
    create_team(portal, organiser, "abaw", "Team One")
    with pytest.raises(UnknownLoginError):
        create_team(portal, VISITOR, "abaw", "Team Two")


def test_a_team_is_full_at_some_time_whoever_comes_at_once(portal: Portal, person: Callable[[str], Actor]) -> None:
    code = create_team(portal, person("Ada"), "abaw", "Team One").join_code
    people = [person(f"P{number}") for number in range(5)]

    def join(actor: Actor) -> str:
        try:
            return join_team(portal, actor, code).id
        except ConflictError as error:
            return error.code

    with ThreadPoolExecutor(5) as pool:
        done = list(pool.map(join, people))
    assert done.count("E_TEAM_FULL") == 3


def test_codes_are_not_guessed(portal: Portal, person: Callable[[str], Actor]) -> None:
    ada = person("Ada")
    for number in range(10):
        with pytest.raises(NotThereError, match="no team has this code"):
            join_team(portal, ada, f"guess {number}")
    with pytest.raises(TooManyError):
        join_team(portal, ada, "guess")


def test_a_new_code_ends_the_one_before(portal: Portal, person: Callable[[str], Actor]) -> None:
    ada, bob, eve = person("Ada"), person("Bob"), person("Eve")
    older = create_team(portal, ada, "abaw", "Team One").join_code
    code = new_join_code(portal, ada, "abaw")
    with pytest.raises(NotThereError):
        join_team(portal, bob, older)
    join_team(portal, bob, code)
    with pytest.raises(ForbiddenError, match="captain"):
        new_join_code(portal, bob, "abaw")
    with pytest.raises(NotThereError, match="no team of this event"):
        new_join_code(portal, eve, "abaw")


def test_members_of_a_closed_team_stay_as_they_are(portal: Portal, person: Callable[[str], Actor]) -> None:
    ada, bob = person("Ada"), person("Bob")
    made = create_team(portal, ada, "abaw", "Team One")
    freeze(portal, made.team.id)
    for act in (
        lambda: join_team(portal, bob, made.join_code),
        lambda: leave_team(portal, ada, "abaw"),
        lambda: new_join_code(portal, ada, "abaw"),
    ):
        with pytest.raises(ConflictError, match="no longer change"):
            act()


def test_who_leaves_hands_the_team_over_or_takes_it_along(
    portal: Portal, event_id: str, person: Callable[[str], Actor]
) -> None:
    ada, bob, eve = person("Ada"), person("Bob"), person("Eve")
    made = create_team(portal, ada, "abaw", "Team One")
    join_team(portal, bob, made.join_code)
    join_team(portal, eve, made.join_code)
    leave_team(portal, eve, "abaw")
    leave_team(portal, ada, "abaw")
    with portal.database.read() as connection:
        left = team_of(connection, event_id, bob.id)
    assert left is not None
    assert [(member.name, member.captain) for member in left.members] == [("Bob", True)]
    track = add_track(portal, event_id, "va", 5)
    sent = add_submission(portal, track, left.id, bob)
    with pytest.raises(ConflictError, match="last member"):
        leave_team(portal, bob, "abaw")
    with portal.database.write() as connection:
        connection.execute(sa.delete(submission).where(submission.c.id == sent))
    leave_team(portal, bob, "abaw")
    with portal.database.read() as connection:
        assert teams_of_event(connection, event_id) == []
    create_team(portal, bob, "abaw", "Team One")


def two_teams(portal: Portal, ada: Actor, bob: Actor) -> tuple[str, str]:
    return tuple(  # type: ignore[return-value]
        create_team(portal, one, "abaw", name).team.id for one, name in ((ada, "Team One"), (bob, "Other"))
    )


def test_merged_teams_have_the_slots_of_one(
    portal: Portal, event_id: str, organiser: Actor, person: Callable[[str], Actor]
) -> None:
    ada, bob = person("Ada"), person("Bob")
    into, goes = two_teams(portal, ada, bob)
    track = add_track(portal, event_id, "va", 4)
    add_submission(portal, track, into, ada, slot=2, chosen=True)
    moved = [
        add_submission(portal, track, goes, bob, slot=2, chosen=True),
        add_submission(portal, track, goes, bob, slot=None, state="invalid"),
        add_submission(portal, track, goes, bob, slot=1),
    ]
    freeze(portal, goes)
    merged = merge_teams(portal, organiser, "abaw", into, goes)
    assert merged.frozen
    assert [(member.name, member.captain) for member in merged.members] == [("Ada", True), ("Bob", False)]
    with portal.database.read() as connection:
        rows = {row.id: row for row in connection.execute(sa.select(submission)).all()}
        assert connection.execute(sa.select(contest.c.version)).scalar_one() == 2
        assert {one.id for one in teams_of_event(connection, event_id)} == {into}
        assert len(connection.execute(sa.select(letter.c.recipient)).all()) == 2
    assert [rows[key].slot for key in moved] == [1, None, 3]
    assert {row.team for row in rows.values()} == {into}
    assert sum(row.chosen for row in rows.values()) == 1


def test_teams_that_do_not_fit_stay_two(
    portal: Portal, event_id: str, organiser: Actor, person: Callable[[str], Actor]
) -> None:
    ada, bob = person("Ada"), person("Bob")
    into, goes = two_teams(portal, ada, bob)
    roomy, tight = add_track(portal, event_id, "a-roomy", 5), add_track(portal, event_id, "b-tight", 1)
    for track in (roomy, tight):
        add_submission(portal, track, into, ada, slot=1)
        add_submission(portal, track, goes, bob, slot=1)
    with pytest.raises(ConflictError, match="2 submissions on the track b-tight"):
        merge_teams(portal, organiser, "abaw", into, goes)
    with portal.database.read() as connection:
        assert len(teams_of_event(connection, event_id)) == 2
        assert {row.team for row in connection.execute(sa.select(submission.c.team))} == {into, goes}


def test_merges_that_are_refused(portal: Portal, organiser: Actor, person: Callable[[str], Actor]) -> None:
    ada, bob = person("Ada"), person("Bob")
    into, goes = two_teams(portal, ada, bob)
    with pytest.raises(ForbiddenError):
        merge_teams(portal, ada, "abaw", into, goes)
    with pytest.raises(ConflictError, match="itself"):
        merge_teams(portal, organiser, "abaw", into, into)
    with pytest.raises(NotThereError):
        merge_teams(portal, organiser, "abaw", into, "none")
    with portal.database.write() as connection:
        connection.execute(sa.update(event).values(team_size=1))
    with pytest.raises(ConflictError, match="2 members"):
        merge_teams(portal, organiser, "abaw", into, goes)


def test_an_affiliation_is_one_line(portal: Portal, person: Callable[[str], Actor]) -> None:
    with pytest.raises(RefusedError, match="an affiliation of more than 200"):
        create_team(portal, person("Ada"), "abaw", "Team One", "x" * 201)
