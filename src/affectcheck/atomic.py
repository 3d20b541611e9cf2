"""Files that are whole or not there: written beside their place, then renamed; a full disk is one clear error."""

from __future__ import annotations

import errno
import os
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING

from affectcheck.errors import WriteError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_CAUSES = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the file system takes no file of this size",
    errno.EACCES: "no permission to write there",
    errno.EPERM: "no permission to write there",
    errno.EROFS: "the file system is read-only",
    errno.ENOTDIR: "a part of the path is a file, not a folder",
    errno.EISDIR: "a folder of this name is there",
    errno.EEXIST: "something of this name is there",
    errno.ENOTEMPTY: "a folder of this name is there, and not empty",
    errno.ENOENT: "a folder in which nothing can be made, or one that was deleted meanwhile",
    errno.ENAMETOOLONG: "the name is too long for the file system",
    errno.ELOOP: "links that lead in a circle",
}


@contextmanager
def whole_file(path: Path, *, durable: bool = True) -> Iterator[Path]:
    """A temporary path in the same folder, renamed to ``path`` when the block ends without an error.

    The temporary name starts with a dot, carries the process number and keeps the suffix, so that writers which
    choose a format by suffix work and two processes never share one.

    Args:
        path: the file.
        durable: bring it to the disk itself first, which takes milliseconds. Without it, a machine that loses its power
            may leave the file cut off: for what has a checksum and can be made again.

    Raises:
        WriteError: the disk is full or not writable; nothing is left behind.
    """
    partial = path.with_name(f".{path.stem}.{os.getpid()}.partial{path.suffix}")
    try:
        with clear_write_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            yield partial
            if durable:
                with partial.open("rb") as file:
                    os.fsync(file.fileno())
            partial.replace(path)
    finally:
        with suppress(OSError):  # where nothing can be written, nothing is left to be deleted either
            partial.unlink(missing_ok=True)


@contextmanager
def clear_write_errors(path: Path) -> Iterator[None]:
    """Turn the operating system's refusal to write into one clear error; any other error passes.

    Raises:
        WriteError: the disk is full or not writable.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in _CAUSES:
            raise
        raise WriteError(
            f"cannot write {path}: {error.strerror}",
            expected="a writable folder with free space",
            cause=_CAUSES[error.errno],
        ) from error


def write_text(path: Path, text: str) -> None:
    """Write a text file (UTF-8, line feeds) whole or not at all."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Write a file whole or not at all; ``durable`` as for ``whole_file``."""
    with whole_file(path, durable=durable) as partial:
        partial.write_bytes(data)


def write_sealed(seal: Path, text: bytes, others: Mapping[Path, bytes]) -> None:
    """Write files that belong together, the seal last: where it is, all others are those that it was written with.

    Everything is on the disk before the first file takes its place, so that a full disk leaves what was there. A
    program that is killed between two files leaves no seal. Files that hold the same bytes are not touched.

    Args:
        seal: path of the file by whose presence a reader knows that all are there.
        text: its content.
        others: path to content.

    Raises:
        WriteError: the disk is full or not writable; what was there is still there.
    """
    if all(path.is_file() and path.read_bytes() == data for path, data in {seal: text, **others}.items()):
        return
    with ExitStack() as stack:  # left in reverse order: the seal takes its place last
        for path, data in {seal: text, **others}.items():
            partial = stack.enter_context(whole_file(path))
            with partial.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        seal.unlink(missing_ok=True)
