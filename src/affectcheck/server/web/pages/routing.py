"""How a page becomes a route: a function of a visit, on a thread beside the loop."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from starlette.routing import Route

from affectcheck.server.web.uploads import on_lane
from affectcheck.server.web.visits import Visit

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request
    from starlette.responses import Response


def shown(path: str, page: Callable[[Visit], Response]) -> Route:
    """A page that is looked at."""
    return Route(path, _on_thread(page), methods=["GET"])


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
