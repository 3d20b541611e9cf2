"""An append-only journal of finished work that survives being killed at any instant.

One line a record: a checksum and JSON with a ``key``. Every record starts with a line feed, so a record that was cut
off spoils none that follows it; several processes may append to one file, since each record is one write to a file
opened for appending. A record whose checksum is wrong does not count: its work is done again.
"""

from __future__ import annotations

import json
import os
import threading
from typing import TYPE_CHECKING, Any, Final

from affectcheck.atomic import clear_write_errors
from affectcheck.digest import digest_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

CHECK_LENGTH: Final = 16


class Journal:
    """Finished work by key.

    Args:
        path: the file; made with the first record, and read when something is looked up first.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = -1
        self._read: dict[str, dict[str, Any]] | None = None
        self._reading = threading.Lock()

    @property
    def _records(self) -> dict[str, dict[str, Any]]:
        with self._reading:  # once, whoever asks first
            if self._read is None:
                self._read = _read(self.path) if self.path.exists() else {}
            return self._read

    def get(self, key: str) -> dict[str, Any] | None:
        """The record of a key, or None."""
        return self._records.get(key)

    def put(self, records: Iterable[dict[str, Any]], *, remember: bool = True) -> None:
        """Append records, each with its ``key``, in one write.

        Args:
            records: what is finished.
            remember: keep them in memory too, for those who look them up again.

        Raises:
            InputError: the disk is full or not writable.
        """
        found = list(records)
        data = b"".join(_encode(record) for record in found)
        with clear_write_errors(self.path):
            if self._file < 0:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            while data:
                data = data[os.write(self._file, data) :]
        if remember and self._read is not None:  # else the file, which now has them, is read when they are looked up
            self._read.update({record["key"]: record for record in found})

    def close(self, *, durable: bool = True) -> None:
        """Give the file back; what is looked up or appended afterwards opens it again.

        Args:
            durable: bring what was written to the disk itself, which takes some time; what is written survives the
                end of the program without it, but not that of the machine.
        """
        if self._file >= 0:
            with clear_write_errors(self.path):
                if durable:
                    os.fsync(self._file)
                os.close(self._file)
            self._file = -1

    def forget(self) -> None:
        """Drop what was read; the file is read again when something is looked up."""
        self._read = None

    def __len__(self) -> int:
        return len(self._records)


def _encode(record: dict[str, Any]) -> bytes:
    text = json.dumps(record, allow_nan=False, separators=(",", ":"))
    return f"\n{digest_bytes(text)[:CHECK_LENGTH]} {text}".encode()


def _read(path: Path) -> dict[str, dict[str, Any]]:
    records: dict[str, dict[str, Any]] = {}
    for line in path.read_bytes().split(b"\n"):
        check, _, raw = line.partition(b" ")
        if raw and check.decode(errors="replace") == digest_bytes(raw)[:CHECK_LENGTH]:
            record = json.loads(raw)
            records[record["key"]] = record
    return records
