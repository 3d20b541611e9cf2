"""What organisers do: events, tracks, labels, phases, submissions, scoring anew, teams and the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.server.web.pages.organising import campaigns, events, files, log, phases, submissions, teams, tracks

if TYPE_CHECKING:
    from starlette.routing import Route


def routes() -> list[Route]:
    """Routes of all pages of organisers."""
    rooms = (events, tracks, phases, files, submissions, campaigns, teams, log)
    return [route for room in rooms for route in room.routes()]
