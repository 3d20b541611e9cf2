"""Numbers for the combinations of values that occur in some columns, batch after batch: what items are counted by."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Hashes = NDArray[np.uint64]
    Codes = NDArray[np.int32]

#: Rows looked at a time, so that temporaries stay in cache.
_ROWS: Final = 65_536
#: Rows from which unknown combinations are learnt at a time: the head of a frame holds most of them.
_LEARNT: Final = 2048
#: Bits of a hash that say where in a table it is: few, so that the table stays in cache; more for more combinations.
_BITS: Final = (16, 20, 22)
_NONE: Final = np.empty(0, np.intp)
#: Largest table in which each combination of small numbers has a place of its own.
_PLACES: Final = 1 << 20


@dataclass(eq=False)
class Combinations:
    """Gives each combination of values in some columns a number, in order of first appearance.

    A combination is found by its hash of 64 bits, which two of a million share with a probability of 3e-8. Hashes stay
    within one run, since another release of Polars may hash otherwise.

    Attributes:
        counts: (R,) rows of each combination.
        first: (R,) row of its first appearance, counted from 0 over all batches.
        seen: rows of all batches so far.
    """

    counts: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    first: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    seen: int = 0
    _values: list[pl.DataFrame] = field(default_factory=list)
    _table: _Table | _Direct | None = None

    @property
    def size(self) -> int:
        """R, the number of combinations."""
        return self.counts.size

    @property
    def frame(self) -> pl.DataFrame:
        """The combinations, one row each, by number."""
        if len(self._values) > 1:
            self._values = [pl.concat(self._values)]
        return self._values[0] if self._values else pl.DataFrame()

    def numbers(self, batch: pl.DataFrame) -> Codes:
        """(n,) the number of each row's combination.

        Args:
            batch: the columns, of the same types in every batch.
        """
        if self._table is None:
            self._values.append(batch.clear())
            self._table = _Direct.of(batch) or _Table(_BITS[0])
        found = np.empty(batch.height, np.int32)
        hashes_of = self._table.reader(batch)
        for start in range(0, batch.height, _ROWS):
            out = found[start : start + _ROWS]
            hashes = hashes_of(start, out.size)
            while (unknown := self._table.look_up(hashes, out)).size:
                self._learn(batch.slice(start, _ROWS), hashes, unknown)
            self.counts += np.bincount(out, minlength=self.size)
            self.seen += out.size
        return found

    def _learn(self, part: pl.DataFrame, hashes: Hashes, unknown: NDArray[np.intp]) -> None:
        """Number the combinations of some rows that have none yet."""
        met = hashes[unknown]
        heads = unknown[np.concatenate([[True], met[1:] != met[:-1]])][: max(_LEARNT, self.size)]
        new, first = np.unique(hashes[heads], return_index=True)
        order = np.argsort(first, kind="stable")
        rows = heads[first[order]]
        if self._table is not None:
            self._table = self._table.with_(new[order], np.arange(self.size, self.size + new.size, dtype=np.int32))
        # From an array, Polars would load NumPy's masked arrays, which takes longer than a hundred thousand rows.
        self._values.append(part[rows.tolist()])
        self.counts = np.concatenate([self.counts, np.zeros(new.size, np.int64)])
        self.first = np.concatenate([self.first, rows + self.seen])


class _Direct:
    """Numbers by what stands in the columns, where that is one of so few combinations that each has a place."""

    def __init__(self, lengths: Sequence[int]) -> None:
        self._lengths = lengths
        self._code = np.full(math.prod(lengths), -1, np.int32)

    @classmethod
    def of(cls, batch: pl.DataFrame) -> _Direct | None:
        """A table for the columns of a batch; None where it would be too large."""
        lengths = [_length(column.dtype) for column in batch]
        return cls(lengths) if all(lengths) and math.prod(lengths) <= _PLACES else None

    def reader(self, batch: pl.DataFrame) -> Callable[[int, int], Hashes]:
        """What gives the places of some rows of a batch, from the first on."""
        columns = [_small(column, length) for column, length in zip(batch, self._lengths, strict=True)]

        def hashes(start: int, rows: int) -> Hashes:
            joint = np.zeros(rows, np.uint64)
            for column, length in zip(columns, self._lengths, strict=True):
                joint *= np.uint64(length)
                joint += column[start : start + rows]
            return joint

        return hashes

    def look_up(self, hashes: Hashes, out: Codes) -> NDArray[np.intp]:
        """Write the numbers that are known; rows of the others."""
        np.take(self._code, hashes.view(np.int64), out=out)
        return np.flatnonzero(out < 0) if out.size and int(out.min()) < 0 else _NONE

    def with_(self, hashes: Hashes, codes: Codes) -> _Direct:
        """With some more."""
        self._code[hashes.view(np.int64)] = codes
        return self


def _length(dtype: pl.DataType) -> int:
    """Number of values that a column of small numbers can have, with the empty cell; 0 where they are not small."""
    if isinstance(dtype, pl.Enum):
        return len(dtype.categories) + 1
    if dtype in (pl.Int8, pl.UInt8):
        return (1 << 8) + 1
    return (1 << 16) + 1 if dtype in (pl.Int16, pl.UInt16) else 0


def _small(column: pl.Series, length: int) -> NDArray[np.unsignedinteger[Any]]:
    """(n,) values as numbers from 0, the empty cell as the last one."""
    numbers = column.to_physical()
    values = (numbers.fill_null(0) if numbers.null_count() else numbers).to_numpy()
    values = values.view(f"u{values.dtype.itemsize}")
    if numbers.null_count():
        values = values.astype(np.uint32)
        values[numbers.is_null().to_numpy()] = length - 1
    return values


class _Table:
    """Numbers by hash: at the place that some bits of the hash say, or in a short sorted list where that is taken."""

    def __init__(self, bits: int) -> None:
        self._bits = bits
        self._hash, self._code = np.zeros(1 << bits, np.uint64), np.full(1 << bits, -1, np.int32)
        # An empty place holds a hash that belongs elsewhere, so that nothing is taken for it: 0 belongs to the first.
        self._hash[0] = ~np.uint64(0)
        self._size = 0
        self._rest: tuple[Hashes, Codes] = (np.empty(0, np.uint64), np.empty(0, np.int32))

    @staticmethod
    def reader(batch: pl.DataFrame) -> Callable[[int, int], Hashes]:
        """What gives the hashes of some rows of a batch, from the first on."""
        return lambda start, rows: np.asarray(batch.slice(start, rows).hash_rows().to_numpy())

    def look_up(self, hashes: Hashes, out: Codes) -> NDArray[np.intp]:
        """Write the numbers that are known; rows of the others."""
        slots = self._slots(hashes)
        np.take(self._code, slots, out=out)
        strange = self._hash[slots] != hashes
        if not strange.any():
            return _NONE
        rows = np.flatnonzero(strange)
        rest, codes = self._rest
        if not rest.size:
            return rows
        places = np.minimum(np.searchsorted(rest, hashes[rows]), rest.size - 1)
        known = rest[places] == hashes[rows]
        out[rows[known]] = codes[places[known]]
        return np.asarray(rows[~known])

    def with_(self, hashes: Hashes, codes: Codes) -> _Table:
        """With some more; a larger table where this one fills up."""
        wider = [bits for bits in _BITS if bits > self._bits]
        if wider and (self._size + hashes.size) * 16 > 1 << self._bits:
            taken = self._code >= 0
            old_hashes, old_codes = (
                np.append(self._hash[taken], self._rest[0]),
                np.append(self._code[taken], self._rest[1]),
            )
            return _Table(wider[0]).with_(np.append(old_hashes, hashes), np.append(old_codes, codes))
        slots, first = np.unique(self._slots(hashes), return_index=True)
        free = self._code[slots] < 0
        placed = np.zeros(hashes.size, bool)
        placed[first[free]] = True
        chosen = first[free]
        self._hash[slots[free]], self._code[slots[free]] = hashes[chosen], codes[chosen]
        every, numbers = np.append(self._rest[0], hashes[~placed]), np.append(self._rest[1], codes[~placed])
        order = np.argsort(every)
        self._rest, self._size = (every[order], numbers[order]), self._size + hashes.size
        return self

    def _slots(self, hashes: Hashes) -> NDArray[Any]:
        if self._bits == 16:  # seen as four short numbers, which saves a pass
            return hashes.view(np.uint16)[3::4].astype(np.intp)
        return (hashes >> np.uint64(64 - self._bits)).astype(np.intp)
