"""Browsers and programs against one portal, as the folders beside this one have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("httpx", reason="httpx is not installed (extra test)")

from affectcheck.server.web.app import create_app

from ..api.conftest import Client, Programs  # noqa: TID252  # tests are no package
from ..web.conftest import Person  # noqa: TID252  # tests are no package

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from anyio.from_thread import BlockingPortal
    from fastapi import FastAPI

    from affectcheck.server.portal import Portal


@pytest.fixture
def app(sqlite_portal: Portal) -> FastAPI:
    return create_app(sqlite_portal)


@pytest.fixture
def loop() -> Iterator[BlockingPortal]:
    import anyio.from_thread

    with anyio.from_thread.start_blocking_portal() as opened:
        yield opened


@pytest.fixture
def person(app: FastAPI, loop: BlockingPortal) -> Callable[..., Person]:
    """``person()``: a visitor; ``person("address")``: somebody who is logged in."""

    def make(email: str = "") -> Person:
        found = Person(app, loop)
        return found.log_in(email) if email else found

    return make


@pytest.fixture
def programs(app: FastAPI, loop: BlockingPortal, sqlite_portal: Portal) -> Programs:
    return Programs(Client(app, loop), sqlite_portal)
