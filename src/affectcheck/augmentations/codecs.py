"""Codecs of a narrow telephone line: 16-bit samples at 8 kHz in, what comes out of the line back.

What encodes is found at run time, in the order of ``KNOWN``: AMR-NB by PyAV, AMR-NB by the ffmpeg of imageio-ffmpeg
(both make the same samples), and GSM 06.10 by soundfile where neither is installed. A codec is part of the name of
whatever was made with it, so that results of different codecs never pass for each other.
"""

from __future__ import annotations

import io
import subprocess
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from affectcheck.errors import ExtraMissingError, InputError, UnknownNameError
from affectcheck.media.samples import to_pcm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

RATE_HZ: Final = 8_000
FRAME: Final = 160  # samples of 20 ms, what AMR-NB and GSM encode at once
AMR_NB: Final = "amr-nb-7.4"
GSM: Final = "gsm-06.10"
AUTO: Final = "auto"
_BIT_RATE: Final = 7_400


class Encoder(Protocol):
    """Something that encodes and decodes."""

    @property
    def codec(self) -> str:
        """What is encoded: encoders of one codec make the same samples."""

    @property
    def library(self) -> str:
        """What does it."""

    def round_trip(self, pcm: NDArray[np.int16]) -> NDArray[np.float32]:
        """Encode and decode.

        Args:
            pcm: (n,) samples at 8 kHz, a multiple of ``FRAME`` of them.

        Returns:
            (n,) samples, full scale at ±1.
        """


def transmit(samples: NDArray[np.floating], encoder: Encoder) -> NDArray[np.float32]:
    """Samples as they come out of the line: as many as went in. The delay of the codec is left as it is.

    Args:
        samples: (n,) at 8 kHz, full scale at ±1.
        encoder: of ``encoder_of``.
    """
    # AMR-NB answers one step of the last bit with another waveform, so that rounding is part of every result.
    pcm = to_pcm(samples)
    padded = np.pad(pcm, (0, -len(pcm) % FRAME))
    return np.clip(encoder.round_trip(padded)[: len(pcm)], -1.0, 1.0)


def encoder_of(codec: str = AUTO) -> Encoder:
    """The first encoder that works here.

    Args:
        codec: ``amr-nb-7.4``, ``gsm-06.10``, or ``auto`` for the first of them that there is.

    Raises:
        UnknownNameError: no codec has the name.
        ExtraMissingError: nothing that is installed encodes it.
    """
    known = (AMR_NB, GSM)
    if codec not in (AUTO, *known):
        raise UnknownNameError.of("telephone codec", codec, (AUTO, *known))
    found = next((one for one in available() if codec in (AUTO, one.codec)), None)
    if found is None:
        extra, package = ("speech", "soundfile") if codec == GSM else ("phone", "av")
        raise ExtraMissingError.of(f"the telephone codec {codec}", extra, package)
    return found


def available() -> Iterator[Encoder]:
    """Encoders that work here, in the order of preference; each has encoded a frame of silence."""
    return (found for make in KNOWN if (found := _working(make)) is not None)


@cache
def _working(make: Callable[[], Encoder]) -> Encoder | None:
    """The encoder; None if its package is absent, was built without the codec, or is broken."""
    try:
        encoder = make()
        encoder.round_trip(np.zeros(FRAME, np.int16))
    except (ImportError, OSError, RuntimeError, ValueError, InputError):
        return None
    return encoder


@dataclass(frozen=True)
class PyAV:
    """AMR-NB in memory, by libopencore-amrnb in the wheels of PyAV before version 19."""

    codec: str = AMR_NB
    library: str = "PyAV"

    def round_trip(self, pcm: NDArray[np.int16]) -> NDArray[np.float32]:
        """Encode and decode."""
        av = _av()
        writer = av.codec.Codec("libopencore_amrnb", "w").create()
        writer.bit_rate, writer.sample_rate, writer.layout, writer.format = _BIT_RATE, RATE_HZ, "mono", "s16"
        reader = av.codec.Codec("amrnb", "r").create()
        reader.sample_rate, reader.layout = RATE_HZ, "mono"
        packets = [packet for frame in self._frames(av, pcm) for packet in writer.encode(frame)]
        packets += writer.encode(None)
        heard = [frame.to_ndarray().reshape(-1) for packet in packets for frame in reader.decode(packet)]
        return _exactly(np.concatenate(heard), len(pcm))

    def _frames(self, av: Any, pcm: NDArray[np.int16]) -> Iterator[Any]:
        for start in range(0, len(pcm), FRAME):
            frame = av.AudioFrame.from_ndarray(pcm[None, start : start + FRAME], format="s16", layout="mono")
            frame.sample_rate, frame.pts = RATE_HZ, start
            yield frame


@dataclass(frozen=True)
class ImageioFFmpeg:
    """AMR-NB by the ffmpeg program that imageio-ffmpeg brings along: two processes a clip."""

    codec: str = AMR_NB
    library: str = "imageio-ffmpeg"

    def round_trip(self, pcm: NDArray[np.int16]) -> NDArray[np.float32]:
        """Encode and decode."""
        raw = ["-f", "s16le", "-ar", str(RATE_HZ), "-ac", "1"]
        encoding = ["-c:a", "libopencore_amrnb", "-b:a", str(_BIT_RATE), "-f", "amr"]
        encoded = self._ffmpeg([*raw, "-i", "-", *encoding, "-"], pcm.astype("<i2").tobytes())
        heard = self._ffmpeg(["-f", "amr", "-i", "-", "-f", "f32le", "-"], encoded)
        return _exactly(np.frombuffer(heard, "<f4"), len(pcm))

    def _ffmpeg(self, arguments: list[str], given: bytes) -> bytes:
        from imageio_ffmpeg import get_ffmpeg_exe  # noqa: PLC0415  # optional

        command = [get_ffmpeg_exe(), "-hide_banner", "-loglevel", "error", *arguments]
        done = subprocess.run(command, input=given, capture_output=True, check=False)  # noqa: S603  # own arguments
        if done.returncode:
            raise InputError(f"ffmpeg failed: {done.stderr.decode(errors='replace').strip()}")
        return done.stdout


@dataclass(frozen=True)
class SoundFile:
    """GSM 06.10 full rate (13 kbit/s), by libsndfile: another codec of the same kind and time."""

    codec: str = GSM
    library: str = "soundfile"

    def round_trip(self, pcm: NDArray[np.int16]) -> NDArray[np.float32]:
        """Encode and decode."""
        import soundfile  # noqa: PLC0415  # optional

        file = io.BytesIO()
        soundfile.write(file, pcm, RATE_HZ, format="WAV", subtype="GSM610")
        file.seek(0)
        heard, _ = soundfile.read(file, dtype="float32")
        return _exactly(heard, len(pcm))


#: Encoders in the order of preference.
KNOWN: Final[tuple[Callable[[], Encoder], ...]] = (PyAV, ImageioFFmpeg, SoundFile)


def _exactly(samples: NDArray[np.floating], n: int) -> NDArray[np.float32]:
    """That many samples: codecs add some at the end; what one lacks is silence."""
    return np.pad(np.asarray(samples[:n], np.float32), (0, max(0, n - len(samples))))


@cache
def _av() -> Any:
    import av  # noqa: PLC0415  # optional
    import av.codec  # noqa: PLC0415

    return av
