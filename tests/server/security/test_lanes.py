"""Uploads that send nothing hold up those of their own account alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
import httpx

from affectcheck.server.accounts.tokens import make_token
from affectcheck.server.web import guard, uploads

from ..api.conftest import BASE, DECLARED  # noqa: TID252  # tests are no package

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import pytest
    from anyio.from_thread import BlockingPortal
    from fastapi import FastAPI

    from portal_scene import Crew, Scene

SLOW = 6


def test_an_account_that_sends_nothing_holds_up_no_other(
    scene: Scene, app: FastAPI, loop: BlockingPortal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "LANES", SLOW)
    scene.contest()
    eve, bob = scene.team("Red"), scene.team("Blue")
    answer = loop.call(_among_slow_ones, app, _headers(scene, eve), _headers(scene, bob))
    assert answer.status_code == 202
    assert not app.state.lanes.held
    assert not app.state.lanes.own


def _headers(scene: Scene, crew: Crew) -> dict[str, str]:
    secret = make_token(scene.portal, crew.captain, "program", "submit")
    return {"Authorization": f"Bearer {secret}", "Affectcheck-Declaration": DECLARED}


async def _among_slow_ones(app: FastAPI, slow: dict[str, str], quick: dict[str, str]) -> httpx.Response:
    over = anyio.Event()

    async def nothing() -> AsyncIterator[bytes]:
        yield b"item,mood\n"
        await over.wait()

    async def send(headers: dict[str, str], content: AsyncIterator[bytes] | bytes) -> httpx.Response:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=BASE, timeout=30) as client:
            return await client.post(
                "/api/v1/tracks/faces/submissions", params={"file_name": "p.csv"}, headers=headers, content=content
            )

    async with anyio.create_task_group() as group:
        for _ in range(SLOW):
            group.start_soon(send, slow, nothing())
        await anyio.sleep(1)
        try:
            with anyio.fail_after(15):
                return await send(quick, b"item,mood\nitem-0001,calm\n")
        finally:
            over.set()


def test_what_waited_for_a_lane_was_not_slow(
    scene: Scene, app: FastAPI, loop: BlockingPortal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "LANES_EACH", 1)
    monkeypatch.setattr(guard, "_GRACE_SECONDS", 0.5)
    monkeypatch.setattr(guard, "UPLOAD_RATE", 1 << 20)
    scene.contest()
    answer = loop.call(_behind_a_slow_one, app, _headers(scene, scene.team("Blue")))
    assert answer.status_code == 202, answer.text


async def _behind_a_slow_one(app: FastAPI, headers: dict[str, str]) -> httpx.Response:
    over, answers = anyio.Event(), []

    async def first() -> AsyncIterator[bytes]:
        yield b"item,mood\n"
        await over.wait()

    async def second() -> AsyncIterator[bytes]:
        yield b"item,mood\n"
        yield b"item-0001,calm\n"

    async def send(content: AsyncIterator[bytes]) -> None:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=BASE, timeout=30) as client:
            answers.append(
                await client.post(
                    "/api/v1/tracks/faces/submissions", params={"file_name": "p.csv"}, headers=headers, content=content
                )
            )

    async with anyio.create_task_group() as group:
        group.start_soon(send, first())
        await anyio.sleep(0.5)
        group.start_soon(send, second())
        await anyio.sleep(1.5)
        over.set()
    return answers[-1]


def test_a_request_with_two_lengths_is_refused(app: FastAPI, loop: BlockingPortal) -> None:
    async def both() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=BASE) as client:
            lengths = {"Content-Length": "4", "Transfer-Encoding": "chunked"}
            return await client.post("/api/v1/login", content=b"{}", headers=lengths)

    answer = loop.call(both)
    assert answer.status_code == 400
    assert "two ways" in answer.json()["what"]
