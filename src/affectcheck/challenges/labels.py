"""Labels of a track: what an organiser keeps hidden, read with the markers of frames that were not annotated."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations import make_table, read_frames
from affectcheck.annotations.listing import plural
from affectcheck.annotations.plain import number_column
from affectcheck.challenges.frame_keys import split_frames
from affectcheck.challenges.header import column_order
from affectcheck.errors import InputError, MissingPathError
from affectcheck.predictions import read_frame
from affectcheck.schemes import Target

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable
    from affectcheck.challenges.track import Track

#: Name of the target in tables of labels.
TARGET: Final = "label"
#: Columns of a table of labels that are groups.
GROUPS: Final = ("age", "gender", "race", "sex")
_OWN: Final = ("media", "frame", "subject", "partition")


def read_labels(path: Path, track: Track) -> AnnotationTable:
    """The labels of a track.

    Args:
        path: a folder of annotation files, one a video, or one such file; or a CSV or Parquet table with the columns of a
            submission, in which an empty cell or the track's marker is unknown. Further columns of a table are kept:
            ``subject``, ``media``, and groups such as ``age``, ``gender`` and ``race``.
        track: what is annotated.

    Raises:
        MissingPathError: there is no such file or folder.
        InputError: a file that does not hold what the track asks for.
    """
    target = Target(TARGET, track.declared)
    if not path.exists():
        raise MissingPathError.of("labels", path, expected="a folder of annotation files, or a .csv or .parquet table")
    if path.is_dir() or (path.suffix.lower() == ".txt" and track.file.by_video):
        table = read_frames(path, target, name=track.name)
        return replace(table, frame=_numbered(table.frame, track))
    return _from_table(path, track, target)


def _numbered(frame: pl.DataFrame, track: Track) -> pl.DataFrame:
    """With the frames counted as the track counts them."""
    first = track.labels.first_frame
    if first == 1:
        return frame
    number = (pl.col("frame") + first - 1).cast(pl.String).str.zfill(5)
    key = pl.format("{}/{}.jpg", pl.col("item").str.extract("^(.*)/"), number)
    return frame.with_columns(key.alias("item"))


def _from_table(path: Path, track: Track, target: Target) -> AnnotationTable:
    where = str(path)
    frame = read_frame(path, kind="labels")
    wanted = {track.file.item, *track.columns}
    known = [name for name in frame.columns if name in wanted or name not in (*_OWN, *GROUPS)]
    names = [known[place] for place in _order(known, track, where)]
    others = [name for name in frame.columns if name not in names]
    made = frame.select(pl.col(names[0]).alias("item"), *others)
    if track.file.unit == "frame":
        keys, first = made["item"].cast(pl.String), track.labels.first_frame
        split = split_frames(keys, first=first, where=where, place=lambda row: f"{where}: row {row + 1}")
        # Of a video that shows two persons both are one recording, so that a resampling keeps them together.
        media = split["video"].str.replace("_(left|right)$", "")
        made = made.with_columns(split["item"], media=media if "media" not in others else pl.col("media"))
    groups = tuple(name for name in others if name in GROUPS)
    made = made.with_columns(_labels(frame.select(names[1:]), track, where))
    return make_table(made, targets=[target], groups=groups, name=track.name, where=where, unknown={TARGET: ()})


def _order(known: list[str], track: Track, where: str) -> list[int]:
    """Places of the track's columns; an error names those that may stand beside them too."""
    try:
        return column_order(known, track, where)
    except InputError as error:
        error.expected += f"; beside them {', '.join((*_OWN, *GROUPS))} where they are known"
        raise


def _labels(cells: pl.DataFrame, track: Track, where: str) -> list[pl.Series]:
    """Label columns under the names of the scheme."""
    marker = track.labels.marker
    if track.file.coding == "label":
        text = cells.to_series(0).cast(pl.String)
        markers = [] if marker is None else [f"{marker:g}"]
        return [text.set(text.is_in(markers), None).alias(TARGET)]
    table = pl.DataFrame([number_column(cells.get_column(name), where) for name in cells.columns])
    marked = pl.all().is_null() if marker is None else pl.all().is_null() | (pl.all() == marker)
    if track.file.coding != "one-hot":
        # Of a frame one value is as unknown as the other; units were coded one by one.
        unknown = pl.any_horizontal(marked) if track.kind == "dimensions" else marked
        known = table.with_columns(pl.when(~unknown).then(pl.all()))
        return [known.get_column(name).alias(part) for name, part in zip(table.columns, track.parts, strict=True)]
    gone = table.select(pl.all_horizontal(marked)).to_series()
    found = table.to_numpy()
    wrong = (~gone & pl.Series(((found == 1).sum(axis=1) != 1) | ((found != 0) & (found != 1)).any(axis=1))).arg_true()
    if len(wrong):
        raise InputError(
            f"{plural(len(wrong), 'row')} that {'name' if len(wrong) > 1 else 'names'} no class or several",
            where=f"{where}:{wrong[0] + 2}",
            expected="one 1 a row, 0 in the other columns, or the marker in all",
        )
    classes = pl.Series(track.parts).gather((found == 1).argmax(axis=1))
    return [classes.set(gone, None).alias(TARGET)]
