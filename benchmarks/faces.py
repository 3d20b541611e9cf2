"""Made-up faces at the size of the papers' databases: groups of 9 ages, 2 genders and 4 races, and labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    import numpy as np

AGES = ("00-02", "03-09", "10-19", "20-29", "30-39", "40-49", "50-59", "60-69", "70+")
GENDERS = ("female", "male")
RACES = ("asian", "black", "indian", "white")
ATTRIBUTES = ("age", "gender", "race")


def groups(rows: int, random: np.random.Generator) -> dict[str, pl.Series]:
    """Group columns as enumerations, each item in a group of its own."""
    return {
        name: enumeration(labels, random.integers(0, len(labels), rows))
        for name, labels in zip(ATTRIBUTES, (AGES, GENDERS, RACES), strict=True)
    }


def enumeration(labels: tuple[str, ...], codes: np.ndarray) -> pl.Series:
    """Codes as an enumeration."""
    return pl.Series(labels, dtype=pl.Enum(labels)).gather(codes)


def as_text(frame: pl.DataFrame) -> pl.DataFrame:
    """The same with group columns of text."""
    return frame.with_columns(pl.col(name).cast(pl.String) for name in ATTRIBUTES)
