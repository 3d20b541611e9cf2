"""What the migrations make is what the program takes for granted, on both databases, however often and at once they run."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from affectcheck.errors import InputError
from affectcheck.server.storage.engine import Database
from affectcheck.server.storage.tables import metadata
from affectcheck.server.storage.upgrade import head, revision, upgrade

if TYPE_CHECKING:
    from pathlib import Path

SAME = "from affectcheck.server.storage.engine import Database as D;from affectcheck.server.storage.upgrade import upgrade as u;import sys;u(D(sys.argv[1]))"


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return (
        f"sqlite:///{tmp_path / 'empty.db'}" if request.param == "sqlite" else request.getfixturevalue("empty_postgres")
    )


def _shape(engine: sa.Engine) -> dict[str, Any]:
    """Everything that can be asked about tables; what has no order is sorted."""
    inspector = sa.inspect(engine)
    found = {}
    for table in sorted(set(inspector.get_table_names()) - {"alembic_version"}):
        columns = [
            (one["name"], str(one["type"]), one["nullable"], one["default"]) for one in inspector.get_columns(table)
        ]
        found[table] = {
            "columns": columns,
            "key": inspector.get_pk_constraint(table),
            "references": sorted(map(repr, inspector.get_foreign_keys(table))),
            "unique": sorted(map(repr, inspector.get_unique_constraints(table))),
            "indexes": sorted(map(repr, inspector.get_indexes(table))),
            "checks": sorted(map(repr, inspector.get_check_constraints(table))),
        }
    return found


def test_migrated_tables_are_those_of_the_program(database_url: str, request: pytest.FixtureRequest) -> None:
    migrated = Database(database_url)
    if migrated.is_sqlite:
        made = Database(f"sqlite:///{request.getfixturevalue('tmp_path') / 'made.db'}")
    else:
        made = Database(request.getfixturevalue("empty_postgres"))
    metadata.create_all(made.engine)
    with migrated.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), metadata) == []
    assert _shape(migrated.engine) == _shape(made.engine)
    assert len(_shape(migrated.engine)) == len(metadata.tables)
    migrated.close()
    made.close()


def test_an_upgrade_twice_is_one(empty_url: str) -> None:
    database = Database(empty_url)
    assert revision(database) == ""
    for _ in range(2):
        upgrade(database)
        assert revision(database) == head()
    database.close()


def test_processes_that_begin_at_once_upgrade_once(empty_url: str) -> None:
    begun = [
        subprocess.Popen([sys.executable, "-c", SAME, empty_url], stderr=subprocess.PIPE, text=True) for _ in range(3)
    ]
    said = [process.communicate(timeout=60)[1] for process in begun]
    assert [process.returncode for process in begun] == [0, 0, 0], said
    database = Database(empty_url)
    assert revision(database) == head()
    with database.read() as connection:
        assert connection.execute(sa.text("SELECT count(*) FROM alembic_version")).scalar() == 1
    database.close()


def test_an_upgrade_that_breaks_leaves_nothing(empty_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = sa.MetaData.create_all

    def half(self: sa.MetaData, bind: sa.Connection, **options: bool) -> None:
        made(self, bind, **options)
        raise OSError("the disk is full")

    monkeypatch.setattr(sa.MetaData, "create_all", half)
    database = Database(empty_url)
    with pytest.raises(OSError, match="the disk is full"):
        upgrade(database)
    assert sa.inspect(database.engine).get_table_names() == []
    monkeypatch.undo()
    upgrade(database)
    assert revision(database) == head()
    database.close()


def test_a_newer_revision_is_left_alone(database_url: str) -> None:
    database = Database(database_url)
    with database.write() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(InputError, match="revision 9999") as refused:
        upgrade(database)
    assert "a newer version of affectcheck" in str(refused.value)
    assert revision(database) == "9999"
    database.close()


def test_references_are_checked_behind_a_change_of_tables(sqlite_url: str) -> None:
    from affectcheck.server.storage.upgrade import changing

    database = Database(sqlite_url)
    with pytest.raises(RuntimeError, match="1 rows refer to rows that are not there"), changing(database) as connection:
        connection.execute(
            sa.text("INSERT INTO session (hash, account, created, expires) VALUES ('h', 'nobody', 0, 0)")
        )
    with database.read() as connection:
        assert connection.execute(sa.text("SELECT count(*) FROM session")).scalar() == 0
        assert connection.execute(sa.text("PRAGMA foreign_keys")).scalar() == 1
    database.close()


def test_a_table_that_others_refer_to_is_copied_with_its_rows(sqlite_url: str) -> None:
    """What the next migration will do on SQLite: change a column of a table with rows that others point at."""
    from alembic.operations import Operations

    from affectcheck.server.storage.upgrade import changing

    database = Database(sqlite_url)
    account = {
        "id": "a",
        "email": "a@x",
        "name": "A",
        "password": "",
        "role": "member",
        "active": True,
        "created": None,
    }
    with database.write() as connection:
        account["created"] = _noon()
        connection.execute(metadata.tables["account"].insert().values(**account))
        connection.execute(
            metadata.tables["session"].insert().values(hash="h", account="a", created=_noon(), expires=_noon())
        )
    with changing(database) as connection:
        context = MigrationContext.configure(connection, opts={"render_as_batch": True})
        with Operations(context).batch_alter_table("account") as batch:
            batch.alter_column("name", type_=sa.String(120))
    with database.read() as connection:
        assert connection.execute(sa.text("SELECT account FROM session")).scalar() == "a"
        assert connection.execute(sa.text("SELECT name FROM account")).scalar() == "A"
    database.close()


def _noon() -> Any:
    from portal_clock import NOON

    return NOON


def test_migrations_are_shipped_with_the_package() -> None:
    from importlib.resources import files

    inside = {path.name for path in files("affectcheck.server.storage").joinpath("migrations").iterdir()}
    assert {"env.py", "script.py.mako", "versions"} <= inside
