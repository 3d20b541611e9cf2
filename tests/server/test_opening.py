"""A folder becomes a portal, which only its owner may read, and stays the same portal."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from affectcheck.errors import InputError, WriteError
from affectcheck.server.opening import open_portal
from affectcheck.server.settings import Settings
from affectcheck.server.storage.engine import Database

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.server.portal import Portal


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_folder_is_its_owners_alone(tmp_path: Path) -> None:
    portal = open_portal(Settings(tmp_path / "new"))
    portal.close()
    data = tmp_path / "new"
    assert {name: _mode(data / name) for name in (".", "uploads", "labels", "secret", "portal.db")} == {
        ".": 0o700,
        "uploads": 0o700,
        "labels": 0o700,
        "secret": 0o600,
        "portal.db": 0o600,
    }


def test_the_secret_is_made_once(tmp_path: Path) -> None:
    secrets = set()
    for _ in range(2):
        portal = open_portal(Settings(tmp_path))
        secrets.add(portal.settings.secret)
        portal.close()
    assert len(secrets) == 1
    assert len(secrets.pop()) == 64
    assert sorted(path.name for path in tmp_path.iterdir() if "secret" in path.name) == ["secret"]


def test_a_secret_of_the_settings_is_not_written_down(tmp_path: Path) -> None:
    portal = open_portal(Settings(tmp_path, secret="x" * 32))
    portal.close()
    assert portal.settings.secret == "x" * 32
    assert not (tmp_path / "secret").exists()


def test_a_short_secret_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a secret of 3 characters"):
        open_portal(Settings(tmp_path, secret="abc"))


def test_a_folder_that_cannot_be_made_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WriteError, match="cannot write"):
        open_portal(Settings(tmp_path / "file" / "portal"))


def test_without_leave_an_old_database_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a database of revision none") as refused:
        open_portal(Settings(tmp_path), upgrade=False)
    assert "affectcheck db upgrade" in str(refused.value)


def test_a_database_of_a_newer_version_is_refused(sqlite_portal: Portal) -> None:
    with sqlite_portal.database.write() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(InputError, match="a database of revision 9999"):
        open_portal(sqlite_portal.settings)


def test_openings_at_once_make_one_portal(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        portals = list(pool.map(lambda _: open_portal(Settings(tmp_path / "new")), range(8)))
    for portal in portals:
        portal.close()
    assert len({portal.settings.secret for portal in portals}) == 1


def test_the_portal_tells_the_time_of_its_clock(portal: Portal) -> None:
    assert portal.now() == portal.clock()


def test_a_database_that_opens_is_migrated_on_both(portal: Portal) -> None:
    with portal.database.read() as connection:
        assert sa.inspect(connection).has_table("submission")


def test_a_database_of_another_kind_is_refused() -> None:
    with pytest.raises(InputError, match="a database of the kind 'mysql'"):
        Database("mysql://localhost/x")
