"""Rows of a table of ratings that cannot be taken as they are: without an item, or two rows for what should be one.

Both are an error unless it is stated that they are left out. Then rows that say the same twice are taken once, and
rows that contradict one another are left out altogether, since nothing says which is right. FER+, for one, lists 173
struck pictures without a name, three pictures twice with the same votes, and one twice with other votes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, get_args

import polars as pl

from affectcheck.annotations.listing import name_list, plural, row_text, rows_of
from affectcheck.annotations.plain import text_column
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

FaultyRule = Literal["error", "leave out"]
RULES: Final[tuple[FaultyRule, ...]] = get_args(FaultyRule)


class SoundRows(NamedTuple):
    """The rows that can be taken.

    Attributes:
        frame: those rows.
        rows: which row of the whole table each is, counted from 0.
        notes: what was left out.
    """

    frame: pl.DataFrame
    rows: list[int]
    notes: tuple[str, ...] = ()


def sound_rows(frame: pl.DataFrame, keys: Sequence[str], values: Sequence[str], where: str) -> SoundRows:
    """The rows that name an item, each once.

    Args:
        frame: the table.
        keys: columns that should name a row: the item's; with one row a rating, the rater's too.
        values: columns that two rows for one thing may contradict each other in; none where a row is the rating of
            nobody in particular, and any number of them may be alike.
        where: the file, for messages.
    """
    item = text_column(frame.get_column(keys[0]), where)
    nameless = item.is_null()
    key = pl.struct(pl.col(name).cast(pl.String) for name in keys)
    # A row whose rater is not known is for the reader of raters to judge.
    known = pl.all_horizontal(pl.col(name).is_not_null() for name in keys)
    often = frame.select(
        again=pl.len().over(key) > 1 if values else pl.lit(value=False),
        ways=pl.struct(values or keys).n_unique().over(key),
        first=pl.int_range(pl.len()).over(key) == 0,
        known=known,
    )
    again = often["again"] & often["known"]
    other = again & (often["ways"] > 1)
    twice = again & ~other & ~often["first"]
    kept = ~nameless & ~other & ~twice
    notes = []
    if nameless.any():
        notes.append(
            f"without the key of an item and left out: {row_text(rows_of(nameless))} ({nameless.sum()} in all)"
        )
    if twice.any():
        notes.append(f"{plural(int(twice.sum()), 'row')} that say the same again, taken once: {_names(item, twice)}")
    if other.any():
        notes.append(f"{plural(int(other.sum()), 'row')} that contradict one another, left out: {_names(item, other)}")
    return SoundRows(frame.filter(kept), kept.arg_true().to_list(), tuple(notes))


def _names(item: pl.Series, mask: pl.Series) -> str:
    return name_list(item.filter(mask).unique(maintain_order=True), shown=5)


def require_items(frame: pl.DataFrame, key: str, where: str) -> None:
    """Raise where a row does not name its item.

    Raises:
        InputError: with the rows.
    """
    empty = rows_of(text_column(frame.get_column(key), where).is_null())
    if empty:
        several = f" ({len(empty)} rows)" if len(empty) > 1 else ""
        raise InputError(
            f"no item in {row_text(empty)}{several}",
            where=where,
            expected="the key of the item in every row, or that faulty rows are left out",
            cause="empty rows, as a table program leaves them at the end, or items that were struck from the data",
        )
