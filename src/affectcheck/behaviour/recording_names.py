"""Which recording or video an item belongs to."""

from __future__ import annotations

from typing import Final

import polars as pl

#: Columns that name a recording; the first that is filled does. Crops of a video are media of their own.
RECORDING: Final = ("video", "media", "file")


def recording_column(frame: pl.DataFrame) -> str:
    """The column that names the recording; empty where there is none."""
    filled = (name for name in RECORDING if name in frame.columns and frame[name].null_count() < max(1, frame.height))
    return next(filled, "")


def recording_of(frame: pl.DataFrame) -> pl.Expr:
    """The name of each item's recording; of a video with several people in view, each is followed alone.

    Args:
        frame: items with a column that names the recording.
    """
    column = recording_column(frame)
    persons = ["person"] if column == "video" and "person" in frame.columns else []
    return pl.concat_str(pl.col(column, *persons).cast(pl.String), separator=" ")
