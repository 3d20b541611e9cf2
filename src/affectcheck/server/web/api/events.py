"""Events."""

from datetime import datetime

from pydantic import Field

from affectcheck.server.contests import events
from affectcheck.server.web.api.forms import Asked, Line, Published, Slug, Text, Told
from affectcheck.server.web.api.routing import router
from affectcheck.server.web.api.who import OPEN, Anyone, Organiser, ThePortal

ROUTES = router("events")


class NewEvent(Asked):
    """An event that is to be."""

    slug: Line
    title: Line
    description: Text = ""
    team_size: int = Field(default=10, ge=1, le=events.MOST_MEMBERS)


class EventEdit(Asked):
    """What is to be different; what is null stays."""

    title: Line | None = None
    description: Text | None = None
    team_size: int | None = Field(default=None, ge=1, le=events.MOST_MEMBERS)


class Event(Told):
    """What is open together; a person is in one team of an event."""

    slug: str
    title: str
    description: str
    team_size: int
    published: bool
    created: datetime


@ROUTES.get("/events", openapi_extra=OPEN)
def list_events(actor: Anyone, portal: ThePortal) -> list[Event]:
    """Events that one may see, the newest first."""
    with portal.database.read() as connection:
        return [Event.model_validate(one) for one in events.events_for(connection, actor)]


@ROUTES.get("/events/{event}", openapi_extra=OPEN)
def show_event(event: Slug, actor: Anyone, portal: ThePortal) -> Event:
    """One event."""
    with portal.database.read() as connection:
        return Event.model_validate(events.event_of(connection, event, actor))


@ROUTES.post("/events", status_code=201)
def create_event(asked: NewEvent, actor: Organiser, portal: ThePortal) -> Event:
    """Make an event, which organisers alone see until it is published."""
    made = events.create_event(
        portal, actor, asked.slug, asked.title, description=asked.description, team_size=asked.team_size
    )
    return Event.model_validate(made)


@ROUTES.patch("/events/{event}")
def edit_event(event: Slug, asked: EventEdit, actor: Organiser, portal: ThePortal) -> Event:
    """Change what is written of an event."""
    return Event.model_validate(events.edit_event(portal, actor, event, **asked.model_dump()))


@ROUTES.post("/events/{event}/publish")
def publish_event(event: Slug, asked: Published, actor: Organiser, portal: ThePortal) -> Event:
    """Show an event to everyone, or to organisers alone."""
    return Event.model_validate(events.publish_event(portal, actor, event, published=asked.published))
