"""Weights that are fetched: from a server of one's own, with every way in which that can fail."""

from __future__ import annotations

import hashlib
import socketserver
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from affectcheck.errors import InputError, MissingPathError, UnknownNameError, WriteError
from affectcheck.media.faces import fetch as module
from affectcheck.media.faces.fetch import PUBLISHED, fetch, fetched, weights_of
from affectcheck.media.faces.registry import FACE_DETECTORS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CONTENT = bytes(range(256)) * 5000  # longer than a chunk


class Answers(BaseHTTPRequestHandler):
    """``/right`` is the content, ``/wrong`` another of its length, ``/short`` and ``/long`` of other lengths."""

    def do_GET(self) -> None:
        contents = {"/right": CONTENT, "/wrong": CONTENT[::-1], "/short": CONTENT[:-1], "/long": CONTENT + b"!"}
        content = contents.get(self.path)
        self.send_response(404 if content is None else 200)
        self.end_headers()
        self.wfile.write(content or b"")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    served = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=served.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{served.server_address[1]}"
    served.shutdown()
    served.server_close()
    thread.join()


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFECTCHECK_CACHE", str(tmp_path / "cache"))


def publish(monkeypatch: pytest.MonkeyPatch, *urls: str) -> None:
    checksum = hashlib.sha256(CONTENT).hexdigest()
    made = replace(PUBLISHED["yunet"], urls=urls, sha256=checksum, size_bytes=len(CONTENT))
    monkeypatch.setitem(PUBLISHED, "yunet", made)


def test_what_was_pinned_is_fetched_once(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(monkeypatch, f"{server}/right")
    told: list[tuple[int, int]] = []
    path = fetch("yunet", progress=lambda done, whole: told.append((done, whole)))
    assert path.read_bytes() == CONTENT
    assert path == fetched("yunet")
    assert told[-1] == (len(CONTENT), len(CONTENT))
    publish(monkeypatch, f"{server}/gone")
    assert fetch("yunet") == path


def test_a_damaged_file_is_fetched_again(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(monkeypatch, f"{server}/right")
    path = fetch("yunet")
    path.write_bytes(b"damaged")
    assert fetch("yunet").read_bytes() == CONTENT


def test_the_next_place_is_tried(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(monkeypatch, f"{server}/gone", f"{server}/wrong", f"{server}/right")
    assert fetch("yunet").read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("gone", "Not Found"),
        ("wrong", "other content"),
        ("short", "other content"),
        ("long", "more than 1280000 bytes"),
    ],
)
def test_nothing_else_is_kept(server: str, monkeypatch: pytest.MonkeyPatch, place: str, told: str) -> None:
    publish(monkeypatch, f"{server}/{place}")
    with pytest.raises(InputError, match=told):
        fetch("yunet")
    assert not [path for path in PUBLISHED["yunet"].path.parent.glob("*") if path.is_file()]


def test_without_a_network_it_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    publish(monkeypatch, "http://127.0.0.1:9/weights.onnx")
    with pytest.raises(InputError, match="could not be fetched") as raised:
        fetch("yunet")
    assert "127.0.0.1:9" in str(raised.value)
    assert "yunet:FILE" in str(raised.value)
    assert "no network from here: download one of these" in str(raised.value)


@pytest.mark.parametrize(
    "answer",
    [
        b"hello there\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1000\r\nabc",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc",
        b"HTTP/1.1 200 OK\r\nX: " + b"a" * 70_000 + b"\r\n\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: /here\r\nContent-Length: 0\r\n\r\n",
        b"",
    ],
)
def test_an_answer_that_is_no_proper_one_is_told_on_one_line(monkeypatch: pytest.MonkeyPatch, answer: bytes) -> None:
    class Raw(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.recv(65_536)
            self.request.sendall(answer)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Raw) as served:
        thread = threading.Thread(target=served.serve_forever)
        thread.start()
        publish(monkeypatch, f"http://127.0.0.1:{served.server_address[1]}/here")
        try:
            with pytest.raises(InputError, match="could not be fetched") as raised:
                fetch("yunet")
        finally:
            served.shutdown()
            thread.join()
    assert "\n" not in raised.value.what


def test_other_content_is_not_put_down_to_the_network(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(monkeypatch, f"{server}/wrong", "http://127.0.0.1:9/weights.onnx")
    with pytest.raises(InputError, match="could not be fetched") as raised:
        fetch("yunet")
    assert "gives other files than were asked for" in raised.value.cause


def test_weights_are_those_that_were_pinned_or_a_file_of_ones_own(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(monkeypatch, f"{server}/right")
    with pytest.raises(MissingPathError, match="faces fetch yunet"):
        weights_of("yunet", "")
    path = fetch("yunet")
    assert weights_of("yunet", "") == (CONTENT, path)
    path.write_bytes(CONTENT[:-1])
    with pytest.raises(InputError, match="another file than the weights of yunet that are known") as raised:
        weights_of("yunet", "")
    assert "faces fetch yunet" in raised.value.cause
    (tmp_path / "own.onnx").write_bytes(b"own")
    assert weights_of("yunet", str(tmp_path / "own.onnx")).content == b"own"


def test_a_cache_that_cannot_be_written_is_told(server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(monkeypatch, f"{server}/right")
    (tmp_path / "cache").write_text("a file, not a folder")
    with pytest.raises(WriteError, match="cannot write"):
        fetch("yunet")


def test_names_without_weights_are_told() -> None:
    with pytest.raises(UnknownNameError, match="retinaface-resnet50"):
        fetch("retinafaec")
    with pytest.raises(InputError, match="they come with its package"):
        fetch("mtcnn")


def test_what_was_not_fetched_is_told() -> None:
    with pytest.raises(MissingPathError, match="faces fetch yunet") as raised:
        fetched("yunet")
    assert "0.2 MB, MIT licence" in str(raised.value)


def test_everything_published_is_for_a_detector_and_complete() -> None:
    for name, one in PUBLISHED.items():
        assert name in FACE_DETECTORS
        assert all(url.startswith("https://") for url in one.urls)
        assert len(one.sha256) == 64
        assert one.size_bytes > 100_000
        assert one.licence
        assert "trained" in one.source
        assert one.path.parent.name == "weights"
    assert len({one.file for one in PUBLISHED.values()}) == len(PUBLISHED)
    assert module.PUBLISHED is PUBLISHED
