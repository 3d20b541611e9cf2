"""The order of the items: who is in one recording, and at which frame or time each item stands there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import numpy as np
import polars as pl

from affectcheck.annotations.listing import name_list, plural
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

Unit: TypeAlias = Literal["frame", "start_us"]

_CAUSES: Final[dict[Unit, str]] = {
    "frame": "a table of whole clips or pictures, in which no item comes after another",
    "start_us": "frames without a time; a window in seconds then takes the rate too, such as smooth:mean,0.5s,rate=30",
}


@dataclass(frozen=True, eq=False)
class Sequences:
    """Items by sequence: one person in one recording, in the order of frames or time.

    Attributes:
        rows: (n,) rows sorted by sequence, then by place.
        bounds: (S + 1,) where each sequence begins and ends among ``rows``.
        places: (n,) frame number or microseconds of each sorted row; strictly rising within a sequence.
    """

    rows: np.ndarray
    bounds: np.ndarray
    places: np.ndarray

    def __iter__(self) -> Iterator[slice]:
        """Each sequence as a slice of the sorted rows."""
        for start, stop in zip(self.bounds[:-1].tolist(), self.bounds[1:].tolist(), strict=True):
            yield slice(start, stop)

    @property
    def keys(self) -> np.ndarray:
        """(n,) places shifted so far apart, sequence by sequence, that one search serves all of them."""
        return np.asarray(self.places + self.offsets)

    @cached_property
    def offsets(self) -> np.ndarray:
        """(n,) what sets the sequences apart in ``keys``."""
        lengths = np.diff(self.bounds)
        reach = int(self.places.max(initial=0)) - int(self.places.min(initial=0)) + 1
        return np.repeat(np.arange(lengths.size, dtype=np.int64) * 3 * reach, lengths)

    def windows(self, half: int) -> tuple[np.ndarray, np.ndarray]:
        """First and last-plus-one sorted row within ``half`` before and after each sorted row, in its sequence."""
        half = min(half, int(self.places.max(initial=0)) - int(self.places.min(initial=0)) + 1)
        keys = self.keys
        return np.searchsorted(keys, keys - half, side="left"), np.searchsorted(keys, keys + half, side="right")


@dataclass(frozen=True, eq=False)
class Timeline:
    """What a table says about the order of its items.

    Attributes:
        frame: one row an item, with the columns ``item``, and as far as known ``media``, ``subject``, ``frame`` and
            ``start_us``.
    """

    frame: pl.DataFrame

    def sequences(self, unit: Unit, step: str) -> Sequences:
        """The items in order.

        Args:
            unit: ``frame`` numbers, or the time ``start_us``.
            step: the step that asks, for messages.

        Raises:
            InputError: the table does not say in which recording or at which place an item is, or puts two items of
                one person at one place.
        """
        for column in ("media", unit):
            self._require(column, unit, step)
        persons = ["media", *(["subject"] if "subject" in self.frame.columns else [])]
        ordered = self.frame.with_row_index("row").sort(*persons, unit, "item", nulls_last=True)
        changed = [pl.col(name).ne_missing(pl.col(name).shift()).fill_null(value=True) for name in persons]
        first = ordered.select((pl.any_horizontal(changed) | (pl.int_range(pl.len()) == 0)).alias("first"))
        starts = first.to_series().arg_true().to_numpy().astype(np.int64)
        places = ordered.get_column(unit).to_numpy().astype(np.int64)
        rows = ordered.get_column("row").to_numpy().astype(np.int64)
        found = Sequences(rows, np.append(starts, len(rows)), places)
        self._require_distinct(ordered, found, unit, step)
        return found

    def _require(self, column: str, unit: Unit, step: str) -> None:
        known = column in self.frame.columns
        empty = self.frame.get_column(column).null_count() if known else self.frame.height
        if empty:
            items = self.frame.filter(pl.col(column).is_null()).get_column("item") if known else ()
            named = f": {name_list(items, shown=5)}" if known and empty < self.frame.height else ""
            raise InputError(
                f"the step {step!r} takes the order of the items, but {column!r} is not known of "
                f"{plural(empty, 'item')}{named}",
                expected=f"the columns 'media' and {unit!r} in the table of annotations, for every predicted item",
                cause=_CAUSES[unit],
            )

    @staticmethod
    def _require_distinct(ordered: pl.DataFrame, found: Sequences, unit: Unit, step: str) -> None:
        same = np.append(np.diff(found.places) == 0, False)
        same[found.bounds[1:] - 1] = False  # the last of a sequence and the first of the next are no pair
        if same.any():
            first = int(np.flatnonzero(same)[0])
            pair = ordered.get_column("item")[first : first + 2].to_list()
            raise InputError(
                f"the step {step!r} takes the order of the items, but {name_list(pair)} are both at {unit} "
                f"{int(found.places[first])} of {ordered.get_column('media')[first]!r}",
                expected="one item a frame of each person",
                cause="two persons in one recording without a column 'subject' that tells them apart",
            )
