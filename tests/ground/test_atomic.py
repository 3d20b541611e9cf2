from __future__ import annotations

import errno
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from affectcheck import atomic
from affectcheck.errors import InputError, WriteError

if TYPE_CHECKING:
    from pathlib import Path


def test_a_file_appears_whole_in_a_folder_that_is_made(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.txt"
    atomic.write_text(path, "grüß\n")
    assert path.read_bytes() == "grüß\n".encode()
    assert [p.name for p in path.parent.iterdir()] == ["a.txt"]


def break_off_midway(path: Path) -> None:
    with atomic.whole_file(path) as partial:
        partial.write_text("half")
        raise RuntimeError("midway")


def test_an_error_midway_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(RuntimeError, match="midway"):
        break_off_midway(path)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize(("code", "cause"), [(errno.ENOSPC, "disk is full"), (errno.EACCES, "no permission")])
def test_a_full_disk_is_one_clear_error(tmp_path: Path, code: int, cause: str) -> None:
    with pytest.raises(InputError, match=cause), atomic.whole_file(tmp_path / "a.txt"):
        raise OSError(code, "no")
    assert not list(tmp_path.iterdir())


def test_other_system_errors_are_not_renamed(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="odd") as caught, atomic.whole_file(tmp_path / "a.txt"):
        raise OSError(errno.EIO, "odd")
    assert not isinstance(caught.value, InputError)


@pytest.mark.parametrize("name", ["file/a.txt", "folder", "x" * 300 + ".txt"])
def test_a_place_that_no_file_can_have_is_the_users_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    with pytest.raises(WriteError, match="cannot write"):
        atomic.write_text(tmp_path / name, "text")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "folder"]


# files that belong together


def pair(folder: Path, text: bytes) -> None:
    atomic.write_sealed(
        folder / "seal.json", b"of " + text, {folder / "rows.csv": text, folder / "more.csv": text + b"!"}
    )


def held(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def whole(text: bytes) -> dict[str, bytes]:
    return {"seal.json": b"of " + text, "rows.csv": text, "more.csv": text + b"!"}


def test_files_with_a_seal_appear_together_and_are_replaced_together(tmp_path: Path) -> None:
    pair(tmp_path / "new", b"one")
    assert held(tmp_path / "new") == whole(b"one")
    pair(tmp_path / "new", b"two")
    assert held(tmp_path / "new") == whole(b"two")


def test_the_same_bytes_are_not_written_again(tmp_path: Path) -> None:
    pair(tmp_path, b"one")
    before = {path.name: path.stat().st_ino for path in tmp_path.iterdir()}
    pair(tmp_path, b"one")
    assert {path.name: path.stat().st_ino for path in tmp_path.iterdir()} == before
    (tmp_path / "more.csv").unlink()
    pair(tmp_path, b"one")
    assert held(tmp_path) == whole(b"one")


@pytest.mark.parametrize("full_at", [1, 2, 3])
def test_a_disk_that_is_full_at_any_file_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full_at: int
) -> None:
    pair(tmp_path, b"one")
    calls = iter(range(1, 100))

    def sync(_: int) -> None:
        if next(calls) == full_at:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(atomic.os, "fsync", sync)
    with pytest.raises(WriteError, match="the disk is full"):
        pair(tmp_path, b"two")
    assert held(tmp_path) == whole(b"one")


KILLED = """
import os, sys
from pathlib import Path
from affectcheck import atomic

calls = 0
def dying(call):
    def counted(*words, **options):
        global calls
        calls += 1
        if calls == int(sys.argv[2]):
            os._exit(9)
        return call(*words, **options)
    return counted

Path.replace, Path.unlink, os.fsync = dying(Path.replace), dying(Path.unlink), dying(os.fsync)
folder, text = Path(sys.argv[1]), b"two"
atomic.write_sealed(folder / "seal.json", b"of " + text, {folder / "rows.csv": text, folder / "more.csv": text + b"!"})
"""


def test_killed_at_any_step_a_seal_is_never_one_of_other_files(tmp_path: Path) -> None:
    outcomes = set()
    for step in range(1, 30):
        folder = tmp_path / str(step)
        pair(folder, b"one")
        done = subprocess.run([sys.executable, "-c", KILLED, str(folder), str(step)], check=False)
        found = {name: data for name, data in held(folder).items() if "partial" not in name}
        if "seal.json" in found:
            assert found in (whole(b"one"), whole(b"two"))
        outcomes.add((found == whole(b"one"), found == whole(b"two"), "seal.json" in found))
        if done.returncode == 0:
            break
    assert done.returncode == 0
    assert outcomes == {(True, False, True), (False, True, True), (False, False, False)}
