"""A partition that somebody hands over as a table: one row an item, with the set that it is in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations.listing import name_list, plural
from affectcheck.annotations.text import read_csv
from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from affectcheck.partitions.given_sets import one_row_an_item
from affectcheck.schemes import fold

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

#: What such columns are called, in the order in which they are looked for.
ITEM_NAMES: Final = ("item", "file", "filename", "name", "path", "image", "clip")
PART_NAMES: Final = ("part", "partition", "split", "set", "subset", "usage", "fold")


def read_partition(path: Path, *, item: str = "", part: str = "", delimiter: str = ",") -> pl.DataFrame:
    """Read a partition from a CSV or Parquet file.

    Args:
        path: the file.
        item: column of the item key; empty to look for one of ``ITEM_NAMES``.
        part: column of the set; empty to look for one of ``PART_NAMES``.
        delimiter: between the cells of a CSV file.

    Returns:
        ``item`` and ``part`` as text, one row an item, in the order of the file.

    Raises:
        MissingPathError: there is no such file.
        InputError: it is no such table, which columns are meant is not clear, an item is in two sets, or none is in
            any.
        UnknownNameError: it lacks a column that was named.
    """
    if not path.is_file():
        raise MissingPathError.of("partition", path, expected="a CSV or Parquet file with one row an item")
    frame = _read(path, delimiter)
    rows = frame.select(
        _column(frame, item, ITEM_NAMES, (path, "--item-column")).alias("item"),
        _column(frame, part, PART_NAMES, (path, "--part-column")).alias("part"),
    )
    found = one_row_an_item(rows, where=str(path))
    if not found.drop_nulls().height:
        told = f"{plural(rows.height, 'row')}, and none puts an item in a set"
        raise InputError(told, where=str(path), expected="the key of an item and the name of its set in each row")
    return found


def _read(path: Path, delimiter: str) -> pl.DataFrame:
    if path.suffix != ".parquet":
        return read_csv(path, delimiter=delimiter)
    try:
        return pl.read_parquet(path)
    except pl.exceptions.PolarsError as error:
        raise InputError(f"cannot read: {error}", where=str(path), expected="a Parquet file") from error


def _column(frame: pl.DataFrame, stated: str, known: Sequence[str], told: tuple[Path, str]) -> pl.Expr:
    path, option = told
    if stated:
        if stated not in frame.columns:
            raise UnknownNameError.of("column of the partition", stated, frame.columns, where=str(path))
        return pl.col(stated).cast(pl.String)
    folded = {fold(column): column for column in reversed(frame.columns)}
    for name in known:
        if name in folded:
            return pl.col(folded[name]).cast(pl.String)
    raise InputError(
        f"no column is called {', '.join(known)}: the file has {name_list(frame.columns)}",
        where=str(path),
        expected=f"one of these names; an audit takes {option} too",
    )
