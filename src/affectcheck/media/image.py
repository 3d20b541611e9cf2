"""Decode a picture into 8-bit RGB pixels, upright, whatever its container, colours and depth.

Nothing is guessed in silence: what was turned, blended, narrowed or left out is kept as notes of the image; each note
begins with its kind and a colon. Colour profiles are not applied, as no face model applies them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from affectcheck.errors import MediaError
from affectcheck.media.clip import Image
from affectcheck.media.diagnosis import contents, require_file
from affectcheck.media.pillow import pillow, without_warnings

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Suffixes of files that hold a picture; any other is taken for sound.
IMAGE_SUFFIXES: Final = frozenset(
    [
        ".avif",
        ".bmp",
        ".dib",
        ".gif",
        ".jfif",
        ".jp2",
        ".jpe",
        ".jpeg",
        ".jpg",
        ".pbm",
        ".pgm",
        ".png",
        ".pnm",
        ".ppm",
        ".tga",
        ".tif",
        ".tiff",
        ".webp",
    ]
)

_ORIENTATION: Final = 0x0112
_DEEP: Final = ("I", "I;16", "I;16B", "I;16L", "I;16N")
_NARROWED: Final = "16 bits: the upper eight are kept"
_BACKGROUND: Final = 255  # white, as browsers and viewers show what lies behind a picture


def is_image(path: str | Path) -> bool:
    """Whether a file is taken for a picture, by its suffix."""
    return Path(path).suffix.casefold() in IMAGE_SUFFIXES


def decode_image(path: str | Path) -> Image:
    """Decode a file that Pillow reads (JPEG, PNG, WebP, BMP, GIF, TIFF …).

    Args:
        path: the file.

    Returns:
        An image of (height, width, 3) uint8 pixels: turned upright as its EXIF says, transparent parts on white, of
        16 bits the upper eight, of several frames the first; each with a note.

    Raises:
        MediaError: missing, empty, no picture, broken off, too large to be one, or with pixels of unknown scale.
        ExtraMissingError: the extra ``image`` is not installed.
    """
    path = Path(path)
    require_file(path, kind="picture")
    reader = pillow()
    notes: list[str] = []
    try:
        with without_warnings(), reader.open(path) as opened:
            if getattr(opened, "n_frames", 1) > 1:
                notes.append(f"frames: the first of {opened.n_frames}")
            if _is_deep(opened):
                notes.append(_NARROWED)
            stored = _orientation(opened)
            opened.load()
            picture = _upright(opened, stored, notes)
            pixels = _rgb(picture, notes, path)
    except (MediaError, MemoryError):
        raise
    except Exception as error:  # decoders raise anything on damaged files, from OSError to struct.error
        raise MediaError(
            f"cannot decode: {_told(error)}",
            where=str(path),
            expected="a picture that Pillow reads: JPEG, PNG, WebP, BMP, GIF, TIFF …",
            cause=_cause(path, error),
        ) from error
    return Image(pixels, tuple(notes))


def _orientation(picture: Any) -> int | None:
    """What the EXIF data say, 1 for upright; None where they are damaged, more often than pictures are."""
    try:
        stated: int = picture.getexif().get(_ORIENTATION, 1)
    except Exception:  # noqa: BLE001  # EXIF data raise anything, from KeyError to struct.error
        return None
    return stated


def _upright(picture: Any, stored: int | None, notes: list[str]) -> Any:
    """Turned and mirrored as the EXIF data say; Pillow turns some formats, such as TIFF, while it loads them."""
    stated = _orientation(picture)
    if stored is None or stated is None:
        notes.append("EXIF: damaged, not turned")
        return picture
    turn, turned = _turns().get(stated), _turns().get(stored)
    if turn is None and stated not in (0, 1):
        notes.append(f"EXIF: orientation {stated} is none of 1 to 8, not turned")
    elif turn is not None or turned is not None:
        notes.append(f"EXIF: turned upright from orientation {stored}")
    return picture if turn is None else picture.transpose(turn)


def _rgb(picture: Any, notes: list[str], path: Path) -> np.ndarray:
    if picture.mode in _DEEP:
        return _narrowed(np.asarray(picture), path)
    if picture.mode == "F":
        raise MediaError(
            "floating-point pixels, whose scale no file states", where=str(path), expected="8 or 16 bits a channel"
        )
    if picture.has_transparency_data:
        shown = on_white(np.asarray(picture.convert("RGBA")))
        notes.extend(["transparency: shown on white"] if shown.seen_through else [])
        return shown.pixels
    if picture.mode == "CMYK":
        notes.append("CMYK: converted without a colour profile")
    return np.array(picture.convert("RGB"))


def _is_deep(opened: Any) -> bool:
    """Whether a file holds 16 bits a channel: of colours, Pillow keeps the upper eight without a word."""
    stored = (tile[3] for tile in getattr(opened, "tile", ()))
    return opened.mode in _DEEP or any(";16" in str(args) for args in stored)


def _narrowed(values: np.ndarray, path: Path) -> np.ndarray:
    """The upper eight of 16 bits, as Pillow itself does for colours of 16 bits."""
    low, high = int(values.min()), int(values.max())
    if low < 0 or high > 0xFFFF:
        raise MediaError(f"pixels from {low} to {high}", where=str(path), expected="8 or 16 bits a channel")
    grey = (values.astype(np.int64) >> 8).astype(np.uint8)
    return np.repeat(grey[:, :, None], 3, axis=2)


class Opaque(NamedTuple):
    """Pixels without transparency, and whether they had any."""

    pixels: np.ndarray
    seen_through: bool


def on_white(rgba: np.ndarray) -> Opaque:
    """Transparent parts on white; hidden colours differ between encoders, so they cannot count.

    Args:
        rgba: (height, width, 4) uint8.
    """
    alpha = rgba[:, :, 3:].astype(np.uint32)
    if alpha.min() == 255:
        return Opaque(np.ascontiguousarray(rgba[:, :, :3]), seen_through=False)
    blended = (rgba[:, :, :3] * alpha + _BACKGROUND * (255 - alpha) + 127) // 255
    return Opaque(blended.astype(np.uint8), seen_through=True)


def _told(error: Exception) -> str:
    """The first line of what the decoder says."""
    lines: Iterable[str] = str(error).splitlines()
    return next(iter(lines), "") or type(error).__name__


def _cause(path: Path, error: Exception) -> str:
    if "truncated" in str(error) or "broken data stream" in str(error):
        return "a download or a copy that broke off"
    if "DecompressionBomb" in type(error).__name__:
        return "a damaged header, or a file made to fill the memory"
    return contents(path, kind="picture") or "a damaged file, or a format under the wrong suffix"


@cache
def _turns() -> dict[int, Any]:
    """How each orientation is undone (EXIF 2.32, tag 274)."""
    turn = pillow().Transpose
    return {
        2: turn.FLIP_LEFT_RIGHT,
        3: turn.ROTATE_180,
        4: turn.FLIP_TOP_BOTTOM,
        5: turn.TRANSPOSE,
        6: turn.ROTATE_270,
        7: turn.TRANSVERSE,
        8: turn.ROTATE_90,
    }
