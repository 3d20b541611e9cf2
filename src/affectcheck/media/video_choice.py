"""Which frames of a video are given: one in so many, or those on show at a rate in time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from affectcheck.media.video_decoding import RawFrame


class Choice(Protocol):
    """Some of the frames of a video, in their order."""

    def of(self, frames: Iterator[RawFrame]) -> Iterator[RawFrame]:
        """Those that are chosen."""


@dataclass(frozen=True)
class Every:
    """The first of every so many frames, by number: a frame that was lost shifts no other.

    Attributes:
        step: 1 for all.
    """

    step: int = 1

    def of(self, frames: Iterator[RawFrame]) -> Iterator[RawFrame]:
        """Frames 1, 1 + step, 1 + 2 step and so on."""
        return (frame for frame in frames if (frame.number - 1) % self.step == 0)


@dataclass(frozen=True)
class AtRate:
    """The frame on show at each moment of a regular grid that begins with the first frame; none twice.

    A frame counts from half a unit of the file's clock before its time on: where times are rounded to milliseconds, a
    frame at 1/6 s stands at .167 and is yet the one on show at 1/6.

    Attributes:
        fps: moments a second.
    """

    fps: Fraction

    def of(self, frames: Iterator[RawFrame]) -> Iterator[RawFrame]:
        """The frames on show; each is known to be when the next one comes."""
        held: RawFrame | None = None
        start = moment = 0 * self.fps
        for frame in frames:
            begins = frame.time_s - frame.clock_s / 2
            if held is None:
                start = moment = frame.time_s
            elif moment < begins:
                yield held
                moment = start + math.ceil((begins - start) * self.fps) / self.fps
            held = frame
        if held is not None and moment < held.time_s + max(held.shown_s, held.clock_s):
            yield held
