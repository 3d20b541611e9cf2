"""How a page becomes a route: a function of a visit, on a thread beside the loop."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Final

import anyio
import anyio.to_thread
from starlette.routing import Route

from affectcheck.server.web.uploads import on_lane
from affectcheck.server.web.visits import Visit

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request
    from starlette.responses import Response

#: Boards that are looked up at once; each takes a millisecond.
HOT_LANES: Final = 16


def shown(path: str, page: Callable[[Visit], Response]) -> Route:
    """A page that is looked at."""
    return Route(path, _on_thread(page), methods=["GET"])


def hot(path: str, page: Callable[[Visit], Response]) -> Route:
    """A page that many look at: on threads of its own, so that logins and forms never stand in its way."""

    async def answer(request: Request) -> Response:
        lanes = getattr(request.app.state, "hot_lanes", None)
        if lanes is None:
            lanes = request.app.state.hot_lanes = anyio.CapacityLimiter(HOT_LANES)
        return await anyio.to_thread.run_sync(lambda: page(Visit.of(request)), limiter=lanes)

    return Route(path, answer, methods=["GET"])


def sent(path: str, page: Callable[[Visit], Response]) -> Route:
    """A page to which a form is sent."""
    return Route(path, _on_thread(page), methods=["POST"])


def uploaded(path: str, page: Callable[[Visit], Response]) -> Route:
    """A page to which a file is sent, which may take its time."""

    async def answer(request: Request) -> Response:
        return await on_lane(request, lambda asked: page(Visit.of(asked)))

    return Route(path, answer, methods=["POST"])


def _on_thread(page: Callable[[Visit], Response]) -> Callable[[Request], Response]:
    @functools.wraps(page)
    def answer(request: Request) -> Response:
        return page(Visit.of(request))

    return answer
