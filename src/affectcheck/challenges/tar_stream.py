"""A tar as it is read: no more bytes than the limits allow, and no header that announces a huge name."""

from __future__ import annotations

import tarfile
from typing import TYPE_CHECKING, Final

from affectcheck.challenges.limits import MIB
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.challenges.limits import Limits

#: Bytes of a header of a tar that only says what the next one is called: a path and the times.
_LONG_HEADER: Final = MIB
_LONG_TYPES: Final = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)


class Header(tarfile.TarInfo):
    """A header of a tar; one that announces a huge name is refused before the name is read."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Header:
        """Read a header.

        Raises:
            InputError: it announces more than a name and times take.
        """
        found = super().frombuf(buf, encoding, errors)
        if found.type in _LONG_TYPES and found.size > _LONG_HEADER:
            raise InputError(
                f"a header of {found.size} bytes",
                expected="a path",
                cause="an archive made to fill a memory",
                code="E_ARCHIVE_BOMB",
            )
        return found


class Counted:
    """The bytes of a tar, unpacked if it is gzip, of which no more come than the limits allow."""

    def __init__(self, path: Path, limits: Limits) -> None:
        import gzip  # noqa: PLC0415  # archives of this kind are rare

        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
        self._file = gzip.open(path, "rb") if packed else path.open("rb")  # noqa: SIM115  # closed by __exit__
        # Headers come with the content: a fifth more, and as much as an archive of nothing but headers takes.
        most = min(limits.unpacked, max(limits.ratio * path.stat().st_size, MIB))
        self._left = most + most // 5 + 2 * MIB

    def __enter__(self) -> Counted:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def read(self, size: int) -> bytes:
        """The next bytes.

        Raises:
            InputError: more come than the limits allow.
        """
        found = self._file.read(size)
        self._left -= len(found)
        if self._left < 0:
            raise InputError(
                "a tar that unpacks to more than is allowed",
                cause="an archive made to fill a memory",
                code="E_ARCHIVE_BOMB",
            )
        return found
