"""A portal over HTTP, with what Python brings along alone."""

from __future__ import annotations

import hashlib
import http.client
import io
import json
import os
import time
import urllib.error
import urllib.request
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlencode, urlsplit

from affectcheck.atomic import whole_file
from affectcheck.errors import InputError
from affectcheck.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: The token of a program; no option has it, since command lines are seen by everyone.
TOKEN: Final = "AFFECTCHECK_TOKEN"  # noqa: S105  # the name of a variable
_API: Final = "/api/v1"
_BLOCK: Final = 1 << 18
_WAIT_S: Final = 60.0
#: Pauses before a lost request is sent again.
PAUSES_S: Final = (1.0, 2.0, 4.0, 8.0, 16.0)
_BUSY: Final = frozenset({502, 503, 504})
_LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")


class ProblemError(InputError):
    """What a portal refuses.

    Attributes:
        status: of HTTP.
    """

    status: int = 0

    @classmethod
    def of(cls, status: int, body: bytes) -> ProblemError:
        """From an answer; one that is of no portal is told by its status."""
        try:
            told = json.loads(body)
            texts = {name: str(told.get(name) or "") for name in ("what", "where", "expected", "cause", "code")}
        except (ValueError, AttributeError):
            texts = {"what": "", "where": "", "expected": "", "cause": "", "code": ""}
            told = {}
        what = texts.pop("what") or f"the server answered {status}, and not as a portal does"
        if told.get("again"):
            texts["cause"] = f"{texts['cause']}; again from {told['again']} on".removeprefix("; ")
        found = cls(what, **texts)
        found.status = status
        return found


class LostError(InputError):
    """A server that cannot be reached, or a connection that broke."""


@dataclass(frozen=True)
class Sent:
    """A file that is to be sent.

    Attributes:
        path: where it lies.
        query: beside its name.
        headers: beside its length.
        progress: told how many bytes of how many have gone.
        again: whether it may arrive twice without harm, and so is sent once more where the connection is lost.
    """

    path: Path
    query: Mapping[str, str]
    headers: Mapping[str, str]
    progress: Callable[[int, int], None] | None = None
    again: bool = True


@dataclass(frozen=True)
class Answer:
    """What a portal answers: its status, and its values or text."""

    status: int
    body: bytes

    def values(self) -> Any:
        """The values of JSON; None where there are none."""
        return json.loads(self.body) if self.body else None


class PortalClient:
    """A portal.

    Args:
        server: its address, such as ``https://challenge.example.org``.
        token: of a program; empty for what visitors may see.

    Raises:
        InputError: an address that is none, or a token that would go over the network in the clear.
    """

    def __init__(self, server: str, token: str = "") -> None:
        parts = urlsplit(server)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError(f"no address of a server: {server!r}", expected="https://…")
        if token and parts.scheme == "http" and parts.hostname not in _LOOPBACK:
            raise InputError(
                f"{server} would be sent the token without encryption",
                expected="an address that begins with https://",
                cause="everybody between could read it; on one machine, http://127.0.0.1 is taken",
            )
        self.server, self._token = server.rstrip("/"), token
        self._opener = urllib.request.build_opener(_Http, _Https, _NoRedirects)

    @classmethod
    def of(cls, server: str, *, needs_token: bool = True) -> PortalClient:
        """A portal with the token of the environment.

        Raises:
            InputError: there is none.
        """
        token = os.environ.get(TOKEN, "").strip()
        if needs_token and not token:
            raise InputError(
                "no token",
                expected=f"the environment variable {TOKEN}",
                cause="make one with `affectcheck portal login`, or on the portal's page of tokens",
            )
        return cls(server, token)

    def call(self, method: str, path: str, values: Any = None, query: Mapping[str, str] | None = None) -> Any:
        """Ask, and return the values of the answer.

        Raises:
            ProblemError: the portal refuses.
            LostError: it cannot be reached.
        """
        data = None if values is None else json.dumps(values).encode()
        headers = {} if data is None else {"Content-Type": "application/json"}
        return self._answer(method, path + _query(query), data, headers).values()

    def text(self, path: str) -> str:
        """The text of an answer."""
        return self._answer("GET", path, None, {}).body.decode()

    def send(self, method: str, path: str, sent: Sent) -> Answer:
        """Send a file.

        Raises:
            ProblemError: the portal refuses.
            LostError: it cannot be reached.
        """
        size = sent.path.stat().st_size
        headers = {"Content-Type": "application/octet-stream", "Content-Length": str(size), **sent.headers}
        query = _query({"file_name": sent.path.name, **sent.query})
        for pause in (*(PAUSES_S if sent.again else ()), None):
            try:
                with sent.path.open("rb") as file:
                    return self._answer(method, path + query, _Counted(file, size, sent.progress), headers)
            except (LostError, ProblemError) as error:
                if pause is None or (isinstance(error, ProblemError) and error.status not in _BUSY):
                    raise
            time.sleep(pause)
        raise AssertionError("unreachable")

    def download(self, path: str, target: Path) -> None:
        """Write an answer to a file, which is whole or not there."""
        request = self._request("GET", path, None, {})
        with whole_file(target) as partial, partial.open("wb") as file, self._opened(request) as answer:
            try:
                while block := answer.read(_BLOCK):
                    file.write(block)
            except (OSError, http.client.HTTPException) as error:
                raise self._lost(error) from error

    def _request(self, method: str, path: str, data: Any, headers: Mapping[str, str]) -> urllib.request.Request:
        all_headers = {"User-Agent": f"affectcheck/{__version__}", "Accept": "application/json, */*", **headers}
        if self._token:
            all_headers["Authorization"] = f"Bearer {self._token}"
        url = self.server + _API + path
        return urllib.request.Request(url, data=data, headers=all_headers, method=method)  # noqa: S310  # http alone

    def _opened(self, request: urllib.request.Request) -> Any:
        try:
            return self._opener.open(request, timeout=_WAIT_S)
        except urllib.error.HTTPError as error:
            with error:
                raise ProblemError.of(error.code, error.read(1 << 20)) from error
        except (OSError, http.client.HTTPException) as error:
            raise self._lost(error) from error

    def _answer(self, method: str, path: str, data: Any, headers: Mapping[str, str]) -> Answer:
        with self._opened(self._request(method, path, data, headers)) as answer:
            try:
                return Answer(answer.status, answer.read())
            except (OSError, http.client.HTTPException) as error:
                raise self._lost(error) from error

    def _lost(self, error: Exception) -> LostError:
        reason = getattr(error, "reason", None) or error
        return LostError(
            f"no answer from {self.server}: {reason}",
            expected="a portal at this address",
            cause="a typing mistake, a server that is not running, or a network that is",
        )


def digest_of(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def step(name: str) -> str:
    """A name as a step of a path."""
    return quote(name, safe="")


def _query(values: Mapping[str, str] | None) -> str:
    stated = {name: value for name, value in (values or {}).items() if value}
    return f"?{urlencode(stated)}" if stated else ""


class _Counted(io.RawIOBase):
    """A file that tells how much of it was read."""

    def __init__(self, file: IO[bytes], size: int, progress: Callable[[int, int], None] | None) -> None:
        super().__init__()
        self._file, self._size, self._progress, self._done = file, size, progress, 0

    def readable(self) -> bool:
        """It is."""
        return True

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        block = self._file.read(max(size, _BLOCK) if size >= 0 else size)
        self._done += len(block)
        if self._progress is not None:
            self._progress(self._done, self._size)
        return block


class _Patient:
    """A connection that still reads what the server said before it stopped listening, such as that a file is too large."""

    def send(self, data: Any) -> None:
        """Send; where the other side no longer takes anything, the answer says why."""
        with suppress(BrokenPipeError, ConnectionResetError):
            super().send(data)  # type: ignore[misc]


class _HttpConnection(_Patient, http.client.HTTPConnection):
    pass


class _HttpsConnection(_Patient, http.client.HTTPSConnection):
    pass


class _Http(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> Any:
        """Open by a patient connection."""
        return self.do_open(_HttpConnection, req)


class _Https(urllib.request.HTTPSHandler):
    def https_open(self, req: urllib.request.Request) -> Any:
        """Open by a patient connection."""
        return self.do_open(_HttpsConnection, req)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A token is for one server, and for none that this one names."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        """None is followed: the answer is told as it is."""
        return
