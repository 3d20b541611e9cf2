"""Frames of a video, one after the other, upright and in 8-bit RGB, numbered from 1 by decoding, never by a header.

Rules, each with a note of the reader where it was met (a note begins with its kind and a colon):

- A frame's number is its place in the order in which it is shown. What cannot be decoded keeps its number, so that no
  later frame moves: annotations name frames by number. Frames with parts that were lost are given, and say so.
- A file that broke off gives the frames that there are. Without any frame, or without the index that an MP4 or MOV
  file cannot be read without, it is an error.
- Turned and mirrored as the file says; a turn by other than quarters, pixels that are not square, interlaced lines and
  wide colours are left as recorded.
- Times are those of the file, from its start on, and by counting where it states none: rates may vary.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from affectcheck.errors import InputError
from affectcheck.media.video_choice import AtRate, Every
from affectcheck.media.video_decoding import Decoding
from affectcheck.media.video_pixels import upright_pixels

if TYPE_CHECKING:
    import numpy as np

    from affectcheck.media.video_choice import Choice


@dataclass(frozen=True, eq=False)
class VideoFrame:
    """One frame of a video.

    Attributes:
        number: its place in the order of showing, from 1.
        time_us: when it is shown, in microseconds from the start of the file.
        pixels: (height, width, 3) uint8, RGB, upright.
        damaged: whether parts of it were lost.
    """

    number: int
    time_us: int
    pixels: np.ndarray
    damaged: bool = False


@dataclass(frozen=True)
class VideoFacts:
    """What a video's header states and its first frame shows. Only decoding tells how many frames there are.

    Attributes:
        width: of an upright frame, in pixels.
        height: of an upright frame, in pixels.
        codec: name of the coding.
        container: name of the file's format.
        stated_frames: number of frames by the header, or by its length and rate; None where it says neither.
        stated_rate_hz: frames a second by the header, on average; None where it says nothing.
        stated_duration_s: length by the header; None where it says nothing.
        has_sound: whether there is sound in the file.
        notes: cautions met in the header and the first frame.
    """

    width: int
    height: int
    codec: str
    container: str
    stated_frames: int | None
    stated_rate_hz: float | None
    stated_duration_s: float | None
    has_sound: bool
    notes: tuple[str, ...] = ()


class FrameReader:
    """An iterator over the frames of a video, which also is a context that closes it; read on, it closes itself.

    Args:
        decoding: the open video.
        choice: which of its frames are given.
    """

    def __init__(self, decoding: Decoding, choice: Choice) -> None:
        self._decoding = decoding
        self._chosen = choice.of(decoding.frames())

    @property
    def decoded(self) -> int:
        """Frames that were decoded so far, chosen or not: at the end the true count."""
        return self._decoding.decoded

    @property
    def lost(self) -> tuple[int, ...]:
        """Numbers of frames that cannot be decoded, chosen or not; complete at the end."""
        return tuple(self._decoding.lost)

    @property
    def stated_rate_hz(self) -> float | None:
        """Frames a second by the header, on average; None where it says nothing."""
        return float(self._decoding.header.rate_hz) or None

    @property
    def notes(self) -> tuple[str, ...]:
        """Cautions met so far; complete at the end."""
        return self._decoding.notes

    def __iter__(self) -> FrameReader:
        return self

    def __next__(self) -> VideoFrame:
        try:
            raw = next(self._chosen)
            pixels = upright_pixels(raw.picture, self._decoding.cautions)
        except BaseException:
            self.close()
            raise
        return VideoFrame(raw.number, round(raw.time_s * 1_000_000), pixels, raw.damaged)

    def __enter__(self) -> FrameReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; there are no further frames."""
        self._decoding.close()


def frames(path: str | Path, *, every: int = 1, fps: float | None = None) -> FrameReader:
    """Frames of a video in the order in which they are shown.

    Args:
        path: the file.
        every: give the first of every so many frames: 1, 1 + every, 1 + 2 every …
        fps: give the frames that are on show at so many moments a second, from the first frame on; none is given
            twice, so that a higher rate than the video's gives every frame. Not together with ``every``.

    Returns:
        An iterator of ``VideoFrame``, which closes the file at its end, after an error, and as a context; afterwards
        its ``notes`` and ``decoded`` tell what was met and how many frames there are.

    Raises:
        InputError: ``every`` or ``fps`` is no such number, or both are given.
        MediaError: there is no such file, it is no video, or none of its frames can be decoded.
        ExtraMissingError: the extra ``video`` is not installed.
    """
    return FrameReader(Decoding(Path(path)), choice_of(every=every, fps=fps))


def choice_of(*, every: int = 1, fps: float | None = None) -> Choice:
    """Which frames are given; see ``frames``.

    Raises:
        InputError: ``every`` or ``fps`` is no such number, or both are given.
    """
    if every < 1:
        raise InputError(f"every is {every!r}", expected="a whole number of frames, 1 or more")
    if fps is None:
        return Every(every)
    if every != 1:
        raise InputError(
            f"both every {every} and fps {fps} are asked for", expected="one of them: a step, or a rate in time"
        )
    if not 0 < fps < float("inf"):
        raise InputError(f"fps is {fps!r}", expected="frames a second, above 0")
    return AtRate(Fraction(str(fps)))


def count_frames(path: str | Path) -> int:
    """How many frames a video has, by decoding it whole.

    Raises:
        MediaError: there is no such file, it is no video, or none of its frames can be decoded.
        ExtraMissingError: the extra ``video`` is not installed.
    """
    with Decoding(Path(path)) as decoding:
        for _ in decoding.frames():
            pass
        return decoding.decoded


def probe(path: str | Path) -> VideoFacts:
    """What a video's header states, and its first frame.

    Raises:
        MediaError: there is no such file, it is no video, or none of its frames can be decoded.
        ExtraMissingError: the extra ``video`` is not installed.
    """
    with Decoding(Path(path)) as decoding:
        first = next(decoding.frames())
        height, width = upright_pixels(first.picture, decoding.cautions).shape[:2]
        header = decoding.header
        return VideoFacts(
            width=width,
            height=height,
            codec=header.codec,
            container=header.container,
            stated_frames=header.frames or header.frames_by_length,
            stated_rate_hz=float(header.rate_hz) or None,
            stated_duration_s=float(header.duration_s) or None,
            has_sound=header.has_sound,
            notes=decoding.notes,
        )
