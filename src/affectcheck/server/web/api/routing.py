"""How routes of the API come into being."""

from typing import Final

from fastapi import APIRouter

from affectcheck.server.web.api.problems import ProblemRoute, refusals

PREFIX: Final = "/api/v1"


def router(tag: str, *statuses: int, prefix: str = PREFIX) -> APIRouter:
    """A router whose routes tell their refusals: those that every route may have, and these."""
    return APIRouter(
        prefix=prefix,
        tags=[tag],
        route_class=ProblemRoute,
        responses=refusals(400, 401, 403, 404, 409, 413, 429, *statuses),
        generate_unique_id_function=lambda route: route.name,
    )
