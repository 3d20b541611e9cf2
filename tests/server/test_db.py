"""``affectcheck db`` as a person runs it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from affectcheck.cli import app, db
from affectcheck.server.storage import audit
from affectcheck.server.storage.tables import audit as rows
from portal_clock import NOON

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.server.portal import Portal

if "db" not in app.VERBS:
    db.register(app.app)


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AFFECTCHECK_DATABASE", "AFFECTCHECK_SECRET", "AFFECTCHECK_SMTP"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def data(sqlite_portal: Portal) -> str:
    kept = sqlite_portal.uploads.put([b"upload"], most=100)
    with sqlite_portal.database.write() as connection:
        audit.record(connection, "system", "test.make", "x", {"digest": kept.digest}, NOON)
    return str(sqlite_portal.settings.data)


def _run(*arguments: object) -> int:
    return app.run(["db", *map(str, arguments)])


def test_a_new_portal_gets_its_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("upgrade", "--data", tmp_path / "new", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"revision": "0001"}
    assert _run("verify", "--data", tmp_path / "new") == 0
    assert capsys.readouterr().out == "nothing is broken\n"


def test_there_and_back(data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("backup", tmp_path / "kept", "--data", data, "--json") == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["files"] == 1
    assert "hidden labels" in said.err
    assert _run("restore", tmp_path / "kept", "--data", tmp_path / "back", "--json") == 0
    assert json.loads(capsys.readouterr().out)["files"] == 1
    assert _run("verify", "--data", tmp_path / "back") == 0
    assert _run("restore", tmp_path / "kept", "--data", tmp_path / "back") == 2


def test_what_is_broken_is_told_and_the_code_is_1(
    data: str, sqlite_portal: Portal, capsys: pytest.CaptureFixture[str]
) -> None:
    with sqlite_portal.database.write() as connection:
        connection.execute(rows.update().values(actor="somebody"))
    assert _run("verify", "--data", data) == 1
    assert capsys.readouterr().out == "row 1 of the audit log was changed\n"
    assert _run("verify", "--data", data, "--json") == 1
    assert json.loads(capsys.readouterr().out) == {"faults": ["row 1 of the audit log was changed"]}


def test_what_is_left_over_is_swept(data: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("sweep", "--data", data) == 0
    assert capsys.readouterr().out == "0 unfinished files and 0 that nothing refers to were removed\n"
    assert _run("sweep", "--data", data, "--hours", 0, "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"unfinished": 0, "orphans": 1}


@pytest.mark.parametrize("verb", ["verify", "sweep"])
def test_a_folder_without_a_portal_stays_one(tmp_path: Path, verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    for folder in (tmp_path, tmp_path / "nowhere"):
        assert _run(verb, "--data", folder) == 2
        assert "no portal in" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_tables_of_another_version_are_not_looked_at(
    data: str, sqlite_portal: Portal, capsys: pytest.CaptureFixture[str]
) -> None:
    with sqlite_portal.database.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0000'")
    assert _run("verify", "--data", data) == 2
    assert "affectcheck db upgrade" in capsys.readouterr().err


def test_the_database_is_taken_from_the_environment(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AFFECTCHECK_DATABASE", postgres_url)
    assert _run("upgrade", "--data", tmp_path) == 0
    assert not (tmp_path / "portal.db").exists()
    assert _run("verify", "--data", tmp_path) == 0
    assert _run("backup", tmp_path / "kept", "--data", tmp_path) == 2
    assert "pg_dump" in capsys.readouterr().err
