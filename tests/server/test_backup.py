"""A backup of a portal that is written to meanwhile is whole, and comes back only if it is."""

from __future__ import annotations

import json
import shutil
import threading
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from affectcheck.errors import InputError
from affectcheck.server.opening import SECRET_FILE, open_portal
from affectcheck.server.settings import Settings
from affectcheck.server.storage import audit
from affectcheck.server.storage.backup import Place, backup, dump_command
from affectcheck.server.storage.blobs import Blobs
from affectcheck.server.storage.references import UPLOADS, VAULT
from affectcheck.server.storage.restoring import restore
from affectcheck.server.storage.tables import contest as tracks
from affectcheck.server.storage.tables import event
from affectcheck.server.storage.verifying import verify
from portal_children import wait_for
from portal_clock import NOON

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.server.portal import Portal


def _stores(data: Path) -> dict[str, Blobs]:
    return {UPLOADS: Blobs(data / UPLOADS), VAULT: Blobs(data / VAULT)}


def _place(portal: Portal) -> Place:
    data = portal.settings.data
    return Place(portal.settings.database, _stores(data), data / SECRET_FILE)


def _elsewhere(tmp_path: Path) -> Place:
    data = tmp_path / "elsewhere"
    return Place(f"sqlite:///{data / 'portal.db'}", _stores(data), data / SECRET_FILE)


def _write(portal: Portal, number: int) -> None:
    """A file, and then the row that refers to it, as an upload is kept."""
    kept = portal.uploads.put([f"items {number}".encode()], most=1000)
    with portal.database.write() as connection:
        connection.execute(
            event.insert().values(id=f"e{number}", slug=f"event-{number}", title="", description="", created=NOON)
        )
        connection.execute(
            tracks.insert().values(
                id=f"c{number}", event=f"e{number}", slug=f"track-{number}", track={"submissions": 5}, settings={},
                items=kept.digest, scorer="", standing={}, version=1, created=NOON,
            )
        )  # fmt: skip
        audit.record(connection, "system", "test.write", f"c{number}", {"items": kept.digest}, NOON)


def _there_and_back(portal: Portal, tmp_path: Path) -> Portal:
    backup(_place(portal), tmp_path / "kept", now=NOON)
    restore(tmp_path / "kept", _elsewhere(tmp_path))
    return open_portal(Settings(tmp_path / "elsewhere"), upgrade=False)


def test_what_comes_back_is_what_was_there(sqlite_portal: Portal, tmp_path: Path) -> None:
    for number in range(3):
        _write(sqlite_portal, number)
    labels = sqlite_portal.vault.put([b"hidden"], most=10)
    back = _there_and_back(sqlite_portal, tmp_path)
    assert back.settings.secret == sqlite_portal.settings.secret
    assert sorted(back.uploads.digests()) == sorted(sqlite_portal.uploads.digests())
    assert back.vault.read(labels.digest) == b"hidden"
    assert verify(back.database, _stores(back.settings.data)) == []
    with back.database.read() as connection, sqlite_portal.database.read() as before:
        assert connection.execute(sa.select(tracks)).all() == before.execute(sa.select(tracks)).all()
    back.close()


def test_a_backup_is_its_owners_alone(sqlite_portal: Portal, tmp_path: Path) -> None:
    _write(sqlite_portal, 1)
    backup(_place(sqlite_portal), tmp_path / "kept", now=NOON)
    folders = [path for path in (tmp_path / "kept").rglob("*") if path.is_dir()]
    files = [path for path in (tmp_path / "kept").rglob("*") if path.is_file() and path.name != "backup.json"]
    assert {path.stat().st_mode & 0o77 for path in files} == {0}
    assert (tmp_path / "kept").stat().st_mode & 0o77 == 0
    assert len(files) == 3
    assert folders


def test_a_backup_amid_writes_is_whole(sqlite_portal: Portal, tmp_path: Path) -> None:
    """Rows are written all the while; each backup holds a moment of them, with every file that its rows name."""
    stop, count = threading.Event(), 0

    def go_on() -> None:
        nonlocal count
        while not stop.is_set():
            _write(sqlite_portal, count)
            count += 1

    writer = threading.Thread(target=go_on)
    writer.start()
    try:
        heads: list[int] = []
        for number in range(4):
            wait_for(lambda: count > (heads[-1] if heads else 0))  # a row since the last backup
            made = backup(_place(sqlite_portal), tmp_path / f"kept-{number}", now=NOON)
            heads.append(made.chain["number"])
    finally:
        stop.set()
        writer.join()
    assert heads == sorted(set(heads))
    assert heads[-1] <= count
    for number, head in enumerate(heads):
        data = tmp_path / f"back-{number}"
        restore(tmp_path / f"kept-{number}", Place(f"sqlite:///{data / 'portal.db'}", _stores(data), data / "secret"))
        back = open_portal(Settings(data), upgrade=False)
        assert verify(back.database, _stores(data)) == []
        with back.database.read() as connection:
            assert connection.execute(sa.select(sa.func.count()).select_from(tracks)).scalar() == head
        back.close()


def _lose_a_file(kept: Path) -> None:
    next(path for path in (kept / UPLOADS).rglob("*") if path.is_file()).unlink()


def _change_a_file(kept: Path) -> None:
    next(path for path in (kept / UPLOADS).rglob("*") if path.is_file()).write_bytes(b"other")


def _change_the_rows(kept: Path) -> None:
    (kept / "portal.db").write_bytes((kept / "portal.db").read_bytes()[:-1] + b"x")


def _forge_the_rows(kept: Path) -> None:
    """Changed by hand, with a digest that fits."""
    import hashlib
    import sqlite3

    with sqlite3.connect(kept / "portal.db") as connection:
        connection.execute("UPDATE audit SET actor = 'somebody' WHERE number = 1")
    connection.close()
    manifest = json.loads((kept / "backup.json").read_text())
    manifest["digests"]["portal.db"] = hashlib.sha256((kept / "portal.db").read_bytes()).hexdigest()
    (kept / "backup.json").write_text(json.dumps(manifest))


def _forget_a_file(kept: Path) -> None:
    """Neither the file nor its name in the manifest."""
    manifest = json.loads((kept / "backup.json").read_text())
    manifest["files"][UPLOADS].pop()
    (kept / "backup.json").write_text(json.dumps(manifest))


def _cut_the_rows_off(kept: Path) -> None:
    (kept / "portal.db").unlink()


def _of_another_format(kept: Path) -> None:
    manifest = json.loads((kept / "backup.json").read_text())
    (kept / "backup.json").write_text(json.dumps({**manifest, "format": 2}))


def _no_backup(kept: Path) -> None:
    (kept / "backup.json").unlink()


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (_lose_a_file, "is missing"),
        (_change_a_file, "is not as it was backed up"),
        (_change_the_rows, "portal.db is not as it was backed up"),
        (_forge_the_rows, "row 1 of the audit log was changed"),
        (_forget_a_file, "of uploads is missing"),
        (_cut_the_rows_off, "portal.db is missing"),
        (_of_another_format, "a backup of format 2"),
        (_no_backup, "is no backup"),
    ],
)
def test_a_damaged_backup_does_not_come_back(sqlite_portal: Portal, tmp_path: Path, damage: object, said: str) -> None:
    _write(sqlite_portal, 1)
    _write(sqlite_portal, 2)
    backup(_place(sqlite_portal), tmp_path / "kept", now=NOON)
    damage(tmp_path / "kept")
    with pytest.raises(InputError, match=said):
        restore(tmp_path / "kept", _elsewhere(tmp_path))
    left = [path for path in (tmp_path / "elsewhere").rglob("*") if path.is_file()]
    assert left == []


def test_a_backup_goes_to_a_new_folder_only(sqlite_portal: Portal, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    with pytest.raises(InputError, match="is there already"):
        backup(_place(sqlite_portal), tmp_path / "kept", now=NOON)


def test_a_backup_comes_back_to_an_empty_place_only(sqlite_portal: Portal, tmp_path: Path) -> None:
    _write(sqlite_portal, 1)
    backup(_place(sqlite_portal), tmp_path / "kept", now=NOON)
    with pytest.raises(InputError, match="holds files"):
        restore(tmp_path / "kept", _place(sqlite_portal))
    shutil.rmtree(sqlite_portal.uploads.root)
    with pytest.raises(InputError, match=r"portal\.db is there already"):
        restore(tmp_path / "kept", _place(sqlite_portal))


def test_what_lacks_a_file_is_not_backed_up(sqlite_portal: Portal, tmp_path: Path) -> None:
    _write(sqlite_portal, 1)
    sqlite_portal.uploads.remove(next(sqlite_portal.uploads.digests()))
    with pytest.raises(InputError, match="1 files of uploads are missing"):
        backup(_place(sqlite_portal), tmp_path / "kept", now=NOON)
    assert [path.name for path in tmp_path.iterdir() if "kept" in path.name] == []


def test_a_file_that_rotted_is_not_backed_up(sqlite_portal: Portal, tmp_path: Path) -> None:
    _write(sqlite_portal, 1)
    sqlite_portal.uploads.path(next(sqlite_portal.uploads.digests())).write_bytes(b"rotten")
    with pytest.raises(InputError, match="has other bytes than it had"):
        backup(_place(sqlite_portal), tmp_path / "kept", now=NOON)


@pytest.fixture
def postgres_portal(postgres_url: str, opened: object) -> Portal:
    return opened(postgres_url)


def test_postgresql_is_backed_up_with_a_dump(postgres_portal: Portal, tmp_path: Path) -> None:
    _write(postgres_portal, 1)
    with pytest.raises(InputError, match="PostgreSQL keeps its rows elsewhere") as refused:
        backup(_place(postgres_portal), tmp_path / "kept", now=NOON)
    assert "pg_dump --format=custom" in str(refused.value)
    (tmp_path / "dump").write_bytes(b"as pg_dump wrote it")
    made = backup(_place(postgres_portal), tmp_path / "kept", now=NOON, dump=tmp_path / "dump")
    assert (made.rows, made.known) == ("portal.dump", None)
    shutil.rmtree(postgres_portal.uploads.root)
    restore(tmp_path / "kept", _place(postgres_portal))
    assert verify(postgres_portal.database, _stores(postgres_portal.settings.data)) == []


def test_files_for_postgresql_come_back_behind_its_rows(
    empty_postgres: str, postgres_portal: Portal, tmp_path: Path
) -> None:
    (tmp_path / "dump").write_bytes(b"")
    backup(_place(postgres_portal), tmp_path / "kept", now=NOON, dump=tmp_path / "dump")
    place = Place(empty_postgres, _stores(tmp_path / "elsewhere"), tmp_path / "elsewhere" / "secret")
    with pytest.raises(InputError, match="the database holds no tables") as refused:
        restore(tmp_path / "kept", place)
    assert "pg_restore --no-owner" in str(refused.value)


def test_the_command_shows_no_password() -> None:
    said = dump_command("postgresql://me:geheim@host/name")
    assert said == "pg_dump --format=custom --file=portal.dump 'postgresql://me@host/name'"
