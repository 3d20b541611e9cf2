"""What programs and servers are handed: a clip as a WAV file, or a picture, or the face in it, as a PNG file."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.models.declaring import chosen, refuse
from affectcheck.models.options import Option
from affectcheck.models.picture_input import AS_IT_IS, PICTURE_OPTIONS, PictureInput, picture_input
from affectcheck.models.waveform import ENCODINGS, wav_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.media.clip import Item

MEDIA: Final = ("audio", "image")
#: A file shows pixels: what becomes of them as numbers is the program's own.
_SHOWN: Final = ("size", "crop", "margin", "detector", "fit", "share", "filter")
HANDING_OPTIONS: Final = (
    Option("encoding", "of the WAV files: pcm16, or float32, which loses nothing", "pcm16"),
    Option("media", "audio: it gets WAV files; image: PNG files", "audio"),
    *(
        Option(one.name, one.meaning, "as the picture is" if one.name == "size" else one.default)
        for one in PICTURE_OPTIONS
        if one.name in _SHOWN
    ),
)
_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_COLOUR: Final = (8, 2, 0, 0, 0)  # 8 bits, red green blue, and the only compression, filter and order there are


@dataclass(frozen=True)
class Handing:
    """How an item is handed over.

    Attributes:
        medium: ``audio`` or ``image``.
        encoding: of WAV files.
        input: what is shown of a picture.
    """

    medium: str = "audio"
    encoding: str = "pcm16"
    input: PictureInput = AS_IT_IS

    @property
    def suffix(self) -> str:
        """Of the file."""
        return ".wav" if self.medium == "audio" else ".png"

    @property
    def content_type(self) -> str:
        """Of the body of a request."""
        return "audio/wav" if self.medium == "audio" else "image/png"

    @property
    def digest(self) -> str:
        """Of all that changes what is handed over."""
        return self.encoding if self.medium == "audio" else self.input.digest

    @property
    def notes(self) -> tuple[str, ...]:
        """For the card."""
        whole = self.medium == "audio" or self.input == AS_IT_IS
        return () if whole else (f"PNG files; {self.input.told.partition(', rgb')[0]}",)

    def content(self, item: Item) -> bytes:
        """The file of an item."""
        return (
            wav_bytes(item.audio, self.encoding) if self.medium == "audio" else png_bytes(self.input.seen(item.image))
        )


AS_SOUND: Final = Handing()


def handing(options: Mapping[str, Any], *, where: str) -> Handing:
    """How items are handed over, as it is stated.

    Raises:
        UnknownNameError, InputError: a value that an option does not take, or one about another medium.
    """
    medium = chosen(options, "media", MEDIA, where=where)
    if medium == "audio":
        refuse(options, _SHOWN, "sound; ?media=image says that it takes pictures", where=where)
        return Handing(medium, chosen(options, "encoding", ENCODINGS, where=where))
    refuse(options, ("encoding", "rate_hz"), "pictures", where=where)
    return Handing(medium, input=picture_input(options, AS_IT_IS, where=where, sized=False))


def png_bytes(pixels: np.ndarray) -> bytes:
    """(height, width, 3) uint8 RGB as a PNG file."""
    height, width = pixels.shape[:2]
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # each row begins with its filter, which is none
    rows[:, 1:] = pixels.reshape(height, -1)
    head = struct.pack(">II5B", width, height, *_COLOUR)
    return _SIGNATURE + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows.tobytes(), 1)) + _chunk(b"IEND", b"")


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
