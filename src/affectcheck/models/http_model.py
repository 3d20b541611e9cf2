"""A server as a model: each clip is posted to it as a WAV file, and it answers with JSON.

``http://HOST:PORT/PATH?labels=anger,neutral``; what stands behind the last question mark are our options, so an address
with a query of its own ends in a second one. The answer is a JSON value (see ``answers``).

| answer of the server | what becomes of the clip |
|---|---|
| 200 to 299 | its body is read |
| 400, 413, 415, 422 | no prediction for this clip; the others are not touched |
| 408, 425, 429, 500 to 599, no answer in time | tried again, later each time, and as the server asks by Retry-After; then no prediction |
| 300 to 399, 401, 403, 404, 405, any other | the run ends: the address, or what it takes, is another |
| no connection | tried again; then the run ends |

| option | meaning |
|---|---|
| ``labels`` or ``dimensions`` | what it returns; ``output``, ``low``, ``high``, ``rate_hz``, ``name`` as elsewhere |
| ``timeout_s`` | seconds for one answer, 60 by default |
| ``retries`` | further tries, 3 by default; ``wait_s``: before the first of them, 0.5 by default, doubled each time |
| ``encoding`` | of the WAV files: ``pcm16``, or ``float32``, which loses nothing |
| ``token_from`` | environment variable with a token, sent as ``Authorization: Bearer`` |
| ``version`` | whatever changes when the server's model does: it is part of what predictions are kept under |
"""

from __future__ import annotations

import os
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import urlsplit

import numpy as np

from affectcheck.digest import digest_bytes
from affectcheck.errors import InputError, ModelError
from affectcheck.models.answers import read_answer
from affectcheck.models.declaring import DECLARED, Declared, chosen, declared_card, positive, require_known
from affectcheck.models.python_model import ModelRaisedError
from affectcheck.models.registry import MODELS, number
from affectcheck.models.waveform import ENCODINGS, wav_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.media.clip import Item
    from affectcheck.models.card import ModelCard

_OPTIONS: Final = (*DECLARED, "timeout_s", "retries", "wait_s", "encoding", "token_from", "version")
TIMEOUT_S: Final = 60.0
LONGEST_WAIT_S: Final = 60.0
LARGEST_ANSWER: Final = 1_000_000  # bytes
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
        encoding: of the WAV files.
        token_from: environment variable that holds a token; empty for none.
    """

    url: str
    card: ModelCard
    timeout_s: float = TIMEOUT_S
    retries: int = 3
    wait_s: float = 0.5
    encoding: str = "pcm16"
    token_from: str = ""

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        """Post each clip.

        Raises:
            ModelRaisedError: the server refuses a clip, or gave no answer after the last try.
            ModelError: there is no server, it takes no clips there, or it answers with other classes than declared.
        """
        return np.array([self._one(item) for item in items]).reshape(len(items), len(self.card.parts))

    def _one(self, item: Item) -> np.ndarray:
        where = f"model {self.card.name!r}, item {item.key!r}"
        body = wav_bytes(item.audio, self.encoding)
        for number_of_try in range(self.retries + 1):
            answer = self._post(body)
            if answer.kind != "again" or number_of_try == self.retries:
                break
            time.sleep(min(answer.wait_s or self.wait_s * 2**number_of_try, LONGEST_WAIT_S))
        if answer.kind == "done":
            return read_answer(answer.text, self.card, where=where)
        if answer.kind == "clip" or (answer.kind == "again" and not answer.unreachable):
            raise ModelRaisedError(
                f"the server says: {answer.text}", where=where, expected="a prediction", cause="a clip it does not take"
            )
        raise ModelError(
            f"the server says: {answer.text}" if not answer.unreachable else f"no connection: {answer.text}",
            where=f"{where}, {self.url}",
            expected="a server that takes a POST of audio/wav there and answers with JSON",
            cause="another address, a token that is missing (?token_from=), or a server that is not running",
        )

    def _post(self, body: bytes) -> _Answer:
        request = urllib.request.Request(self.url, data=body, headers=self._headers(), method="POST")  # noqa: S310  # http or https, checked when loaded
        try:
            with _OPENER.open(request, timeout=self.timeout_s) as response:
                text = response.read(LARGEST_ANSWER + 1)
        except urllib.error.HTTPError as error:
            return _of_status(error)
        except TimeoutError:
            return _Answer("again", f"no answer within {self.timeout_s:g} s")
        except urllib.error.URLError as error:
            late = isinstance(error.reason, TimeoutError)
            told = f"no answer within {self.timeout_s:g} s" if late else str(error.reason)
            return _Answer("again", told, unreachable=not late)
        except OSError as error:  # the connection broke while it was read
            return _Answer("again", str(error) or type(error).__name__)
        if len(text) > LARGEST_ANSWER:
            return _Answer("end", f"an answer of more than {LARGEST_ANSWER} bytes")
        return _Answer("done", text.decode("utf-8", "replace"))

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "audio/wav", "Accept": "application/json"}
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
        unreachable: there was no connection.
    """

    kind: Literal["done", "clip", "again", "end"]
    text: str
    wait_s: float = 0.0
    unreachable: bool = False


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
    """Post each clip as a WAV file to a server that answers with JSON: http://HOST:PORT/PATH.

    Args:
        source: the address, without its scheme.
        **options: as the documentation lists them under "Models of others".

    Raises:
        InputError: an option is unknown, or the classes or dimensions are not declared.
    """
    return _load(f"http:{source}", options)


@MODELS.register("https")
def load_https_model(source: str, **options: Any) -> HttpModel:
    """Post each clip as a WAV file to a server that answers with JSON: https://HOST/PATH.

    Args:
        source: the address, without its scheme.
        **options: as the documentation lists them under "Models of others".

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
    encoding = chosen(options, "encoding", ENCODINGS, where=url)
    retries, token_from = number("retries", options.get("retries", 3)), str(options.get("token_from", ""))
    if retries < 0 or retries != int(retries):
        raise InputError(f"option 'retries' is {retries:g}", where=url, expected="a whole number from 0 on")
    if token_from:
        _token(token_from)
    told = digest_bytes("http", url, encoding, str(options.get("version", "")))
    card = declared_card(options, Declared(parts.netloc + parts.path, digest=told, notes=(NOTE,)), where=url)
    return HttpModel(
        url,
        card,
        timeout_s=positive(options, "timeout_s", TIMEOUT_S, where=url),
        retries=int(retries),
        wait_s=positive(options, "wait_s", 0.5, where=url),
        encoding=encoding,
        token_from=token_from,
    )
