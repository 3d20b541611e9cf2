"""All pages of the portal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.server.web.pages import accounts, boards, events, sending, submissions, teams, tokens, tracks
from affectcheck.server.web.pages.organising import routes as organising

if TYPE_CHECKING:
    from starlette.routing import Route


def routes() -> list[Route]:
    """Routes of all pages."""
    rooms = (events, tracks, boards, accounts, tokens, teams, sending, submissions)
    return [route for room in rooms for route in room.routes()] + organising()
