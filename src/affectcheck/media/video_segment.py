"""A video, or a segment of it, as one array of frames: what a model of movement gets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.errors import MediaError
from affectcheck.media.clip import Frames
from affectcheck.media.video import frames

if TYPE_CHECKING:
    from affectcheck.media.video import VideoFrame

_MOST_BYTES: Final = 4 << 30  # more does not fit beside a model
_EVEN: Final = 1.5  # steps between frames that differ by more than rounding and one dropped frame


def decode_frames(path: str | Path, *, start_us: int | None = None, end_us: int | None = None) -> Frames:
    """The frames of a video that are shown within a segment; see ``video.frames`` for the rules.

    Args:
        path: the file.
        start_us: the first frame is shown at or after this time; None for the first of all.
        end_us: the last frame is shown before this time; None for the last of all.

    Returns:
        The frames at their average rate, with a note where it varies; a frame that was lost is left out.

    Raises:
        MediaError: it is no video, has no frame in the segment, or more than fit in memory, or of several sizes.
        ExtraMissingError: the extra ``video`` is not installed.
    """
    path = Path(path)
    found: list[VideoFrame] = []
    with frames(path) as reader:
        for frame in reader:
            if end_us is not None and frame.time_us >= end_us:
                break
            if start_us is None or frame.time_us >= start_us:
                _require_like(frame, found, path)
                found.append(frame)
    if not found:
        raise MediaError(
            f"no frame is shown from {start_us} to {end_us} µs",
            where=str(path),
            expected="a segment within the video",
            cause=f"{reader.decoded} frames were decoded up to there",
        )
    steps_us = np.diff([frame.time_us for frame in found])
    uneven = len(steps_us) and steps_us.max() > _EVEN * max(steps_us.min(), 1) + 1000
    notes = reader.notes + (("rate: varies from frame to frame, the average is given",) if uneven else ())
    return Frames(np.stack([frame.pixels for frame in found]), _rate_hz(steps_us, reader.stated_rate_hz), notes)


def _rate_hz(steps_us: np.ndarray, stated_hz: float | None) -> float:
    """Average rate of the frames; of a single one that of the header."""
    if len(steps_us) and steps_us.sum() > 0:
        return round(1e6 / float(steps_us.mean()), 3)
    return stated_hz or 1.0


def _require_like(frame: VideoFrame, before: list[VideoFrame], path: Path) -> None:
    """Make sure that a frame fits into one array with those before it."""
    if not before:
        return
    shape = before[0].pixels.shape
    if frame.pixels.shape != shape:
        raise MediaError(
            f"frames of {shape[1]}×{shape[0]} and, from frame {frame.number} on, of "
            f"{frame.pixels.shape[1]}×{frame.pixels.shape[0]} pixels",
            where=str(path),
            expected="one size: frames of their own in the column 'frame', or `ffmpeg -i FILE -vf scale=W:H OUT.mp4`",
        )
    if (len(before) + 1) * frame.pixels.nbytes > _MOST_BYTES:
        raise MediaError(
            f"more frames than fit in {_MOST_BYTES >> 30} GiB: {len(before)} and more of {shape[1]}×{shape[0]} pixels",
            where=str(path),
            expected="shorter segments, in the columns 'start_us' and 'end_us', or a smaller video",
        )
