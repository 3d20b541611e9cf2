"""A portal that is served at a port, and the program called against it."""

from __future__ import annotations

import socket
import threading
import time
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra server)")

import typer
import uvicorn

from affectcheck.cli import portal, portal_client, submit
from affectcheck.server.accounts.tokens import make_token
from affectcheck.server.web.app import create_app
from portal_scene import Scene, make_scene

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from affectcheck.server.accounts.actors import Actor, Right
    from affectcheck.server.portal import Portal
    from portal_clock import SetClock


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        yield found


@pytest.fixture
def address(listening: socket.socket) -> str:
    return f"http://127.0.0.1:{listening.getsockname()[1]}"


@pytest.fixture
def served(sqlite_url: str, opened: Callable[..., Portal], address: str, listening: socket.socket) -> Iterator[Portal]:
    """A portal that answers at ``address``."""
    found = opened(sqlite_url, address=address)
    server = uvicorn.Server(uvicorn.Config(create_app(found), log_level="critical", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield found
    server.should_exit = True
    thread.join(10)


@pytest.fixture
def scene(served: Portal, clock: SetClock) -> Scene:
    return make_scene(served, clock)


@pytest.fixture
def program(address: str, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """``program("portal", "board", "faces")``: its exit code; errors are raised."""
    app = typer.Typer(pretty_exceptions_enable=False)
    portal.register(app)
    submit.register(app)
    monkeypatch.setenv("AFFECTCHECK_SERVER", address)
    monkeypatch.setattr(portal_client, "PAUSES_S", (0.01, 0.01))
    monkeypatch.setattr(submit, "_POLL_S", (0.05,))

    def call(*arguments: object) -> int:
        return int(app(args=[str(one) for one in arguments], standalone_mode=False) or 0)

    return call


@pytest.fixture
def as_(served: Portal, monkeypatch: pytest.MonkeyPatch) -> Callable[[Actor, Right], None]:
    """``as_(actor, "submit")``: the token of the environment is somebody's from now on."""
    return lambda actor, scope: monkeypatch.setenv(portal_client.TOKEN, make_token(served, actor, "a test", scope))
