"""Events: the first page, and one of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from affectcheck.challenges import next_change, open_phase
from affectcheck.server.accounts.teams import team_of, teams_of_event
from affectcheck.server.contests.events import event_of, events_for
from affectcheck.server.contests.tracks import contests_of
from affectcheck.server.web.pages.routing import shown

if TYPE_CHECKING:
    from datetime import datetime

    from starlette.responses import Response
    from starlette.routing import Route

    from affectcheck.challenges import Change
    from affectcheck.challenges.track_parts import Phase
    from affectcheck.server.contests.events import Event
    from affectcheck.server.contests.tracks import Contest
    from affectcheck.server.web.visits import Visit


@dataclass(frozen=True)
class TrackLine:
    """A track as lists show it.

    Attributes:
        contest: the track.
        open: the phase that is open; None where none is.
        change: what happens next; None where nothing does.
    """

    contest: Contest
    open: Phase | None
    change: Change | None

    @classmethod
    def of(cls, contest: Contest, now: datetime) -> TrackLine:
        """A track at a moment."""
        if contest.archived:
            return cls(contest, None, None)
        return cls(contest, open_phase(contest.track, now), next_change(contest.track, now))


@dataclass(frozen=True)
class EventLine:
    """An event with its tracks."""

    event: Event
    tracks: tuple[TrackLine, ...]

    @property
    def open(self) -> int:
        """How many of its tracks are open."""
        return sum(1 for line in self.tracks if line.open)


def routes() -> list[Route]:
    """Routes of this module."""
    return [shown("/", home), shown("/events/{event}", event_page)]


def home(visit: Visit) -> Response:
    """All events that may be seen."""
    now = visit.portal.now()
    with visit.portal.database.read() as connection:
        events = [
            EventLine(event, tuple(TrackLine.of(one, now) for one in contests_of(connection, event.id, visit.actor)))
            for event in events_for(connection, visit.actor)
        ]
    return visit.page("home.html.j2", events=events)


def event_page(visit: Visit) -> Response:
    """An event: its tracks and teams."""
    now = visit.portal.now()
    with visit.portal.database.read() as connection:
        event = event_of(connection, visit.request.path_params["event"], visit.actor)
        contests = contests_of(connection, event.id, visit.actor)
        teams = teams_of_event(connection, event.id)
        mine = team_of(connection, event.id, visit.actor.id) if visit.actor.known else None
    line = EventLine(event, tuple(TrackLine.of(one, now) for one in contests))
    return visit.page("event.html.j2", event=event, line=line, teams=teams, mine=mine)
