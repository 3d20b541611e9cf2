"""The text of a submitted file: UTF-8, one kind of line end, no line too long, and as it is otherwise."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.annotations.encoding import decode
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from affectcheck.challenges.limits import Limits

_MARK: Final = b"\xef\xbb\xbf"
_NEWLINE: Final = ord("\n")


@dataclass(frozen=True, eq=False)
class Source:
    """A file, and in which of its lines each row stands.

    Attributes:
        where: the file.
        blank: (k,) numbers of its blank lines, counted from 1, ascending.
        rows: (n,) which of the rows that are not blank each one is, counted from 0; None where each is itself.
    """

    where: str
    blank: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))
    rows: np.ndarray | None = None

    def line(self, row: int) -> int:
        """Number of the line of a row below the header, which is counted from 0."""
        number = int(row if self.rows is None else self.rows[row]) + 2  # were no line blank
        return number + int(np.searchsorted(self.blank - np.arange(len(self.blank)), number, side="right"))

    def place(self, row: int) -> str:
        """File and line of a row."""
        return f"{self.where}:{self.line(row)}"

    def keeping(self, kept: np.ndarray) -> Source:
        """With those rows alone that a mask keeps."""
        return replace(self, rows=np.flatnonzero(kept))


def source_of(lines: bytes, where: str) -> Source:
    """The blank lines of a text, which whatever cuts it into rows passes over.

    Args:
        lines: what ``plain_lines`` gave.
        where: its name, for messages.
    """
    if b"\n\n" not in lines:
        return Source(where)
    ends = np.flatnonzero(np.frombuffer(lines, np.uint8) == _NEWLINE)
    return Source(where, np.flatnonzero(np.diff(ends, prepend=-1) == 1) + 1)


def plain_lines(content: bytes, where: str, limits: Limits) -> bytes:
    r"""The bytes of a text in UTF-8 without byte-order mark, with ``\n`` behind each line, without blank ones at the end.

    Args:
        content: the file.
        where: its name, for messages.
        limits: of lines and their length.

    Raises:
        InputError: another encoding or a binary file (with line and byte), an empty one, a line that is too long, or too
            many lines.
    """
    if not content.isascii() or b"\0" in content:
        content = _decoded(content, where).encode()
    content = content.removeprefix(_MARK)
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    content = content.rstrip(b"\n \t") + b"\n"
    if content == b"\n":
        raise InputError(
            "an empty file", where=where, expected="a header, and a line for each prediction", code="E_EMPTY"
        )
    _require_short(content, where, limits)
    return content


def _decoded(content: bytes, where: str) -> str:
    try:
        return decode(content, where)
    except InputError as error:
        # Nobody can declare an encoding with a submission.
        cause = error.cause.partition(";")[0]
        raise InputError(
            error.what, where=error.where, expected="text saved as UTF-8", cause=cause, code="E_ENCODING"
        ) from error


def _require_short(content: bytes, where: str, limits: Limits) -> None:
    ends = np.flatnonzero(np.frombuffer(content, np.uint8) == _NEWLINE)
    lengths = np.diff(ends, prepend=-1) - 1
    if len(ends) - 1 > limits.rows:
        raise InputError(
            f"{len(ends) - 1} lines below the header",
            where=where,
            expected=f"at most {limits.rows}",
            code="E_TOO_MANY_ROWS",
        )
    longest = int(lengths.argmax())
    if lengths[longest] > limits.line:
        raise InputError(
            f"a line of {lengths[longest]} characters",
            where=f"{where}:{longest + 1}",
            expected=f"at most {limits.line}",
            cause="a file of another kind, or line ends that were lost",
            code="E_LONG_LINE",
        )
