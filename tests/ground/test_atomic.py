from __future__ import annotations

import errno
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
