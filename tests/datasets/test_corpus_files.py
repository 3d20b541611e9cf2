"""What lies in and below a folder: links, circles, hidden entries, and folders that cannot be read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from affectcheck.datasets import load_dataset
from affectcheck.datasets.corpus_files import entries, files_below
from affectcheck.errors import InputError
from label_trees import crema_d, touch
from speech_trees import acted, nsc

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


def _old(folder: Path, name: bytes) -> None:
    """A file with a name of an old archive; skips where the file system takes none."""
    try:
        (folder / os.fsdecode(name)).touch()
    except OSError:
        pytest.skip("names are text on this file system")


@pytest.mark.parametrize(
    ("spec", "make", "folder"),
    [
        ("des", lambda root: acted(root, "anger"), "wav/HO"),
        ("nsc", nsc, "PART1/DATA/CHANNEL0/WAVE/SPEAKER0001/SESSION0"),
    ],
)
def test_names_of_old_archives_are_refused(tmp_path, spec, make, folder):
    _old(make(tmp_path) / folder, b"HO_anger_gl\xe6de.wav")
    with pytest.raises(InputError, match="1 recordings whose names are not UTF-8") as caught:
        load_dataset(spec, tmp_path)
    assert f"{folder}/HO_anger_gl\\xe6de.wav" in str(caught.value)


def test_names_of_old_archives_beside_a_list_are_no_recordings(tmp_path):
    root = crema_d(tmp_path)
    _old(root / "AudioWAV", b"\xff.wav")
    assert load_dataset("crema-d", root).height == 4
    (root / "SentenceFilenames.csv").unlink()
    with pytest.raises(InputError, match=r"1 recordings whose names are not UTF-8:\n  \\xff"):
        load_dataset("crema-d", root)
