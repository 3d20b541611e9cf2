"""The sound of a video, at its own rate and in all its channels, on the clock that its frames are shown by."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from affectcheck.errors import MediaError
from affectcheck.media.video_file import load_av, open_container

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SHORT_S: Final = 0.1  # that a stated length may be off by: codecs pad their last block


class VideoSound(NamedTuple):
    """Samples of a video's first sound track.

    Attributes:
        samples: (n, channels) float32, from the first sample on.
        rate_hz: its sampling rate.
        starts_us: when the first sample is heard, from the start of the file.
        notes: what was met while decoding.
    """

    samples: np.ndarray
    rate_hz: int
    starts_us: int
    notes: tuple[str, ...] = ()


def sound_of_video(path: Path, *, end_us: int | None = None) -> VideoSound:
    """Decode the sound of a video.

    Args:
        path: the file.
        end_us: where decoding may stop, from the start of the file; None for its end.

    Raises:
        MediaError: it is missing, empty, no file of video, or has no sound that can be decoded.
        ExtraMissingError: the extra ``video`` is not installed.
    """
    container = open_container(path)
    try:
        return _read(container, path, end_us)
    finally:
        container.close()


def _read(container: Any, path: Path, end_us: int | None) -> VideoSound:
    tracks = container.streams.audio
    if not tracks or tracks[0].codec_context is None:
        raise MediaError(
            "there is no sound in the video"
            if not tracks
            else "sound of a coding that the installed PyAV does not know",
            where=str(path),
            expected="a video with sound, in a common coding such as AAC",
        )
    track, av = tracks[0], load_av()
    lost: list[str] = []
    resampler = av.AudioResampler(format="fltp", layout=track.codec_context.layout.name, rate=track.rate)
    blocks: list[np.ndarray] = []
    starts_us = 0
    for frame in _frames(container, track, lost):
        at_us = _heard_at_us(frame, container, av)
        if not blocks:
            starts_us = at_us
        if end_us is not None and at_us > end_us and blocks:
            break
        blocks += [block.to_ndarray().T for block in resampler.resample(frame)]
    if not blocks:
        raise MediaError(
            "none of the sound can be decoded" if lost else "no samples",
            where=str(path),
            cause="a damaged file, or one that broke off",
        )
    samples = np.concatenate(blocks).astype(np.float32, copy=False)
    notes = [f"sound: the first of {len(tracks)} tracks"] if len(tracks) > 1 else []
    notes += [f"damaged: {len(lost)} of its packets of sound cannot be decoded and are left out"] if lost else []
    stated_s = float((track.duration or 0) * track.time_base)
    if end_us is None and (there_s := len(samples) / track.rate) < stated_s - _SHORT_S:
        notes.append(f"sound length: header {stated_s:.3f} s, data {there_s:.3f} s (truncated download?)")
    return VideoSound(samples, track.rate, starts_us, tuple(notes))


def _frames(container: Any, track: Any, lost: list[str]) -> Iterator[Any]:
    """Decoded blocks of sound; packets that are refused are listed."""
    av = load_av()
    packets = container.demux(track)
    while True:
        try:
            packet = next(packets, None)
        except av.FFmpegError as error:  # nothing is read beyond
            lost.append(str(error))
            return
        if packet is None:
            return
        try:
            yield from packet.decode()
        except av.FFmpegError as error:
            lost.append(str(error))


def _heard_at_us(frame: Any, container: Any, av: Any) -> int:
    """When a block is heard, from the start of the file, which its video may begin before."""
    if frame.pts is None:
        return 0
    since_start_s: Fraction = frame.pts * Fraction(frame.time_base) - Fraction(container.start_time or 0, av.time_base)
    return max(round(since_start_s * 1_000_000), 0)
