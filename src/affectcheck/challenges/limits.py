"""What a submission may cost: bytes, members, lines. Reached in reading, never believed from a header."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Final

from affectcheck.errors import InputError

if TYPE_CHECKING:
    from typing import BinaryIO

MIB = 1024 * 1024
#: Endings of text files, which have lines.
_TEXTS: Final = (".csv", ".txt", ".tsv")
#: For a list of items: rows and bytes that any file may have beyond what the list needs; bytes of a row and of a cell.
_MORE_ROWS: Final = 1000
_ROOM: Final = 16 * MIB
_ROW: Final = 64
_CELL: Final = 32


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

    def for_rows(self, rows: int, *, columns: int, key: int) -> Limits:
        """Limits for a list of items: what is far too large for it is refused before it is read.

        Args:
            rows: items of the list; twice as many are read, since it is better told which are too many.
            columns: of values.
            key: bytes of the longest key.
        """
        most = 2 * rows + _MORE_ROWS
        room = _ROOM + most * (key + _ROW + columns * _CELL)
        return replace(
            self, rows=min(self.rows, most), unpacked=min(self.unpacked, room), upload=min(self.upload, room)
        )


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
            self._require_lines(chunk, name, table=(found or chunk)[:4] == b"PAR1")
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

    def _require_lines(self, chunk: bytes, name: str, *, table: bool) -> None:
        """A huge line is refused before it is in memory; a Parquet file has none, whatever it is called."""
        if table or len(chunk) < MIB or self._limits.line >= MIB or not name.casefold().endswith(_TEXTS):
            return
        if b"\n" not in chunk and b"\r" not in chunk:
            raise InputError(
                "a line of more than 1 MiB",
                where=f"{self._where}: {name!r}",
                expected=f"at most {self._limits.line} characters a line",
                cause="a file of another kind, or line ends that were lost",
                code="E_LONG_LINE",
            )
