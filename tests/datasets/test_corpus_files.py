"""What lies in and below a folder: links, circles, hidden entries, and folders that cannot be read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from affectcheck.datasets.corpus_files import entries, files_below
from label_trees import touch

if TYPE_CHECKING:
    from pathlib import Path


def _below(folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in files_below(folder)]


def test_links_are_followed_but_not_in_circles(tmp_path):
    touch(tmp_path, "elsewhere/b.wav", "root/x/a.wav", "root/x/.hidden.wav", "root/.trash/c.wav")
    (tmp_path / "root/y").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    (tmp_path / "root/x/again").symlink_to(tmp_path / "root", target_is_directory=True)
    (tmp_path / "root/x/itself").symlink_to(tmp_path / "root/x", target_is_directory=True)
    assert _below(tmp_path / "root") == ["x/a.wav", "y/b.wav"]


def test_a_folder_that_cannot_be_read_is_an_error(tmp_path, monkeypatch):
    touch(tmp_path, "a/1.wav", "b/2.wav")
    readable = os.scandir

    def scandir(path: str) -> os.ScandirIterator[str]:
        if str(path).endswith("b"):
            raise PermissionError(13, "Permission denied", str(path))
        return readable(path)

    monkeypatch.setattr(os, "scandir", scandir)
    with pytest.raises(PermissionError):
        files_below(tmp_path)


def test_entries_by_suffix(tmp_path):
    touch(tmp_path, "b.TXT", "a.txt", ".c.txt", "d.csv")
    assert [path.name for path in entries(tmp_path, ".txt")] == ["a.txt", "b.TXT"]
    assert [path.name for path in entries(tmp_path)] == ["a.txt", "b.TXT", "d.csv"]
    assert entries(tmp_path / "gone") == []
