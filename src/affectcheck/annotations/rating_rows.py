"""Ratings as they are read: their places and values, before they are known to be whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from affectcheck.annotations.listing import plural
from affectcheck.annotations.plain import blank_to_null

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from affectcheck.annotations.rating_columns import Columns


@dataclass(frozen=True, eq=False)
class Rows:
    """Ratings: place of the item, place of the rater, value."""

    item: np.ndarray
    rater: np.ndarray
    values: np.ndarray

    def without(self, gone: np.ndarray) -> Rows:
        """Those that are not gone."""
        return Rows(self.item[~gone], self.rater[~gone], self.values[~gone])


def by_name(columns: Columns) -> dict[str, str]:
    """What columns hold, to their names."""
    return dict(columns) if isinstance(columns, Mapping) else {name: name for name in columns}


def occurring(columns: Sequence[pl.Series]) -> tuple[str, ...]:
    """The distinct labels of several columns, in order of first appearance."""
    values = pl.concat([blank_to_null(column).alias("label") for column in columns])
    return tuple(values.drop_nulls().unique(maintain_order=True))


def dropped(count: int) -> tuple[str, ...]:
    """Says how many ratings are of labels that are left out."""
    return (f"{plural(count, 'rating')} of labels that the mapping leaves out",) if count else ()


def empty_rows(count: int) -> tuple[str, ...]:
    """Says how many rows hold no rating."""
    return (f"{plural(count, 'row')} without a rating",) if count else ()


def places(keys: pl.Series) -> tuple[pl.Series, np.ndarray]:
    """The distinct keys in order of first appearance, and the place of each row's."""
    distinct = keys.unique(maintain_order=True)
    numbered = pl.DataFrame([distinct.alias("key")]).with_row_index("place")
    found = pl.DataFrame([keys.alias("key")]).join(numbered, on="key", how="left", maintain_order="left")
    return distinct, found.get_column("place").cast(pl.Int64).to_numpy()
