"""Keys that occur twice in a folder of files, found in flat memory: a share of the keys at a time, by their hashes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.annotations.listing import name_list, plural, rows_in_whole
from affectcheck.annotations.plain import item_column
from affectcheck.errors import InputError
from affectcheck.evaluation.batches import read, schemas
from affectcheck.predictions import PredictionColumns
from affectcheck.predictions.columns import item_keys

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from affectcheck.evaluation.batches import Piece
    from affectcheck.evaluation.scored_columns import ScoredColumns

#: Keys that are looked at in one pass: 8 bytes each, and as many again while they are sorted.
KEYS_AT_ONCE: Final = 16_777_216


def require_distinct(
    pieces: Sequence[Piece], columns: ScoredColumns, item: str, progress: Callable[[int, int], None]
) -> None:
    """Raise where a key stands in two rows, is empty, or has blanks around it.

    Args:
        pieces: of the files.
        columns: what the columns of a segment's borders are called.
        item: the column of item keys.
        progress: is told rows done and rows in all.

    Raises:
        InputError: a key does; the message names it.
    """
    asked = PredictionColumns(item=item, start=columns.start, end=columns.end)
    files = tuple(dict.fromkeys(piece.path for piece in pieces))
    types = schemas(files, [name for name in (item, columns.start, columns.end) if name])
    total = sum(piece.rows for piece in pieces)
    shares = -(-total // KEYS_AT_ONCE)
    done, twice = 0, np.empty(0, np.uint64)
    for share in range(shares):
        found: list[np.ndarray] = []
        for piece, keys in _keys(pieces, asked, types):
            hashes = keys.hash().to_numpy()
            found.append(hashes[hashes % np.uint64(shares) == share] if shares > 1 else hashes)
            done += piece.rows
            progress(done, total * shares)
        ordered = np.sort(np.concatenate(found))
        twice = np.append(twice, np.unique(ordered[1:][ordered[1:] == ordered[:-1]]))
    if twice.size:
        _refuse(pieces, asked, types, twice)


def _keys(
    pieces: Sequence[Piece], asked: PredictionColumns, types: dict[str, pl.DataType]
) -> Iterator[tuple[Piece, pl.Series]]:
    for piece in pieces:
        with rows_in_whole(range(piece.start, piece.start + piece.rows)):
            yield piece, item_column(item_keys(read(piece, types), asked, str(piece.path)), str(piece.path))


def _refuse(
    pieces: Sequence[Piece], asked: PredictionColumns, types: dict[str, pl.DataType], twice: np.ndarray
) -> None:
    """Tell the keys whose hashes occur twice, unless only the hashes do."""
    wanted = pl.Series(np.sort(twice))
    met: dict[str, list[str]] = {}
    for piece, keys in _keys(pieces, asked, types):
        rows = keys.hash().is_in(wanted.implode()).arg_true()
        for row in rows:
            met.setdefault(keys[row], []).append(f"{piece.path.name} row {piece.start + row + 1}")
    several = {key: places for key, places in met.items() if len(places) > 1}
    if not several:
        return
    first = next(iter(several))
    raise InputError(
        f"{plural(len(several), 'item')} in more than one row: {name_list(several)}",
        where=f"{first!r}: {', '.join(several[first][:5])}",
        expected="one row an item, over all files",
        cause="a file that was copied, or two runs written into one folder",
    )
