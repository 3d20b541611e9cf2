from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from affectcheck.challenges import load_track
from affectcheck.server.accounts.actors import VISITOR
from affectcheck.server.contests.events import create_event, edit_event, event_of, events_for, publish_event
from affectcheck.server.contests.tracks import create_contest
from affectcheck.server.faults import ConflictError, ForbiddenError, NotThereError, RefusedError, UnknownLoginError
from affectcheck.server.storage.audit import verify
from affectcheck.server.storage.tables import audit
from contest_rows import read

if TYPE_CHECKING:
    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.portal import Portal


def test_an_event_is_seen_by_organisers_until_it_is_published(
    sqlite_portal: Portal, organiser: Actor, member: Actor
) -> None:
    made = create_event(sqlite_portal, organiser, "abaw-2027", " ABAW  2027 ", description="One.\n\nTwo.", team_size=4)
    assert (made.title, made.description, made.team_size, made.published) == ("ABAW 2027", "One.\n\nTwo.", 4, False)
    with sqlite_portal.database.read() as connection:
        assert events_for(connection, organiser) == (made,)
        for other in (VISITOR, member):
            assert events_for(connection, other) == ()
            with pytest.raises(NotThereError):
                event_of(connection, "abaw-2027", other)
    publish_event(sqlite_portal, organiser, "abaw-2027")
    with sqlite_portal.database.read() as connection:
        assert event_of(connection, "abaw-2027", VISITOR) == replace(made, published=True)
    publish_event(sqlite_portal, organiser, "abaw-2027", published=False)
    with sqlite_portal.database.read() as connection:
        assert events_for(connection, VISITOR) == ()


def test_every_change_stands_in_the_audit_log(sqlite_portal: Portal, organiser: Actor) -> None:
    made = create_event(sqlite_portal, organiser, "abaw", "ABAW")
    edit_event(sqlite_portal, organiser, "abaw", title="ABAW 2027")
    publish_event(sqlite_portal, organiser, "abaw")
    publish_event(sqlite_portal, organiser, "abaw", published=False)
    with sqlite_portal.database.read() as connection:
        asked = sa.select(audit.c.action, audit.c.actor).where(audit.c.subject == made.id).order_by(audit.c.number)
        rows = connection.execute(asked).all()
        assert [row.action for row in rows] == ["event.create", "event.edit", "event.publish", "event.hide"]
        assert {row.actor for row in rows} == {organiser.id}
        assert verify(connection) == []


def test_what_is_not_stated_stays(sqlite_portal: Portal, organiser: Actor) -> None:
    create_event(sqlite_portal, organiser, "abaw", "ABAW", description="Words.", team_size=3)
    changed = edit_event(sqlite_portal, organiser, "abaw", description="")
    assert (changed.title, changed.description, changed.team_size) == ("ABAW", "", 3)
    assert edit_event(sqlite_portal, organiser, "abaw", team_size=7).team_size == 7


def test_boards_know_that_the_title_has_changed(sqlite_portal: Portal, organiser: Actor) -> None:
    create_event(sqlite_portal, organiser, "abaw", "ABAW")
    before = create_contest(sqlite_portal, organiser, "abaw", load_track("abaw6-va"))
    edit_event(sqlite_portal, organiser, "abaw", title="Another")
    after = read(sqlite_portal, "abaw6-va")
    assert (after.event_title, after.version) == ("Another", before.version + 1)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (("Abaw", "T", {}), "E_SLUG"),
        (("../x", "T", {}), "E_SLUG"),
        (("a" * 65, "T", {}), "E_SLUG"),
        (("a\n", "T", {}), "E_SLUG"),
        (("abaw", "", {}), "E_TEXT"),
        (("abaw", "x" * 201, {}), "E_TEXT"),
        (("abaw", "right\u202eleft", {}), "E_TEXT"),
        (("abaw", "T", {"description": "x" * 20_001}), "E_TEXT"),
        (("abaw", "T", {"description": "bell\x07"}), "E_TEXT"),
        (("abaw", "T", {"team_size": 0}), "E_TEAM_SIZE"),
        (("abaw", "T", {"team_size": 101}), "E_TEAM_SIZE"),
    ],
)
def test_what_is_not_taken(sqlite_portal: Portal, organiser: Actor, given: tuple[str, str, dict], code: str) -> None:
    slug, title, options = given
    with pytest.raises(RefusedError) as refused:
        create_event(sqlite_portal, organiser, slug, title, **options)
    assert refused.value.code == code
    assert refused.value.status == 422


def test_a_short_name_is_taken_once(sqlite_portal: Portal, organiser: Actor) -> None:
    create_event(sqlite_portal, organiser, "abaw", "ABAW")
    with pytest.raises(ConflictError):
        create_event(sqlite_portal, organiser, "abaw", "Another")


def test_only_organisers_change_events(sqlite_portal: Portal, organiser: Actor, member: Actor) -> None:
    create_event(sqlite_portal, organiser, "abaw", "ABAW")
    narrow = replace(organiser, scope="submit")
    for actor, error in ((VISITOR, UnknownLoginError), (member, ForbiddenError), (narrow, ForbiddenError)):
        with pytest.raises(error):
            create_event(sqlite_portal, actor, "other", "Other")
        with pytest.raises(error):
            edit_event(sqlite_portal, actor, "abaw", title="Other")
        with pytest.raises(error):
            publish_event(sqlite_portal, actor, "abaw")
