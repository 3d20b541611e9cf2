"""Samples of recorded sounds: whole, or a part of a long recording without decoding the rest."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.augmentations.mixing import peak_of
from affectcheck.errors import ExtraMissingError
from affectcheck.media.samples import resampled

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.augmentations.collection import Sound
    from affectcheck.media.audio import Channel

#: Bytes of samples that each process keeps; more would not fit beside models when there are many workers.
CACHE_BYTES: Final = 128 << 20
#: Recordings longer than this are not decoded as a whole for a part of them.
_LONG_S: Final = 60
#: Formats where decoding from the middle gives the very samples of decoding from the start.
_EXACT: Final = (".wav", ".flac", ".aiff", ".aif")

_kept: OrderedDict[tuple[Sound, int], np.ndarray] = OrderedDict()
_lock = threading.Lock()


def whole(sound: Sound, rate_hz: int) -> np.ndarray:
    """All samples at a rate; those used last are kept.

    Args:
        sound: the recording.
        rate_hz: sampling rate of the result.
    """
    place = (sound, rate_hz)
    with _lock:
        if place in _kept:
            _kept.move_to_end(place)
            return _kept[place]
    samples = _decode(sound, rate_hz)
    samples.setflags(write=False)
    with _lock:
        _kept[place] = samples
        while len(_kept) > 1 and sum(one.nbytes for one in _kept.values()) > CACHE_BYTES:
            _kept.popitem(last=False)
    return samples


def looped(sound: Sound, rate_hz: int, start: float, n: int) -> np.ndarray:
    """As many samples as are wanted, from a share of the recording on; after its end it begins anew.

    Args:
        sound: the recording.
        rate_hz: sampling rate of the result.
        start: share of the recording, from 0 to below 1.
        n: number of samples.
    """
    if not n:
        return np.zeros(0, np.float32)
    length = _length(sound.path, rate_hz) if sound.path.suffix.lower() in _EXACT else 0
    first = int(start * length)
    if length > _LONG_S * rate_hz and first + n <= length:
        return _part(sound, rate_hz, first, n)
    samples = whole(sound, rate_hz)
    first = int(start * len(samples))
    if first + n <= len(samples):
        return samples[first : first + n]
    times = -(-n // len(samples))
    return np.concatenate([samples[first:], *[samples] * times])[:n]


def _decode(sound: Sound, rate_hz: int) -> np.ndarray:
    if sound.variable:
        from affectcheck.augmentations.air import read_response  # noqa: PLC0415  # it needs scipy

        response = read_response(sound.path, sound.variable)
        return resampled(response.samples.astype(np.float32), response.rate_hz, rate_hz)
    return _decoded(sound, rate_hz, None, None)


def _part(sound: Sound, rate_hz: int, first: int, n: int) -> np.ndarray:
    samples, _ = _soundfile().read(str(sound.path), n, first, dtype="float32", always_2d=True)
    if len(samples) == n and samples.shape[1] == 1 and math.isfinite(peak_of(samples)) and not sound.channel:
        return np.ascontiguousarray(samples[:, 0])
    # What is more than to read is decided, or told, where all files are decoded.
    start_us, end_us = (round(frame * 1_000_000 / rate_hz) for frame in (first, first + n))
    return _decoded(sound, rate_hz, start_us, end_us)


def _decoded(sound: Sound, rate_hz: int, start_us: int | None, end_us: int | None) -> np.ndarray:
    from affectcheck.media.audio import decode_audio  # noqa: PLC0415

    channel: Channel = "mean" if sound.channel is None else sound.channel
    return decode_audio(sound.path, rate_hz=rate_hz, channel=channel, start_us=start_us, end_us=end_us).samples


@lru_cache(maxsize=4096)
def _length(path: Path, rate_hz: int) -> int:
    """Number of samples in a file of this rate; 0 for another rate, or where the header cannot be read."""
    soundfile = _soundfile()
    try:
        about = soundfile.info(str(path))
    except soundfile.SoundFileError:  # decoding the whole says what is wrong
        return 0
    return int(about.frames) if about.samplerate == rate_hz else 0


def _soundfile() -> Any:
    try:
        import soundfile  # noqa: PLC0415  # an optional package
    except (ImportError, OSError) as error:
        raise ExtraMissingError.of("decoding sound", "speech", "soundfile") from error
    return soundfile
