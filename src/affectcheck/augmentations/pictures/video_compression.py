"""A video that was sent over a thin line."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from affectcheck.augmentations.draws import require
from affectcheck.augmentations.pictures.registry import PICTURE_AUGMENTATIONS
from affectcheck.augmentations.pictures.severity import PER_PIXEL, Severity
from affectcheck.errors import ExtraMissingError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from affectcheck.augmentations.pictures.picture import Drawn
    from affectcheck.media.clip import Frames, Image

_ENCODERS: Final = ("libx264", "libx265")
#: A picture is sent this often, and the last one is taken: as bad as a frame that nothing moves in.
_STILL: Final = 5
_STILL_RATE_HZ: Final = 25.0
#: Rows and columns that codecs work on together; what they would fill up by themselves hangs on the memory before.
_BLOCK: Final = 16
#: Vector instructions of x264 round by where in memory a picture lies, and by the processor: one encoding in ten differs.
_SAME_EVERYWHERE: Final = {"libx264": {"x264-params": "asm=0"}, "libx265": {"x265-params": "asm=0:pools=none"}}


@PICTURE_AUGMENTATIONS.register("video-compression")
@dataclass(frozen=True)
class VideoCompression(Severity):
    """Encodes pictures as H.264 (H.265 where there is no encoder of it) and decodes them again.

    Frames of a video are encoded together. A single picture is encoded as five equal frames, and the last one is
    taken. Widths and heights are filled up to multiples of 16 with their last column and row, which is cut off again.

    Blocks have at most 16×16 pixels (64×64 in H.265), however many a face has: a larger picture loses less of it.

    Attributes:
        crf: constant rate factors that one is drawn from for each item, 0 (lossless) to 51; 23 is the encoder's
            default, 6 more are half the size.
    """

    NAME: ClassVar[str] = "video-compression"
    LEVELS: ClassVar[str] = "crf"
    MEANT: ClassVar[str] = PER_PIXEL

    crf: float | tuple[float, ...] = (28, 35, 42)

    def __post_init__(self) -> None:
        """Factors are those that the encoder takes."""
        require("crf", self.crf, lambda value: 0 <= value <= 51 and value == int(value), "whole numbers from 0 to 51")

    def pixels(self, image: Image, drawn: Drawn, rng: np.random.Generator) -> np.ndarray:
        """The last of five equal frames."""
        return sent_still(image.pixels, int(drawn[self.LEVELS]))

    def apply_video(self, video: Frames, drawn: Drawn, rng: np.random.Generator) -> Frames | None:
        """All frames, encoded together."""
        made = sent(video.pixels, video.rate_hz, int(drawn[self.LEVELS]))
        return None if np.array_equal(made, video.pixels) else replace(video, pixels=made)


def sent(frames: np.ndarray, rate_hz: float, crf: int) -> np.ndarray:
    """(time, height, width, 3) frames, encoded and decoded; the same on every machine with the same encoder.

    Args:
        frames: (time, height, width, 3) uint8, RGB.
        rate_hz: frames per second.
        crf: constant rate factor.

    Raises:
        ExtraMissingError: PyAV is not installed, or without such an encoder.
    """
    height, width = frames.shape[1:3]
    sent_frames = _decoded(_encoded([_converted(pixels) for pixels in frames], rate_hz, crf))
    return np.stack([frame.to_ndarray(format="rgb24")[:height, :width] for frame in sent_frames])


def sent_still(pixels: np.ndarray, crf: int) -> np.ndarray:
    """(height, width, 3) the last of five equal frames, encoded and decoded; what is alike is converted once.

    Args:
        pixels: (height, width, 3) uint8, RGB.
        crf: constant rate factor.

    Raises:
        ExtraMissingError: PyAV is not installed, or without such an encoder.
    """
    *_, last = _decoded(_encoded([_converted(pixels)] * _STILL, _STILL_RATE_HZ, crf))
    found: np.ndarray = last.to_ndarray(format="rgb24")[: pixels.shape[0], : pixels.shape[1]]
    return np.ascontiguousarray(found)


def _converted(pixels: np.ndarray) -> Any:
    """A frame in the colours that are encoded, filled up to whole blocks."""
    height, width = pixels.shape[:2]
    filled = np.pad(pixels, ((0, -height % _BLOCK), (0, -width % _BLOCK), (0, 0)), mode="edge")
    return _pyav().VideoFrame.from_ndarray(np.ascontiguousarray(filled), format="rgb24").reformat(format="yuv420p")


def _encoded(frames: Sequence[Any], rate_hz: float, crf: int) -> io.BytesIO:
    av, buffer = _pyav(), io.BytesIO()
    with av.open(buffer, "w", format="matroska") as container:
        name = _encoder(av)
        stream = container.add_stream(name, rate=max(1, round(rate_hz)))
        stream.width, stream.height, stream.pix_fmt = frames[0].width, frames[0].height, "yuv420p"
        stream.options = {"crf": str(crf), "preset": "medium", "threads": "1", **_SAME_EVERYWHERE.get(name, {})}
        stream.thread_count = 1
        for frame in frames:
            frame.pts = None  # the encoder counts; one that is there again has the time of its first turn
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    buffer.seek(0)
    return buffer


def _decoded(buffer: io.BytesIO) -> Iterator[Any]:
    with _pyav().open(buffer, "r") as container:
        yield from container.decode(video=0)


def _encoder(av: Any) -> str:
    for name in _ENCODERS:
        if name in av.codecs_available:
            return name
    raise ExtraMissingError.of("compression of video", "video", "av with an encoder of H.264")


def _pyav() -> Any:
    try:
        import av  # noqa: PLC0415  # optional, and slow to import
    except ImportError as error:
        raise ExtraMissingError.of("compression of video", "video", "av") from error
    return av
