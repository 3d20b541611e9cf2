"""From bytes to text, without a guess: UTF-8, what a byte-order mark says, or the encoding that is declared."""

from __future__ import annotations

import codecs
import re
from typing import Final

from affectcheck.errors import InputError

# UTF-32 first: its little-endian mark begins with that of UTF-16.
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
#: What no text file holds on purpose: NUL, and the C1 controls, which a wrong reading leaves behind.
FORBIDDEN: Final = re.compile("[\x00\x80-\x9f]")
_NUL: Final = re.compile("\x00")


def decode(raw: bytes, where: str, encoding: str | None = None, *, controls: bool = False) -> str:
    """The text of a file.

    Args:
        raw: its bytes.
        where: its path, for messages.
        encoding: the declared encoding; None for UTF-8 or what a byte-order mark says.
        controls: whether C1 controls stay, in lists whose makers published them so.

    Raises:
        InputError: bytes that are not of the encoding, with line and offset and the likely encoding; control
            characters, which show that the encoding is another; a byte-order mark that contradicts the declaration.
    """
    marked = next((name for mark, name in _MARKS if raw.startswith(mark)), None)
    if encoding is not None and marked is not None and not _same(encoding, marked, where):
        raise InputError(
            f"the file begins with the byte-order mark of {marked}, but is declared as {encoding}",
            where=where,
            expected=f"encoding={marked!r}, or none",
        )
    used = "utf-8-sig" if marked == "utf-8" else marked or encoding or "utf-8"
    _codec(used, where)
    try:
        text = raw.decode(used)
    except UnicodeDecodeError as error:
        raise _undecodable(raw, error, used, where) from error
    _refuse_controls(text, used, where, _NUL if controls else FORBIDDEN)
    return text


def _codec(name: str, where: str) -> codecs.CodecInfo:
    try:
        codec = codecs.lookup(name)
        b"".decode(name)
    except LookupError as error:
        raise InputError(
            f"unknown character encoding {name!r}",
            where=where,
            expected="a name such as utf-8, cp1252, latin-1, utf-16",
        ) from error
    return codec


def _same(declared: str, marked: str, where: str) -> bool:
    return _codec(declared, where).name.startswith(marked)


def _undecodable(raw: bytes, error: UnicodeDecodeError, used: str, where: str) -> InputError:
    """Lines are counted in bytes, which is right for every encoding that contains ASCII."""
    before = raw[: error.start].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    line = before.count(b"\n") + 1
    return InputError(
        f"line {line}, byte offset {error.start}: the byte 0x{raw[error.start]:02x} is not {used}",
        where=where,
        expected=f"text in {used}, or the encoding declared",
        cause=_likely(raw),
        code="E_ENCODING",
    )


def _likely(raw: bytes) -> str:
    if raw.count(0) > len(raw) // 4:
        return "looks like UTF-16 without a byte-order mark; declare encoding='utf-16-le' or 'utf-16-be'"
    try:
        text = raw.decode("cp1252")
    except UnicodeDecodeError:
        return "another encoding than Windows-1252 too; ask whoever made the file, and declare it"
    high = [character for character in text if ord(character) > 0x7F]
    sample = "".join(dict.fromkeys(high))[:10]
    return f"looks like Windows-1252, where these bytes read {sample}; if so, declare encoding='cp1252'"


def _refuse_controls(text: str, used: str, where: str, forbidden: re.Pattern[str]) -> None:
    found = forbidden.search(text)
    if found is None:
        return
    line = len(_LINE_END.findall(text, 0, found.start())) + 1
    code = ord(found.group())
    if code >= 0x80:
        cause = "Windows-1252 read as Latin-1, here or before the file was written; declare encoding='cp1252'"
        cause += "" if used in ("latin-1", "iso-8859-1", "iso8859-1") else " where the file was first read"
    else:
        cause = "UTF-16 without a byte-order mark, or no text file at all"
    raise InputError(
        f"line {line} has the control character U+{code:04X} (character {found.start()} of the file)",
        where=where,
        expected="text without control characters",
        cause=cause,
        code="E_ENCODING",
    )
