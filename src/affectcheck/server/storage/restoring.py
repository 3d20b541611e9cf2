"""The way back from a backup: to a place without a portal, and only of what checks out."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from affectcheck.errors import InputError
from affectcheck.server.storage import audit
from affectcheck.server.storage.backup import (
    BLOCK,
    DUMP,
    FORMAT,
    MANIFEST,
    SECRET,
    Manifest,
    copy_file,
    digest_of,
    settle,
    without_password,
)
from affectcheck.server.storage.engine import Database
from affectcheck.server.storage.references import references
from affectcheck.server.storage.upgrade import revision

if TYPE_CHECKING:
    from affectcheck.server.storage.backup import Place
    from affectcheck.server.storage.blobs import Blobs

_MOST: Final = 1 << 40


def restore(source: Path, place: Place) -> Manifest:
    """Bring a portal back to a place where there is none; what does not check out is not brought back.

    Raises:
        InputError: no backup, one that is damaged, a place that is taken, or PostgreSQL whose dump was not restored.
    """
    found = read_manifest(source)
    database = Database(place.database)
    put: list[tuple[Blobs, str]] = []
    try:
        _require_empty(place, database)
        for name, digest in found.digests.items():
            if digest_of(source / name) != digest:
                raise InputError(f"{source / name} is not as it was backed up", cause="a damaged or changed file")
        for name, digests in found.files.items():
            for digest in digests:
                put.append((place.stores[name], digest))
                _bring(source / name / digest[:2] / digest, place.stores[name], digest)
        _restore_rows(source, found, database)
        if (source / SECRET).is_file() and not place.secret.exists():
            copy_file(source / SECRET, place.secret)
    except BaseException:
        for store, digest in put:
            store.remove(digest)
        raise
    finally:
        database.close()
    return found


def read_manifest(source: Path) -> Manifest:
    """What a backup says that it holds.

    Raises:
        InputError: it is none, or of another format.
    """
    path = source / MANIFEST
    if not path.is_file():
        raise InputError(f"{source} is no backup", expected=f"a folder with {MANIFEST}")
    values = json.loads(path.read_text())
    if values.get("format") != FORMAT:
        raise InputError(f"a backup of format {values.get('format')}", expected=str(FORMAT))
    return Manifest(**values)


def _bring(source: Path, store: Blobs, digest: str) -> None:
    if not source.is_file():
        raise InputError(f"{source} is missing", cause="a backup that was not copied as a whole")
    with source.open("rb") as file:
        kept = store.put(iter(lambda: file.read(BLOCK), b""), most=_MOST)
    if kept.digest != digest:
        store.remove(kept.digest)
        raise InputError(f"{source} is not as it was backed up", cause="a damaged or changed file")


def _require_empty(place: Place, database: Database) -> None:
    for store in place.stores.values():
        if next(store.digests(), None) is not None:
            raise InputError(f"{store.root} holds files", expected="a place without a portal")
    if database.is_sqlite:
        path = Path(database.url.database or "")
        if path.exists():
            raise InputError(f"{path} is there already", expected="a place without a portal")
    elif not revision(database):
        command = f"pg_restore --no-owner --dbname={without_password(place.database)} {DUMP}"
        raise InputError("the database holds no tables", expected=f"the rows of the backup, by: {command}")


def _restore_rows(source: Path, found: Manifest, database: Database) -> None:
    if not database.is_sqlite:
        _check_rows(database, found)
        return
    path = Path(database.url.database or "")
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        copy_file(source / found.rows, partial)
        copied = Database(f"sqlite:///{partial}")
        try:
            _check_rows(copied, found)
        finally:
            copied.close()
        settle(partial)
        partial.replace(path)
    finally:
        for left in path.parent.glob(f"{partial.name}*"):
            left.unlink()


def _check_rows(database: Database, found: Manifest) -> None:
    with database.read() as connection:
        faults = audit.verify(connection, found.known)
        needed = references(connection).needed
    faults += [
        f"file {digest} of {name} is missing"
        for name, digests in needed.items()
        for digest in sorted(digests - set(found.files.get(name, ())))
    ]
    if faults:
        raise InputError("; ".join(faults[:5]), cause="rows that are not those of this backup, or were changed")
