"""Lists of labels without a header line: what each column is stands nowhere in the file, so its form is checked."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations.encoding import decode
from affectcheck.annotations.listing import plural
from affectcheck.annotations.text import read_bytes
from affectcheck.datasets.corpus_files import refuse
from affectcheck.errors import InputError, MissingPathError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_SHOWN: Final = 5
_CELLS_SHOWN: Final = 3
#: Bytes at the front of a list that tell its encoding and line ends.
_FRONT: Final = 1 << 16
_WIDE: Final = (b"\xff\xfe", b"\xfe\xff")  # byte-order marks of UTF-16, and of UTF-32 in part
#: Column of line numbers, counted from 1, in what these functions return.
LINE: Final = "line"


@dataclass(frozen=True)
class Form:
    """What a list without a header holds.

    Attributes:
        columns: names of its columns, in order.
        example: a line of it, for messages.
        separator: what stands between cells.
        quoted: whether cells may stand in quotation marks.
    """

    columns: tuple[str, ...]
    example: str
    separator: str = ","
    quoted: bool = False


def read_columns(path: Path, form: Form, *, keep: Sequence[str] = (), skip: int = 0) -> pl.DataFrame:
    """Columns of a separated list, as text; blank lines are passed over.

    Args:
        path: the file.
        form: what it holds.
        keep: the columns wanted; empty for all.
        skip: lines before the first row, such as a header that some copies have.

    Returns:
        ``line`` (Int64) and the wanted columns (String, null where the cell is empty).

    Raises:
        MissingPathError: there is no such file.
        InputError: lines with more or fewer cells than the form has, bytes that are no text, an empty file.
    """
    if not path.is_file():
        raise MissingPathError.of("list of labels", path)
    source, blank = _source(path)
    skip += blank
    last = form.columns[-1]
    wanted = list(dict.fromkeys([*(keep or form.columns), last]))
    try:
        # All columns: where only some are parsed, Polars does not see that a line has too many cells.
        whole = pl.read_csv(
            source,
            has_header=False,
            skip_rows=skip,
            separator=form.separator,
            schema=dict.fromkeys(form.columns, pl.String),
            quote_char='"' if form.quoted else None,
            row_index_name=LINE,
            row_index_offset=skip + 1,
        )
    except pl.exceptions.PolarsError as error:
        widths = _other_widths(path, form)
        if not widths:
            decode(read_bytes(path), str(path))  # says where the bytes are no text
        raise _misfit(path, form, widths or str(error).splitlines()[0]) from error
    frame = whole.select(pl.col(LINE).cast(pl.Int64), *wanted).filter(~pl.all_horizontal(pl.col(wanted).is_null()))
    if not frame.height:
        raise _misfit(path, form, "the file is empty")
    short = frame.filter(pl.col(last).is_null()).get_column(LINE).to_list()
    refuse(
        [f"line {line}" for line in short],
        what=f"lines with fewer than {len(form.columns)} cells, or with an empty last one",
        where=str(path),
        expected=f"lines such as {form.example}",
        cause="a file that was cut off, or a list of another data set",
    )
    return frame.select(LINE, *(keep or form.columns))


def _source(path: Path) -> tuple[Path | BytesIO, int]:
    """The list as Polars reads it (UTF-8 with LF or CR LF; what is not is brought into it), and its blank lines in front."""
    with path.open("rb") as file:
        front = file.read(_FRONT)
    source: Path | BytesIO = path
    if front.startswith(_WIDE) or b"\0" in front or (b"\r" in front and b"\n" not in front):
        text = decode(read_bytes(path), str(path)).replace("\r\n", "\n").replace("\r", "\n")
        source, front = BytesIO(text.encode()), text[:_FRONT].encode()
    lines = front.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    return source, next((place for place, line in enumerate(lines) if line.strip()), 0)


def first_line(path: Path) -> str:
    """The first line of a list that is not blank; empty where there is none."""
    source, blank = _source(path)
    with source if isinstance(source, BytesIO) else path.open("rb") as file:
        lines = [file.readline() for _ in range(blank + 1)]
    return lines[-1].decode("utf-8-sig", errors="replace").strip()


def _other_widths(path: Path, form: Form) -> str:
    """The first lines with another number of cells than the form has; empty where every line has it."""
    wide = len(form.columns)
    found: list[str] = []
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        for line, text in enumerate(file, 1):
            cells = len(next(csv.reader([text], delimiter=form.separator), [])) if form.quoted else _cells(text, form)
            if cells not in (0, wide):
                found.append(f"line {line} has {plural(cells, 'cell')}")
            if len(found) == _SHOWN:
                return ", ".join(found) + " and perhaps more"
    return ", ".join(found)


def _cells(text: str, form: Form) -> int:
    return text.count(form.separator) + 1 if text.strip() else 0


def _misfit(path: Path, form: Form, what: str) -> InputError:
    return InputError(
        f"cannot be read as {len(form.columns)} columns: {what}",
        where=str(path),
        expected=f"lines such as {form.example}",
        cause="a list of another data set or release, or one saved again by a table program",
    )


def read_lines(path: Path, *, example: str) -> pl.DataFrame:
    """The lines of a small list without surrounding blanks; blank lines are passed over.

    Args:
        path: the file.
        example: a line of it, for messages.

    Returns:
        ``line`` (Int64, counted from 1) and ``text``.

    Raises:
        MissingPathError: there is no such file.
        InputError: an empty file, or bytes that are not UTF-8.
    """
    text = decode(read_bytes(path), str(path)).replace("\r\n", "\n").replace("\r", "\n")
    lines = pl.Series("text", text.split("\n"), dtype=pl.String).str.strip_chars()
    frame = pl.DataFrame([pl.int_range(1, len(lines) + 1, eager=True).alias(LINE), lines])
    frame = frame.filter(pl.col("text") != "")
    if not frame.height:
        raise InputError("the file is empty", where=str(path), expected=f"lines such as {example}")
    return frame


def lines_where(frame: pl.DataFrame, wrong: pl.Expr) -> list[str]:
    """Line and text of every row that meets a condition, for messages; a condition that is null is met.

    Args:
        frame: with ``line`` and, first of the others, the column that is shown.
        wrong: the condition.
    """
    shown = next(name for name in frame.columns if name != LINE)
    found = frame.filter(wrong.fill_null(value=True)).select(LINE, shown)
    return [f"line {line}: {text!r}" for line, text in found.iter_rows()]


def misfits(frame: pl.DataFrame, fits: Mapping[str, pl.Series]) -> list[str]:
    """Line, key and the cells that do not fit, of every row that has some, for messages.

    Args:
        frame: as text, with ``line`` and, first of the others, the column that names a row.
        fits: column to whether each of its cells fits; null does not.
    """
    key = next(name for name in frame.columns if name != LINE)
    fine = pl.DataFrame([column.fill_null(value=False).alias(name) for name, column in fits.items()])
    wrong = (~fine.select(pl.all_horizontal(pl.all())).to_series()).arg_true()
    told: list[str] = []
    for row, good in zip(frame[wrong].iter_rows(named=True), fine[wrong].iter_rows(named=True), strict=True):
        cells = [
            f"{name} is {'empty' if row[name] is None else repr(row[name])}"
            for name, fit in good.items()
            if not fit and name != key
        ]
        more = f" and {len(cells) - _CELLS_SHOWN} more" if len(cells) > _CELLS_SHOWN else ""
        name = repr(row[key]) if row[key] else f"no {key}"
        told.append(
            f"line {row[LINE]}: {': '.join([name, *([', '.join(cells[:_CELLS_SHOWN]) + more] if cells else [])])}"
        )
    return told
