"""Programs that call the API of a portal, each with the token of somebody."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("httpx", reason="httpx is not installed (extra test)")

import anyio.from_thread
import httpx

from affectcheck.server.accounts.tokens import make_token
from affectcheck.server.web.app import create_app

if TYPE_CHECKING:
    from collections.abc import Iterator

    from anyio.from_thread import BlockingPortal
    from fastapi import FastAPI

    from affectcheck.server.accounts.actors import Actor, Right
    from affectcheck.server.portal import Portal
    from portal_scene import Scene

BASE = "http://127.0.0.1:8000"
DECLARED = json.dumps({"method": "Trees", "pretraining": "none"})


@dataclass
class Client:
    """Calls an application as a server would, without one."""

    app: FastAPI
    loop: BlockingPortal

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        async def one() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url=BASE, timeout=60) as client:
                return await client.request(method, path, **more)

        return self.loop.call(one)


@dataclass
class Program:
    """Calls the API; ``scope`` empty for nobody's token."""

    client: Client
    secret: str = ""

    def call(self, method: str, path: str, **more: Any) -> httpx.Response:
        headers = dict(more.pop("headers", {}))
        if self.secret:
            headers["Authorization"] = f"Bearer {self.secret}"
        where = path if path.startswith(("/api", "/healthz", "/readyz")) else f"/api/v1{path}"
        return self.client.request(method, where, headers=headers, **more)

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.call("GET", path, **more)

    def post(self, path: str, values: Any = None, **more: Any) -> httpx.Response:
        return self.call("POST", path, **({"json": values} if values is not None else {}), **more)

    def submit(self, track: str, data: bytes, *, declared: str = DECLARED, **query: str) -> httpx.Response:
        return self.call(
            "POST",
            f"/tracks/{track}/submissions",
            content=data,
            params={"file_name": "predictions.csv", **query},
            headers={"Affectcheck-Declaration": declared},
        )


@pytest.fixture
def app(sqlite_portal: Portal) -> FastAPI:
    return create_app(sqlite_portal)


@pytest.fixture
def client(app: FastAPI) -> Iterator[Client]:
    with anyio.from_thread.start_blocking_portal() as loop:
        yield Client(app, loop)


@pytest.fixture
def visitor(client: Client) -> Program:
    return Program(client)


@dataclass
class Programs:
    """``programs.of(actor, "submit")``: a program with a token of somebody's."""

    client: Client
    portal: Portal

    def of(self, actor: Actor, scope: Right) -> Program:
        return Program(self.client, make_token(self.portal, actor, "a test", scope))


@pytest.fixture
def programs(client: Client, sqlite_portal: Portal) -> Programs:
    return Programs(client, sqlite_portal)


@pytest.fixture
def organiser(programs: Programs, scene: Scene) -> Program:
    return programs.of(scene.organiser, "organise")
