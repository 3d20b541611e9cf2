"""What a submission may cost: bytes, members, lines. Reached in reading, never believed from a header."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from affectcheck.errors import InputError

if TYPE_CHECKING:
    from typing import BinaryIO

MIB = 1024 * 1024


@dataclass(frozen=True)
class Limits:
    """The most that a submission may hold. Predictions of 2.7 million frames for 12 action units are 120 MiB of text.

    Attributes:
        upload: bytes of the file as sent.
        unpacked: bytes of all its members together.
        members: files of an archive, without helper files of operating systems.
        ratio: unpacked bytes a packed byte; text of predictions packs 5 to 40 times.
        name: characters of a member's path.
        line: characters of a line.
        rows: rows of a table.
    """

    upload: int = 256 * MIB
    unpacked: int = 1024 * MIB
    members: int = 20_000
    ratio: int = 200
    name: int = 240
    line: int = 4096
    rows: int = 20_000_000

    def __post_init__(self) -> None:
        """Every limit is a positive number."""
        for one in fields(self):
            if getattr(self, one.name) < 1:
                raise InputError(f"limit {one.name!r} is {getattr(self, one.name)}", expected="1 or more")


class Unpacking:
    """Counts what comes out of an archive, over all its members."""

    def __init__(self, limits: Limits, packed: int, where: str) -> None:
        self._limits, self._packed, self._where = limits, packed, where
        self._bytes = 0

    def read(self, stream: BinaryIO, name: str) -> bytes:
        """All of a member.

        Raises:
            InputError: more comes out than the limits allow.
        """
        found = bytearray()
        while chunk := stream.read(MIB):
            self._bytes += len(chunk)
            if self._bytes > self._limits.unpacked:
                raise InputError(
                    f"more than {self._limits.unpacked // MIB} MiB unpacked",
                    where=f"{self._where}: {name!r}",
                    expected=f"at most {self._limits.unpacked // MIB} MiB in all",
                    cause="files that are no predictions",
                    code="E_TOO_LARGE",
                )
            if self._bytes > MIB and self._bytes > self._limits.ratio * self._packed:
                raise InputError(
                    f"unpacks to more than {self._limits.ratio} times its size",
                    where=f"{self._where}: {name!r}",
                    expected="predictions, which do not pack that well",
                    cause="an archive made to fill a memory",
                    code="E_ARCHIVE_BOMB",
                )
            found += chunk
        return bytes(found)
