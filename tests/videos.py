"""Videos written for tests by PyAV: a bright square that walks over slopes of colour, so that every frame is another."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def walking(count: int, height: int = 64, width: int = 80) -> list[np.ndarray]:
    """Frames of (height, width, 3) uint8; the red channel of the square tells a frame's number: 5 a step."""
    down, across = np.mgrid[:height, :width]
    frames = []
    for number in range(count):
        pixels = np.stack([across * 2 % 256, down * 3 % 256, np.full((height, width), 90)], -1).astype(np.uint8)
        left = number * 3 % (width - 16)
        pixels[8:24, left : left + 16] = (number * 5 % 256, 255, 255)
        frames.append(pixels)
    return frames


def write_video(
    path: Path,
    frames: Sequence[np.ndarray],
    *,
    codec: str = "libx264",
    pixels: str = "yuv444p",
    times_ms: Sequence[int] | None = None,
    **options: Any,
) -> Path:
    """Write frames as a video of 25 a second, or of the times given.

    Args:
        path: the file, whose suffix tells the container.
        frames: pixels of each.
        codec: an encoder of FFmpeg.
        pixels: its format of pixels.
        times_ms: when each frame is shown.
        options: ``container`` and ``coding`` are options of the muxer and the encoder, ``turn`` and ``shape`` a turn in
            degrees counter-clockwise (with hflip, vflip) and the aspect of a pixel, ``rate`` frames a second, ``given``
            the format of the pixels given.
    """
    import av

    with av.open(str(path), "w", options=options.get("container", {})) as file:
        stream = file.add_stream(codec, rate=options.get("rate", 25), options=options.get("coding", {}))
        stream.height, stream.width = frames[0].shape[:2]
        stream.pix_fmt = pixels
        if "turn" in options:
            stream.set_display_rotation(*options["turn"])
        if "shape" in options:
            stream.sample_aspect_ratio = Fraction(*options["shape"])
        if times_ms is not None:
            stream.time_base = stream.codec_context.time_base = Fraction(1, 1000)
        for number, values in enumerate(frames):
            frame = av.VideoFrame.from_ndarray(values, format=options.get("given", "rgb24"))
            if times_ms is not None:
                frame.pts, frame.time_base = times_ms[number], Fraction(1, 1000)
            file.mux(stream.encode(frame))
        file.mux(stream.encode(None))
    return path
