"""A server as a model: each clip is posted to it as a WAV file, each picture as a PNG file, and it answers with JSON.

``http://HOST:PORT/PATH?labels=anger,neutral``; what stands behind the last question mark are our options, so an address
with a query of its own ends in a second one. The answer is a JSON value (see ``answers``).

| answer of the server | what becomes of the clip |
|---|---|
| 200 to 299 | its body is read |
| 400, 413, 415, 422 | no prediction for this clip; the others are not touched |
| 408, 425, 429, 500 to 599, no answer in time | tried again, later each time, and as the server asks by Retry-After; then no prediction |
| 300 to 399, 401, 403, 404, 405, any other | the run ends: the address, or what it takes, is another |
| no connection | tried again; then the run ends |
"""

from __future__ import annotations

import http.client
import os
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import urlsplit

import numpy as np

from affectcheck.annotations.listing import plural
from affectcheck.digest import digest_bytes
from affectcheck.errors import InputError, ModelError
from affectcheck.models.answers import SERVER, read_answer
from affectcheck.models.declaring import Declared, declared_card, positive, require_known
from affectcheck.models.handing import AS_SOUND, HANDING_OPTIONS, Handing, handing
from affectcheck.models.options import SOURCE, WHAT_IT_RETURNS, Option, describe
from affectcheck.models.python_model import ModelRaisedError
from affectcheck.models.registry import MODELS, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.media.clip import Image, Item
    from affectcheck.models.card import ModelCard

TIMEOUT_S: Final = 60.0
_STATED: Final = (
    *WHAT_IT_RETURNS,
    Option("timeout_s", "seconds for one answer", f"{TIMEOUT_S:g}"),
    Option("retries", "further tries where the server is busy or does not answer in time", "3"),
    Option("wait_s", "seconds before the first further try, doubled each time; Retry-After goes before it", "0.5"),
    *HANDING_OPTIONS,
    Option("token_from", "environment variable with a token, sent as Authorization: Bearer; recorded nowhere"),
    Option("version", "whatever changes when the server's model does: part of what predictions are kept under"),
)
_ADDRESS: Final = "address without its scheme; a query of its own ends in a second question mark"
_OPTIONS: Final = describe("http", Option(SOURCE, f"{_ADDRESS}: //HOST:PORT/PATH", needed="yes"), *_STATED)
describe("https", Option(SOURCE, f"{_ADDRESS}: //HOST/PATH", needed="yes"), *_STATED)
#: Clips that a server may fail on before it has answered any.
IN_VAIN: Final = 3
LONGEST_WAIT_S: Final = 60.0
LARGEST_ANSWER: Final = 1_000_000  # bytes
_PART: Final = 65_536
_OF_THE_CLIP: Final = frozenset({400, 413, 415, 422})
_PASSING: Final = frozenset({408, 425, 429})
NOTE: Final = (
    "a server: its digest is that of its address, since its model cannot be seen; where that has changed, predictions "
    "must be made afresh, or ?version= stated anew"
)


@dataclass(frozen=True)
class HttpModel:
    """A server as a model.

    Attributes:
        url: where clips are posted to.
        card: what it returns.
        timeout_s: seconds for one answer.
        retries: further tries.
        wait_s: before the first of them.
        handing: how items are handed over.
        token_from: environment variable that holds a token; empty for none.
    """

    url: str
    card: ModelCard
    timeout_s: float = TIMEOUT_S
    retries: int = 3
    wait_s: float = 0.5
    handing: Handing = AS_SOUND
    token_from: str = ""
    _own: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        """Post each clip.

        Raises:
            ModelRaisedError: the server refuses a clip, or gave no answer after the last try.
            ModelError: there is no server, it takes no clips there, or it answers with other classes than declared.
        """
        return np.array([self._one(item) for item in items]).reshape(len(items), len(self.card.parts))

    def received(self, image: Image) -> np.ndarray:
        """What the file shows of a picture."""
        return self.handing.input.seen(image)

    def _one(self, item: Item) -> np.ndarray:
        where = f"model {self.card.name!r}, item {item.key!r}"
        body = self.handing.content(item)
        for number_of_try in range(self.retries + 1):
            answer = self._post(body)
            if answer.kind != "again" or number_of_try == self.retries:
                break
            time.sleep(min(answer.wait_s or self.wait_s * 2**number_of_try, LONGEST_WAIT_S))
        if answer.kind == "done":
            self._own["answered"] = True
            return read_answer(answer.text, self.card, where=where, cause=SERVER)
        if answer.kind == "clip":
            self._own["answered"] = True
            raise ModelRaisedError(answer.told, where=where, expected="a prediction", cause="a clip it does not take")
        if answer.kind == "again" and answer.by != "nobody":
            raise self._busy(answer, where)
        raise ModelError(
            answer.told,
            where=f"{where}, {self.url}",
            expected=f"a server that takes a POST of {self.handing.content_type} there and answers with JSON",
            cause="another address, a token that is missing (?token_from=), or a server that is not running",
        )

    def _busy(self, answer: _Answer, where: str) -> ModelError:
        """A fault of this clip; the end of the run where a server has not answered for any of the first clips."""
        in_vain = self._own["in vain"] = self._own.get("in vain", 0) + 1
        told = f"{answer.told}; tried {plural(self.retries + 1, 'time')}"
        cause = "a server that is overloaded, or that fails on this clip"
        if in_vain < IN_VAIN or self._own.get("answered"):
            return ModelRaisedError(told, where=where, expected="a prediction", cause=cause)
        return ModelError(
            f"the server answered none of the first {in_vain} clips; the last time: {told}",
            where=f"{where}, {self.url}",
            expected="a server that answers with JSON",
            cause="a server that is overloaded or broken; see its own log. ?timeout_s= and ?retries= give it more time",
        )

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_own": {}}

    def _post(self, body: bytes) -> _Answer:
        request = urllib.request.Request(self.url, data=body, headers=self._headers(), method="POST")  # noqa: S310  # http or https, checked when loaded
        try:
            with _OPENER.open(request, timeout=self.timeout_s) as response:
                text = self._body(response)
        except urllib.error.HTTPError as error:
            return _of_status(error)
        except (OSError, http.client.HTTPException) as error:
            return self._failed(error)
        if len(text) > LARGEST_ANSWER:
            return _Answer("end", f"an answer of more than {LARGEST_ANSWER} bytes")
        return _Answer("done", text.decode("utf-8", "replace"))

    def _failed(self, error: Exception) -> _Answer:
        """What became of a try that brought no answer."""
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        if isinstance(reason, TimeoutError):
            return _Answer("again", f"no answer within {self.timeout_s:g} s", by="connection")
        if reason is not error:
            return _Answer("again", f"no connection: {reason}", by="nobody")
        told = f"{type(error).__name__}: {str(error).strip()}".removesuffix(": ")
        if isinstance(error, OSError | http.client.IncompleteRead):  # it broke while it was read
            return _Answer("again", f"the connection broke: {told}", by="connection")
        return _Answer("end", f"an answer that is no HTTP: {told}", by="connection")

    def _body(self, response: http.client.HTTPResponse) -> bytes:
        """The answer, all of which has to come in time: each part of one that drips would renew the socket's limit."""
        text, end = b"", time.monotonic() + self.timeout_s
        while len(text) <= LARGEST_ANSWER and (part := response.read1(_PART)):
            text += part
            if time.monotonic() > end:
                raise TimeoutError
        if response.length and len(text) <= LARGEST_ANSWER:
            raise http.client.IncompleteRead(text, response.length)
        return text

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": self.handing.content_type, "Accept": "application/json"}
        if self.token_from:
            headers["Authorization"] = f"Bearer {_token(self.token_from)}"
        return headers


@dataclass(frozen=True)
class _Answer:
    """What became of one try.

    Attributes:
        kind: ``done``; ``clip``: refused for what it is; ``again``: to be tried again; ``end``: not to be had there.
        text: what the server said, or what happened.
        wait_s: as the server asks.
        by: who says it: the ``server``, or our end of the ``connection``; ``nobody`` where there was none.
    """

    kind: Literal["done", "clip", "again", "end"]
    text: str
    wait_s: float = 0.0
    by: Literal["server", "connection", "nobody"] = "server"

    @property
    def told(self) -> str:
        """The text, with who says it."""
        return f"the server says: {self.text}" if self.by == "server" else self.text


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A clip that is posted is not to arrive elsewhere as a question without it."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


_OPENER: Final = urllib.request.build_opener(_NoRedirects)


def _of_status(error: urllib.error.HTTPError) -> _Answer:
    with error:
        said = error.read(200).decode("utf-8", "replace").strip()
    target = error.headers.get("Location", "")
    parts = (f"{error.code} {_phrase(error.code)}".strip(), f"to {target}" if target else "", said)
    told = ": ".join(part for part in parts if part)
    if error.code in _OF_THE_CLIP:
        return _Answer("clip", told)
    if error.code in _PASSING or error.code >= 500:
        asked = error.headers.get("Retry-After", "")
        return _Answer("again", told, float(asked) if asked.isdecimal() else 0.0)
    return _Answer("end", told)


def _phrase(code: int) -> str:
    try:
        return HTTPStatus(code).phrase
    except ValueError:
        return ""


def _token(name: str) -> str:
    found = os.environ.get(name, "")
    if not found:
        raise ModelError(f"the environment has no {name}", expected="a token in it", cause="?token_from= names another")
    return found


@MODELS.register("http")
def load_http_model(source: str, **options: Any) -> HttpModel:
    """Post each clip or picture as a file to a server that answers with JSON: http://HOST:PORT/PATH.

    Args:
        source: the address, without its scheme.
        **options: as described above.

    Raises:
        InputError: an option is unknown, or the classes or dimensions are not declared.
    """
    return _load(f"http:{source}", options)


@MODELS.register("https")
def load_https_model(source: str, **options: Any) -> HttpModel:
    """Post each clip or picture as a file to a server that answers with JSON: https://HOST/PATH.

    Args:
        source: the address, without its scheme.
        **options: as described above.

    Raises:
        InputError: an option is unknown, or the classes or dimensions are not declared.
    """
    return _load(f"https:{source}", options)


def _load(url: str, options: dict[str, Any]) -> HttpModel:
    parts = urlsplit(url)
    if not parts.hostname:
        raise InputError(f"not an address: {url!r}", expected="http://HOST:PORT/PATH, then ?labels=… or ?dimensions=…")
    if parts.username or parts.password:
        raise InputError("the address holds a password", expected="?token_from=VARIABLE", cause="it would be recorded")
    require_known(options, _OPTIONS, where=url)
    how = handing(options, where=url)
    retries, token_from = whole("retries", options.get("retries", 3)), str(options.get("token_from", ""))
    if token_from:
        _token(token_from)
    told = digest_bytes("http", url, how.digest, str(options.get("version", "")))
    found = Declared(parts.netloc + parts.path, digest=told, notes=(NOTE, *how.notes), media=(how.medium,))
    card = declared_card(options, found, where=url)
    return HttpModel(
        url,
        card,
        timeout_s=positive(options, "timeout_s", TIMEOUT_S, where=url),
        retries=retries,
        wait_s=positive(options, "wait_s", 0.5, where=url),
        handing=how,
        token_from=token_from,
    )
