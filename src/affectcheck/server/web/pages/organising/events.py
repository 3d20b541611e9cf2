"""Events of organisers: all of them, a new one, and what is written of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.errors import InputError
from affectcheck.server.accounts.first_run import invite_organiser
from affectcheck.server.contests import events
from affectcheck.server.contests.tracks import contests_of
from affectcheck.server.web.forms import Form
from affectcheck.server.web.pages.events import EventLine, TrackLine
from affectcheck.server.web.pages.routing import sent, shown

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.routing import Route

    from affectcheck.server.web.visits import Visit


def routes() -> list[Route]:
    """Routes of this module."""
    return [
        shown("/organise", overview),
        sent("/organise/events", create),
        sent("/organise/invite", invite),
        shown("/organise/events/{event}", event_page),
        sent("/organise/events/{event}", edit),
        sent("/organise/events/{event}/publish", publish),
    ]


def overview(visit: Visit) -> Response:
    """All events."""
    return _overview(visit, Form())


def create(visit: Visit) -> Response:
    """Make an event."""
    form, actor = visit.form(), visit.needs("organise")
    form.needs("slug", "title")
    size = form.number("team_size", least=1, most=events.MOST_MEMBERS)
    if not form.faults:
        try:
            made = events.create_event(
                visit.portal,
                actor,
                form.text("slug"),
                form.text("title"),
                description=form.text("description"),
                team_size=size or 10,
            )
            return visit.go(f"/organise/events/{made.slug}", "created")
        except InputError as error:
            form.refuse(error, {"E_SLUG": "slug", "E_SLUG_TAKEN": "slug", "E_TEAM_SIZE": "team_size"})
    return _overview(visit, form)


def invite(visit: Visit) -> Response:
    """Invite an organiser."""
    form, actor = visit.form(), visit.needs("organise")
    form.needs("email")
    if not form.faults:
        try:
            invite_organiser(visit.portal, actor, form.text("email"))
            return _overview(visit, Form(), invited=form.text("email"))
        except InputError as error:
            form.refuse(error, {"E_EMAIL": "email"})
    return _overview(visit, form)


def event_page(visit: Visit) -> Response:
    """One event."""
    return _event(visit, Form())


def edit(visit: Visit) -> Response:
    """Change what is written of it."""
    form, actor = visit.form(), visit.needs("organise")
    form.needs("title")
    size = form.number("team_size", least=1, most=events.MOST_MEMBERS)
    slug = visit.request.path_params["event"]
    if not form.faults:
        try:
            events.edit_event(
                visit.portal,
                actor,
                slug,
                title=form.text("title"),
                description=form.text("description"),
                team_size=size,
            )
            return visit.go(f"/organise/events/{slug}", "saved")
        except InputError as error:
            form.refuse(error, {"E_TEAM_SIZE": "team_size"})
    return _event(visit, form)


def publish(visit: Visit) -> Response:
    """Show it to everyone, or to organisers alone."""
    form, slug = visit.form(), visit.request.path_params["event"]
    published = form.text("published") == "yes"
    events.publish_event(visit.portal, visit.needs("organise"), slug, published=published)
    return visit.go(f"/organise/events/{slug}", "published" if published else "saved")


def _overview(visit: Visit, form: Form, invited: str = "") -> Response:
    actor, now = visit.needs("organise"), visit.portal.now()
    with visit.portal.database.read() as connection:
        lines = [
            EventLine(one, tuple(TrackLine.of(track, now) for track in contests_of(connection, one.id, actor)))
            for one in events.events_for(connection, actor)
        ]
    return visit.page("organising/overview.html.j2", form=form, events=lines, invited=invited)


def _event(visit: Visit, form: Form) -> Response:
    actor, now = visit.needs("organise"), visit.portal.now()
    with visit.portal.database.read() as connection:
        event = events.event_of(connection, visit.request.path_params["event"], actor)
        tracks = tuple(TrackLine.of(one, now) for one in contests_of(connection, event.id, actor))
    return visit.page("organising/event.html.j2", form=form, event=event, tracks=tracks)
