"""What the header of a WAV file claims, held against the bytes that are really there.

Streaming recorders leave the length at 0 or at its largest value, downloads break off, and editors append things:
the length of a recording is that of its samples, and where the header says otherwise a note does too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, Final

if TYPE_CHECKING:
    from pathlib import Path

#: Codings whose frames have a fixed number of bytes: PCM, float, A-law, µ-law, and the extensible form of them.
_FIXED_SIZE: Final = frozenset({0x0001, 0x0003, 0x0006, 0x0007, 0xFFFE})
#: From here on a length is a streaming program's way to say that it does not know (sox writes 0x7FFFFFFF less the
#: header, most others 0xFFFFFFFF).
_UNKNOWN_LENGTH: Final = 0x7FFF0000
#: The second is for more than 4 GiB: its length stands in a chunk ds64.
_MAGICS: Final = (b"RIFF", b"RF64")
_CHUNK_HEAD: Final = 8
_RIFF_HEAD: Final = 12


@dataclass(frozen=True)
class WavHeader:
    """Where the samples of a WAV file lie.

    Attributes:
        offset: position of the first sample's first byte.
        claimed: bytes of samples by the header.
        following: bytes from the first sample to the end of the file.
        frame_bytes: bytes of one frame (a sample of every channel).
        rate_hz: sampling rate.
        tail_is_chunks: whether what follows the claimed bytes is nothing, or whole chunks.
    """

    offset: int
    claimed: int
    following: int
    frame_bytes: int
    rate_hz: int
    tail_is_chunks: bool

    @property
    def is_size_missing(self) -> bool:
        """Whether the header says 0 samples although samples follow."""
        return self.claimed == 0 and self.following >= self.frame_bytes and not self.tail_is_chunks

    @property
    def present(self) -> int:
        """Bytes of samples that are there."""
        return self.following if self.is_size_missing else min(self.claimed, self.following)

    def seconds(self, size: int) -> float:
        """Length of so many bytes, to the millisecond."""
        return round(size // self.frame_bytes / self.rate_hz, 3)

    def notes(self) -> tuple[str, ...]:
        """Where the header and the data disagree, in words."""
        found = []
        data = f"data {self.seconds(self.present)} s"
        if self.is_size_missing:
            found.append(
                f"header length: header says 0 samples, {self.following} bytes follow; recovered as {data}"
                " (a recorder that was stopped before it wrote the length?)"
            )
        elif self.claimed > self.following and self.claimed >= _UNKNOWN_LENGTH:
            found.append(f"header length: header gives no length (a streamed recording), {data}")
        elif self.claimed > self.following:
            found.append(f"header length: header {self.seconds(self.claimed)} s, {data} (truncated download?)")
        elif not self.tail_is_chunks:
            rest = self.following - self.claimed
            found.append(f"stray bytes: {rest} bytes after the samples are not part of the sound and were left out")
        if self.present % self.frame_bytes:
            found.append(f"stray bytes: {self.present % self.frame_bytes} after the last whole sample were left out")
        return tuple(found)


def read_wav_header(path: Path) -> WavHeader | None:
    """The header of a WAV file; None for another container or coding, or one too broken to follow."""
    with path.open("rb") as file:
        head = file.read(_RIFF_HEAD)
        if head[:4] not in _MAGICS or head[8:] != b"WAVE":
            return None
        size = file.seek(0, 2)
        file.seek(_RIFF_HEAD)
        return _walk(file, size)


def mended(path: Path, header: WavHeader) -> bytes:
    """The file with the length that its data have, for a decoder that believes the header."""
    raw = bytearray(path.read_bytes())
    raw[:4] = b"RIFF"
    length = header.present - header.present % header.frame_bytes
    raw[header.offset - 4 : header.offset] = length.to_bytes(4, "little")
    raw[4:8] = (header.offset - _CHUNK_HEAD + length).to_bytes(4, "little")
    return bytes(raw[: header.offset + length])


def _walk(file: BinaryIO, size: int) -> WavHeader | None:
    """Follow the chunks up to the data."""
    rate_hz = frame_bytes = 0
    long = None
    while len(head := file.read(_CHUNK_HEAD)) == _CHUNK_HEAD:
        length = int.from_bytes(head[4:], "little")
        if head[:4] == b"data":
            if not rate_hz or not frame_bytes:
                return None
            offset, length = file.tell(), length if long is None else long
            tail = offset + length + length % 2
            return WavHeader(offset, length, size - offset, frame_bytes, rate_hz, _is_chunks(file, tail, size))
        start = file.tell()
        if head[:4] == b"ds64":
            long = int.from_bytes(file.read(16)[8:], "little")
        if head[:4] == b"fmt ":
            form = file.read(16)
            if int.from_bytes(form[:2], "little") not in _FIXED_SIZE:
                return None
            rate_hz, frame_bytes = int.from_bytes(form[4:8], "little"), int.from_bytes(form[12:14], "little")
        file.seek(start + length + length % 2)  # chunks are padded to even lengths
    return None


def _is_chunks(file: BinaryIO, position: int, size: int) -> bool:
    """Whether nothing, or only whole chunks with printable names, lie from a position to the end."""
    while size - position >= _CHUNK_HEAD:
        file.seek(position)
        head = file.read(_CHUNK_HEAD)
        length = int.from_bytes(head[4:], "little")
        if not all(0x20 <= byte < 0x7F for byte in head[:4]) or position + _CHUNK_HEAD + length > size:
            return False
        position += _CHUNK_HEAD + length + length % 2
    return position >= size
