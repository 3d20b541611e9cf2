"""Decode a video packet by packet, so that what is damaged is counted and moves no other frame's number."""

from __future__ import annotations

import itertools
from bisect import bisect_left, insort
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from affectcheck.media.video_file import VideoFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from affectcheck.media.video_file import Header

_RATE_HZ: Final = Fraction(25)  # where a file states neither times nor a rate
_WAITING: Final = 16  # most frames that wait for a later one (H.264, H.265)
_SHORT: Final = 2  # frames that a stated length may be off by: it is rounded


class RawFrame(NamedTuple):
    """A decoded frame before its pixels are wanted.

    Attributes:
        number: its place in the order of showing, from 1.
        time_s: when it is shown, from the start of the file.
        shown_s: how long it is shown; 0 where that is not known.
        clock_s: unit of the times.
        picture: the decoder's frame.
        damaged: whether parts of it were lost.
    """

    number: int
    time_s: Fraction
    shown_s: Fraction
    clock_s: Fraction
    picture: Any
    damaged: bool


@dataclass
class Cautions:
    """What is met while decoding: the first note of each kind, and counts of what is damaged."""

    first: dict[str, str] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)

    def note(self, kind: str, text: str) -> None:
        """Keep the first note of a kind."""
        self.first.setdefault(kind, f"{kind}: {text}")

    @property
    def notes(self) -> tuple[str, ...]:
        """All of them, what is damaged last."""
        told = [f"{kind}: {_frames(self.counts[kind])}" for kind in ("damaged", "lost") if self.counts[kind]]
        return (*self.first.values(), *told)


class Mark(NamedTuple):
    """A frame that decoding can begin at.

    Attributes:
        number: its number.
        pts: its time in units of the stream.
    """

    number: int
    pts: int


class Decoding:
    """An open video. It is decoded from its beginning, and again from frames that were met on the way.

    Args:
        path: the file.

    Attributes:
        decoded: frames that were decoded so far.
        cautions: what was met so far.
        lost: numbers of frames that cannot be decoded, as far as frames after them were; at the end all.
        marks: frames at which decoding can begin again; none in a video with damage or without times.

    Raises:
        MediaError: it is missing, empty, or no file with a video.
        ExtraMissingError: the extra ``video`` is not installed.
    """

    def __init__(self, path: Path) -> None:
        self.decoded = 0
        self.cautions = Cautions()
        self.marks: list[Mark] = []
        self._start_s: Fraction | None = None
        self.lost: list[int] = []
        self._last = 0
        self._lost_at: list[int] = []
        self._lost_anywhere = 0
        self._last_lost: int | None = None
        self._tainted = False
        self._broken = ""
        self._drained = False
        self._end_s: Fraction | None = None
        self._file = VideoFile(path)

    @property
    def header(self) -> Header:
        """What the file states."""
        return self._file.header

    @property
    def notes(self) -> tuple[str, ...]:
        """Cautions met so far."""
        return self.header.notes + self.cautions.notes

    def __enter__(self) -> Decoding:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def frames(self) -> Iterator[RawFrame]:
        """Every frame that can be decoded, in the order of showing.

        Raises:
            MediaError: there is none.
        """
        yield from map(self._frame, self._pictures())
        if not self._file.closed:
            self._finish()

    def frames_from(self, mark: Mark) -> Iterator[RawFrame]:
        """The frame of a mark and those after it; none where the file cannot be wound back to it exactly."""
        try:
            self._file.container.seek(mark.pts, stream=self._file.stream)
        except self._file.av.FFmpegError:
            return
        self.decoded = self._last = mark.number - 1
        self._end_s = None
        pictures = itertools.dropwhile(lambda picture: picture.pts < mark.pts, self._pictures())
        first = next(pictures, None)
        if first is not None and first.pts == mark.pts:
            yield from map(self._frame, itertools.chain([first], pictures))

    def _frame(self, picture: Any) -> RawFrame:
        clock_s = Fraction(picture.time_base or self._file.stream.time_base)
        step_s = 1 / (self.header.rate_hz or _RATE_HZ)
        if picture.pts is None:
            self.cautions.note("times", f"not stated, counted at {float(1 / step_s):g} frames a second")
            time_s, shown_s = self._end_s or Fraction(0), step_s
        else:
            self._start_s = self._start(picture.pts * clock_s) if self._start_s is None else self._start_s
            time_s, shown_s = picture.pts * clock_s - self._start_s, (picture.duration or 0) * clock_s or step_s
            self._count_hole(time_s, shown_s, clock_s)
        self._end_s = time_s + shown_s
        self.decoded += 1
        damaged, number = self._is_damaged(picture), self._number(picture.pts)
        self.cautions.counts["damaged"] += damaged
        if picture.key_frame and picture.pts is not None and number > (self.marks[-1].number if self.marks else 0):
            self.marks.append(Mark(number, picture.pts))
        if damaged or self.cautions.counts["lost"] or picture.pts is None:
            self.marks.clear()
        return RawFrame(number, time_s, shown_s, clock_s, picture, damaged)

    def _pictures(self) -> Iterator[Any]:
        """The decoder's frames; a packet that it refuses is a frame that was lost."""
        packets = self._file.container.demux(self._file.stream)
        self._drained = False
        while not self._file.closed:
            try:
                packet = next(packets, None)
            except self._file.av.FFmpegError as error:  # what is in the decoder still comes out
                self._broken = str(getattr(error, "strerror", "") or error)
                packet = None
            self._drained = packet is None or not packet.size
            yield from self._decoded(packet)
            if packet is None:
                return

    def _count_hole(self, time_s: Fraction, shown_s: Fraction, clock_s: Fraction) -> None:
        """Count what is missing before one of the last frames of a file that broke off.

        Frames are coded after those that they are built upon, which may be shown later: the last that are there are
        not always the last in a row.
        """
        if self._drained and self._end_s is not None and time_s < self.header.stated_s - _SHORT * shown_s:
            begins = (self._end_s + (self._start_s or 0)) / clock_s
            ends = begins + (time_s - self._end_s) / clock_s
            told = bisect_left(self._lost_at, ends) - bisect_left(self._lost_at, begins)
            missing = max(round((time_s - self._end_s) / shown_s) - told, 0)
            missing = missing if missing <= _WAITING else 0  # more is a leap in time
            self.cautions.counts["lost"] += missing
            self._lost_anywhere += missing

    def _decoded(self, packet: Any) -> list[Any]:
        """Frames that a packet, or the end, brings out of the decoder."""
        try:
            return list(self._file.stream.decode(packet))
        except self._file.av.EOFError:  # it has given all that it had
            return []
        except self._file.av.FFmpegError:
            if packet is not None and packet.size:
                self.cautions.counts["lost"] += 1
                self._last_lost, self._tainted = packet.pts, True
                if packet.pts is None:
                    self._lost_anywhere += 1
                else:
                    insort(self._lost_at, packet.pts)
            return []

    def _start(self, first_s: Fraction) -> Fraction:
        """Start of the file, where sound may begin before the video."""
        stated = self._file.container.start_time
        return first_s if stated is None else min(first_s, Fraction(stated, self._file.av.time_base))

    def _number(self, shown_at: int | None) -> int:
        """Number of the frame that was decoded last, those before it that were lost counted; it only rises."""
        placed = len(self._lost_at) if shown_at is None else bisect_left(self._lost_at, shown_at)
        before, self._last = self._last, max(self.decoded + placed + self._lost_anywhere, self._last + 1)
        self.lost += range(before + 1, self._last)
        return self._last

    def _is_damaged(self, picture: Any) -> bool:
        """Whether parts of a frame were lost, or of one that it may be built upon: up to the next that stands alone."""
        last = self._last_lost
        after = self._tainted and (last is None or picture.pts is None or picture.pts > last)
        if after and picture.key_frame:
            self._tainted = after = False
        self._tainted = self._tainted or bool(picture.is_corrupt)
        return after or bool(picture.is_corrupt)

    def _finish(self) -> None:
        header, lost = self.header, self.cautions.counts["lost"]
        there, end_s = self.decoded + lost, self._end_s or Fraction(0)
        if not self.decoded:
            told = f"none of {_frames(lost)} can be decoded" if lost else "there are no frames in the video"
            raise self._file.unreadable(told)
        self.lost += range(self._last + 1, self._last + 1 + lost - len(self.lost))
        if self._broken:
            self.cautions.note("broken off", f"after {_frames(there)}: {self._broken}")
        if header.frames and header.frames != there:
            self.cautions.note("count", f"{_frames(there)}; the header states {header.frames}")
        elif not header.frames and end_s < header.duration_s - _SHORT / (header.rate_hz or _RATE_HZ):
            stated = f"the header states {float(header.duration_s):.2f} s"
            self.cautions.note("length", f"{_frames(there)}, {float(end_s):.2f} s; {stated}")


def _frames(count: int) -> str:
    return f"{count} frame" if count == 1 else f"{count} frames"
