"""Everything that a person can do, for programs: under ``/api/v1``, documented as OpenAPI."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.server.web.api import (
    account,
    boards,
    campaigns,
    events,
    files,
    health,
    organising,
    submissions,
    teams,
    tracks,
)

if TYPE_CHECKING:
    from fastapi import APIRouter


def routers() -> list[APIRouter]:
    """All routes."""
    rooms = (health, account, events, teams, tracks, files, submissions, boards, organising, campaigns)
    return [room.ROUTES for room in rooms]
