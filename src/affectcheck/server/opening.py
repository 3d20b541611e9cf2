"""A portal from its settings: folders that are its own, a secret made once, and the tables of this version."""

from __future__ import annotations

import os
import secrets
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from affectcheck.atomic import clear_write_errors
from affectcheck.errors import InputError
from affectcheck.server.clock import system_clock
from affectcheck.server.portal import Portal
from affectcheck.server.storage import upgrade as tables
from affectcheck.server.storage.blobs import Blobs
from affectcheck.server.storage.engine import Database

if TYPE_CHECKING:
    from affectcheck.server.clock import Clock
    from affectcheck.server.settings import Settings

#: Names within the folder of data.
UPLOADS: Final = "uploads"
SECRET_FILE: Final = "secret"  # noqa: S105  # the name of a file
_SECRET_BYTES: Final = 32
_SHORTEST: Final = 32


def open_portal(settings: Settings, *, clock: Clock = system_clock, upgrade: bool = True) -> Portal:
    """Open a portal; a folder without one becomes a new one.

    Args:
        settings: what it is run with; a missing secret is taken from the folder, and made at the first opening.
        clock: the time.
        upgrade: bring an older database to the tables of this version; else it is refused.

    Raises:
        InputError: a secret too short to be one, or a database of another version.
        WriteError: a folder that cannot be made.
    """
    for folder in (settings.data, settings.data / UPLOADS, settings.labels):
        _own_folder(folder)
    settings = replace(settings, secret=settings.secret or _kept_secret(settings.data / SECRET_FILE))
    if len(settings.secret) < _SHORTEST:
        raise InputError(f"a secret of {len(settings.secret)} characters", expected=f"{_SHORTEST} or more")
    database = Database(settings.database)
    if database.is_sqlite:
        _own_file(Path(database.url.database or ""))
    _bring_up(database, may_change=upgrade)
    return Portal(settings, database, Blobs(settings.data / UPLOADS), Blobs(settings.labels), clock)


def _bring_up(database: Database, *, may_change: bool) -> None:
    if may_change:
        tables.upgrade(database)
    elif (found := tables.revision(database)) != tables.head():
        raise InputError(
            f"a database of revision {found or 'none'}",
            expected=tables.head(),
            cause="affectcheck db upgrade has not been run",
        )


def _own_folder(folder: Path) -> None:
    """A folder that nobody else may look into; one that was there stays as its owner set it."""
    with clear_write_errors(folder):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)


def _own_file(path: Path) -> None:
    """SQLite would make its file for everyone to read."""
    with clear_write_errors(path):
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def _kept_secret(path: Path) -> str:
    """The secret of a folder; of two processes that make one at once, one is kept."""
    with clear_write_errors(path):
        if not path.exists():
            made = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
            handle = os.open(made, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(handle, "w") as file:
                file.write(secrets.token_hex(_SECRET_BYTES))
                file.flush()
                os.fsync(file.fileno())
            try:
                os.link(made, path)
            except FileExistsError:
                pass
            finally:
                made.unlink()
    return path.read_text().strip()
