"""A server on this machine that answers as it is told to."""

from __future__ import annotations

import io
import json
import pickle
import threading
import time
import wave
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from affectcheck.errors import InputError, ModelError, UnknownNameError
from affectcheck.media.clip import Clip, Item
from affectcheck.models import ModelRaisedError, load_model
from affectcheck.models.http_model import HttpModel

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass
class Script:
    """Answers of the next requests; when there are no more, the mean of the clip."""

    port: int = 0
    answers: list[tuple[int, dict[str, str], bytes]] = field(default_factory=list)
    seen: list[Any] = field(default_factory=list)
    delay_s: float = 0.0

    def url(self, options: str = "dimensions=arousal,valence", path: str = "/predict") -> str:
        return f"http://127.0.0.1:{self.port}{path}?{options}&wait_s=0.01"


@pytest.fixture
def script() -> Iterator[Script]:
    told = Script()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            told.seen.append((self.path, dict(self.headers), body))
            if told.answers:
                status, headers, answer = told.answers.pop(0)
            else:
                with wave.open(io.BytesIO(body)) as file:
                    samples = np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768
                status, headers = 200, {}
                answer = json.dumps({"arousal": samples.mean(), "valence": samples.max()}).encode()
            if told.delay_s:
                time.sleep(told.delay_s)
            try:
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if "Content-Length" not in headers:
                    self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                if "Drip" not in headers:
                    self.wfile.write(answer)
                    return
                for n in range(len(answer)):
                    self.wfile.write(answer[n : n + 1])
                    self.wfile.flush()
                    time.sleep(float(headers["Drip"]))
            except OSError:
                return

        def log_message(self, *_: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield told
    server.shutdown()
    server.server_close()
    thread.join()


def item(*samples: float, key: str = "a") -> Item:
    return Item(key, {"audio": Clip(np.array(samples, np.float32), 16_000)})


def loaded(text: str) -> HttpModel:
    model = load_model(text)
    assert isinstance(model, HttpModel)
    return model


def test_each_clip_is_posted_as_a_wav_file(script: Script) -> None:
    model = loaded(script.url())
    assert model.predict([item(0.5, 0.0), item(0.25)]).tolist() == [[0.25, 0.5], [0.25, 0.25]]
    path, headers, body = script.seen[0]
    assert (path, headers["Content-Type"], body[:4]) == ("/predict", "audio/wav", b"RIFF")
    assert "Authorization" not in headers
    assert model.card.name == f"127.0.0.1:{script.port}/predict"
    assert pickle.loads(pickle.dumps(model)).predict([item(0.25)]).tolist() == [[0.25, 0.25]]


def test_an_address_may_have_a_query_of_its_own(script: Script) -> None:
    loaded(script.url(path="/predict?model=best")).predict([item(0.5)])
    assert script.seen[0][0] == "/predict?model=best"


@pytest.mark.parametrize("status", [429, 500, 503, 408])
def test_a_server_that_is_busy_is_asked_again(script: Script, status: int) -> None:
    script.answers = [(status, {}, b"busy"), (status, {}, b"busy")]
    assert loaded(script.url()).predict([item(0.5)]).tolist() == [[0.5, 0.5]]
    assert len(script.seen) == 3


def test_a_server_that_stays_busy_has_no_prediction_for_the_clip(script: Script) -> None:
    script.answers = [(503, {}, b"busy")] * 9
    with pytest.raises(ModelRaisedError, match="503 Service Unavailable: busy"):
        loaded(script.url("dimensions=arousal&retries=1")).predict([item(0.5)])
    assert len(script.seen) == 2


def test_it_waits_as_long_as_the_server_asks(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr("affectcheck.models.http_model.time.sleep", waited.append)
    later = {"Retry-After": "7"}
    script.answers = [(503, later, b""), (503, {"Retry-After": "99999"}, b""), (503, {"Retry-After": "soon"}, b"")]
    loaded(script.url()).predict([item(0.5)])
    assert waited == [7.0, 60.0, 0.04]


@pytest.mark.parametrize("status", [400, 413, 415, 422])
def test_a_clip_that_is_refused_is_a_fault_of_the_clip(script: Script, status: int) -> None:
    script.answers = [(status, {}, b"too short")]
    model = loaded(script.url())
    with pytest.raises(ModelRaisedError, match="too short"):
        model.predict([item(0.5, key="bad")])
    assert model.predict([item(0.5)]).tolist() == [[0.5, 0.5]]
    assert len(script.seen) == 2


@pytest.mark.parametrize(
    ("status", "headers", "told"),
    [
        (401, {}, "401 Unauthorized"),
        (404, {}, "404 Not Found"),
        (302, {"Location": "http://127.0.0.1:9/elsewhere"}, "302 Found: to http://127.0.0.1:9/elsewhere"),
        (499, {}, "the server says: 499"),
    ],
)
def test_another_address_than_the_model_s_ends_the_run(
    script: Script, status: int, headers: dict[str, str], told: str
) -> None:
    script.answers = [(status, headers, b"")]
    with pytest.raises(ModelError, match=told) as raised:
        loaded(script.url()).predict([item(0.5)])
    assert not isinstance(raised.value, ModelRaisedError)
    assert len(script.seen) == 1


def test_no_server_ends_the_run(script: Script) -> None:
    with pytest.raises(ModelError, match="no connection") as raised:
        loaded("http://127.0.0.1:9/?dimensions=arousal&retries=1&wait_s=0.01").predict([item(0.5)])
    assert not isinstance(raised.value, ModelRaisedError)


def test_an_answer_that_does_not_come_in_time_is_a_fault_of_the_clip(script: Script) -> None:
    script.delay_s = 0.6
    with pytest.raises(ModelRaisedError, match=r"no answer within 0\.2 s"):
        loaded(script.url("dimensions=arousal&timeout_s=0.2&retries=0")).predict([item(0.5)])


def test_a_connection_that_breaks_is_tried_again(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    import affectcheck.models.http_model as module

    real, broken = module._OPENER.open, [ConnectionResetError("reset"), module.urllib.error.URLError(TimeoutError())]

    def sometimes(*arguments: Any, **named: Any) -> Any:
        if broken:
            raise broken.pop()
        return real(*arguments, **named)

    monkeypatch.setattr(module._OPENER, "open", sometimes)
    assert loaded(script.url()).predict([item(0.5)]).tolist() == [[0.5, 0.5]]


def test_an_answer_that_drips_is_not_waited_for(script: Script) -> None:
    script.answers = [(200, {"Drip": "0.15"}, b"[1, 2, 3, 4, 5, 6]")]
    begin = time.monotonic()
    with pytest.raises(ModelRaisedError, match=r"no answer within 0\.4 s; tried 1 time"):
        loaded(script.url("dimensions=arousal&timeout_s=0.4&retries=0")).predict([item(0.5)])
    assert time.monotonic() - begin < 2


def test_an_answer_that_is_cut_off_is_tried_again(script: Script) -> None:
    script.answers = [(200, {"Content-Length": "1000", "Connection": "close"}, b'{"arousal":')]
    assert loaded(script.url()).predict([item(0.5)]).tolist() == [[0.5, 0.5]]
    script.answers = [(200, {"Content-Length": "1000", "Connection": "close"}, b'{"arousal":')]
    with pytest.raises(ModelRaisedError, match=r"the connection broke: IncompleteRead.*; tried 1 time"):
        loaded(script.url("dimensions=arousal&retries=0")).predict([item(0.5)])


def test_what_is_no_http_ends_the_run(script: Script) -> None:
    script.answers = [(200, {f"X-{n}": "1" for n in range(120)}, b"0.5")]
    with pytest.raises(
        ModelError, match="an answer that is no HTTP: HTTPException: got more than 100 headers"
    ) as raised:
        loaded(script.url("dimensions=arousal")).predict([item(0.5)])
    assert not isinstance(raised.value, ModelRaisedError)


def test_a_server_that_never_answers_ends_the_run(script: Script) -> None:
    script.answers = [(500, {}, b"broken")] * 20
    model = loaded(script.url("dimensions=arousal,valence&retries=0"))
    for _ in range(2):
        with pytest.raises(ModelRaisedError, match="the server says: 500"):
            model.predict([item(0.5)])
    with pytest.raises(ModelError, match="answered none of the first 3 clips") as raised:
        model.predict([item(0.5)])
    assert not isinstance(raised.value, ModelRaisedError)
    script.answers = []
    assert pickle.loads(pickle.dumps(model)).predict([item(0.25)]).tolist() == [[0.25, 0.25]]


def test_a_server_that_answered_once_may_fail_on_many_clips(script: Script) -> None:
    model = loaded(script.url("dimensions=arousal,valence&retries=0"))
    model.predict([item(0.5)])
    script.answers = [(500, {}, b"broken")] * 5
    for _ in range(5):
        with pytest.raises(ModelRaisedError, match="the server says: 500"):
            model.predict([item(0.5)])


def test_a_page_for_people_is_told_from_an_answer(script: Script) -> None:
    script.answers = [(200, {}, b"<html>")]
    with pytest.raises(ModelRaisedError, match=r"no JSON: '<html>'[\s\S]*a page for people, or another address"):
        loaded(script.url()).predict([item(0.5)])


def test_an_answer_without_end_is_not_read(script: Script) -> None:
    script.answers = [(200, {}, b" " * 1_000_002)]
    with pytest.raises(ModelError, match="more than 1000000 bytes"):
        loaded(script.url()).predict([item(0.5)])


def test_a_token_is_sent_and_not_recorded(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelError, match="the environment has no SER_TOKEN"):
        loaded(script.url("dimensions=arousal,valence&token_from=SER_TOKEN"))
    monkeypatch.setenv("SER_TOKEN", "s3cret")
    model = loaded(script.url("dimensions=arousal,valence&token_from=SER_TOKEN"))
    model.predict([item(0.5)])
    assert script.seen[0][1]["Authorization"] == "Bearer s3cret"
    assert "s3cret" not in repr(model)


def test_a_version_is_part_of_the_digest(script: Script) -> None:
    digests = {loaded(script.url(f"dimensions=arousal{more}")).card.digest for more in ("", "&version=2", "&name=n")}
    assert len(digests) == 2


@pytest.mark.parametrize(
    ("text", "error", "told"),
    [
        ("http:?labels=a", InputError, "model 'http' needs source"),
        ("http:///predict?labels=a", InputError, "not an address"),
        ("http://u:p@h/?labels=a", InputError, "holds a password"),
        ("https://h/", InputError, "what the model returns is not declared"),
        ("https://h/?labels=a&mode=b", UnknownNameError, "unknown option 'mode'"),
        ("http://h/?labels=a&retries=1.5", InputError, "'retries' is 1.5"),
        ("http://h/?labels=a&retries=-1", InputError, "'retries' is -1"),
        ("http://h/?labels=a&timeout_s=inf", InputError, "'timeout_s' is inf"),
    ],
)
def test_what_cannot_be_asked_is_told_when_it_is_named(text: str, error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told):
        load_model(text)


def test_an_https_address_is_kept() -> None:
    assert loaded("https://h/p?labels=a,b").url == "https://h/p"
