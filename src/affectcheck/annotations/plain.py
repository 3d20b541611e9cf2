"""Columns without a label scheme: keys, paths, names and whole numbers."""

from __future__ import annotations

from typing import Final

import polars as pl

from affectcheck.annotations.listing import name_list, row_text, rows_by_value, rows_of, value_lines
from affectcheck.errors import InputError

#: A number as people write it in tables: no thousands separators, no decimal comma, no NaN.
NUMBER: Final = r"^[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$"
WHOLE: Final = r"^[+-]?[0-9]+(\.0*)?$"
_LARGEST: Final = 2**53  # the largest whole number below which a float names each one


def text_column(column: pl.Series, where: str) -> pl.Series:
    """As text; whole numbers without a decimal point, the empty text as null.

    Raises:
        InputError: the column holds lists, structures, times or numbers with decimals.
    """
    if column.dtype in (pl.String, pl.Categorical, pl.Enum):
        return column.cast(pl.String).replace("", None)
    if column.dtype == pl.Null or column.dtype.is_integer():
        return column.cast(pl.String)
    if column.dtype.is_float() and _whole(column).all():
        return column.cast(pl.Int64).cast(pl.String)
    raise InputError(
        f"column {column.name!r} holds {_kind(column)}",
        where=where,
        expected="text",
        cause="numbers that a table program has rewritten, or the wrong column",
    )


def require_bare(keys: pl.Series, where: str, *, kind: str) -> None:
    """Raise where names have blanks around them, which would make two of one.

    Args:
        keys: the names; null is passed over.
        where: the file, for messages.
        kind: what they are, in the plural.

    Raises:
        InputError: all such names are listed with their rows.
    """
    blanks = keys != keys.str.strip_chars()
    if blanks.any():
        raise InputError(
            f"{kind} with surrounding blanks:{value_lines(rows_by_value(keys, blanks))}",
            where=where,
            expected="the key alone",
            cause="a blank after the delimiter",
        )


def item_column(column: pl.Series, where: str) -> pl.Series:
    """The keys: each there, once, and without surrounding blanks.

    Raises:
        InputError: a key is missing, repeated or has surrounding blanks; all of the kind are listed.
    """
    keys = text_column(column, where)
    missing = rows_of(keys.is_null())
    if missing:
        raise InputError(
            f"no item key in {row_text(missing)}",
            where=where,
            expected="a key in every row",
            cause="empty rows, as a table program leaves them at the end",
        )
    require_bare(keys, where, kind="item keys")
    repeated = keys.is_duplicated()
    if repeated.any():
        raise InputError(
            f"item keys that occur more than once:{value_lines(rows_by_value(keys, repeated))}",
            where=where,
            expected="one row an item",
            cause="several raters or segments a file (make a key of file and segment), or a file joined twice",
        )
    return keys


def whole_number_column(column: pl.Series, where: str) -> pl.Series:
    """As 64-bit integers; empty cells are null.

    Raises:
        InputError: a cell is no whole number.
    """
    cells = blank_to_null(column) if column.dtype == pl.String else column
    wrong = pl.repeat(value=False, n=len(column), eager=True)
    if column.dtype == pl.String:
        wrong = ~cells.str.contains(WHOLE)
        numbers = cells.str.replace(r"\.0*$", "").str.strip_prefix("+").cast(pl.Int64, strict=False)
    elif column.dtype.is_float():
        wrong = ~_whole(cells)
        numbers = cells.cast(pl.Int64, strict=False)
    elif column.dtype.is_integer() or column.dtype == pl.Null:
        numbers = cells.cast(pl.Int64, strict=False)
    else:
        raise InputError(f"column {column.name!r} holds {_kind(column)}", where=where, expected="whole numbers")
    wrong = wrong | (numbers.is_null() & cells.is_not_null())
    if wrong.any():
        raise InputError(
            f"column {column.name!r} has cells that are no whole numbers:{value_lines(rows_by_value(column, wrong))}",
            where=where,
            expected="whole numbers, or an empty cell",
            cause="seconds in a column of microseconds (a table description can name start_s and end_s)"
            if column.name.endswith("_us")
            else "",
        )
    return numbers


def number_column(column: pl.Series, where: str, *, hint: str = "") -> pl.Series:
    """As 64-bit floats; empty cells are null. NaN passes, for the caller to judge.

    Raises:
        InputError: a cell is no number.
    """
    if column.dtype.is_numeric() or column.dtype == pl.Null:
        return column.cast(pl.Float64)
    if column.dtype != pl.String:
        raise InputError(f"column {column.name!r} holds {_kind(column)}", where=where, expected="numbers")
    text = column.str.strip_chars().replace("", None)
    wrong = ~text.str.contains(NUMBER)
    if wrong.any():
        commas = text.filter(wrong.fill_null(value=False)).str.contains(r"^[+-]?\d*,\d+$").any()
        raise InputError(
            f"column {column.name!r} has cells that are no numbers:{value_lines(rows_by_value(column, wrong))}",
            where=where,
            expected="numbers with a decimal point, or an empty cell where the value is not known",
            cause="decimal commas; write 0.5, not 0,5" if commas else hint,
        )
    return text.cast(pl.Float64)


def blank_to_null(column: pl.Series) -> pl.Series:
    """Text without surrounding blanks; nothing left is null."""
    return column.str.strip_chars().replace("", None)


def _whole(column: pl.Series) -> pl.Series:
    return (column.is_finite() & (column.round(0) == column) & (column.abs() <= _LARGEST)).fill_null(value=True)


def _kind(column: pl.Series) -> str:
    if column.dtype.is_float():
        return f"numbers with decimals, such as {name_list(column.drop_nulls().head(2).cast(pl.String))}"
    return f"values of type {column.dtype}"
