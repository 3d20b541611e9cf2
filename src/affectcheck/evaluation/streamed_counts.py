"""Pieces of a table counted one after the other, and what several such counts make together."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.evaluation.coding import Combinations
from affectcheck.evaluation.counting import count, lacks
from affectcheck.evaluation.data_digest import columns_of
from affectcheck.evaluation.row_digest import hashes_of_texts, sums_of_rows
from affectcheck.evaluation.streamed_notes import Notes
from affectcheck.evaluation.streamed_rows import MOST_FAULTS
from affectcheck.evaluation.tallying import MOST_BLOCKS
from affectcheck.tallies import Sample, Tally
from affectcheck.tallies.merging import merged, padded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.evaluation.alignment import Aligned
    from affectcheck.evaluation.batches import Piece
    from affectcheck.evaluation.options import ClusterUnit
    from affectcheck.evaluation.streamed_rows import Batch, RowReader
    from affectcheck.records import Fault

#: Names of key columns that no table has: the item of a row without a subject, and the block of an item.
OWN: Final = "\0own"
BLOCK: Final = "\0block"
NEEDS_RANKS: Final = "it takes the rank of every item, and of a folder that is read in batches no item is kept"


@dataclass(frozen=True)
class Keys:
    """The columns that say which cell a row is in.

    Attributes:
        groups: the group columns.
        unit: what is resampled as a whole.
        column: its column; empty where each item is a cluster of its own.
        item: column of item keys; empty where rows have none.
        attributes: by which the rows are divided, each made of group columns.
    """

    groups: tuple[str, ...]
    unit: ClusterUnit
    column: str = ""
    item: str = ""
    attributes: tuple[str, ...] = ()

    @property
    def digested(self) -> tuple[tuple[str, ...], ...]:
        """The key columns of each digest: of the clusters alone, then with those of each attribute."""
        own = (self.unit, OWN) if self.column else ()
        return (own, *((*own, *columns_of(name)) for name in self.attributes))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read for it."""
        return tuple(dict.fromkeys(filter(None, (*self.groups, self.column, self.item if self.column else ""))))

    def frame(self, rows: pl.DataFrame, before: int) -> pl.DataFrame:
        """The cell of each row of a batch, by the values that make it.

        Args:
            rows: the batch.
            before: rows of the table before it.
        """
        columns = [rows.get_column(name).alias(name) for name in self.groups]
        if self.column:
            cluster = rows.get_column(self.column)
            return pl.DataFrame([*columns, cluster.alias(self.unit), self._own(rows, cluster, before)])
        numbers = (np.arange(before, before + rows.height) % MOST_BLOCKS).astype(np.int16)
        return pl.DataFrame([*columns, pl.Series(BLOCK, numbers)])

    def _own(self, rows: pl.DataFrame, cluster: pl.Series, before: int) -> pl.Series:
        """The key of each row whose cluster is not known, since it is one of its own."""
        unknown = (
            cluster.is_null() | (cluster.cast(pl.String) == "") if cluster.dtype == pl.String else cluster.is_null()
        )
        if not unknown.any():
            return pl.Series(OWN, [None], pl.String).new_from_index(0, rows.height)
        numbers = pl.int_range(before + 1, before + 1 + rows.height, eager=True).cast(pl.String)
        names = rows.get_column(self.item).cast(pl.String) if self.item else "row " + numbers
        return pl.select(pl.when(unknown).then(names).alias(OWN)).to_series()


@dataclass(frozen=True)
class Points:
    """Some scored items as they are, for a figure.

    Attributes:
        place: (k,) number of each among all scored items.
        truth, prediction: (k, D) values.
        cell: (k,) cell of each.
    """

    place: np.ndarray
    truth: np.ndarray
    prediction: np.ndarray
    cell: np.ndarray


@dataclass(frozen=True, eq=False)
class Counted:
    """What is counted of some pieces of a table.

    Attributes:
        cells: the cells that occur, one row each.
        tallies: kind to its tallies (R, ...), one a cell.
        weights: (R,) scored items of each cell.
        first: (R,) row of the whole table in which each cell appears first, counted from 0.
        shape: what is scored, without its rows.
        scored: scored items of each piece, by the number of rows before it.
        items: rows.
        notes: sentences about the annotations, and about what is scored.
        missing: rows without a prediction.
        faults: those, as far as they are told.
        outside: as in ``Aligned``.
        digests: sums of the hashes of all rows, by ``Keys.digested``.
        points: items for a figure.
    """

    cells: pl.DataFrame
    tallies: dict[type[Tally], Tally]
    weights: np.ndarray
    first: np.ndarray
    shape: Aligned
    scored: dict[int, int]
    items: int
    notes: tuple[Notes, Notes]
    missing: int = 0
    faults: tuple[Fault, ...] = ()
    outside: dict[str, dict[str, int]] = field(default_factory=dict)
    digests: tuple[int, ...] = ()
    points: tuple[Points, ...] = ()


@dataclass(eq=False)
class Counting:
    """Counts pieces of a table, keeping none of their rows.

    Attributes:
        reader: how rows become what is scored.
        keys: which cell a row is in.
        kinds: the tallies that are wanted.
        points: numbers of the scored items that a figure shows, if every row is scored.
    """

    reader: RowReader
    keys: Keys
    kinds: tuple[type[Tally], ...]
    points: np.ndarray
    _cells: Combinations = field(default_factory=Combinations)
    _hashes: tuple[np.ndarray, ...] = ()
    _before: int = 0
    _found: Counted | None = None

    def add(self, piece: Piece, rows: pl.DataFrame) -> None:
        """Count a piece.

        Raises:
            InputError: a cell or value that does not fit; the message names the file and its rows.
        """
        batch = self.reader.batch(rows, piece)
        self._before = piece.before - self._cells.seen if self._found is None else self._before
        numbers = self._cells.numbers(self.keys.frame(rows, piece.before))
        self._learn()
        cell, number = numbers[batch.rows], self._cells.size
        aligned, where = batch.aligned, {"cells": cell, "n_cells": (number,)}
        counted = [kind for kind in self.kinds if not self.lacking(kind, aligned)]
        made = Counted(
            self._cells.frame,
            {kind: count(kind, aligned, slice(None), where) for kind in counted},
            np.bincount(cell, minlength=number),
            self._cells.first + self._before,
            without_rows(aligned),
            {piece.before: aligned.height},
            rows.height,
            _notes(batch),
            batch.missing,
            batch.faults,
            {side: dict(counts) for side, counts in aligned.outside.items()},
            sums_of_rows([hashes[numbers] for hashes in self._hashes], batch.truth),
            points_in(aligned, cell, self.points, piece.before),
        )
        self._found = made if self._found is None else _together(self._found, made, np.arange(number))

    def _learn(self) -> None:
        """Hash the cells that were not seen before, once for each digest."""
        cells, digested = self._cells.frame, self.keys.digested
        known = self._hashes or (np.empty(0, np.uint64),) * len(digested)
        new = cells[known[0].size :]
        self._hashes = tuple(
            np.append(hashes, hashes_of_texts(new.select(names)) if names else np.zeros(new.height, np.uint64))
            for hashes, names in zip(known, digested, strict=True)
        )

    @staticmethod
    def lacking(kind: type[Tally], aligned: Aligned) -> str:
        """Why a kind of tally cannot be counted; empty where it can."""
        return NEEDS_RANKS if kind is Sample else lacks(kind, aligned)

    @property
    def found(self) -> Counted:
        """What was counted so far."""
        if self._found is None:
            raise ValueError("no piece was counted")
        return self._found


def without_rows(aligned: Aligned) -> Aligned:
    """What is scored, as it is told of a whole table, without any of its rows."""
    return replace(
        aligned,
        frame=aligned.frame.clear(),
        truth=aligned.truth[:0],
        prediction=aligned.prediction[:0],
        scores=None if aligned.scores is None else aligned.scores[:0],
        notes=(),
        faults=(),
    )


def _notes(batch: Batch) -> tuple[Notes, Notes]:
    first, second = Notes(batch.aligned.parts), Notes(batch.aligned.parts)
    first.add(batch.notes)
    second.add(batch.aligned.notes)
    return first, second


def points_in(aligned: Aligned, cell: np.ndarray, wanted: np.ndarray, before: int) -> tuple[Points, ...]:
    """Those of the wanted items that are in a batch, of whose first item the number is ``before``."""
    inside = wanted[(wanted >= before) & (wanted < before + aligned.height)]
    rows = inside - before
    return (Points(inside, aligned.truth[rows], aligned.prediction[rows], cell[rows]),) if inside.size else ()


def together(counts: Sequence[Counted]) -> Counted:
    """What several shards make, in their order."""
    first, *others = counts
    if not others:
        return first
    cells = Combinations()
    cells.numbers(first.cells)
    found = first
    for other in others:
        places = cells.numbers(other.cells)
        found = _together(replace(found, cells=cells.frame), other, places)
    return found


def _together(found: Counted, more: Counted, places: np.ndarray) -> Counted:
    """Both; the cells of the second stand at these places."""
    number = max(found.cells.height, int(places.max(initial=-1)) + 1)
    same = places.size == number and bool((places == np.arange(number)).all())
    tallies = {}
    for kind, tally in more.tallies.items():
        spread = tally if same else merged(tally, places, number)
        tallies[kind] = padded(found.tallies[kind], number) + spread if kind in found.tallies else spread
    weights = np.append(found.weights, np.zeros(number - found.weights.size, np.int64))
    weights[places] += more.weights
    first = np.append(found.first, np.full(number - found.first.size, np.iinfo(np.int64).max))
    first[places] = np.minimum(first[places], more.first)
    for kept, new in zip(found.notes, more.notes, strict=True):
        kept.add(new.told)
    outside = {
        side: {name: found.outside.get(side, {}).get(name, 0) + n for name, n in counts.items()}
        for side, counts in more.outside.items()
    }
    moved = tuple(replace(point, cell=places[point.cell]) for point in more.points)
    return replace(
        found,
        cells=more.cells if same else found.cells,
        tallies=tallies,
        weights=weights,
        first=first,
        scored=found.scored | more.scored,
        items=found.items + more.items,
        missing=found.missing + more.missing,
        faults=(*found.faults, *more.faults)[:MOST_FAULTS],
        outside=outside,
        digests=tuple((a + b) % (1 << 64) for a, b in zip(found.digests, more.digests, strict=True)),
        points=(*found.points, *moved),
    )
