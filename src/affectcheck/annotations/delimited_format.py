"""CSV and TSV as a table format: UTF-8, line feeds, quotation marks only where needed, the empty cell for null."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations.encoding import FORBIDDEN
from affectcheck.annotations.formats import FORMATS, Format
from affectcheck.annotations.text import read_csv
from affectcheck.atomic import write_text
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from affectcheck.annotations.description import TableDescription

_LONGEST_CELL: Final = csv.field_size_limit()


def _read(path: Path, description: TableDescription) -> pl.DataFrame:
    return read_csv(path, encoding=description.encoding, delimiter=description.delimiter or _delimiter(path))


def _delimiter(path: Path) -> str:
    return "\t" if path.name.lower().removesuffix(".gz").endswith(".tsv") else ","


def _write(frame: pl.DataFrame, path: Path) -> None:
    write_text(path, csv_text(frame, delimiter=_delimiter(path), where=str(path)))


def csv_text(frame: pl.DataFrame, *, delimiter: str = ",", where: str = "") -> str:
    """The text of a CSV file; floats in the shortest form that reads back to the same number.

    Raises:
        InputError: a column that text cannot hold (lists, times), or a cell with a control character.
    """
    cells = [_cells(column, where) for column in frame.get_columns()]
    rows = zip(*cells, strict=True)
    lines = (delimiter.join(_quoted(cell, delimiter) for cell in row) for row in ([*frame.columns], *rows))
    return "\n".join(lines) + "\n"


def _cells(column: pl.Series, where: str) -> Sequence[str]:
    if column.dtype in (pl.String, pl.Categorical, pl.Enum):
        text = column.cast(pl.String)
        wrong = text.str.contains(FORBIDDEN.pattern) | (text.str.len_chars() > _LONGEST_CELL)
        if wrong.any():
            raise InputError(
                f"column {column.name!r} has a control character or a very long text in row {wrong.arg_true()[0] + 1}",
                where=where,
                expected="text; Parquet holds any",
            )
        return [cell or "" for cell in text]
    if column.dtype == pl.Boolean:
        return ["" if cell is None else "yes" if cell else "no" for cell in column]
    if column.dtype.is_integer() or column.dtype == pl.Null:
        return ["" if cell is None else str(cell) for cell in column]
    if column.dtype.is_float():
        return ["" if cell is None else "NaN" if cell != cell else repr(cell) for cell in column]  # noqa: PLR0124
    raise InputError(
        f"column {column.name!r} of type {column.dtype} cannot stand in a text file", where=where, expected="Parquet"
    )


def _quoted(cell: str, delimiter: str) -> str:
    if any(mark in cell for mark in (delimiter, '"', "\r", "\n")):
        doubled = cell.replace('"', '""')
        return f'"{doubled}"'
    return cell


FORMATS.add("csv", Format("delimited text", (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".txt"), _read, _write, typed=False))
