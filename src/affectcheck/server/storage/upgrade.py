"""Bring a database to the tables that this version knows; two processes that begin at once do it once."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa

from affectcheck.errors import InputError
from affectcheck.server.storage.engine import lock_by_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from alembic.config import Config

    from affectcheck.server.storage.engine import Database

_FOLDER: Final = Path(__file__).parent / "migrations"


def head() -> str:
    """The newest revision that this version knows."""
    from alembic.script import ScriptDirectory  # noqa: PLC0415  # half a second that most programs need not wait

    found = ScriptDirectory.from_config(_config()).get_current_head()
    if found is None:
        raise RuntimeError(f"no migration in {_FOLDER}")
    return found


def revision(database: Database) -> str:
    """The revision of a database; empty where it has no tables yet."""
    with database.read() as connection:
        return _revision(connection)


def upgrade(database: Database) -> None:
    """Bring a database to the newest revision, all of it or nothing.

    Raises:
        InputError: a newer version of the program has changed it.
    """
    from alembic import command  # noqa: PLC0415  # as above

    config = _config()
    if revision(database) == head():
        return
    with changing(database) as connection:
        _refuse_newer(_revision(connection), config)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _config() -> Config:
    from alembic.config import Config  # noqa: PLC0415  # as above

    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def _revision(connection: sa.Connection) -> str:
    if not sa.inspect(connection).has_table("alembic_version"):
        return ""
    return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar() or ""


def _refuse_newer(found: str, config: Config) -> None:
    from alembic.script import ScriptDirectory  # noqa: PLC0415  # as above

    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if found and found not in known:
        raise InputError(
            f"a database of revision {found}",
            expected=f"at most {head()}",
            cause="a newer version of affectcheck has used it",
        )


@contextmanager
def changing(database: Database) -> Iterator[sa.Connection]:
    """A write in which tables may be copied: SQLite checks references at its end, and not while a table is away."""
    if not database.is_sqlite:
        with database.write() as connection:
            lock_by_name(connection, "upgrade")
            yield connection
        return
    with database.write(references=False) as connection:
        yield connection
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
        if broken:
            raise RuntimeError(f"{len(broken)} rows refer to rows that are not there, such as one of {broken[0][0]}")
