"""What is to be predicted: the list of items that an organiser gives out, without labels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import polars as pl

from affectcheck.annotations.text import read_csv
from affectcheck.challenges.frame_keys import split_frames
from affectcheck.errors import InputError
from affectcheck.predictions import read_frame
from affectcheck.schemes import fold

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable
    from affectcheck.challenges.track import Track


@dataclass(frozen=True, eq=False)
class Wanted:
    """Items to be predicted.

    Attributes:
        items: (n,) String, each once.
        first: number of a video's first frame; None where items are no frames.
        where: the list's file, for messages.
    """

    items: pl.Series
    first: int | None
    where: str = ""

    @cached_property
    def frames(self) -> pl.DataFrame:
        """``item``, ``video`` and ``number`` of each; of frames only."""
        return split_frames(self.items, first=self.first or 0, where=self.where)

    @cached_property
    def last(self) -> pl.DataFrame:
        """``video`` and ``last``, the highest number that is wanted of it."""
        return self.frames.group_by("video").agg(last=pl.col("number").max())


def wanted_of(table: AnnotationTable, track: Track) -> Wanted:
    """All items of annotations, whether they have a label or not."""
    return Wanted(table.items, track.labels.first_frame if track.file.unit == "frame" else None, table.name)


def read_wanted(path: Path, track: Track) -> Wanted:
    """A list of items from a CSV, Parquet or text file: the column of keys, whatever else is there.

    Args:
        path: the file; the frame template of a competition is one.
        track: whose items they are.

    Raises:
        MissingPathError: there is no such file.
        InputError: it has no column of keys, or repeats an item.
    """
    frame = read_csv(path) if path.suffix.lower() in (".txt", ".lst") else read_frame(path, kind="list of items")
    name = next((one for one in frame.columns if fold(one) == fold(track.file.item)), None)
    if name is None:
        raise InputError(
            f"no column {track.file.item!r}",
            where=str(path),
            expected=f"a header with {track.file.item!r}, and a line for each item",
            cause=f"the columns are {', '.join(frame.columns[:5])}",
        )
    keys = frame.get_column(name).cast(pl.String).drop_nulls()
    first = track.labels.first_frame if track.file.unit == "frame" else None
    items = keys if first is None else split_frames(keys, first=first, where=str(path)).get_column("item")
    if not len(items) or items.is_duplicated().any():
        raise InputError(
            "an item that is listed twice" if len(items) else "no items", where=str(path), expected="each item once"
        )
    return Wanted(items.alias("item"), first, str(path))
