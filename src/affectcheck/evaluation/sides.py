"""Truth and prediction of one batch after the other as arrays, in memory that all of them share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(eq=False)
class Sides:
    """Columns of units or dimensions, one in one piece.

    Memory that is asked for anew for each batch costs as much as counting what is in it.

    Attributes:
        truth, prediction: the columns.
        real: whether they are dimensions, NaN where empty; else units, -1 where empty.
    """

    truth: tuple[str, ...]
    prediction: tuple[str, ...]
    real: bool
    _kept: dict[tuple[str, ...], NDArray[Any]] = field(default_factory=dict)

    def of(self, batch: pl.DataFrame) -> tuple[NDArray[Any], NDArray[Any]]:
        """(n, parts) truth and prediction, which the next batch overwrites."""
        return self._array(batch, self.truth), self._array(batch, self.prediction)

    def _array(self, batch: pl.DataFrame, names: tuple[str, ...]) -> NDArray[Any]:
        columns = [self._column(batch.get_column(name)) for name in names]
        kept, kind = self._kept.get(names), np.result_type(*columns)
        if kept is None or kept.shape[1] < batch.height or kept.dtype != kind:
            kept = self._kept[names] = np.empty((len(names), batch.height), kind)
        for place, column in enumerate(columns):
            kept[place, : batch.height] = column
        return kept[:, : batch.height].T

    def _column(self, column: pl.Series) -> NDArray[Any]:
        if self.real:
            column = column if column.dtype == pl.Float64 else column.cast(pl.Float64)
        elif column.dtype == pl.Boolean:
            column = column.cast(pl.Int8)
        filled = column.fill_null(np.nan if self.real else -1) if column.null_count() else column
        return filled.to_numpy()
