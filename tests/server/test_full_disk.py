"""A disk that becomes full in the middle of a file: it is told as such, and nothing half-written stays."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="SQLAlchemy is not installed (extra server)")

from affectcheck.server.faults import NoRoomError
from affectcheck.server.storage.blobs import Blobs


def test_a_file_that_the_disk_does_not_take_is_refused_and_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(NoRoomError, match="disk is nearly full"):
        Blobs(tmp_path).put([b"a"], most=10)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_blocks_and_what_is_left_of_them_do_not_fail_otherwise(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb", buffering=1024) as full, Blobs(tmp_path).open_writer(most=1 << 20) as incoming:
        assert incoming._file is not None
        incoming._file.close()
        incoming._file = full
        incoming.write(bytes(600))
        with pytest.raises(NoRoomError):
            incoming.write(bytes(600))
        with suppress(OSError):  # of this test's own file, of which a part is in the buffer
            full.close()
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_other_faults_of_a_disk_are_not_called_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(OSError, match="Input/output"):
        Blobs(tmp_path).put([b"a"], most=10)
