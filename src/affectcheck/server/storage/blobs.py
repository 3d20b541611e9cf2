"""Files by the digest of their content: a file is there as a whole and for good, or not at all."""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import shutil
import stat
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from affectcheck.server.faults import NoRoomError, NotThereError, TooLargeError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_BLOCK: Final = 1 << 20
_DIGEST: Final = 64
#: Bytes of one file between two looks at the room on the disk.
_LOOK: Final = 8 * _BLOCK


class Kept(NamedTuple):
    """A file that is kept."""

    digest: str
    size: int


@dataclass(frozen=True)
class Blobs:
    """A folder of files by digest.

    Where the web and workers are two users, they share a folder by its group: a root that the group may write (2770) makes
    folders within that it may use, and files that it may read; a root that it may write and not read (2730) leaves files
    to the umask of whoever writes them, such as 077 of workers.

    Attributes:
        root: the folder; files lie in ``ab/abcdef…``, unfinished ones in ``incoming``.
    """

    root: Path

    def open_writer(self, *, most: int, spare: int = 0) -> Incoming:
        """A file that is to come, of at most so many bytes; ``spare`` bytes stay free on the disk while it comes."""
        folder = self.root / "incoming"
        _make_folder(self.root, folder)
        return Incoming(self.root, folder / secrets.token_hex(16), most, spare)

    def put(self, blocks: Iterable[bytes], *, most: int) -> Kept:
        """Keep what comes in blocks."""
        with self.open_writer(most=most) as incoming:
            for block in blocks:
                incoming.write(block)
            return incoming.keep()

    def path(self, digest: str) -> Path:
        """Where a file lies.

        Raises:
            NotThereError: there is none of that digest.
        """
        found = _place(self.root, digest)
        if not found.is_file():
            raise NotThereError("a file that is no longer kept", code="E_NO_FILE")
        return found

    def read(self, digest: str) -> bytes:
        """All bytes of a file."""
        return self.path(digest).read_bytes()

    def digests(self) -> Iterator[str]:
        """Digests of all files."""
        for folder in sorted(self.root.glob("[0-9a-f][0-9a-f]")):
            yield from sorted(path.name for path in folder.iterdir())

    def remove(self, digest: str) -> None:
        """Remove a file, if it is there."""
        _place(self.root, digest).unlink(missing_ok=True)

    def remove_unless_younger(self, digest: str, *, before: float) -> bool:
        """Remove a file that was last written before a time (seconds since 1970); whether it was.

        It is moved aside and looked at there, since the same content may arrive anew at any moment.
        """
        place = _place(self.root, digest)
        aside = self.root / "incoming" / f"{digest}.{secrets.token_hex(8)}"
        _make_folder(self.root, aside.parent)
        try:
            place.rename(aside)
        except FileNotFoundError:
            return False
        if aside.stat().st_mtime < before:
            aside.unlink()
            return True
        aside.replace(place)
        return False

    def sweep(self, *, before: float) -> int:
        """Remove unfinished files that were last written before a time (seconds since 1970); how many."""
        gone = 0
        for path in (self.root / "incoming").glob("*"):
            with suppress(FileNotFoundError):
                if path.stat().st_mtime < before:
                    path.unlink()
                    gone += 1
        return gone

    def free(self) -> int:
        """Bytes that are free on its disk."""
        self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
        return shutil.disk_usage(self.root).free


class Incoming:
    """A file on its way in: counted, hashed, and on the disk before it has a name."""

    def __init__(self, root: Path, path: Path, most: int, spare: int) -> None:
        self._root, self._path, self._most, self._spare = root, path, most, spare
        self._looked = 0
        self._hash = hashlib.sha256()
        self._file: BinaryIO | None = None
        self.size = 0

    def __enter__(self) -> Incoming:
        """Begin."""
        self._file = self._path.open("xb")
        return self

    def __exit__(self, *_: object) -> None:
        """What was not kept is gone."""
        if self._file is not None:
            with suppress(OSError):  # what a full disk did not take is not kept anyway
                self._file.close()
        self._path.unlink(missing_ok=True)

    def write(self, block: bytes) -> None:
        """Take a block.

        Raises:
            TooLargeError: more came than may.
            NoRoomError: the disk has become full meanwhile, such as by others that come at once.
        """
        self.size += len(block)
        if self.size > self._most:
            raise TooLargeError(
                f"a file of more than {self._most // _BLOCK} MiB",
                code="E_TOO_LARGE",
                expected=f"at most {self._most} bytes",
                cause="a file that holds more than predictions; zip it",
            )
        if self._spare and self.size >= self._looked:
            self._looked = self.size + _LOOK
            if shutil.disk_usage(self._root).free < self._spare:
                raise _no_room()
        assert self._file is not None  # within the block alone
        self._hash.update(block)
        with _full_is_told():
            self._file.write(block)

    @property
    def digest(self) -> str:
        """Of what came so far."""
        return self._hash.hexdigest()

    def settle(self) -> None:
        """On the disk, without a name yet: what takes long of ``keep``, and may be done before it is known whether to."""
        assert self._file is not None
        if not self._file.closed:
            with _full_is_told():
                self._file.flush()
                os.fsync(self._file.fileno())
                self._file.close()

    def keep(self) -> Kept:
        """On the disk for good, under its digest."""
        self.settle()
        place = _place(self._root, self.digest)
        _make_folder(self._root, place.parent)
        if self._root.stat().st_mode & stat.S_IRGRP:
            self._path.chmod(0o640)
        self._path.replace(place)
        for folder in (place.parent, self._root):
            _sync_folder(folder)
        return Kept(self.digest, self.size)


def _no_room() -> NoRoomError:
    return NoRoomError(
        "the portal's disk is nearly full: nothing more is taken",
        code="E_NO_ROOM",
        expected="free space, for which the organisers must see",
    )


@contextmanager
def _full_is_told() -> Iterator[None]:
    """A disk or a quota that is full in the middle of a file is told as one that was nearly so before."""
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise _no_room() from error
        raise


def _place(root: Path, digest: str) -> Path:
    if len(digest) != _DIGEST or not set(digest) <= set("0123456789abcdef"):
        raise NotThereError("no digest of a file", code="E_NO_FILE")
    return root / digest[:2] / digest


def _make_folder(root: Path, folder: Path) -> None:
    """A folder for its owner alone, or for the group too where it may write the root."""
    root.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        return
    if root.stat().st_mode & stat.S_IWGRP:
        folder.chmod(0o2770)


def _sync_folder(folder: Path) -> None:
    """A name in a folder lasts once the folder is on the disk."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except PermissionError:  # one that may be written and not be read
        os.sync()
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
