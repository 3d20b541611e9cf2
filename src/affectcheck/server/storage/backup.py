"""Backups of a portal that runs; ``restoring`` is their way back.

A backup is a folder: ``backup.json`` with the digest of every file, the rows, and the files of uploads and labels. The
rows are copied before the files: a file is there before a row refers to it, so that none is missing. A backup holds hidden
labels and the secret; it is its owner's alone.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
from contextlib import closing
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from affectcheck.errors import InputError
from affectcheck.server.faults import NotThereError
from affectcheck.server.storage import audit
from affectcheck.server.storage.engine import Database
from affectcheck.server.storage.references import references
from affectcheck.server.storage.upgrade import revision

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime
    from pathlib import Path

    from affectcheck.server.storage.blobs import Blobs

MANIFEST: Final = "backup.json"
ROWS: Final = "portal.db"
DUMP: Final = "portal.dump"
SECRET: Final = "secret"  # noqa: S105  # the name of a file
FORMAT: Final = 1
BLOCK: Final = 1 << 20


@dataclass(frozen=True)
class Manifest:
    """What a backup holds.

    Attributes:
        format: version of the format.
        made: when, in ISO 8601.
        revision: of the tables.
        rows: name of the file of the rows.
        chain: number and hash of the last row of the audit log; empty for a dump, whose end is not known.
        digests: of the files beside, by name.
        files: digests in each folder.
    """

    format: int
    made: str
    revision: str
    rows: str
    chain: Mapping[str, Any]
    digests: Mapping[str, str]
    files: Mapping[str, list[str]]

    @property
    def known(self) -> audit.ChainHead | None:
        """The end of the audit log, where it is known."""
        return audit.ChainHead(**self.chain) if self.chain else None


@dataclass(frozen=True)
class Place:
    """Where a portal lies.

    Attributes:
        database: URL.
        stores: folders of files, by name.
        secret: file of the secret; it need not be there.
    """

    database: str
    stores: Mapping[str, Blobs]
    secret: Path


def dump_command(url: str, file: str = DUMP) -> str:
    """The command that writes the rows of a PostgreSQL database to a file."""
    return f"pg_dump --format=custom --file={file} {without_password(url)}"


def backup(place: Place, target: Path, *, now: datetime, dump: Path | None = None) -> Manifest:
    """Back up a portal, whoever writes to it meanwhile.

    Args:
        place: the portal.
        target: a folder that is not there yet.
        now: the moment.
        dump: with PostgreSQL, the file that ``dump_command`` has written, just now.

    Raises:
        InputError: the folder is there, or PostgreSQL without a dump.
    """
    if target.exists():
        raise InputError(f"{target} is there already", expected="the name of a new folder")
    database = Database(place.database)
    if not database.is_sqlite and dump is None:
        raise InputError(
            "PostgreSQL keeps its rows elsewhere", expected=f"--dump {DUMP}, made by: {dump_command(place.database)}"
        )
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    partial.mkdir(parents=True, mode=0o700)
    try:
        made = _fill(partial, place, database, now, dump)
        partial.rename(target)
    finally:
        database.close()
        shutil.rmtree(partial, ignore_errors=True)
    return made


def _fill(target: Path, place: Place, database: Database, now: datetime, dump: Path | None) -> Manifest:
    known: Mapping[str, Any] = {}
    if dump is None:
        rows = ROWS
        _copy_rows(database, target / ROWS)
        copied = Database(f"sqlite:///{target / ROWS}")
    else:
        rows, copied = DUMP, database
        copy_file(dump, target / DUMP)
    with copied.read() as connection:
        needed = references(connection).needed
        if dump is None:
            known = asdict(audit.head(connection))
    of = revision(copied)
    if dump is None:
        copied.close()
        settle(target / ROWS)
    names = [rows]
    if place.secret.is_file():
        copy_file(place.secret, target / SECRET)
        names.append(SECRET)
    files = {name: sorted(_copy_files(store, target / name)) for name, store in place.stores.items()}
    for name, digests in files.items():
        missing = needed.get(name, frozenset()) - set(digests)
        if missing:
            raise InputError(
                f"{len(missing)} files of {name} are missing, such as {min(missing)}",
                cause="affectcheck db verify names all",
            )
    made = Manifest(FORMAT, now.isoformat(), of, rows, known, {name: digest_of(target / name) for name in names}, files)
    text = json.dumps(asdict(made), indent=1)
    (target / MANIFEST).write_text(text)
    return made


def _copy_rows(database: Database, target: Path) -> None:
    """All pages in one step: a step more would begin anew at every write of others."""
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with (
        closing(sqlite3.connect(database.url.database or "", timeout=30)) as source,
        closing(sqlite3.connect(target)) as copy,
    ):
        source.backup(copy)


def settle(path: Path) -> None:
    """Make of rows one file, without a log of writes beside it."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")


def _copy_files(store: Blobs, target: Path) -> Iterator[str]:
    for digest in list(store.digests()):
        try:
            source = store.path(digest)
        except NotThereError:
            continue  # swept since it was listed; if a row refers to it, that is told
        place = target / digest[:2] / digest
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if copy_file(source, place) != digest:
            raise InputError(f"file {digest} of {target.name} has other bytes than it had", cause="a damaged disk")
        yield digest


def copy_file(source: Path, target: Path) -> str:
    """Copy a file for its owner alone; the digest of what was copied."""
    found = hashlib.sha256()
    handle = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with source.open("rb") as file, os.fdopen(handle, "wb") as copy:
        while block := file.read(BLOCK):
            found.update(block)
            copy.write(block)
        copy.flush()
        os.fsync(copy.fileno())
    return found.hexdigest()


def digest_of(path: Path) -> str:
    """The digest of a file.

    Raises:
        InputError: it is missing.
    """
    if not path.is_file():
        raise InputError(f"{path} is missing", cause="a backup that was not copied as a whole")
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def without_password(url: str) -> str:
    """An URL that tools of PostgreSQL take, without its password."""
    import sqlalchemy as sa  # noqa: PLC0415  # for this line alone

    given = sa.make_url(url)
    plain = sa.URL.create("postgresql", given.username, None, given.host, given.port, given.database, given.query)
    return f"'{plain.render_as_string()}'"
