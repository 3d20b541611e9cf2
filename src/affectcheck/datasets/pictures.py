"""Pictures that a list of labels names: which of them are in the user's copy."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import polars as pl

from affectcheck.datasets.leaving_out import Kept

if TYPE_CHECKING:
    from pathlib import Path


def are_there(paths: pl.Series, root: Path) -> pl.Series:
    """Whether each path, relative to the root and written with slashes, is a file or folder below it.

    Every folder is listed once, which is faster by far than asking for each of hundreds of thousands of files. What
    leads out of the root is not there.
    """
    folders = paths.str.extract(r"^(.*/)?[^/]*$", 1).fill_null("")
    inside = ~(paths.str.starts_with("/") | paths.str.contains(r"(^|/)\.\.(/|$)"))
    there: list[str] = []
    for folder in folders.filter(inside.fill_null(value=False)).unique():
        try:
            there.extend(folder + name for name in os.listdir(root / folder))  # noqa: PTH208  # names alone, quickly
        except (FileNotFoundError, NotADirectoryError):
            continue
    return (inside & paths.is_in(pl.Series(there, dtype=pl.String).implode())).fill_null(value=False)


def put_media(frame: pl.DataFrame, paths: pl.Series, root: Path, *, noun: str) -> Kept:
    """The frame with the column ``media``: the path where the file is there, else null.

    Args:
        frame: one row an item.
        paths: (n,) where each picture would lie, relative to the root.
        root: folder of the data set.
        noun: what the files are, such as ``pictures``.

    Returns:
        All rows, and a note that counts the files that are not there.
    """
    there = are_there(paths, root)
    media = paths.set(~there, None).alias("media")
    absent = int((~there).sum())
    example = paths.filter(~there)[0] if absent else ""
    note = f"{absent} of {frame.height} {noun} are not here, such as {example}: labels without media"
    return Kept(frame.with_columns(media), (note,) if absent else ())
