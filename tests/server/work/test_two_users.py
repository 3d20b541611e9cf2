"""The web and workers as two users: what the one may read of the other's folders, on a real file system."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from affectcheck.server.storage.blobs import Blobs

if TYPE_CHECKING:
    from collections.abc import Iterator

WEB, WORKER, GROUP = 54_001, 54_002, 54_003

BECOME = """
import os, sys
from pathlib import Path
from affectcheck.server.storage.blobs import Blobs
os.setgroups([])
os.setgid(int(sys.argv[2]))
os.setuid(int(sys.argv[1]))
os.umask(int(sys.argv[3], 8))  # as the manual sets it
store, word = Blobs(Path(sys.argv[4])), sys.argv[5]
"""
PUT = BECOME + "print(store.put([word.encode()], most=100).digest)"
READ = BECOME + "print(store.read(word).decode())"


def run(user: int, code: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run as a user; what is imported is read before, since it may lie where others cannot look."""
    umask = "077" if user == WORKER else "027"
    command = [sys.executable, "-c", code, str(user), str(GROUP), umask, *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def said(user: int, code: str, *words: str) -> str:
    done = run(user, code, *words)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def folders() -> Iterator[tuple[str, str]]:
    """Uploads of the web's user, labels of the workers'."""
    if os.name != "posix" or os.geteuid() != 0:
        pytest.skip("only root may be two users")
    root = Path(tempfile.mkdtemp(prefix="affectcheck-users-"))
    try:
        root.chmod(0o755)
        for name, owner, mode in (("uploads", WEB, 0o2770), ("labels", WORKER, 0o2730)):
            (root / name).mkdir()
            os.chown(root / name, owner, GROUP)
            (root / name).chmod(mode)
        yield str(root / "uploads"), str(root / "labels")
    finally:
        shutil.rmtree(root)


@pytest.mark.slow
def test_the_web_writes_labels_and_never_reads_those_that_are_kept(folders: tuple[str, str]) -> None:
    uploads, labels = folders
    sent = said(WEB, PUT, labels, "labels as sent")
    assert said(WORKER, READ, labels, sent) == "labels as sent"
    kept = said(WORKER, PUT, labels, "labels as kept")
    assert said(WORKER, PUT, labels, "labels as sent") == sent  # they become the worker's
    for digest in (sent, kept):
        denied = run(WEB, READ, labels, digest)
        assert denied.returncode != 0
        assert "PermissionError" in denied.stderr
        assert said(WORKER, READ, labels, digest).startswith("labels")
    upload = said(WEB, PUT, uploads, "predictions")
    assert said(WORKER, READ, uploads, upload) == "predictions"
    listed = said(WORKER, PUT, uploads, "a list of items")
    assert said(WEB, READ, uploads, listed) == "a list of items"


def test_folders_of_one_user_are_that_ones_alone(tmp_path: Path) -> None:
    store = Blobs(tmp_path / "store")
    kept = store.put([b"bytes"], most=10)
    folders = [store.root, store.root / "incoming", store.path(kept.digest).parent]
    assert [path.stat().st_mode & 0o7777 for path in folders] == [0o700] * 3
