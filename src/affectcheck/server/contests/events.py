"""Events: what is open together, such as the five tracks of one competition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa

from affectcheck.server.accounts.actors import require
from affectcheck.server.contests import texts
from affectcheck.server.faults import ConflictError, NotThereError, RefusedError
from affectcheck.server.identifiers import new_id
from affectcheck.server.storage.audit import record
from affectcheck.server.storage.tables import contest, event

if TYPE_CHECKING:
    from datetime import datetime

    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.portal import Portal

#: Most members that teams of an event may have.
MOST_MEMBERS: Final = 100
TITLE: Final = 200
DESCRIPTION: Final = 20_000


@dataclass(frozen=True)
class Event:
    """What is open together; a person is in one team of an event.

    Attributes:
        id: of the row.
        slug: as it stands in addresses.
        title: for people.
        description: plain paragraphs.
        team_size: most members of a team.
        published: whether everyone sees it; else organisers do.
        created: when it was made.
    """

    id: str
    slug: str
    title: str
    description: str
    team_size: int
    published: bool
    created: datetime


def create_event(  # noqa: PLR0913  # what an event is made of
    portal: Portal, actor: Actor, slug: str, title: str, *, description: str = "", team_size: int = 10
) -> Event:
    """Make an event, which only organisers see until it is published.

    Args:
        portal: where.
        actor: an organiser.
        slug: its short name in addresses.
        title: for people.
        description: plain paragraphs.
        team_size: most members of a team.

    Raises:
        RefusedError: a text that is not taken.
        ConflictError: the short name is taken.
    """
    require(actor, "organise")
    now = portal.now()
    written = _written({"title": title, "description": description, "team_size": team_size})
    key = new_id(now)
    row = {"id": key, "slug": texts.slug(slug), "published": False, "created": now, **written}
    with portal.database.write() as connection:
        try:
            with connection.begin_nested():
                connection.execute(sa.insert(event).values(row))
        except sa.exc.IntegrityError as error:
            raise ConflictError(
                f"an event {slug!r} is there", code="E_SLUG_TAKEN", expected="another short name"
            ) from error
        record(connection, actor.id, "event.create", key, {"slug": slug, **written}, now)
        return event_of(connection, slug, actor)


def edit_event(  # noqa: PLR0913  # as it is made
    portal: Portal,
    actor: Actor,
    slug: str,
    *,
    title: str | None = None,
    description: str | None = None,
    team_size: int | None = None,
) -> Event:
    """Change what is written of an event; what is None stays.

    Raises:
        RefusedError: a text that is not taken.
        NotThereError: no such event.
    """
    require(actor, "organise")
    stated = {"title": title, "description": description, "team_size": team_size}
    written = _written({name: value for name, value in stated.items() if value is not None})
    return _change(portal, actor, slug, "event.edit", written)


def publish_event(portal: Portal, actor: Actor, slug: str, *, published: bool = True) -> Event:
    """Show an event to everyone, or to organisers alone.

    Raises:
        NotThereError: no such event.
    """
    require(actor, "organise")
    return _change(portal, actor, slug, "event.publish" if published else "event.hide", {"published": published})


def events_for(connection: sa.Connection, actor: Actor) -> tuple[Event, ...]:
    """Events that somebody may see, the newest first."""
    asked = sa.select(event).order_by(event.c.created.desc(), event.c.id)
    if not actor.organises:
        asked = asked.where(event.c.published)
    return tuple(_event(row) for row in connection.execute(asked))


def event_of(connection: sa.Connection, slug: str, actor: Actor) -> Event:
    """An event by its short name.

    Raises:
        NotThereError: there is none, or the person may not know that there is.
    """
    row = connection.execute(sa.select(event).where(event.c.slug == slug)).first()
    if row is None or not (row.published or actor.organises):
        raise NotThereError(f"no event {slug[:80]!r}", code="E_NO_EVENT")
    return _event(row)


def _written(stated: dict[str, Any]) -> dict[str, Any]:
    """Values of the row, each as it may stand there."""
    size = stated.get("team_size", 1)
    if not 1 <= size <= MOST_MEMBERS:
        raise RefusedError(f"teams of at most {size}", code="E_TEAM_SIZE", expected=f"1 to {MOST_MEMBERS} members")
    found = dict(stated)
    if "title" in stated:
        found["title"] = texts.line("title", stated["title"], most=TITLE)
    if "description" in stated:
        found["description"] = texts.paragraphs("description", stated["description"], most=DESCRIPTION)
    return found


def _change(portal: Portal, actor: Actor, slug: str, action: str, values: dict[str, Any]) -> Event:
    now = portal.now()
    with portal.database.write() as connection:
        found = event_of(connection, slug, actor)
        connection.execute(sa.update(event).where(event.c.id == found.id).values(values))
        # Boards of its tracks show its title.
        tracks = sa.update(contest).where(contest.c.event == found.id)
        connection.execute(tracks.values(version=contest.c.version + 1))
        record(connection, actor.id, action, found.id, {"slug": slug, **values}, now)
        return event_of(connection, slug, actor)


def _event(row: sa.Row[Any]) -> Event:
    return Event(**{name: row._mapping[name] for name in Event.__dataclass_fields__})
