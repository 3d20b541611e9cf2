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
    cells = [_quoted(_text(column, where), delimiter) for column in frame.get_columns()]
    header = delimiter.join(_quoted(pl.Series([name]), delimiter)[0] for name in frame.columns)
    rows = pl.DataFrame(cells).select(pl.concat_str(pl.all(), separator=delimiter)).to_series()
    return "\n".join([header, *rows]) + "\n"


def _text(column: pl.Series, where: str) -> pl.Series:
    if column.dtype in (pl.String, pl.Categorical, pl.Enum):
        text = column.cast(pl.String)
        wrong = text.str.contains(FORBIDDEN.pattern) | (text.str.len_chars() > _LONGEST_CELL)
        if wrong.any():
            raise InputError(
                f"column {column.name!r} has a control character or a very long text in row {wrong.arg_true()[0] + 1}",
                where=where,
                expected="text; Parquet holds any",
            )
    elif column.dtype == pl.Boolean:
        text = column.replace_strict({True: "yes", False: "no"}, return_dtype=pl.String)
    elif column.dtype.is_numeric() or column.dtype == pl.Null:
        text = column.cast(pl.String)
    else:
        raise InputError(
            f"column {column.name!r} of type {column.dtype} cannot stand in a text file",
            where=where,
            expected="Parquet",
        )
    return text.fill_null("")


def _quoted(text: pl.Series, delimiter: str) -> pl.Series:
    marks = pl.any_horizontal(text.str.contains(mark, literal=True) for mark in (delimiter, '"', "\r", "\n"))
    doubled = pl.format('"{}"', text.str.replace_all('"', '""', literal=True))
    return pl.select(pl.when(marks).then(doubled).otherwise(text).alias(text.name)).to_series()


FORMATS.add("csv", Format("delimited text", (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".txt"), _read, _write, typed=False))
