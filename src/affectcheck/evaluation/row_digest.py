"""Digest of the rows of a table, whatever their order and however they are cut into files: sums of hashes of rows."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Hashes = NDArray[np.uint64]

#: Odd constants of the splitmix64 generator (Steele, Lea and Flood, 2014), which mix the bits of a number.
_STEP: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX: Final = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
_EMPTY: Final = np.uint64(0x5851F42D4C957F2D)  # stands for an empty cell


def text_hash(text: str) -> int:
    """A hash of 64 bits that stays the same on every machine and in every release."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def hashes_of_texts(frame: pl.DataFrame) -> Hashes:
    """(n,) hash of each row of a small table by the texts of its cells, the empty text as no text."""
    rows = frame.select(pl.all().cast(pl.String).replace("", None)).iter_rows()
    return np.array([text_hash("\x1f".join("\0" if cell is None else cell for cell in row)) for row in rows], np.uint64)


def sums_of_rows(starts: Sequence[Hashes], labels: pl.DataFrame) -> tuple[int, ...]:
    """Sum, modulo 2**64, of a hash of every row, once with each of several things that are known of it.

    Args:
        starts: (n,) hash of what is known of each row already.
        labels: enumerations, whole numbers or real ones, null where unknown.

    Example:
        >>> table = pl.DataFrame({"AU1": [0, 1, None]})
        >>> start = np.zeros(3, np.uint64)
        >>> sums_of_rows([start], table) == sums_of_rows([start], table.reverse())
        True
    """
    joint = np.full(labels.height, _EMPTY)
    for column in labels:
        joint ^= _numbers(column)
        joint *= _STEP
        joint ^= joint >> np.uint64(32)
    return tuple(_sum(joint ^ (start * _STEP)) for start in starts)


def _sum(joint: Hashes) -> int:
    """Of well mixed bits: hashes of rows that differ in one bit have no more in common than any others."""
    for shift, factor in zip((30, 27), _MIX, strict=True):
        joint ^= joint >> np.uint64(shift)
        joint *= factor
    joint ^= joint >> np.uint64(31)
    return int(joint.sum(dtype=np.uint64)) if joint.size else 0


def _numbers(column: pl.Series) -> Hashes:
    """(n,) a number for each value, the same whatever the type that holds it."""
    empty = column.is_null().to_numpy() if column.null_count() else None
    if isinstance(column.dtype, pl.Enum):
        table = np.array([text_hash(label) for label in column.dtype.categories], np.uint64)
        found: NDArray[Any] = table[column.to_physical().fill_null(0).to_numpy()]
    elif column.dtype.is_float():
        found = (column.cast(pl.Float64).fill_null(0.0).to_numpy() + 0.0).view(np.uint64).copy()  # -0.0 is 0.0
    else:
        found = column.fill_null(0).to_numpy().astype(np.int64).view(np.uint64)
    if empty is not None:
        found[empty] = _EMPTY
    return np.asarray(found)
