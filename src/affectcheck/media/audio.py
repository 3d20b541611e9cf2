"""Decode a sound file, or a segment of one, into mono samples of the rate that a model takes.

Nothing is guessed in silence: what a header claims against the data, channels that cancel, silence and values beyond
full scale are kept as notes of the clip; each note begins with its kind and a colon. Nothing is ever zero-padded.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from affectcheck.errors import ExtraMissingError, MediaError
from affectcheck.media.clip import Clip
from affectcheck.media.diagnosis import VIDEO_SUFFIXES, contents, require_file
from affectcheck.media.samples import resampled
from affectcheck.media.wav_header import mended, read_wav_header

if TYPE_CHECKING:
    from collections.abc import Iterator

Channel = int | Literal["mean"]

#: A mix this far below its loudest channel is what is left after the channels have cancelled each other.
CANCEL_DB: Final = -40.0
#: Tables round times; a segment may end this much after the last sample, and then ends there.
ROUNDING_S: Final = 0.001
#: Float files may pass full scale by a little; twice that is a wrong scale (integers stored as floats).
LARGEST_PEAK: Final = 2.0

_BLOCK: Final = 1 << 16
_WIDE: Final = ("PCM_32", "DOUBLE")
#: Frames of MP3 borrow bits from those before: the decoder complains on stderr at every leap between them.
_READ_THROUGH: Final = ("MP3",)
_LONGEST: Final = 1 << 40  # frames: a length beyond it is a decoder's way to say that it does not know


@dataclass(frozen=True)
class Sound:
    """Samples as they are in the file.

    Attributes:
        samples: (n, channels) float32; float64 where the file holds what float32 cannot, and this was asked for.
        rate_hz: sampling rate of the file.
        notes: what the header says against what is there.
    """

    samples: np.ndarray
    rate_hz: int
    notes: tuple[str, ...] = ()


def decode_audio(
    path: str | Path,
    *,
    rate_hz: int | None = 16_000,
    channel: Channel = "mean",
    start_us: int | None = None,
    end_us: int | None = None,
) -> Clip:
    """Decode a file that libsndfile reads (WAV, FLAC, Ogg, MP3, AIFF …), or the sound of a video.

    Args:
        path: the file; a video by its suffix.
        rate_hz: sampling rate of the result; None keeps that of the file.
        channel: ``mean`` of all channels, or the number of one, counted from 0.
        start_us: where the segment begins, in microseconds; None is the beginning.
        end_us: where it ends; None is the end of the file.

    Returns:
        A clip of at least one sample, with notes of what a listener should know.

    Raises:
        MediaError: missing, empty, unreadable, damaged or without sound; samples that are no finite numbers; a
            segment that is not within the file; a channel that it does not have; channels that cancel to nothing.
        ExtraMissingError: the extra ``speech``, or for a video ``video``, is not installed.
    """
    path = Path(path)
    sound = read_sound(path, start_us, end_us)
    mono, notes = _mix(sound.samples, channel, path)
    notes = (*sound.notes, *notes, *_level_notes(mono))
    if rate_hz is None or rate_hz == sound.rate_hz:
        return Clip(mono, sound.rate_hz, notes)
    return Clip(_resample(mono, sound.rate_hz, rate_hz, path), rate_hz, notes)


def read_sound(path: Path, start_us: int | None = None, end_us: int | None = None, *, exact: bool = False) -> Sound:
    """Samples of every channel as the file holds them, at its own rate.

    Args:
        path: the file.
        start_us: where the segment begins; None is the beginning.
        end_us: where it ends; None is the end.
        exact: keep as float64 what float32 cannot hold: integers of 32 bits, and floats of 64.

    Raises:
        MediaError: as ``decode_audio``, but for channels.
        ExtraMissingError: the extra ``speech`` is not installed.
    """
    require_file(path)
    start_us = start_us or 0
    if start_us < 0 or (end_us is not None and end_us <= start_us):
        raise MediaError(
            f"segment {_span(start_us, end_us)} is empty or runs backwards",
            where=str(path),
            expected="0 <= start < end",
        )
    if path.suffix.casefold() in VIDEO_SUFFIXES:
        return _sound_of_video(path, start_us, end_us)
    header = read_wav_header(path)
    notes = header.notes() if header else ()
    source = io.BytesIO(mended(path, header)) if header and header.is_size_missing else path
    soundfile, reader = _soundfile()
    try:
        with reader(source) as file:
            wide = exact and file.subtype in _WIDE
            sound = _segment(file, start_us, end_us, path, "float64" if wide else "float32")
    except (soundfile.SoundFileError, TypeError) as error:
        # soundfile raises a TypeError for suffixes that it takes for headerless samples, such as .raw.
        told = "no sound was found in it" if "File does not exist" in str(error) else error  # it is there: said of MP3
        raise MediaError(
            f"cannot decode: {told}",
            where=str(path),
            expected="a sound file that libsndfile reads: WAV, FLAC, Ogg, MP3, AIFF …",
            cause=contents(path) or "a damaged file, or a format under the wrong suffix",
        ) from error
    _require_finite(sound.samples, path)
    return Sound(sound.samples, sound.rate_hz, (*notes, *sound.notes))


def _sound_of_video(path: Path, start_us: int, end_us: int | None) -> Sound:
    """The sound of a video, or of a segment on the clock of its frames."""
    from affectcheck.media.video_sound import sound_of_video  # noqa: PLC0415  # with the decoder of videos

    found = sound_of_video(path, end_us=end_us)
    first = _frame(found.starts_us, found.rate_hz)
    start = _frame(start_us, found.rate_hz) - first
    end = len(found.samples) if end_us is None else _frame(end_us, found.rate_hz) - first
    if end <= 0:
        raise MediaError(
            f"segment {_span(start_us, end_us)} ends before the sound begins, at {found.starts_us / 1e6:g} s",
            where=str(path),
            expected="a segment with sound; missing sound is not replaced by silence",
        )
    notes = list(found.notes)
    if -start > ROUNDING_S * found.rate_hz:
        notes.append(f"start: the sound begins {found.starts_us / 1e6:.3f} s after its video, and the segment with it")
    samples = found.samples[max(start, 0) : end]
    short = end - len(found.samples)
    if not len(samples) or short > ROUNDING_S * found.rate_hz:
        raise _outside(start_us, end_us, (first + len(found.samples)) / found.rate_hz, path)
    if short > 0:
        notes.append(f"segment end: {_span(start_us, end_us)}, ended with the sound")
    _require_finite(samples, path)
    return Sound(samples, found.rate_hz, tuple(notes))


def _segment(file: Any, start_us: int, end_us: int | None, path: Path, dtype: str) -> Sound:
    rate, claimed = file.samplerate, file.frames
    start = _frame(start_us, rate)
    wanted = None if end_us is None else _frame(end_us, rate) - start
    known = claimed < _LONGEST
    if known and start and start >= claimed:
        raise _outside(start_us, end_us, claimed / rate, path)
    leaps = known and file.format not in _READ_THROUGH
    if leaps and start:
        file.seek(start)
    skip = 0 if leaps else start
    blocks = list(_blocks(file, None if wanted is None else wanted + skip, dtype))
    samples = (np.concatenate(blocks) if blocks else np.zeros((0, file.channels), dtype))[skip:]
    notes = []
    if wanted is not None and len(samples) < wanted:
        end_s = (start + len(samples)) / rate
        if not len(samples) or wanted - len(samples) > ROUNDING_S * rate:
            raise _outside(start_us, end_us, end_s, path)
        notes.append(f"segment end: {_span(start_us, end_us)} of a sound of {end_s:.6f} s, ended with it")
    if not len(samples):
        raise MediaError("no samples", where=str(path), cause="a recording that was never made, or a broken copy")
    if wanted is None and known and start + len(samples) != claimed:
        there = (start + len(samples)) / rate
        notes.append(f"header length: header {claimed / rate:.3f} s, data {there:.3f} s (truncated download?)")
    return Sound(samples, rate, tuple(notes))


def _blocks(file: Any, frames: int | None, dtype: str) -> Iterator[np.ndarray]:
    """Read until there is no more, or so many frames are read; whatever length the header claims."""
    left = frames
    while left is None or left > 0:
        block = file.read(_BLOCK if left is None else min(_BLOCK, left), dtype=dtype, always_2d=True)
        if not len(block):
            return
        yield block
        left = None if left is None else left - len(block)


def _mix(samples: np.ndarray, channel: Channel, path: Path) -> tuple[np.ndarray, tuple[str, ...]]:
    """One channel of (n, channels), and what happened on the way."""
    channels = samples.shape[1]
    if channel != "mean":
        if not 0 <= channel < channels:
            raise MediaError(f"no channel {channel}", where=str(path), expected=f"0 to {channels - 1}")
        return np.ascontiguousarray(samples[:, channel]), ()
    if channels == 1:
        return np.ascontiguousarray(samples[:, 0]), ()
    mono = samples.mean(axis=1, dtype=np.float64)
    loudest = np.sqrt(np.square(samples, dtype=np.float64).mean(axis=0)).max()
    mixed = np.sqrt(np.square(mono).mean())
    if loudest > 0 and np.ptp(mono) == 0 and np.ptp(samples, axis=0).any():
        raise MediaError(
            f"channels cancel: the mean of {channels} channels is silent, though they are not",
            where=str(path),
            expected="choose a channel, such as channel=0",
            cause="one channel was recorded with inverted polarity",
        )
    notes: tuple[str, ...] = ()
    if loudest > 0 and (level := 20 * np.log10(mixed / loudest)) < CANCEL_DB:
        notes = (f"channels cancel: the mix is {-level:.0f} dB below the loudest channel; choose a channel",)
    return mono.astype(np.float32), notes


def _level_notes(mono: np.ndarray) -> tuple[str, ...]:
    """Silence in the digital sense only: real speech may be recorded 60 dB below full scale."""
    low, high = float(mono.min()), float(mono.max())
    if low == high and len(mono) > 1:
        return (f"digital silence: every sample is {low:g}",)
    peak = max(-low, high)
    return (f"full scale: the peak is {peak:g}, where 1 is full scale",) if peak > LARGEST_PEAK else ()


def _require_finite(samples: np.ndarray, path: Path) -> None:
    finite = np.isfinite(samples).all(axis=1)
    if not finite.all():
        raise MediaError(
            f"{int((~finite).sum())} of {len(samples)} samples are no finite numbers, the first at {finite.argmin()}",
            where=str(path),
            cause="a processing step that divided by zero, or bytes that are not floats",
        )


def _resample(mono: np.ndarray, source_hz: int, target_hz: int, path: Path) -> np.ndarray:
    result = resampled(mono, source_hz, target_hz)
    if not len(result):
        raise MediaError(f"too short to resample: {len(mono)} samples at {source_hz} Hz", where=str(path))
    return result


@cache
def _soundfile() -> tuple[Any, Any]:
    """The package, and its reader without the seek after each read, which fails where a header lies."""
    try:
        import soundfile  # noqa: PLC0415  # an optional package
    except (ImportError, OSError) as error:  # OSError: the package is there, its C library is not
        raise ExtraMissingError.of("decoding sound", "speech", "soundfile") from error

    class SequentialReader(soundfile.SoundFile):  # type: ignore[misc]  # the package has no types
        def seekable(self) -> bool:
            return False

    return soundfile, SequentialReader


def _frame(time_us: int, rate_hz: int) -> int:
    """Nearest frame, in integers so that no time is one sample off."""
    return (2 * time_us * rate_hz + 1_000_000) // 2_000_000


def _span(start_us: int, end_us: int | None) -> str:
    return f"{start_us / 1e6:g} to {'the end' if end_us is None else f'{end_us / 1e6:g}'} s"


def _outside(start_us: int, end_us: int | None, duration_s: float, path: Path) -> MediaError:
    return MediaError(
        f"segment {_span(start_us, end_us)} is not within the sound, which lasts {duration_s:g} s",
        where=str(path),
        expected="a segment that the recording holds; missing sound is not replaced by silence",
        cause="a truncated file, or the times of another recording",
    )
