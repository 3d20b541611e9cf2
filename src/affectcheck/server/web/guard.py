"""What stands before everything else: hosts, origins, sizes and times of bodies, headers of answers, and no traceback."""

from __future__ import annotations

import logging
import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import anyio

from affectcheck.server.identifiers import new_id
from affectcheck.server.web import security

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, MutableMapping

    from affectcheck.server.portal import Portal

    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]
    Scope = MutableMapping[str, Any]
    App = Callable[[Scope, Receive, Send], Awaitable[None]]
    #: Status, sentence, what else is to be told, scope -> body and its media type.
    Teller = Callable[[int, str, str, Scope], tuple[bytes, str]]

KIB: Final = 1024
MIB: Final = 1024 * KIB
#: Bytes of a form, which is read as a whole; a track as TOML is the largest.
FORM_BYTES: Final = 512 * KIB
#: Bytes of labels, lists and packs of an organiser.
ORGANISER_BYTES: Final = 16 * 1024 * MIB
#: Seconds for the whole of a form, and for the next bytes of an upload.
FORM_SECONDS: Final = 20.0
UPLOAD_SECONDS: Final = 30.0
#: Bytes a second that an upload needs on average, once it has lasted a minute.
UPLOAD_RATE: Final = 1024
_GRACE_SECONDS: Final = 60.0
_UPLOADS: Final = re.compile(r"^/tracks/[^/]+/submit$|^/api/v1/.*/submissions/?$")
_ORGANISERS: Final = re.compile(r"^/organise/tracks/[^/]+/(labels|items|pack)$|^/api/v1/.*/(labels|items|pack)/?$")
_ACCESS: Final = logging.getLogger("affectcheck.server.access")
_LOG: Final = logging.getLogger("affectcheck.server.web")


class _CutOffError(Exception):
    """A body that is too long or too slow."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.sentence = status, sentence


@dataclass
class _Exchange:
    """What is known of a request on its way."""

    scope: Scope
    send: Send
    headers: tuple[tuple[bytes, bytes], ...]
    started: bool = False
    status: int = 0
    sent: int = 0
    cut_off: _CutOffError | None = None
    begun: float = field(default_factory=time.monotonic)


class Guard:
    """Middleware around the whole application.

    Args:
        app: what it guards.
        portal: whose settings count.
        tell: how a refusal is written.
    """

    def __init__(self, app: App, *, portal: Portal, tell: Teller) -> None:
        self._app, self._portal, self._tell = app, portal, tell
        self._headers = security.headers_of(portal.settings)
        self._hosts = security.hosts_of(portal.settings)
        self._scheme = "https" if portal.settings.https else "http"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        self._believe(scope)
        exchange = _Exchange(scope, send, self._headers)
        try:
            await self._answer(exchange, receive)
        finally:
            _access(exchange)

    def _believe(self, scope: Scope) -> None:
        """Let the client be whom a proxy of the settings names."""
        peer, port = scope.get("client") or ("-", 0)
        if peer in self._portal.settings.proxies:
            named = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
            scope["client"] = (security.client_of(peer, ",".join(named), self._portal.settings.proxies), port)

    async def _answer(self, exchange: _Exchange, receive: Receive) -> None:
        fault = self._fault(exchange.scope)
        if fault is not None:
            await self._refuse(exchange, *fault)
            return
        try:
            body = await self._body(exchange, receive)
            await self._app(exchange.scope, body, self._sender(exchange))
        except _CutOffError as error:
            await self._refuse(exchange, error.status, error.sentence)
        except Exception:  # noqa: BLE001  # whatever it is, people see a page and the log has the rest
            await self._incident(exchange)
        if exchange.cut_off is not None and not exchange.started:
            await self._refuse(exchange, exchange.cut_off.status, exchange.cut_off.sentence)

    def _fault(self, scope: Scope) -> tuple[int, str] | None:
        path = scope.get("raw_path") or b""
        too_large = security.header_fault(scope["headers"], path + scope.get("query_string", b""))
        if too_large:
            return 431, f"The request has {too_large}."
        if "\0" in scope["path"] or b"%00" in scope.get("query_string", b""):
            return 400, "The address has a character that no text has."
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        if headers.get("host", "").lower() not in self._hosts:
            return 421, f"This portal is at {self._portal.settings.address}, and answers under no other name."
        foreign = security.origin_fault(scope["method"], headers, scheme=self._scheme)
        if foreign:
            return 403, f"This is {foreign}; only pages of this portal may change something here."
        return _length_fault(headers, limit_of(scope["path"], self._portal.settings.limits.upload))

    async def _body(self, exchange: _Exchange, receive: Receive) -> Receive:
        """How the application reads: forms as a whole before it begins, uploads as they come."""
        path = exchange.scope["path"]
        most = limit_of(path, self._portal.settings.limits.upload)
        if streams(path):
            return _counted(exchange, receive, most)
        if exchange.scope["method"] in security.SAFE_METHODS:
            return receive
        return await _whole(receive, most)

    def _sender(self, exchange: _Exchange) -> Send:
        async def send(message: Message) -> None:
            if exchange.cut_off is not None and not exchange.started:
                return  # the true reason is told instead
            if message["type"] == "http.response.start":
                exchange.started, exchange.status = True, message["status"]
                given = {name for name, _ in message.get("headers", ())}
                message["headers"] = [
                    *message.get("headers", ()),
                    *(pair for pair in exchange.headers if pair[0] not in given),
                ]
            elif message["type"] == "http.response.body":
                exchange.sent += len(message.get("body", b""))
            await exchange.send(message)

        return send

    async def _refuse(self, exchange: _Exchange, status: int, sentence: str, more: str = "") -> None:
        if exchange.started:
            return
        exchange.cut_off = None
        body, media = self._tell(status, sentence, more, exchange.scope)
        send = self._sender(exchange)
        headers = [(b"content-type", media.encode()), (b"content-length", str(len(body)).encode())]
        if status in {400, 408, 413}:
            headers.append((b"connection", b"close"))  # what is still to come is not read
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if exchange.scope["method"] == "HEAD" else body})

    async def _incident(self, exchange: _Exchange) -> None:
        incident = new_id(self._portal.now())[-12:]
        _LOG.exception("incident %s: %s %s", incident, exchange.scope["method"], quote(exchange.scope["path"]))
        await self._refuse(
            exchange, 500, "Something went wrong on our side; it is written down.", f"Incident {incident}"
        )


def limit_of(path: str, upload: int) -> int:
    """Bytes that a request to a path may have."""
    if _UPLOADS.match(path):
        return upload + MIB  # the declaration and the frame of the form
    return ORGANISER_BYTES if _ORGANISERS.match(path) else FORM_BYTES


def streams(path: str) -> bool:
    """Whether a body is read as it comes."""
    return bool(_UPLOADS.match(path) or _ORGANISERS.match(path))


def _length_fault(headers: Mapping[str, str], most: int) -> tuple[int, str] | None:
    if "content-length" in headers and "transfer-encoding" in headers:
        return 400, "The request states its length in two ways, which a proxy may read as two requests."
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()) or int(length) > most:
        return 413, too_long(most)
    return None


def too_long(most: int) -> str:
    """What is told of a body that is too long."""
    size = f"{most // MIB} MiB" if most >= MIB else f"{most // KIB} KiB"
    return f"The request is longer than the {size} ({most} bytes) that are taken here."


def _counted(exchange: _Exchange, receive: Receive, most: int) -> Receive:
    seen, begun = 0, 0.0

    async def counted() -> Message:
        nonlocal seen, begun
        begun = begun or time.monotonic()  # what waited for a lane was not slow
        try:
            with anyio.fail_after(UPLOAD_SECONDS):
                message = await receive()
        except TimeoutError:
            exchange.cut_off = _CutOffError(408, f"No byte came for {UPLOAD_SECONDS:.0f} seconds.")
            raise exchange.cut_off from None
        seen += len(message.get("body", b""))
        lasted = time.monotonic() - begun
        if seen > most:
            exchange.cut_off = _CutOffError(413, too_long(most))
        elif lasted > _GRACE_SECONDS and seen < lasted * UPLOAD_RATE and message.get("more_body", False):
            exchange.cut_off = _CutOffError(408, f"The upload is slower than {UPLOAD_RATE} bytes a second.")
        if exchange.cut_off is not None:
            raise exchange.cut_off
        return message

    return counted


async def _whole(receive: Receive, most: int) -> Receive:
    found = bytearray()
    more = True
    try:
        with anyio.fail_after(FORM_SECONDS):
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    break
                found += message.get("body", b"")
                more = message.get("more_body", False)
                if len(found) > most:
                    raise _CutOffError(413, too_long(most))
    except TimeoutError:
        raise _CutOffError(408, f"The request did not end within {FORM_SECONDS:.0f} seconds.") from None
    told = False

    async def again() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": bytes(found), "more_body": False}

    return again


def _access(exchange: _Exchange) -> None:
    """One line a request, without its query, in which codes of letters stand."""
    scope = exchange.scope
    client = (scope.get("client") or ("-",))[0]
    took = (time.monotonic() - exchange.begun) * 1000
    _ACCESS.info(
        "%s %s %s %d %d %.1f", client, scope["method"], quote(scope["path"]), exchange.status, exchange.sent, took
    )
