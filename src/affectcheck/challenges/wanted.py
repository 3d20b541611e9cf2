"""What is to be predicted: the list of items that an organiser gives out, without labels."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations.listing import name_list, plural
from affectcheck.annotations.text import read_csv
from affectcheck.atomic import whole_file
from affectcheck.challenges.frame_keys import split_frames
from affectcheck.errors import InputError
from affectcheck.predictions import read_frame
from affectcheck.schemes import fold

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable
    from affectcheck.challenges.track import Track

#: Metadata of a list that was written by ``write_wanted``: the number of the first frame of a video, or null.
_SEEN: Final = "affectcheck-items"
_SHOWN: Final = 5


@dataclass(frozen=True, eq=False)
class Wanted:
    """Items to be predicted.

    Attributes:
        items: (n,) String, each once.
        first: number of a video's first frame; None where items are no frames.
        where: the list's file, for messages.
        key: header of the column of keys.
    """

    items: pl.Series
    first: int | None
    where: str = ""
    key: str = "item"


def wanted_of(table: AnnotationTable, track: Track) -> Wanted:
    """All items of annotations, whether they have a label or not."""
    return Wanted(table.items, _first(track), table.name, track.file.item)


def write_wanted(wanted: Wanted, path: Path) -> None:
    """Write a list of items as Parquet, without any label: what an organiser gives out, and what checks are given.

    ``read_wanted`` takes it as it stands, since its keys are known to be of one form and each there once.

    Args:
        wanted: the items.
        path: the file, which is whole or not there.

    Raises:
        WriteError: it cannot be written.
    """
    frame = wanted.items.alias(wanted.key).to_frame()
    with whole_file(path) as partial:
        frame.write_parquet(partial, compression="zstd", metadata={_SEEN: json.dumps(wanted.first)})


def read_wanted(path: Path, track: Track) -> Wanted:
    """A list of items from a CSV, Parquet or text file: the column of keys, whatever else is there.

    Args:
        path: the file; the frame template of a competition is one.
        track: whose items they are.

    Raises:
        MissingPathError: there is no such file.
        InputError: it has no column of keys, or repeats an item.
    """
    seen = _as_written(path, track)
    if seen is not None:
        return seen
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
    first = _first(track)
    items = keys if first is None else split_frames(keys, first=first, where=str(path)).get_column("item")
    if not len(items):
        raise InputError("no items", where=str(path), expected="each item once")
    twice = items.filter(items.is_duplicated()).unique(maintain_order=True)
    if len(twice):
        raise InputError(
            f"{plural(len(twice), 'item')} listed more than once: {name_list(twice.head(_SHOWN))}",
            where=str(path),
            expected="each item once",
        )
    return Wanted(items.alias("item"), first, str(path), track.file.item)


def _first(track: Track) -> int | None:
    """Number of a video's first frame; None where items are no frames."""
    return track.labels.first_frame if track.file.unit == "frame" else None


def _as_written(path: Path, track: Track) -> Wanted | None:
    """A list that ``write_wanted`` wrote for items that are counted so; None for any other file."""
    if path.suffix.lower() != ".parquet" or not path.is_file():
        return None
    try:
        told = pl.read_parquet_metadata(path).get(_SEEN)
        if told is None or json.loads(told) != _first(track):
            return None
        keys = pl.read_parquet(path, columns=[track.file.item], glob=False).to_series()
    except (pl.exceptions.PolarsError, OSError):
        return None  # whoever reads it as any other file says what is wrong with it
    return Wanted(keys.alias("item"), _first(track), str(path), track.file.item)
