"""Delimited text as it stands: every cell is text, only the empty cell is missing.

No marker of missing values, number or date is guessed: ``NA``, ``None``, ``null``, ``nan``, ``007`` and ``03-Sep``
come out as they are written. What the bytes do not say for certain is an error that names the place: another
character encoding, another delimiter, a row of another length, a quotation mark that is never closed.
"""

from __future__ import annotations

import csv
import gzip
import io
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations.encoding import decode
from affectcheck.annotations.listing import plural, quoted
from affectcheck.errors import InputError, MissingPathError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

LONGEST_LINE: Final = 1_000_000
_DELIMITERS: Final = {";": "a semicolon", "\t": "a tab", "|": "a vertical bar", ",": "a comma"}


def read_csv(
    path: Path, *, encoding: str | None = None, delimiter: str = ",", quoted: bool = True, controls: bool = False
) -> pl.DataFrame:
    r"""Read a delimited text file with a header; every column is text.

    Blank lines are skipped (in a table of one column only at the end, since there they may be empty cells), line ends may be LF, CR LF or CR, and a byte-order mark is obeyed and removed. Blanks
    around column names are removed, those of cells are kept. A column without a name is called after its position.
    A file whose name ends in ``.gz`` is decompressed first.

    Args:
        path: the file.
        encoding: its character encoding if it is not UTF-8, such as ``cp1252``.
        delimiter: the character between cells, such as ``;`` or ``\t``.
        quoted: whether quotation marks enclose cells; if not, they are characters like any other.
        controls: whether C1 controls in the text stay, in lists whose makers published them so.

    Returns:
        String columns; null where the cell is empty.

    Raises:
        MissingPathError: there is no such file.
        InputError: the bytes are not of the encoding (with line and byte offset), column names repeat, a row has
            more or fewer cells than the header (with row and line), a quotation mark is not closed, a line is longer
            than a million characters, or the file seems to have another delimiter.
    """
    where = str(path)
    if len(delimiter) != 1 or delimiter in '"\r\n':
        raise InputError(f"not a delimiter: {delimiter!r}", where=where, expected="one character, such as , ; or a tab")
    return cut_text(decode(read_bytes(path), where, encoding, controls=controls), where, delimiter, quoted=quoted)


def cut_text(text: str, where: str, delimiter: str = ",", *, quoted: bool = True) -> pl.DataFrame:
    """The table that a text holds, as ``read_csv`` reads it.

    Args:
        text: a header and one line a row.
        where: the file, for messages.
        delimiter: the character between cells.
        quoted: whether quotation marks enclose cells.

    Raises:
        InputError: see ``read_csv``.
    """
    cut = _cut_quoted if quoted and '"' in text else _cut_plain
    return cut(text, where, delimiter).with_columns(pl.all().replace("", None))


def _cut_plain(text: str, where: str, delimiter: str) -> pl.DataFrame:
    """Text without quotation marks: every line is a row, which is cut by column and not by cell."""
    lines = pl.Series(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), dtype=pl.String)
    lengths = lines.str.len_chars()
    if (lengths > LONGEST_LINE).any():
        first = (lengths > LONGEST_LINE).arg_true()[0]
        raise _too_long(first + 1, lengths[first], where)
    filled = (lines != "").arg_true()
    names = _header(lines[filled[0]].split(delimiter) if len(filled) else [], where, delimiter)
    at = filled[1:]
    rows = lines.gather(at)
    if len(names) == 1 and len(at) and at[-1] - filled[0] > len(at):
        blank = (filled.diff() > 1).arg_true()[0]
        raise _blank(filled[blank - 1] + 2, where)
    widths = rows.str.count_matches(delimiter, literal=True) + 1
    ragged = (widths != len(names)).arg_true()
    if len(ragged):
        raise _ragged([(row + 1, at[row] + 1, widths[row]) for row in ragged], len(names), where)
    cells = rows.str.split_exact(delimiter, len(names) - 1).struct
    return pl.DataFrame([cells.field(cells.fields[place]).alias(name) for place, name in enumerate(names)])


def _cut_quoted(text: str, where: str, delimiter: str) -> pl.DataFrame:
    rows = _rows(text, where, delimiter)
    names = _header(next((cells for _, cells in rows if cells), []), where, delimiter)
    records = _records(rows, len(names), where)
    columns = zip(*records, strict=True) if records else [()] * len(names)
    return pl.DataFrame([pl.Series(name, cells, dtype=pl.String) for name, cells in zip(names, columns, strict=True)])


def read_bytes(path: Path) -> bytes:
    """The bytes of a file, decompressed if its name ends in ``.gz``.

    Raises:
        MissingPathError: there is no such file.
        InputError: a folder, a file without read permission, or a damaged archive.
    """
    if not path.exists():
        raise MissingPathError.of("table", path)
    try:
        raw = path.read_bytes()
        return gzip.decompress(raw) if path.suffix == ".gz" else raw
    except (OSError, EOFError) as error:
        raise InputError(f"cannot read: {error}", where=str(path), expected="a readable file") from error


def _rows(text: str, where: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Line number and cells of every row, no cells for a blank line; the line is the one a row begins in."""
    reader = csv.reader(_lines(text, where), delimiter=delimiter, strict=True)
    line = 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise InputError(
                f"the row that begins in line {line} cannot be read: {error}",
                where=where,
                expected='cells with the delimiter, line ends or " in them in quotation marks, a " within doubled: ""',
                cause="a quotation mark that is not closed, or one in the middle of a cell",
                code="E_BROKEN_TABLE",
            ) from error
        yield line, cells
        line = reader.line_num + 1


def _lines(text: str, where: str) -> Iterator[str]:
    for number, line in enumerate(io.StringIO(text, newline=""), 1):
        if len(line) > LONGEST_LINE:
            raise _too_long(number, len(line), where)
        yield line


def _too_long(line: int, length: int, where: str) -> InputError:
    return InputError(
        f"line {line} has {length} characters",
        where=where,
        expected=f"at most {LONGEST_LINE}",
        cause="no table, or one written in a single line",
        code="E_LONG_LINE",
    )


def _blank(line: int, where: str) -> InputError:
    return InputError(
        f"line {line} is blank, but lines with a value follow",
        where=where,
        expected='"" for an empty cell in a table of one column',
        cause="two files put together, or a value that was deleted",
        code="E_BROKEN_TABLE",
    )


def _ragged(rows: Sequence[tuple[int, int, int]], width: int, where: str) -> InputError:
    """Of (row, line, number of cells)."""
    told = ", ".join(f"row {row} (line {line}) has {cells}" for row, line, cells in rows[:5])
    more = f", and {len(rows) - 5} more rows" if len(rows) > 5 else ""
    return InputError(
        f"{plural(len(rows), 'row')} of another length than the header, which has {plural(width, 'cell')}: {told}{more}",
        where=where,
        expected="as many cells in every row as in the header",
        cause="text with the delimiter in it but no quotation marks, decimal commas, or a row cut off",
        code="E_BROKEN_TABLE",
    )


def _header(cells: Sequence[str], where: str, delimiter: str) -> list[str]:
    names = [cell.strip() or f"column_{position}" for position, cell in enumerate(cells, 1)]
    if not names:
        raise InputError(
            "the file is empty", where=where, expected="a header line and one line an item", code="E_EMPTY"
        )
    if len(names) == 1:
        others = [other for other in _DELIMITERS if other != delimiter and other in names[0]]
        if others:
            other = max(others, key=names[0].count)
            raise InputError(
                f"the header {quoted(names[0])} is one column when cut at {_DELIMITERS.get(delimiter, repr(delimiter))}",
                where=where,
                expected=f"another delimiter in the file, or delimiter={other!r} stated where a description says how it is read",
                cause=f"the columns are separated by {_DELIMITERS[other]}",
                code="E_WRONG_COLUMNS",
            )
    twice = {name: [at for at, other in enumerate(names, 1) if other == name] for name in names}
    twice = {name: places for name, places in twice.items() if len(places) > 1}
    if twice:
        told = "; ".join(f"{name!r} is column {' and '.join(map(str, places))}" for name, places in twice.items())
        raise InputError(
            f"column names occur more than once: {told}",
            where=where,
            expected="distinct names",
            cause="a table without a header line, or two tables pasted side by side",
            code="E_WRONG_COLUMNS",
        )
    return names


def _records(rows: Iterator[tuple[int, list[str]]], width: int, where: str) -> list[list[str]]:
    records: list[list[str]] = []
    ragged = []
    blank = 0
    for line, cells in rows:
        if not cells:
            blank = blank or line
            continue
        if blank and width == 1:
            raise _blank(blank, where)
        records.append(cells)
        if len(cells) != width:
            ragged.append((len(records), line, len(cells)))
    if ragged:
        raise _ragged(ragged, width, where)
    return records
