"""Numbers in the cells of a file: plain decimal spellings only, finite, and what they are declared to be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from affectcheck.annotations.listing import row_number, row_text, rows_by_value, rows_of, value_lines
from affectcheck.annotations.plain import NUMBER
from affectcheck.errors import InputError
from affectcheck.predictions.checks import find_flaw

if TYPE_CHECKING:
    from affectcheck.models.card import ModelCard


def numbers(column: pl.Series, where: str) -> pl.Series:
    """A column as Float64.

    Args:
        column: text or numbers.
        where: the file, for messages.

    Raises:
        InputError: a cell is empty, or no finite number; each is listed with its rows.
    """
    if column.dtype == pl.String:
        bad = ~column.str.strip_chars().str.contains(NUMBER)
        _require_none(column, bad, where)
        found = column.str.strip_chars().cast(pl.Float64)
    elif column.dtype.is_numeric() or column.dtype in {pl.Boolean, pl.Null}:
        found = column.cast(pl.Float64)
        _require_none(column, found.is_nan() | found.is_infinite(), where)
    else:
        raise InputError(f"column {column.name!r} holds {column.dtype}", where=where, expected="numbers")
    if found.null_count():
        rows = rows_of(found.is_null())
        raise InputError(
            f"column {column.name!r} has empty cells in {row_text(rows)}", where=where, expected="a number in every row"
        )
    return found


def _require_none(column: pl.Series, bad: pl.Series, where: str) -> None:
    if bad.any():
        raise InputError(
            f"column {column.name!r} holds what is no finite number:{value_lines(rows_by_value(column, bad))}",
            where=where,
            expected="decimal numbers such as 0.25 or 2.5e-3",
            cause="a decimal comma, a missing value written as nan, or text in this column",
        )


def require_scores(frame: pl.DataFrame, card: ModelCard, where: str) -> np.ndarray:
    """The columns as (n, columns) float64, if they are the kind of score that the card declares.

    Raises:
        InputError: a cell is no number, or the numbers are of another kind, with the rows.
    """
    values = np.column_stack([numbers(column, where).to_numpy() for column in frame]).astype(np.float64)
    flaw = find_flaw(values, card.kind, card.output)
    if flaw:
        raise InputError(
            f"{flaw.what} ({row_text([row_number(row) for row in flaw.rows])})",
            where=where,
            expected=flaw.expected,
            cause=flaw.cause,
        )
    return values
