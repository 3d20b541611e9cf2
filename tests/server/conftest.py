"""Portals to test with, on both databases.

What a test takes as arguments:

- ``sqlite_portal``: a fresh portal on SQLite. Use it wherever a test does not show something about the database.
- ``portal``: the same test on SQLite and on PostgreSQL (skipped with a reason where there is none).
- ``clock``: a ``portal_clock.SetClock``, the one of both; ``clock.set(…)``, ``clock.forward(days=1)``.
- ``database_url``: URL of a fresh migrated database, both kinds; ``sqlite_url`` and ``postgres_url``: one kind.
- ``empty_postgres``: URL of a PostgreSQL database without tables.
- ``postgres_server``: the running ``portal_postgres.PostgresServer`` of the session.
- ``scene`` (SQLite) and ``scene_on_both``: a ``portal_scene.Scene`` around such a portal, with an organiser, events,
  tracks with labels, teams and uploads made by one call each.
"""

from __future__ import annotations

import logging
import shutil
from typing import TYPE_CHECKING

import pytest

from affectcheck.server.opening import open_portal
from affectcheck.server.settings import Settings
from affectcheck.server.storage.engine import Database
from affectcheck.server.storage.upgrade import upgrade
from portal_clock import SetClock
from portal_postgres import NotHereError, PostgresServer, start
from portal_scene import Scene, make_scene

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from affectcheck.server.portal import Portal

KINDS = ("sqlite", "postgresql")


@pytest.fixture(autouse=True)
def no_log_to_a_closed_stream() -> Iterator[None]:
    """What ``serve`` and ``worker`` set up within a test ends with it, as its standard error does."""
    yield
    root = logging.getLogger()
    for handler in [one for one in root.handlers if type(one) is logging.StreamHandler]:
        root.removeHandler(handler)
    logging.getLogger("affectcheck").setLevel(logging.NOTSET)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    try:
        server = start()
    except NotHereError as reason:
        pytest.skip(f"no PostgreSQL: {reason}")
    yield server
    server.stop()


@pytest.fixture(scope="session")
def postgres_template(postgres_server: PostgresServer) -> str:
    """Name of a migrated database that others are copied from."""
    name = postgres_server.make()
    database = Database(postgres_server.url(name))
    upgrade(database)
    database.close()
    return name


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated file that others are copied from."""
    path = tmp_path_factory.mktemp("template") / "portal.db"
    database = Database(f"sqlite:///{path}")
    upgrade(database)
    with database.engine.connect() as connection:
        connection.connection.driver_connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    return path


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    path = tmp_path / "portal" / "portal.db"
    path.parent.mkdir(mode=0o700)
    shutil.copy(sqlite_template, path)
    return f"sqlite:///{path}"


@pytest.fixture
def postgres_url(postgres_server: PostgresServer, postgres_template: str) -> Iterator[str]:
    name = postgres_server.make(postgres_template)
    yield postgres_server.url(name)
    postgres_server.drop(name)


@pytest.fixture
def empty_postgres(postgres_server: PostgresServer) -> Iterator[str]:
    name = postgres_server.make()
    yield postgres_server.url(name)
    postgres_server.drop(name)


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest) -> str:
    return request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url")


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def opened(tmp_path: Path, clock: SetClock) -> Iterator[Callable[..., Portal]]:
    """``opened(url, **settings)``: a portal on a database, closed behind the test."""
    portals: list[Portal] = []

    def make(url: str, **settings: object) -> Portal:
        wanted = Settings(tmp_path / "portal", database=url, **settings)
        portals.append(open_portal(wanted, clock=clock, upgrade=False))
        return portals[-1]

    yield make
    for portal in portals:
        portal.close()


@pytest.fixture
def portal(database_url: str, opened: Callable[..., Portal]) -> Portal:
    return opened(database_url)


@pytest.fixture
def sqlite_portal(sqlite_url: str, opened: Callable[..., Portal]) -> Portal:
    return opened(sqlite_url)


@pytest.fixture
def scene(sqlite_portal: Portal, clock: SetClock) -> Scene:
    return make_scene(sqlite_portal, clock)


@pytest.fixture
def scene_on_both(portal: Portal, clock: SetClock) -> Scene:
    return make_scene(portal, clock)
