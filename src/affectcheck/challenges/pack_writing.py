"""A participants' pack as one zip, or as a folder whose crops and features are links: whole, or not there at all."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from affectcheck.atomic import clear_write_errors, whole_file
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Progress = Callable[[int, int], None]

_CHUNK: Final = 1 << 20
_MOMENT: Final = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip knows
_STALE: Final = re.compile(r"\.(\d+)\.partial(?:\.zip)?$")
#: A link that cannot be made there: another disk, a file system without links, or no right to make one.
_NO_LINK: Final = (errno.EXDEV, errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EACCES)
SUMS: Final = "SHA256SUMS"


def write_zip(
    output: Path, folder: str, made: Mapping[str, bytes], copied: Mapping[str, Path], progress: Progress | None
) -> str:
    """Write a zip.

    Args:
        output: the file, replaced if it is there.
        folder: that all members are in.
        made: path to content.
        copied: path to the file that is copied, as it is.
        progress: called with files done and files in all.

    Returns:
        SHA-256 of the zip.

    Raises:
        WriteError: the disk is full or not writable.
    """
    _sweep(output)
    sums: list[str] = []
    with whole_file(output) as partial:
        with zipfile.ZipFile(partial, "w") as archive:
            for name in _in_order(made, copied, progress):
                path = f"{folder}/{name}"
                digest = _put(archive, path, made[name]) if name in made else _copy(archive, path, copied[name])
                sums.append(f"{digest}  {name}\n")
            _put(archive, f"{folder}/{SUMS}", "".join(sums).encode())
        return _sha256(partial)


def write_folder(output: Path, made: Mapping[str, bytes], copied: Mapping[str, Path], progress: Progress | None) -> str:
    """Write a folder; crops and features are hard links where the file system has them, else copies.

    Returns:
        SHA-256 of its list of checksums.

    Raises:
        InputError: something is there.
        WriteError: the disk is full or not writable.
    """
    if output.exists():
        raise InputError(f"something is there already: {output}", expected="the name of a new folder, or a .zip")
    _sweep(output)
    partial = output.with_name(f".{output.name}.{os.getpid()}.partial")
    sums: list[str] = []
    try:
        with clear_write_errors(output):
            for name in _in_order(made, copied, progress):
                path = partial / name
                path.parent.mkdir(parents=True, exist_ok=True)
                if name in made:
                    path.write_bytes(made[name])
                else:
                    _link(copied[name], path)
                sums.append(f"{_sha256(path)}  {name}\n")
            (partial / SUMS).write_bytes("".join(sums).encode())
            partial.rename(output)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return _sha256(output / SUMS)


def _in_order(made: Mapping[str, bytes], copied: Mapping[str, Path], progress: Progress | None) -> Iterator[str]:
    names = sorted({*made, *copied})
    for done, name in enumerate(names, 1):
        yield name
        if progress is not None:
            progress(done, len(names))


def _put(archive: zipfile.ZipFile, name: str, content: bytes) -> str:
    kind = zipfile.ZIP_STORED if name.endswith(".parquet") else zipfile.ZIP_DEFLATED
    archive.writestr(_entry(name), content, compress_type=kind)
    return hashlib.sha256(content).hexdigest()


def _copy(archive: zipfile.ZipFile, name: str, source: Path) -> str:
    """Copy a file as it is; pictures and arrays do not pack. Its digest."""
    entry, digest = _entry(name), hashlib.sha256()
    entry.file_size = source.stat().st_size
    with source.open("rb") as file, archive.open(entry, "w") as member:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            member.write(chunk)
    return digest.hexdigest()


def _entry(name: str) -> zipfile.ZipInfo:
    """A member without anything of the machine or the moment it was made."""
    entry = zipfile.ZipInfo(name, _MOMENT)
    entry.create_system, entry.external_attr = 3, 0o644 << 16
    return entry


def _link(source: Path, path: Path) -> None:
    try:
        os.link(source.resolve(), path)  # a link to a link would lead nowhere once it is moved
    except OSError as error:
        if error.errno not in _NO_LINK:
            raise
        shutil.copyfile(source, path)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _sweep(output: Path) -> None:
    """Delete what a process that was killed left of this pack; one that runs keeps its own."""
    for path in output.parent.glob(f".{output.stem}.*.partial*"):
        found = _STALE.search(path.name)
        if found and Path("/proc/self").exists() and not Path("/proc", found[1]).exists():
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
                continue
            with suppress(OSError):
                path.unlink()
