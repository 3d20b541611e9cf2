"""Items of an annotation table with their media, decoded one at a time as they are asked for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from affectcheck.errors import MediaError
from affectcheck.media.audio import decode_audio
from affectcheck.media.clip import Item
from affectcheck.media.image import decode_image, is_image
from affectcheck.media.landmarks import COLUMNS as LANDMARKS
from affectcheck.media.landmarks import landmarks_of
from affectcheck.media.video_access import decode_frame, is_video

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import polars as pl

    from affectcheck.media.audio import Channel
    from affectcheck.media.clip import Image

#: What of an item's row matters here: where its media are, and where the face is in its picture.
COLUMNS: Final = ("item", "media", "start_us", "end_us", "frame", *LANDMARKS)


class MediaTable(Protocol):
    """What of an annotation table matters here: its rows, and the folder that their media lie in."""

    @property
    def frame(self) -> pl.DataFrame:
        """Rows with ``item``, ``media`` and, where they are segments, ``start_us`` and ``end_us``."""

    @property
    def root(self) -> Path | None:
        """Folder that ``media`` is relative to."""


def media_path(media: str, root: Path | None, *, where: str = "") -> Path:
    """Where a medium lies.

    Args:
        media: path relative to the root, written with slashes (or backslashes, by Windows programs).
        root: folder of the data set; None where the table has none, and then ``media`` must be absolute.
        where: the item, for the message.

    Raises:
        MediaError: the path leads out of the root, or there is no root to be relative to.
    """
    absolute = PurePosixPath(media).is_absolute() or PureWindowsPath(media).anchor != ""
    if root is None:
        if not Path(media).is_absolute():
            raise MediaError(f"no folder that {media!r} is relative to", where=where, expected="a table with a root")
        return Path(media)
    parts = PurePosixPath(media).parts if (root / media).exists() else PureWindowsPath(media).parts
    if absolute or ".." in parts or not parts or "\0" in media:
        raise MediaError(
            f"the media path {media!r} is not within the data set's folder {root}",
            where=where,
            expected="a path relative to that folder, without '..'",
        )
    return root.joinpath(*parts)


def load_item(
    row: Mapping[str, object], root: Path | None, *, rate_hz: int | None = 16_000, channel: Channel = "mean"
) -> Item:
    """One row of an annotation table as an item with its sound or picture, which the file's suffix tells.

    A video gives the frame that the column ``frame`` names as a picture, and its sound where that column is empty.

    Raises:
        MediaError: the row names no medium, or one that cannot be decoded; the message names the item.
    """
    key, media = str(row["item"]), row.get("media")
    if not isinstance(media, str):
        raise MediaError("the item has no medium", where=f"item {key!r}", expected="a path in the column 'media'")
    path = media_path(media, root, where=f"item {key!r}")
    start_us, end_us = segment_of(row)
    try:
        if is_image(path):
            return Item(key, {"image": _with_landmarks(decode_image(path), row)})
        if is_video(path) and isinstance(number := row.get("frame"), int):
            return Item(key, {"image": _with_landmarks(decode_frame(path, number), row)})
        clip = decode_audio(path, rate_hz=rate_hz, channel=channel, start_us=start_us, end_us=end_us)
    except MediaError as error:
        where = f"item {key!r}, {error.where}" if error.where else f"item {key!r}"
        pictures = (
            ["for its pictures, a number in the column 'frame'"] if is_video(path) and not row.get("frame") else []
        )
        expected = "; ".join([error.expected] * bool(error.expected) + pictures)
        raise MediaError(error.what, where=where, expected=expected, cause=error.cause) from error
    return Item(key, {"audio": clip})


def load_items(table: MediaTable, *, rate_hz: int | None = 16_000, channel: Channel = "mean") -> Iterator[Item]:
    """Every item of a table in its order, each decoded when it is asked for."""
    columns = [name for name in COLUMNS if name in table.frame.columns]
    for row in table.frame.select(columns).iter_rows(named=True):
        yield load_item(row, table.root, rate_hz=rate_hz, channel=channel)


def _with_landmarks(image: Image, row: Mapping[str, object]) -> Image:
    height, width = image.pixels.shape[:2]
    found = landmarks_of(row, width=width, height=height)
    return replace(image, landmarks=found.landmarks, notes=image.notes + found.notes)


class Segment(NamedTuple):
    """Part of a medium in whole microseconds; None for its beginning or end."""

    start_us: int | None
    end_us: int | None


def segment_of(row: Mapping[str, object]) -> Segment:
    """The segment that a row of an annotation table names."""
    return Segment(_time(row.get("start_us")), _time(row.get("end_us")))


def _time(value: object) -> int | None:
    return value if isinstance(value, int) else None
