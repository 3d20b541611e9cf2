"""Boards that are kept as they were made, until the version of their track grows or a phase begins or ends."""

from __future__ import annotations

import gzip
import hashlib
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import sqlalchemy as sa
from starlette.responses import Response

from affectcheck.server.storage.tables import contest, event

#: Anything that is another one when the page is.
Version: TypeAlias = tuple[object, ...]

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from starlette.requests import Request

    from affectcheck.server.portal import Portal

_MOST: Final = 512
_SMALL: Final = 1024  # bytes that are sent as they are


@dataclass(frozen=True)
class Page:
    """A body that is kept.

    Attributes:
        body, packed: its bytes, and these as gzip.
        media: its type.
        tag: by which a browser knows that it has it.
        until: when it no longer holds, whatever the version; None for never.
    """

    body: bytes
    packed: bytes
    media: str
    tag: str
    until: datetime | None

    @classmethod
    def of(cls, text: str, media: str, until: datetime | None) -> Page:
        """A page from its text."""
        body = text.encode()
        return cls(body, gzip.compress(body, 6, mtime=0), media, hashlib.sha256(body).hexdigest()[:24], until)

    def answer(self, request: Request, *, public: bool) -> Response:
        """The answer to a request; without a body where the browser has it."""
        headers = {
            "etag": f'"{self.tag}"',
            "cache-control": "public, no-cache" if public else "private, no-cache",
            "vary": "Accept-Encoding, Cookie, Authorization",
        }
        known = {tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")}
        if f'"{self.tag}"' in known or "*" in known:
            return Response(status_code=304, headers=headers)
        if len(self.body) > _SMALL and "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            return Response(self.packed, headers=headers, media_type=self.media)
        return Response(self.body, headers=headers, media_type=self.media)


class Kept:
    """Pages by what they show and to whom; of many that ask for a new one at once, one makes it."""

    def __init__(self) -> None:
        self._pages: OrderedDict[tuple[str, ...], tuple[Version, Page]] = OrderedDict()
        self._makers: dict[tuple[str, ...], threading.Lock] = {}
        self._lock = threading.Lock()

    def page(self, key: tuple[str, ...], version: Version, now: datetime, make: Callable[[], Page]) -> Page:
        """A page of a version, made if it is not kept."""
        found = self._find(key, version, now)
        if found is not None:
            return found
        with self._lock:
            maker = self._makers.setdefault(key, threading.Lock())
        with maker:
            found = self._find(key, version, now)
            if found is None:
                found = make()
                self._keep(key, version, found)
        return found

    def _find(self, key: tuple[str, ...], version: Version, now: datetime) -> Page | None:
        with self._lock:
            known = self._pages.get(key)
            if known is None or known[0] != version:
                return None
            if known[1].until is not None and now >= known[1].until:
                return None
            self._pages.move_to_end(key)
            return known[1]

    def _keep(self, key: tuple[str, ...], version: Version, page: Page) -> None:
        with self._lock:
            self._pages[key] = version, page
            self._pages.move_to_end(key)
            while len(self._pages) > _MOST:
                gone, _ = self._pages.popitem(last=False)
                self._makers.pop(gone, None)


_STATE: Final = sa.select(contest.c.version, event.c.title).join(event, event.c.id == contest.c.event)


def public_version(portal: Portal, slug: str) -> Version | None:
    """What tells old pages of a track from new ones, where everyone may see it; None where there is none."""
    seen = (contest.c.slug == slug) & contest.c.published & event.c.published
    with portal.database.read() as connection:
        row = connection.execute(_STATE.where(seen)).first()
    return None if row is None else (row.version, row.title)
