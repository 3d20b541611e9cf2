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
from affectcheck.media.video_segment import decode_frames

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    import polars as pl

    from affectcheck.media.audio import Channel
    from affectcheck.media.clip import Image, Media

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
    row: Mapping[str, object],
    root: Path | None,
    *,
    rate_hz: int | None = 16_000,
    channel: Channel = "mean",
    media: Collection[str] = (),
) -> Item:
    """One row of an annotation table as an item with its media, which the file's suffix tells.

    Args:
        row: of the table: its key, path, segment, number of a frame, landmarks.
        root: folder that the path is relative to.
        rate_hz: rate of the sound; None for that of the file.
        channel: which channel of the sound.
        media: what is wanted: ``audio``, ``image`` (a picture, or of a video the frame that the column ``frame``
            names) and ``frames`` (of a video, or a segment of it); none for what the file is: a picture, of a video the
            frame that is named, else sound.

    Raises:
        MediaError: the row names no medium, one that cannot be decoded, or that does not have what is wanted; the
            message names the item.
    """
    key, name = str(row["item"]), row.get("media")
    if not isinstance(name, str):
        raise MediaError("the item has no medium", where=f"item {key!r}", expected="a path in the column 'media'")
    path = media_path(name, root, where=f"item {key!r}")
    wanted = media or ("image" if is_image(path) or (is_video(path) and row.get("frame") is not None) else "audio",)
    found: dict[str, Media] = {}
    try:
        for medium in wanted:
            if medium == "audio":
                start_us, end_us = segment_of(row)
                found[medium] = decode_audio(path, rate_hz=rate_hz, channel=channel, start_us=start_us, end_us=end_us)
            else:
                found[medium] = _seen(medium, path, row)
    except MediaError as error:
        where = f"item {key!r}, {error.where}" if error.where else f"item {key!r}"
        pictures = (
            ["for its pictures, a number in the column 'frame'"] if is_video(path) and not row.get("frame") else []
        )
        expected = "; ".join([error.expected] * bool(error.expected) + pictures)
        raise MediaError(error.what, where=where, expected=expected, cause=error.cause) from error
    return Item(key, found)


def load_items(table: MediaTable, *, rate_hz: int | None = 16_000, channel: Channel = "mean") -> Iterator[Item]:
    """Every item of a table in its order, each decoded when it is asked for."""
    columns = [name for name in COLUMNS if name in table.frame.columns]
    for row in table.frame.select(columns).iter_rows(named=True):
        yield load_item(row, table.root, rate_hz=rate_hz, channel=channel)


def _seen(medium: str, path: Path, row: Mapping[str, object]) -> Media:
    """A picture or the frames of a video."""
    number = row.get("frame")
    if medium == "image" and is_image(path):
        return _with_landmarks(decode_image(path), row)
    if medium == "image" and is_video(path) and isinstance(number, int):
        return _with_landmarks(decode_frame(path, number), row)
    if medium == "frames" and is_video(path):
        start_us, end_us = segment_of(row)
        return decode_frames(path, start_us=start_us, end_us=end_us)
    kind = "a picture" if is_image(path) else "a video" if is_video(path) else "no picture or video, by its suffix"
    raise MediaError(
        f"the model takes {medium}, the file is {kind}",
        where=str(path),
        expected="a picture, or a video" if medium == "image" else "a video, such as .mp4",
    )


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
