"""Rows of items by speaker, as materials of behaviour tests have them."""

from __future__ import annotations

import numpy as np
import polars as pl


def spoken(n: int, each: int = 4) -> pl.DataFrame:
    """So many items, of which every speaker has as many as ``each`` says."""
    rows = np.arange(n)
    return pl.DataFrame(
        {"item": [f"i{row:05d}" for row in rows], "subject": [f"s{row // each:03d}" for row in rows]},
        schema={"item": pl.String, "subject": pl.String},
    )
