"""Single frames of videos by their number: tables name them in order mostly, so that decoding goes on where it was."""

from __future__ import annotations

import os
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

from affectcheck.errors import MediaError
from affectcheck.media.clip import Image
from affectcheck.media.diagnosis import VIDEO_SUFFIXES, require_file
from affectcheck.media.video_decoding import Cautions, Decoding
from affectcheck.media.video_pixels import upright_pixels

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.media.video_decoding import RawFrame

#: Videos that stay open in a process, with the last frame of each.
_OPEN: Final = 3
#: Frames that are rather decoded again from where it began than looked for, which is not exact in every file.
_NEAR: Final = 32


def is_video(path: str | Path) -> bool:
    """Whether a file is taken for a video, by its suffix."""
    return Path(path).suffix.casefold() in VIDEO_SUFFIXES


def decode_frame(path: str | Path, number: int) -> Image:
    """One frame of a video; see ``video.frames`` for the rules.

    Frames in rising order cost one decoding of the video; others that of the frames since the last that stands alone.

    Args:
        path: the file.
        number: the frame's place in the order of showing, from 1.

    Returns:
        Its pixels with the cautions that concern this frame, whichever frames were asked for before.

    Raises:
        MediaError: it is no video, has no such frame, or one that cannot be decoded.
        ExtraMissingError: the extra ``video`` is not installed.
    """
    path = Path(path)
    if number < 1:
        raise MediaError(f"no frame {number}", where=str(path), expected="frames counted from 1")
    with _LOCK:
        raw, notes = _VIDEOS.of(path).frame(number)
        cautions = Cautions()
        pixels = upright_pixels(raw.picture, cautions)
    damage = ("damaged: parts of the frame were lost",) if raw.damaged else ()
    return Image(pixels, (*notes, *cautions.notes, *damage))


class _Video:
    """An open video and the frame that was asked for last."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._decoding = Decoding(path)
        self._frames: Iterator[RawFrame] = self._decoding.frames()
        self._last: RawFrame | None = None
        self._count: int | None = None

    def close(self) -> None:
        self._decoding.close()

    def frame(self, number: int) -> tuple[RawFrame, tuple[str, ...]]:
        """A frame, and the notes of the file's header."""
        if self._count is not None and number > self._count:
            raise self._beyond(number, self._count)
        if self._last is not None and self._last.number > number:
            self._back(number)
        while self._last is None or self._last.number < number:
            reached = self._last.number if self._last is not None else 0
            self._last = next(self._frames, None)
            if self._last is None:
                self._count = reached
                self._restart()
                raise self._beyond(number, reached)
        if self._last.number > number:
            raise MediaError(
                f"frame {number} cannot be decoded",
                where=str(self._path),
                cause="a damaged file, or one that broke off",
            )
        return self._last, self._decoding.header.notes

    def _back(self, number: int) -> None:
        """Go to the last frame before this one that stands alone, or to the beginning."""
        marks = [mark for mark in self._decoding.marks if _NEAR < mark.number <= number]
        if marks:
            self._frames = self._decoding.frames_from(marks[-1])
            self._last = next(self._frames, None)
        if not marks or self._last is None:
            self._restart()

    def _restart(self) -> None:
        self._decoding.close()
        self._decoding = Decoding(self._path)
        self._frames, self._last = self._decoding.frames(), None

    def _beyond(self, number: int, count: int) -> MediaError:
        return MediaError(
            f"no frame {number}: the video has {count}, by decoding it",
            where=str(self._path),
            expected=f"a number from 1 to {count}",
            cause="annotations of another cut or rate of the video, or a video that broke off",
        )


@dataclass
class _Videos:
    """The videos that were asked for last; a process that was forked opens its own, files have one position for all."""

    opened: OrderedDict[tuple[str, int, int], _Video] = field(default_factory=OrderedDict)
    process: int = field(default_factory=os.getpid)
    foreign: list[OrderedDict[tuple[str, int, int], _Video]] = field(default_factory=list)

    def of(self, path: Path) -> _Video:
        """The video at a path, as it is now."""
        if self.process != os.getpid():
            self.foreign.append(self.opened)  # kept: to close them here is not safe
            self.opened, self.process = OrderedDict(), os.getpid()
        require_file(path, kind="video")
        status = path.stat()
        key = (str(path.absolute()), status.st_mtime_ns, status.st_size)
        if key not in self.opened:
            self.opened[key] = _Video(path)
        self.opened.move_to_end(key)
        while len(self.opened) > _OPEN:
            self.opened.popitem(last=False)[1].close()
        return self.opened[key]


_VIDEOS: Final = _Videos()
_LOCK: Final = Lock()
