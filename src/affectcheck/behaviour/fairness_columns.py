"""Groups of several columns at once: every item lies in one cell of all of them, and cells are dealt out whole.

A subject who is dealt another cell takes over its groups of every column and of every crossing together. So all their
differences are bounded at once by what they show together, which takes less room than a bound for each column would.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from affectcheck.behaviour.fairness_support import Admitted, admit
from affectcheck.behaviour.groups import Grouped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from affectcheck.behaviour.column_bins import GroupedRows
    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Setting
    from affectcheck.tallies import Tally

    Floats = NDArray[np.float64]
    Value = Callable[[Any], Floats]

_ROW = "_row of the pair"


def dealt_at_once(frame: pl.DataFrame, columns: Sequence[str]) -> bool:
    """Whether groups of all these columns can be dealt out at once: every subject, or file, has one value of each.

    Where somebody has several, such as an age that changes, only the columns in which this is so take parts of a
    subject for units; each column is then dealt out by itself. Files count where not everybody is known.
    """
    units = [unit for unit in ("subject", "media") if unit in frame.columns]
    if units[:1] == ["subject"] and not frame.get_column("subject").null_count():
        units = ["subject"]
    return all(
        frame.filter(pl.col(unit).is_not_null()).select(unit, *columns).unique().get_column(unit).is_unique().all()
        for unit in units
    )


@dataclass(frozen=True, eq=False)
class Column:
    """The groups of one column, or of a crossing, among all items.

    Attributes:
        admitted: the groups that are compared, and those that are not.
        rows: places among all items of those that belong to a compared group.
    """

    admitted: Admitted
    rows: NDArray[np.int64]

    @classmethod
    def of(cls, material: Material, rows: GroupedRows, setting: Setting) -> Column:
        """The groups that have enough items."""
        frame = rows.frame.with_columns(pl.Series(_ROW, np.arange(material.size)))
        admitted = admit(Grouped.of(replace(material, frame=frame).noted(*rows.notes), rows.attribute), setting)
        return cls(admitted, admitted.grouped.material.frame.get_column(_ROW).to_numpy().astype(np.int64))

    @property
    def grouped(self) -> Grouped:
        """The items of the groups that are compared."""
        return self.admitted.grouped

    def among(self, size: int) -> NDArray[np.int64]:
        """(size,) group of every item, -1 where it belongs to none that is compared."""
        codes = np.full(size, -1, np.int64)
        codes[self.rows] = self.grouped.codes
        return codes


@dataclass(frozen=True, eq=False)
class Cells:
    """Items by cell of all columns.

    Attributes:
        rows: places among all items of those that any column compares.
        codes: (n,) cell of each of these.
        members: (F, C) group of each cell by each column, -1 where it belongs to none.
    """

    rows: NDArray[np.int64]
    codes: NDArray[np.int64]
    members: NDArray[np.int64]

    @classmethod
    def of(cls, columns: Iterable[Column], size: int, kept: NDArray[np.bool_] | None = None) -> Cells:
        """The cells that hold items.

        Args:
            columns: the columns.
            size: number of all items.
            kept: (size,) which items are taken; None for all.
        """
        groups = np.stack([one.among(size) for one in columns], axis=-1)
        compared = (groups >= 0).any(axis=-1)
        rows = np.flatnonzero(compared if kept is None else compared & kept)
        members, codes = np.unique(groups[rows], axis=0, return_inverse=True)
        return cls(rows, codes.reshape(-1).astype(np.int64), members)

    def __len__(self) -> int:
        """Number of cells."""
        return len(self.members)

    def own_and_all(self, tally: Tally, value: Value, column: int, *, inner: int = 0) -> tuple[Floats, Floats]:
        """(..., G, P) a value of each group of a column, and (..., P) the same of all its groups together.

        Args:
            tally: (..., F, and ``inner`` further axes).
            value: tally without the axis of cells to (..., P).
            column: number of the column.
            inner: number of the leading axes behind that of the cells.
        """
        group = self.members[:, column]

        def of(cells: NDArray[np.bool_]) -> Floats:
            chosen = tally[(..., np.flatnonzero(cells), *[slice(None)] * inner)]
            return value(chosen.pooled(-1 - inner))

        groups = range(int(group.max(initial=-1)) + 1)
        return np.stack([of(group == one) for one in groups], axis=-2), of(group >= 0)

    def against_all(self, tally: Tally, value: Value, column: int, *, inner: int = 0) -> Floats:
        """(..., G x P) a value of each group minus that of all groups of its column, the group among them."""
        own, together = self.own_and_all(tally, value, column, inner=inner)
        return np.asarray((own - together[..., None, :]).reshape(*own.shape[:-2], -1))
