from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from affectcheck.challenges import load_track
from affectcheck.challenges.track_parts import Phase
from affectcheck.errors import UnknownNameError
from affectcheck.server.contests.showing import ended
from affectcheck.server.contests.tracks import (
    archive_contest,
    close_phase,
    edit_phases,
    open_phase,
    publish_contest,
)
from affectcheck.server.faults import ConflictError, RefusedError
from affectcheck.server.storage.tables import audit, letter
from contest_rows import Sent, add_account, add_contest, add_entry, add_team, read

if TYPE_CHECKING:
    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.contests.tracks import Contest
    from affectcheck.server.portal import Portal
    from portal_clock import SetClock

DAY = timedelta(days=1)


@pytest.fixture
def two(sqlite_portal: Portal, organiser: Actor, clock: SetClock) -> Contest:
    """Two phases of two days each, with a day between them; the first begins tomorrow."""
    phases = tuple(
        Phase(name=name, opens=clock.now + start * DAY, closes=clock.now + (start + 2) * DAY)
        for name, start in (("first", 1), ("second", 4))
    )
    track = load_track("abaw6-va").model_copy(update={"phases": phases})
    return add_contest(sqlite_portal, organiser, track=track, labels=False)


def letters(portal: Portal) -> list[tuple[str, str, str]]:
    with portal.database.read() as connection:
        rows = connection.execute(sa.select(letter).order_by(letter.c.recipient))
        return [(row.recipient, row.subject, row.body) for row in rows]


def last_change(portal: Portal) -> dict:
    with portal.database.read() as connection:
        asked = sa.select(audit.c.detail).where(audit.c.action == "contest.phases").order_by(audit.c.number.desc())
        return connection.execute(asked.limit(1)).scalar_one()


def test_a_phase_is_opened_now(sqlite_portal: Portal, organiser: Actor, clock: SetClock, two: Contest) -> None:
    opened = open_phase(sqlite_portal, organiser, two.slug, "first", "everything is ready")
    assert opened.track.phases[0].opens == clock.now
    assert opened.track.phase(clock.now).name == "first"
    assert opened.track.phases[0].closes == two.track.phases[0].closes
    assert opened.version == two.version + 1
    assert read(sqlite_portal, two.slug) == opened
    detail = last_change(sqlite_portal)
    assert (detail["reason"], detail["extended"]) == ("everything is ready", [])
    assert detail["before"][0]["opens"] != detail["after"][0]["opens"]
    with pytest.raises(ConflictError, match="is open"):
        open_phase(sqlite_portal, organiser, two.slug, "first", "once more")


def test_a_phase_is_closed_now(sqlite_portal: Portal, organiser: Actor, clock: SetClock, two: Contest) -> None:
    with pytest.raises(ConflictError, match="not open"):
        close_phase(sqlite_portal, organiser, two.slug, "first", "too early")
    clock.forward(days=1.5)
    closed = close_phase(sqlite_portal, organiser, two.slug, "first", "an error in the list")
    assert closed.track.phases[0].closes == clock.now
    assert closed.track.phase(clock.now) is None  # its end is not part of a phase
    assert letters(sqlite_portal) == []


def test_a_phase_that_has_ended_is_opened_until_the_next(
    sqlite_portal: Portal, organiser: Actor, clock: SetClock, two: Contest
) -> None:
    clock.forward(days=3.5)
    again = open_phase(sqlite_portal, organiser, two.slug, "first", "the portal was not reached")
    assert again.track.phases[0].closes == two.track.phases[1].opens
    assert again.track.phase(clock.now).name == "first"


def test_the_last_phase_is_opened_without_an_end(
    sqlite_portal: Portal, organiser: Actor, clock: SetClock, two: Contest
) -> None:
    clock.forward(days=10)
    assert ended(two, clock.now)
    again = open_phase(sqlite_portal, organiser, two.slug, "second", "for practice")
    assert again.track.phases[1].closes is None
    assert not ended(again, clock.now)


def test_no_phase_is_opened_beside_another(
    sqlite_portal: Portal, organiser: Actor, clock: SetClock, two: Contest
) -> None:
    clock.forward(days=1.5)
    with pytest.raises(RefusedError, match="'second' opens before 'first' has closed"):
        open_phase(sqlite_portal, organiser, two.slug, "second", "in a hurry")
    assert read(sqlite_portal, two.slug) == two


def test_members_of_all_teams_learn_of_an_extension(
    sqlite_portal: Portal, organiser: Actor, member: Actor, two: Contest
) -> None:
    other = add_account(sqlite_portal, "nora")
    add_account(sqlite_portal, "somebody")
    add_team(sqlite_portal, two, "Reds", member)
    add_team(sqlite_portal, two, "Blues", other)
    later = datetime(2026, 3, 6, 11, 59, tzinfo=UTC)
    first = two.track.phases[0].model_copy(update={"closes": later})
    edit_phases(sqlite_portal, organiser, two.slug, (first, two.track.phases[1]), "a power cut, 2 hours long")
    found = letters(sqlite_portal)
    assert [one[0] for one in found] == ["mia@example.org", "nora@example.org"]
    assert "extended" in found[0][1]
    for words in ("'first'", "2026-03-06 11:59:00 UTC (2026-03-05 23:59:00 AoE)", "a power cut, 2 hours long"):
        assert words in found[0][2]
    assert last_change(sqlite_portal)["extended"] == ["first"]


def test_an_end_that_is_left_out_is_an_extension(
    sqlite_portal: Portal, organiser: Actor, member: Actor, two: Contest
) -> None:
    add_team(sqlite_portal, two, "Reds", member)
    second = two.track.phases[1].model_copy(update={"closes": None})
    edit_phases(sqlite_portal, organiser, two.slug, (two.track.phases[0], second), "until further notice")
    assert "until it is closed" in letters(sqlite_portal)[0][2]


def test_an_earlier_end_is_no_extension(sqlite_portal: Portal, organiser: Actor, member: Actor, two: Contest) -> None:
    add_team(sqlite_portal, two, "Reds", member)
    second = two.track.phases[1].model_copy(update={"closes": two.track.phases[1].closes - DAY})
    edit_phases(sqlite_portal, organiser, two.slug, (two.track.phases[0], second), "the workshop is earlier")
    assert letters(sqlite_portal) == []


def test_a_published_track_is_changed_with_a_reason(sqlite_portal: Portal, organiser: Actor, two: Contest) -> None:
    phases = (two.track.phases[0],)
    for reason in ("", " \n"):
        with pytest.raises(RefusedError, match="reason"):
            edit_phases(sqlite_portal, organiser, two.slug, phases, reason)
        with pytest.raises(RefusedError, match="reason"):
            open_phase(sqlite_portal, organiser, two.slug, "first", reason)
    publish_contest(sqlite_portal, organiser, two.slug, published=False)
    assert edit_phases(sqlite_portal, organiser, two.slug, phases).track.phases == phases


def test_a_phase_with_submissions_keeps_its_name(
    sqlite_portal: Portal, organiser: Actor, member: Actor, two: Contest
) -> None:
    team = add_team(sqlite_portal, two, "Reds", member)
    labelled = add_labels_to(sqlite_portal, organiser, two)
    add_entry(sqlite_portal, labelled, member, Sent(team, 0.3, phase="first"))
    with pytest.raises(ConflictError, match="'first' is left out"):
        edit_phases(sqlite_portal, organiser, two.slug, (two.track.phases[1],), "tidy")
    other = Phase(name="zeroth", closes=two.track.phases[0].opens)
    assert len(edit_phases(sqlite_portal, organiser, two.slug, (other, *two.track.phases), "more").track.phases) == 3


def test_dates_must_be_in_order(sqlite_portal: Portal, organiser: Actor, two: Contest) -> None:
    with pytest.raises(RefusedError, match="'first' opens before 'second' has closed"):
        edit_phases(sqlite_portal, organiser, two.slug, two.track.phases[::-1], "by name")
    endless = two.track.phases[0].model_copy(update={"closes": None})
    with pytest.raises(RefusedError, match="'second' opens before 'first' has closed"):
        edit_phases(sqlite_portal, organiser, two.slug, (endless, two.track.phases[1]), "by name")


def test_a_track_that_is_always_open_can_be_closed(sqlite_portal: Portal, organiser: Actor, clock: SetClock) -> None:
    made = add_contest(sqlite_portal, organiser, track=load_track("raf-db"), labels=False)
    assert not made.track.phases
    assert not ended(made, clock.now)
    with pytest.raises(UnknownNameError, match="'test'"):
        close_phase(sqlite_portal, organiser, made.slug, "test", "the end")
    closed = close_phase(sqlite_portal, organiser, made.slug, "open", "the end")
    assert [(one.name, one.closes) for one in closed.track.phases] == [("open", clock.now)]
    assert ended(closed, clock.now)
    assert archive_contest(sqlite_portal, organiser, made.slug).archived == clock.now


def test_a_name_that_no_phase_has(sqlite_portal: Portal, organiser: Actor, two: Contest) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'first'"):
        open_phase(sqlite_portal, organiser, two.slug, "firstt", "now")


def add_labels_to(portal: Portal, organiser: Actor, found: Contest) -> Contest:
    from contest_rows import add_labels

    add_labels(portal, organiser, found.slug)
    return read(portal, found.slug)
