"""Read the files of an upload: a table by itself, or a zip or tar of tables. Nothing is ever extracted to a disk.

Directories of archives are not believed: what comes out is counted, members may not share bytes or names, and links,
devices, archives within archives and encrypted members are refused.
"""

from __future__ import annotations

import stat
import tarfile
import zipfile
import zlib
from typing import TYPE_CHECKING, Final, NamedTuple

from affectcheck.challenges.fault_codes import coded
from affectcheck.challenges.limits import MIB, Limits, Unpacking
from affectcheck.challenges.member_names import is_helper, require_names, shown
from affectcheck.challenges.tar_stream import Counted, Header
from affectcheck.errors import InputError, MissingPathError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

#: Formats of archives, by their first bytes and how far into the file these stand.
_ARCHIVES: Final = ((b"PK\x03\x04", 0), (b"PK\x05\x06", 0), (b"\x1f\x8b", 0), (b"ustar", 257))
_OTHERS: Final = (
    (b"Rar!", "RAR"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "Zstandard"),
)
_SUFFIXES: Final = (".zip", ".tar", ".tgz", ".gz", ".7z", ".rar", ".bz2", ".xz", ".zst")
_ENCRYPTED: Final = 0x1
#: Bytes at the end of a zip within which its directory is announced: 22 and the longest comment.
_END_WITHIN: Final = 22 + 65_535
#: Bytes that a file takes in the directory of a zip, with what tools add, without its name.
_ENTRY: Final = 46 + 64


class Member(NamedTuple):
    """A file of an upload.

    Attributes:
        name: its path in the archive; of a table by itself the file's name.
        content: its bytes.
    """

    name: str
    content: bytes


def read_upload(path: Path, *, limits: Limits | None = None, name: str = "") -> tuple[Member, ...]:
    """The files of an upload, by path, without helper files of operating systems.

    Args:
        path: a zip, a tar (gzip or plain), or any other file, which is taken as it is.
        limits: what it may cost.
        name: what the file was called by whoever sent it; its own name otherwise.

    Raises:
        MissingPathError: there is no such file.
        InputError: an archive that is damaged, empty, too large, encrypted, or of another format; a path in it that is
            not plain; a link, a device or an archive in it.
    """
    limits = limits or Limits()
    if path.is_dir():
        raise InputError(
            f"a folder: {path}",
            expected="a file of predictions, or a zip or tar of them",
            cause="predictions of several videos, which are packed into one file before they are sent",
            code="E_NO_FILE",
        )
    if not path.is_file():
        with coded("E_NO_FILE"):
            raise MissingPathError.of("submission", path, expected="a file of predictions, or a zip or tar of them")
    where, size = name or path.name, path.stat().st_size
    if size > limits.upload:
        raise InputError(
            f"a file of {size / MIB:.0f} MiB",
            where=where,
            expected=f"at most {limits.upload // MIB} MiB",
            cause="files that are no predictions, such as features or crops",
            code="E_TOO_LARGE",
        )
    with path.open("rb") as file:
        head = file.read(512)
    other = next((what for mark, what in _OTHERS if head.startswith(mark)), "")
    if other:
        raise InputError(
            f"an archive of the format {other}", where=where, expected="zip, tar or tar.gz", code="E_ARCHIVE_FORMAT"
        )
    if zipfile.is_zipfile(path) and not _is_tar(head):
        return _checked(_from_zip(path, limits, where), where)
    if _is_tar(head):
        return _checked(_from_tar(path, limits, where), where)
    if any(head[at : at + len(mark)] == mark for mark, at in _ARCHIVES):
        raise InputError(
            "a damaged archive", where=where, cause="an upload or download that was cut off", code="E_ARCHIVE_DAMAGED"
        )
    unpacking = Unpacking(limits, size, where)
    with path.open("rb") as file:
        return (Member(where, unpacking.read(file, where)),)


def _is_tar(head: bytes) -> bool:
    return head.startswith(b"\x1f\x8b") or head[257:262] == b"ustar"


def _checked(members: Iterator[Member], where: str) -> tuple[Member, ...]:
    found = tuple(sorted(members, key=lambda member: member.name))
    if not found:
        raise InputError(
            "an archive without a file",
            where=where,
            expected="a file of predictions",
            cause="the folder was empty when it was packed, or holds only helper files of an operating system",
            code="E_ARCHIVE_EMPTY",
        )
    return found


def _require_no_archive(name: str, head: bytes, where: str) -> None:
    packed = any(head[at : at + len(mark)] == mark for mark, at in _ARCHIVES) or any(
        head.startswith(mark) for mark, _ in _OTHERS
    )
    if packed or name.casefold().endswith(_SUFFIXES):
        raise InputError(
            "an archive in the archive",
            where=f"{where}: {shown(name)}",
            expected="the files of predictions themselves, packed once",
            code="E_ARCHIVE_NESTED",
        )


def _require_few(count: int, limits: Limits, where: str) -> None:
    if count > limits.members:
        raise InputError(
            f"{count} files" if count < 10 * limits.members else f"more than {10 * limits.members} files",
            where=where,
            expected=f"at most {limits.members}",
            cause="pictures or features packed with the predictions",
            code="E_TOO_MANY_FILES",
        )


def _require_short_directory(path: Path, limits: Limits, where: str) -> None:
    """Before anything reads the directory of a zip, which Python does as a whole."""
    with path.open("rb") as file:
        file.seek(0, 2)
        file.seek(max(0, file.tell() - _END_WITHIN))
        tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    size = int.from_bytes(tail[at + 12 : at + 16], "little")
    most = limits.members * (_ENTRY + limits.name)
    if size > most:
        raise InputError(
            f"a directory of {size / MIB:.0f} MiB",
            where=where,
            expected=f"at most {limits.members} files",
            cause="pictures or features packed with the predictions, or an archive made to fill a memory",
            code="E_TOO_MANY_FILES",
        )


def _from_zip(path: Path, limits: Limits, where: str) -> Iterator[Member]:
    _require_short_directory(path, limits, where)
    unpacking = Unpacking(limits, path.stat().st_size, where)
    try:
        with zipfile.ZipFile(path) as archive:
            wanted = _zip_members(archive.infolist(), limits, where)
            for info in wanted:
                with archive.open(info) as stream:
                    content = unpacking.read(stream, info.filename)  # type: ignore[arg-type]  # it is read only
                _require_no_archive(info.filename, content[:512], where)
                yield Member(info.filename, content)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"a damaged archive: {error}",
            where=where,
            expected="a zip that opens",
            cause="an upload or download that was cut off, or a directory that does not fit the content",
            code="E_ARCHIVE_DAMAGED",
        ) from error


def _zip_members(infos: Sequence[zipfile.ZipInfo], limits: Limits, where: str) -> list[zipfile.ZipInfo]:
    _require_few(len(infos), limits, where)
    # Python cuts a name at its first NUL; the name as written is what is judged.
    require_names([info.orig_filename.rstrip("/") for info in infos], longest=limits.name, where=where)
    wanted = [info for info in infos if not info.is_dir() and not is_helper(info.filename)]
    end = 0
    for info in sorted(infos, key=lambda one: one.header_offset):
        if info.header_offset < end:
            raise InputError(
                "files that share their bytes",
                where=f"{where}: {shown(info.filename)}",
                cause="an archive made to fill a memory",
                code="E_ARCHIVE_BOMB",
            )
        end = info.header_offset + 30 + info.compress_size
    for info in wanted:
        fault = _zip_fault(info)
        if fault:
            raise InputError(
                fault,
                where=f"{where}: {shown(info.filename)}",
                expected="plain files, not encrypted",
                code="E_ARCHIVE_MEMBER",
            )
    return wanted


def _zip_fault(info: zipfile.ZipInfo) -> str:
    mode = info.external_attr >> 16
    if stat.S_IFMT(mode) and not stat.S_ISREG(mode):
        return "a link or a device"
    if info.flag_bits & _ENCRYPTED:
        return "an encrypted file"
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return f"a file packed by method {info.compress_type}, not by deflate"
    return ""


def _from_tar(path: Path, limits: Limits, where: str) -> Iterator[Member]:
    unpacking = Unpacking(limits, path.stat().st_size, where)
    try:
        with (
            Counted(path, limits) as stream,
            tarfile.open(
                fileobj=stream,  # type: ignore[call-overload]  # it is read only
                mode="r|",
                tarinfo=Header,
            ) as archive,
        ):
            seen: list[str] = []
            for info in archive:
                seen.append(info.name.rstrip("/"))
                _require_few(len(seen), limits, where)
                require_names(seen[-1:], longest=limits.name, where=where)
                if info.isdir() or is_helper(info.name):
                    continue
                if not info.isreg() or info.issparse():
                    raise InputError(
                        "a link, a device or a file with holes",
                        where=f"{where}: {shown(info.name)}",
                        code="E_ARCHIVE_MEMBER",
                    )
                member = archive.extractfile(info)
                content = unpacking.read(member, info.name) if member is not None else b""
                _require_no_archive(info.name, content[:512], where)
                yield Member(info.name, content)
            require_names(seen, longest=limits.name, where=where)
    except (tarfile.TarError, zlib.error, EOFError, OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"a damaged archive: {error}",
            where=where,
            expected="a tar, plain or gzip, that opens",
            cause="one file packed by gzip, which needs no packing, or an upload that was cut off"
            if isinstance(error, tarfile.ReadError)
            else "an upload or download that was cut off",
            code="E_ARCHIVE_DAMAGED",
        ) from error
