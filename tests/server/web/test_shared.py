"""Answers to visitors that are kept for a moment: who shares them, and when they no longer hold."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from affectcheck.server.settings import Settings
from affectcheck.server.web import shared
from affectcheck.server.web.shared import FRESH, STALE, Shared
from own_loop import run_apart

BOARD = "/tracks/faces/board"


@dataclass
class Stage:
    """A portal that is only a clock and a count of writes, and an application that counts how often it is asked."""

    now: datetime = datetime(2027, 3, 1, tzinfo=UTC)
    writes: int = 0
    status: int = 200
    headers: tuple[tuple[bytes, bytes], ...] = ((b"content-type", b"text/html"),)
    asked: int = 0
    gate: asyncio.Event | None = None
    parts: int = 1
    layer: Any = field(init=False)

    def __post_init__(self) -> None:
        portal = SimpleNamespace(now=lambda: self.now, database=self, settings=Settings(Path("/nowhere")))
        self.layer = Shared(self._answer, portal=portal)  # type: ignore[arg-type]

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked += 1
        number = self.asked
        if self.gate is not None:
            await self.gate.wait()
        await send({"type": "http.response.start", "status": self.status, "headers": list(self.headers)})
        for part in range(self.parts):
            more = part + 1 < self.parts
            await send({"type": "http.response.body", "body": f"answer {number}.".encode(), "more_body": more})

    async def ask(self, path: str = BOARD, **stated: Any) -> tuple[int, str]:
        scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": [], **stated}
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(dict(message))

        await self.layer(scope, None, send)
        start, *bodies = sent
        return start["status"], b"".join(body.get("body", b"") for body in bodies).decode()

    def told(self, path: str = BOARD, **stated: Any) -> str:
        return run_apart(lambda: self.ask(path, **stated))[1]


def test_visitors_share_an_answer_while_it_is_fresh() -> None:
    stage = Stage(parts=2)
    assert [stage.told() for _ in range(3)] == ["answer 1.answer 1."] * 3
    stage.now += FRESH
    assert stage.told() == "answer 2.answer 2."


def test_what_is_written_here_is_seen_by_the_next() -> None:
    stage = Stage()
    assert stage.told() == "answer 1."
    stage.writes += 1
    assert stage.told() == "answer 2."
    assert stage.told() == "answer 2."


def test_a_clock_that_is_set_back_keeps_nothing() -> None:
    stage = Stage()
    stage.told()
    stage.now -= timedelta(hours=1)
    assert stage.told() == "answer 2."


@pytest.mark.parametrize(
    "stated",
    [
        {"headers": [(b"authorization", b"Bearer afc_x")]},
        {"headers": [(b"cookie", b"affectcheck-login=secret")]},
        {"headers": [(b"if-none-match", b'"x"')]},
        {"query_string": b"a=1"},
        {"method": "POST"},
        {"path": "/tracks/faces/submit"},
        {"path": "/tracks/faces/board.exe"},
        {"path": "/api/v1/tracks/a/b/board"},
        {"type": "websocket"},
    ],
)
def test_what_is_somebodys_own_is_not_shared(stated: dict[str, Any]) -> None:
    stage = Stage()
    assert stage.told() == "answer 1."
    assert stage.told(**{"path": BOARD, **stated}) == "answer 2."
    assert stage.told(**{"path": BOARD, **stated}) == "answer 3."
    assert stage.told() == "answer 1."


def test_a_browser_without_a_login_is_a_visitor() -> None:
    stage = Stage()
    assert stage.told(headers=[(b"cookie", b"affectcheck-browser=x")]) == stage.told() == "answer 1."


@pytest.mark.parametrize(
    "path", ["/api/v1/tracks/faces/board", "/tracks/faces/board.json", "/tracks/faces/board.csv", "/tracks/b/board"]
)
def test_each_address_and_coding_has_an_answer_of_its_own(path: str) -> None:
    stage = Stage()
    gzip = [(b"accept-encoding", b"br, gzip")]
    assert [stage.told(), stage.told(path), stage.told(path, headers=gzip)] == ["answer 1.", "answer 2.", "answer 3."]
    assert [stage.told(), stage.told(path), stage.told(path, headers=gzip)] == ["answer 1.", "answer 2.", "answer 3."]


@pytest.mark.parametrize(
    "stated", [{"status": 404}, {"status": 500}, {"headers": ((b"Set-Cookie", b"a=b"),)}], ids=["404", "500", "cookie"]
)
def test_refusals_and_cookies_are_not_shared(stated: dict[str, Any]) -> None:
    stage = Stage(**stated)
    assert [stage.told(), stage.told()] == ["answer 1.", "answer 2."]


def test_while_one_asks_others_get_what_was_told_before() -> None:
    async def rush() -> list[str]:
        stage = Stage()
        await stage.ask()
        stage.writes += 1
        stage.now += FRESH
        stage.gate = asyncio.Event()
        first = asyncio.create_task(stage.ask())
        await asyncio.sleep(0)
        found = [(await stage.ask())[1] for _ in range(2)]
        stage.now += STALE
        late = asyncio.create_task(stage.ask())
        await asyncio.sleep(0)
        stage.gate.set()
        found += [(await first)[1], (await late)[1]]
        return found

    assert run_apart(rush) == ["answer 1.", "answer 1.", "answer 2.", "answer 3."]


def test_a_fault_lets_the_next_ask() -> None:
    stage = Stage()

    async def broken(*_: Any) -> None:
        raise RuntimeError("broken")

    stage.layer._app = broken
    with pytest.raises(RuntimeError):
        stage.told()
    stage.layer._app = stage._answer
    assert stage.told() == "answer 1."


def test_only_so_many_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "_MOST", 2)
    stage = Stage()
    for name in "abc":
        stage.told(f"/tracks/{name}/board")
    assert stage.told("/tracks/c/board") == "answer 3."
    assert stage.told("/tracks/a/board") == "answer 4."
