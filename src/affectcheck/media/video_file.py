"""Open a file as a video: its first stream of moving pictures and what its header states, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from affectcheck.errors import ExtraMissingError, MediaError
from affectcheck.media.diagnosis import contents, require_file

if TYPE_CHECKING:
    from pathlib import Path

#: Formats of files that are opened: none that names other files, which would be read without having been asked for.
_FORMATS: Final = (
    "3gp,apng,asf,av1,avi,dv,f4v,flv,gif,h264,hevc,ivf,m4v,matroska,mjpeg,mov,mpeg,mpegts,mpegvideo,mxf,nut,obu,ogg,rm"
)
_MOST_PIXELS: Final = 1 << 27  # of a frame: four times 8K; damaged frames claim any size
_READ: Final = "a video that FFmpeg reads: MP4, MOV, MKV, WebM, AVI, MPEG …"


@dataclass(frozen=True)
class Header:
    """What a file states of its video, none of it to be relied upon. Numbers that it does not state are 0.

    Attributes:
        codec: name of the coding.
        container: name of the file's format.
        frames: number of frames.
        rate_hz: frames a second, on average.
        duration_s: length of the video.
        has_sound: whether there is sound beside it.
        notes: cautions.
    """

    codec: str
    container: str
    frames: int
    rate_hz: Fraction
    duration_s: Fraction
    has_sound: bool
    notes: tuple[str, ...] = ()

    @property
    def stated_s(self) -> Fraction:
        """Length by whatever states more of it; 0 where nothing does."""
        return max(self.duration_s, self.frames / self.rate_hz if self.rate_hz else Fraction(0))

    @property
    def frames_by_length(self) -> int | None:
        """Frames by length and rate; None where a file does not state both."""
        return round(self.duration_s * self.rate_hz) or None


class VideoFile:
    """An open file with a video.

    Args:
        path: the file.

    Attributes:
        path: the file.
        av: the decoder's package.
        stream: its video.
        header: what it states.
        closed: whether it was closed; what is read from it then ends the process.

    Raises:
        MediaError: it is missing, empty, or no file with a video.
        ExtraMissingError: the extra ``video`` is not installed.
    """

    def __init__(self, path: Path) -> None:
        self._container: Any = None  # there for ``close``, whatever is raised below
        self.closed = False
        self.path, self.av = path, load_av()
        self._container = open_container(path)
        try:
            self.stream = self._video_stream()
            self.header = self._header()
        except BaseException:
            self.close()
            raise

    @property
    def container(self) -> Any:
        """The demuxer."""
        return self._container

    def close(self) -> None:
        """Close the file; a second time does nothing."""
        self.closed = True
        if self._container is not None:
            self._container.close()

    def unreadable(self, what: str) -> MediaError:
        """The error for this file."""
        return _unreadable(self.path, what)

    def _video_stream(self) -> Any:
        streams = self._container.streams
        moving = [stream for stream in streams.video if not _is_cover(stream)]
        if not moving:
            others = [name for name, some in (("sound", streams.audio), ("a cover picture", streams.video)) if some]
            raise MediaError(
                "there is no video in the file",
                where=str(self.path),
                expected=_READ,
                cause=f"a file of {' and '.join(others)} only" if others else "a file without any contents",
            )
        if moving[0].codec_context is None:
            raise MediaError(
                "coded in a way that the installed PyAV does not know",
                where=str(self.path),
                expected="a common coding such as H.264: `ffmpeg -i FILE OUT.mp4`",
            )
        moving[0].codec_context.thread_count = 1  # work is spread over processes; damage is told packet by packet
        moving[0].codec_context.options = {"max_pixels": str(_MOST_PIXELS)}
        return moving[0]

    def _header(self) -> Header:
        stream, notes = self.stream, []
        moving = [one for one in self._container.streams.video if not _is_cover(one)]
        if len(moving) > 1:
            notes.append(f"streams: the first of {len(moving)} videos in the file")
        shape = stream.sample_aspect_ratio
        if shape not in (None, 0, 1):
            notes.append(f"pixels: meant to be shown {shape.numerator}:{shape.denominator} wide, not stretched")
        return Header(
            codec=stream.codec_context.name,
            container=self._container.format.name,
            frames=stream.frames,
            rate_hz=Fraction(stream.average_rate or stream.guessed_rate or 0),
            duration_s=self._duration_s(),
            has_sound=bool(self._container.streams.audio),
            notes=tuple(notes),
        )

    def _duration_s(self) -> Fraction:
        """Length of the video stream; that of the file only where nothing else is in it, which may be longer."""
        if self.stream.duration:
            return Fraction(self.stream.duration) * Fraction(self.stream.time_base)
        if len(self._container.streams) == 1 and self._container.duration:
            return Fraction(self._container.duration, self.av.time_base)
        return Fraction(0)


def open_container(path: Path) -> Any:
    """A file's demuxer.

    Raises:
        MediaError: it is missing, empty, or of no format that holds videos.
        ExtraMissingError: the extra ``video`` is not installed.
    """
    require_file(path, kind="video")
    av = load_av()
    try:
        return av.open(f"file:{path}", container_options={"format_whitelist": _FORMATS}, metadata_errors="replace")
    except (av.FFmpegError, ValueError) as error:
        told = error.strerror if isinstance(error, OSError) else ""
        raise _unreadable(path, f"cannot be opened as a video{told and f': {told}'}") from error


def _unreadable(path: Path, what: str) -> MediaError:
    found = contents(path, kind="video")
    return MediaError(what, where=str(path), expected=_READ, cause=found or "a damaged file, or one that broke off")


def _is_cover(stream: Any) -> bool:
    """Whether a stream is one picture that belongs to a sound file."""
    return bool(stream.disposition & type(stream.disposition).attached_pic)


@cache
def load_av() -> Any:
    """The decoder.

    Raises:
        ExtraMissingError: the extra ``video`` is not installed.
    """
    try:
        import av  # noqa: PLC0415  # an optional package
    except ImportError as error:
        raise ExtraMissingError.of("decoding videos", "video", "av") from error
    return av
