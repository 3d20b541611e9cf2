"""Crops of faces, a picture a frame, put beside annotations of frames: by number, never by place in a list.

Rules: a frame without a crop is one without a face, and is left out or kept without a medium. One crop beyond the last
annotated frame is left out, as lengths of videos differ by one between decoders; more, or a crop with the number 0,
mean that the two do not belong together, where every label might stand beside another frame: an error.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations.listing import name_list, plural
from affectcheck.datasets.leaving_out import Kept
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_NAME: Final = re.compile(r"([0-9]+)\.(?:jpe?g|png|bmp|webp)", re.IGNORECASE)
_BEYOND: Final = 1  # crops behind the last annotated frame that are let pass
_SCHEMA: Final = {"video": pl.String, "frame": pl.Int64, "media": pl.String}


def put_crops(frames: pl.DataFrame, root: Path, folders: Sequence[str], *, keep: bool = False) -> Kept:
    """Annotated frames with the paths of their crops as ``media``.

    Args:
        frames: ``video`` and ``frame``, from 1 on, among other columns.
        root: folder of the data set.
        folders: of crops, below the root: each holds a folder a video, with pictures such as ``00001.jpg``.
        keep: keep frames without a crop, with no medium, instead of leaving them out.

    Returns:
        The frames in their order, and notes that count what has no counterpart.

    Raises:
        InputError: crops numbered from 0, two of one frame, or more than one beyond the last annotated frame.
    """
    crops = crops_of(root, folders)
    where = _places(root, folders)
    last = frames.group_by("video").agg(pl.col("frame").max().alias("last"))
    beyond = crops.join(last, on="video").filter(pl.col("frame") > pl.col("last"))
    _require_few(beyond, where)
    joined = frames.drop("media", strict=False).join(crops, on=["video", "frame"], how="left", maintain_order="left")
    return Kept(joined if keep else joined.filter(pl.col("media").is_not_null()), _notes(joined, crops, beyond, keep))


def crops_of(root: Path, folders: Sequence[str]) -> pl.DataFrame:
    """``video``, ``frame`` and ``media`` of every crop, in this order, whether or not it is annotated.

    Raises:
        InputError: crops numbered from 0, or two of one frame.
    """
    crops = pl.DataFrame(_crops(root, folders), schema=_SCHEMA, orient="row").sort("video", "frame", "media")
    where = _places(root, folders)
    _require_from_one(crops, where)
    _require_single(crops, where)
    return crops


def _places(root: Path, folders: Sequence[str]) -> str:
    return ", ".join(str(root / folder) for folder in folders)


def _crops(root: Path, folders: Sequence[str]) -> Iterator[tuple[str, int, str]]:
    """Video, number and path of every crop."""
    for folder in folders:
        for video in sorted(path.name for path in (root / folder).iterdir() if path.is_dir()):
            for name in os.listdir(root / folder / video):  # noqa: PTH208  # names alone, quickly
                if numbered := _NAME.fullmatch(name):
                    yield video, int(numbered[1]), f"{folder}/{video}/{name}"


def _require_from_one(crops: pl.DataFrame, where: str) -> None:
    zero = crops.filter(pl.col("frame") == 0)
    if zero.height:
        raise InputError(
            f"crops are numbered from 0: {zero['media'][0]}, and so in {plural(zero.height, 'video')}",
            where=where,
            expected="00001.jpg for the first frame, as the annotation counts",
            cause="crops of another tool; taken as they are, every label would stand beside the frame before its own",
        )


def _require_single(crops: pl.DataFrame, where: str) -> None:
    twice = crops.filter(crops.select("video", "frame").is_duplicated()).sort("video", "frame", "media")
    if twice.height:
        raise InputError(
            f"several crops of one frame: {name_list(twice['media'].head(2).to_list())}",
            where=where,
            expected="one picture a frame and person",
            cause="two releases of the crops, or of two widths of the number, in one folder",
        )


def _require_few(beyond: pl.DataFrame, where: str) -> None:
    counts = beyond.group_by("video").len().filter(pl.col("len") > _BEYOND).sort("video")
    if counts.height:
        shown = ", ".join(f"{video} ({count})" for video, count in counts.head(5).iter_rows())
        more = f" and {counts.height - 5} more" if counts.height > 5 else ""
        raise InputError(
            f"crops go on beyond the last annotated frame: {shown}{more}",
            where=where,
            expected=f"at most {_BEYOND} more than there are annotated frames",
            cause="crops of another video, cut or rate than the annotation's",
        )


def _notes(joined: pl.DataFrame, crops: pl.DataFrame, beyond: pl.DataFrame, keep: bool) -> tuple[str, ...]:
    """What has no counterpart, counted."""
    lacking = joined.filter(pl.col("media").is_null())
    whole = joined.group_by("video").agg(pl.col("media").is_null().all().alias("none")).filter("none")
    strangers = crops.join(joined, on="video", how="anti").get_column("video").unique().sort()
    told = [
        (
            lacking.height,
            f"{lacking.height} of {joined.height} annotated frames have no crop"
            f"{_without(lacking, whole)}: {'kept without media' if keep else 'left out'}",
        ),
        (
            beyond.height,
            f"{plural(beyond.height, 'crop')} one beyond the last annotated frame, such as {_first(beyond, 'media')}: left out",
        ),
        (len(strangers), f"crops of {plural(len(strangers), 'video')} without annotation, such as {_head(strangers)}"),
    ]
    return tuple(note for count, note in told if count)


def _without(lacking: pl.DataFrame, whole: pl.DataFrame) -> str:
    """How they are spread over the videos."""
    videos = lacking.get_column("video").n_unique()
    gone = f", {plural(whole.height, 'video')} of them without any" if whole.height else ""
    return f" ({plural(videos, 'video')}{gone})"


def _first(frame: pl.DataFrame, column: str) -> object:
    return _head(frame.get_column(column).sort())


def _head(values: pl.Series) -> object:
    return values[0] if len(values) else ""
