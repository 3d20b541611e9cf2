"""Files on their way in: a form of several parts, read once, block by block, with its texts before its file."""

from __future__ import annotations

from collections import Counter, deque
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread
from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header

from affectcheck.server.accounts.tokens import actor_of_token
from affectcheck.server.faults import RefusedError
from affectcheck.server.web import sessions

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from starlette.requests import Request

T = TypeVar("T")
#: Uploads that are read at once; others wait before their first byte, and take no thread from pages.
LANES: Final = 64
#: Of them one account may hold, lest it holds all by sending nothing.
LANES_EACH: Final = 4
_FIELD_BYTES: Final = 64 * 1024
_FIELDS: Final = 40


@dataclass
class _Lanes:
    """Lanes of all, and of each account that has an upload on its way."""

    all: anyio.CapacityLimiter
    own: dict[str, anyio.Semaphore] = field(default_factory=dict)
    held: Counter[str] = field(default_factory=Counter)


async def on_lane(request: Request, work: Callable[[Request], T]) -> T:
    """Do work that reads an upload on a thread that no page needs; of one account few at once, the next ones wait."""
    lanes: _Lanes | None = getattr(request.app.state, "lanes", None)
    if lanes is None:
        lanes = request.app.state.lanes = _Lanes(anyio.CapacityLimiter(LANES))
    who = await anyio.to_thread.run_sync(_who, request)
    lanes.held[who] += 1
    try:
        async with lanes.own.setdefault(who, anyio.Semaphore(LANES_EACH)):
            return await anyio.to_thread.run_sync(work, request, limiter=lanes.all)
    finally:
        lanes.held[who] -= 1
        if not lanes.held[who]:
            del lanes.held[who], lanes.own[who]


def _who(request: Request) -> str:
    """The account that sends; of visitors, who are refused at once, the address."""
    portal = request.app.state.portal
    kind, _, secret = request.headers.get("authorization", "").partition(" ")
    actor = sessions.actor_of(request, portal)
    with suppress(RefusedError):
        actor = actor_of_token(portal, secret.strip()) if kind.lower() == "bearer" else actor
    return actor.id if actor.known else f"from {request.client.host if request.client else '-'}"


@dataclass
class _Part:
    name: str = ""
    file_name: str | None = None
    value: bytearray = field(default_factory=bytearray)


class Upload:
    """An upload of a browser, read on a thread beside the loop.

    Attributes:
        fields: texts that came before the file.
        file_name: what the file is called where it comes from; empty where none was chosen.
    """

    def __init__(self, request: Request) -> None:
        media, options = parse_options_header(request.headers.get("content-type", ""))
        if media != b"multipart/form-data" or not options.get(b"boundary"):
            raise RefusedError("not a form with a file", code="E_NOT_A_FORM", expected="multipart/form-data")
        self.fields: dict[str, str] = {}
        self.file_name = ""
        self._part, self._header = _Part(), (bytearray(), bytearray())
        self._headers: dict[bytes, bytes] = {}
        self._blocks: deque[bytes] = deque()
        self._in_file, self._file_seen, self._ended, self._complete = False, False, False, False
        self._parser = MultipartParser(options[b"boundary"], self._callbacks())
        self._stream: AsyncIterator[bytes] = request.stream().__aiter__()

    def read_fields(self) -> None:
        """Read until the file begins.

        Raises:
            RefusedError: a form that cannot be read.
        """
        while not self._file_seen and self._read_more():
            pass

    def blocks(self) -> Iterator[bytes]:
        """The bytes of the file."""
        while self._blocks or (not self._ended and self._read_more()):
            while self._blocks:
                yield self._blocks.popleft()

    def _read_more(self) -> bool:
        try:
            block = anyio.from_thread.run(_next, self._stream)
            if block is None:
                self._ended = True
                self._require_whole()
                return False
            self._parser.write(block)
        except MultipartParseError as error:
            raise _broken() from error
        return True

    def _require_whole(self) -> None:
        """What breaks off is no shorter file."""
        self._parser.finalize()
        if not self._complete:
            raise _broken()

    def _callbacks(self) -> Any:
        return {
            "on_part_begin": self._begin,
            "on_header_field": lambda data, start, end: self._header[0].extend(data[start:end]),
            "on_header_value": lambda data, start, end: self._header[1].extend(data[start:end]),
            "on_header_end": self._end_header,
            "on_headers_finished": self._end_headers,
            "on_part_data": self._data,
            "on_part_end": self._end,
            "on_end": self._finish,
        }

    def _finish(self) -> None:
        self._complete = True

    def _begin(self) -> None:
        self._part, self._headers = _Part(), {}

    def _end_header(self) -> None:
        self._headers[bytes(self._header[0]).lower()] = bytes(self._header[1])
        self._header = (bytearray(), bytearray())

    def _end_headers(self) -> None:
        _, options = parse_options_header(self._headers.get(b"content-disposition", b""))
        self._part.name = options.get(b"name", b"").decode("utf-8", "replace")
        if b"filename" not in options:
            return
        if self._file_seen:
            raise RefusedError("two files in one form", code="E_TWO_FILES", expected="one file; zip them")
        self._file_seen = self._in_file = True
        self.file_name = options[b"filename"].decode("utf-8", "replace")

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._in_file:
            self._blocks.append(data[start:end])
            return
        self._part.value += data[start:end]
        if len(self._part.value) > _FIELD_BYTES or len(self.fields) >= _FIELDS:
            raise RefusedError(
                "a form with too much text", code="E_TOO_LARGE", expected=f"{_FIELD_BYTES} bytes a field"
            )

    def _end(self) -> None:
        if self._in_file:
            self._in_file = False
        elif not self._file_seen:  # texts behind the file come too late to be heeded
            self.fields[self._part.name] = bytes(self._part.value).decode("utf-8", "replace").replace("\0", "")


def _broken() -> RefusedError:
    return RefusedError(
        "a form that breaks off or cannot be read",
        code="E_NOT_A_FORM",
        expected="the whole of it",
        cause="a connection that was lost; send it once more",
    )


async def _next(stream: AsyncIterator[bytes]) -> bytes | None:
    while (block := await anext(stream, None)) == b"":
        pass
    return block
