"""Rows of a table of ratings that do not say which item they are about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, get_args

from affectcheck.annotations.listing import row_text, rows_of
from affectcheck.annotations.plain import text_column
from affectcheck.errors import InputError

if TYPE_CHECKING:
    import polars as pl

NamelessRule = Literal["error", "leave out"]
RULES: Final[tuple[NamelessRule, ...]] = get_args(NamelessRule)


class NamedRows(NamedTuple):
    """The rows that name their item.

    Attributes:
        frame: those rows.
        rows: which row of the whole table each is, counted from 0.
        notes: what was left out.
    """

    frame: pl.DataFrame
    rows: list[int]
    notes: tuple[str, ...]


def named_rows(frame: pl.DataFrame, key: str, rule: str, where: str) -> NamedRows:
    """The rows that name their item; the others are an error, or left out, counted and told.

    Raises:
        InputError: there are others and the rule is ``error``.
    """
    missing = text_column(frame.get_column(key), where).is_null()
    empty = rows_of(missing)
    if empty and rule == "error":
        several = f" ({len(empty)} rows)" if len(empty) > 1 else ""
        raise InputError(
            f"no item in {row_text(empty)}{several}",
            where=where,
            expected="the key of the item in every row, or that such rows are left out (nameless)",
            cause="empty rows, as a table program leaves them at the end, or items that were struck from the data",
        )
    told = (f"without the key of an item and left out: {row_text(empty)} ({len(empty)} in all)",) if empty else ()
    return NamedRows(frame.filter(~missing), (~missing).arg_true().to_list(), told)
