"""Weights that are fetched: from a server of one's own, with every way in which that can fail."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from affectcheck.errors import InputError, MissingPathError, UnknownNameError, WriteError
from affectcheck.media.faces import fetch as module
from affectcheck.media.faces.fetch import PUBLISHED, fetch, fetched
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
    assert "download one of these where there is one" in str(raised.value)


def test_a_cache_that_cannot_be_written_is_told(server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(monkeypatch, f"{server}/right")
    (tmp_path / "cache").write_text("a file, not a folder")
    with pytest.raises(WriteError, match="cannot write"):
        fetch("yunet")


def test_names_without_weights_are_told() -> None:
    with pytest.raises(UnknownNameError, match="retinaface-resnet50"):
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
