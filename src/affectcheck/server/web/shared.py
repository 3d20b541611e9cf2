"""Answers that all visitors share, kept for a moment: in a rush one request asks, and the others are told what it was told.

What is written by this process is seen by the next request; what workers write, half a second later at most, or five
seconds while an answer is being made anew and many ask.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from starlette.requests import Request

from affectcheck.server.web import sessions

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping
    from datetime import datetime

    from affectcheck.server.portal import Portal

    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]
    Scope = MutableMapping[str, Any]
    App = Callable[[Scope, Receive, Send], Awaitable[None]]
    #: Path, and whether as gzip.
    Key = tuple[str, bool]

FRESH: Final = timedelta(seconds=0.5)
STALE: Final = timedelta(seconds=5)
_MOST: Final = 512
_BOARDS: Final = re.compile(r"(?:/api/v1)?/tracks/[a-z0-9-]{1,64}/board(?:\.(?:json|csv|tex))?")
#: Headers with which an answer is somebody's own, or depends on what the browser has.
_OWN: Final = frozenset({b"authorization", b"if-none-match", b"range"})


@dataclass(frozen=True)
class _Answer:
    """What visitors are told.

    Attributes:
        headers: of the answer, before those of the guard.
        body: its bytes.
        asked: when it was asked for.
        writes: of the database until then.
    """

    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    asked: datetime
    writes: int


class Shared:
    """Middleware within the guard, before boards.

    Args:
        app: what answers.
        portal: whose clock and database tell whether an answer still holds.
    """

    def __init__(self, app: App, *, portal: Portal) -> None:
        self._app, self._portal = app, portal
        self._answers: OrderedDict[Key, _Answer] = OrderedDict()
        self._asking: set[Key] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        key = self._key(scope)
        if key is None:
            await self._app(scope, receive, send)
            return
        known, now, writes = self._answers.get(key), self._portal.now(), self._portal.database.writes
        if known is not None and self._holds(known, key, now):
            await send({"type": "http.response.start", "status": 200, "headers": list(known.headers)})
            await send({"type": "http.response.body", "body": known.body})
            return
        first = key not in self._asking
        self._asking.add(key)
        try:
            await self._app(scope, receive, self._recorder(key, now, writes, send))
        finally:
            if first:
                self._asking.discard(key)

    def _key(self, scope: Scope) -> Key | None:
        """What is asked for, if all visitors are told the same."""
        if scope["type"] != "http" or scope["method"] != "GET" or not _BOARDS.fullmatch(scope["path"]):
            return None
        headers = dict(scope["headers"])
        if scope.get("query_string") or not _OWN.isdisjoint(headers):
            return None
        if b"cookie" in headers and sessions.login_of(Request(scope), self._portal.settings):
            return None
        return scope["path"], b"gzip" in headers.get(b"accept-encoding", b"")

    def _holds(self, known: _Answer, key: Key, now: datetime) -> bool:
        age = abs(now - known.asked)  # a clock that was set back tells nothing
        if age < FRESH and known.writes == self._portal.database.writes:
            return True
        return key in self._asking and age < STALE

    def _recorder(self, key: Key, now: datetime, writes: int, send: Send) -> Send:
        headers: list[tuple[bytes, bytes]] = []
        body = bytearray()
        kept = False

        async def recorded(message: Message) -> None:
            nonlocal kept
            if message["type"] == "http.response.start":
                headers[:] = message.get("headers", ())
                kept = message["status"] == 200 and all(name.lower() != b"set-cookie" for name, _ in headers)
            elif message["type"] == "http.response.body" and kept:
                body.extend(message.get("body", b""))
                if not message.get("more_body", False):
                    self._keep(key, _Answer(tuple(headers), bytes(body), now, writes))
            await send(message)

        return recorded

    def _keep(self, key: Key, answer: _Answer) -> None:
        self._answers[key] = answer
        self._answers.move_to_end(key)
        while len(self._answers) > _MOST:
            self._answers.popitem(last=False)
