"""Pixels of a decoded frame as every picture has them here: 8-bit RGB, upright, opaque."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.media.image import on_white

if TYPE_CHECKING:
    from affectcheck.media.video_decoding import Cautions

_UNIT: Final = 1 << 16  # 1 in the fixed point of a display matrix
_WIDE: Final = {16: "PQ", 18: "HLG"}  # transfer characteristics of H.273 that reach beyond what screens of 8 bits show


def upright_pixels(picture: Any, cautions: Cautions) -> np.ndarray:
    """Pixels of a frame.

    Args:
        picture: the decoder's frame.
        cautions: where notes go.

    Returns:
        (height, width, 3) uint8, RGB, turned as the file says.
    """
    parts = picture.format.components
    if picture.interlaced_frame:
        cautions.note("interlaced", "the lines of two moments are left as recorded")
    if (curve := _WIDE.get(int(getattr(picture, "color_trc", None) or 0))) is not None:  # not there before PyAV 17
        cautions.note("colours", f"{curve}, shown without tone mapping")
    deep = max((part.bits for part in parts), default=8)
    if deep > 8:
        cautions.note("depth", f"{deep} bits: narrowed to eight")
    if any(part.is_alpha for part in parts):
        blended = on_white(picture.to_ndarray(format="rgba"))
        if blended.seen_through:
            cautions.note("transparency", "shown on white")
        return np.array(_turned(blended.pixels, picture, cautions), order="C")
    shown = picture.to_ndarray(format="rgb24")  # lines of odd sizes are padded; and the decoder may need its own again
    return np.array(_turned(shown, picture, cautions), order="C")


def _turned(pixels: np.ndarray, picture: Any, cautions: Cautions) -> np.ndarray:
    """Turned by quarters and mirrored, as the display matrix says: x' = a x + c y, y' = b x + d y."""
    stated = [bytes(data) for data in picture.side_data if data.type.name == "DISPLAYMATRIX"]
    if not stated:
        return pixels
    values = struct.unpack("=9i", stated[0])
    a, b, c, d = (round(value / _UNIT) for value in (values[0], values[1], values[3], values[4]))
    quarter = sorted(map(abs, (a, b))) == [0, 1] and (abs(a), abs(b)) == (abs(d), abs(c))
    if not quarter or any(value % _UNIT for value in (values[0], values[1], values[3], values[4])):
        cautions.note("turn", "the file states one by other than quarters, not turned")
        return pixels
    if (a, b, c, d) == (1, 0, 0, 1):
        return pixels
    cautions.note("turn", "turned or mirrored upright as the file states")
    return pixels.transpose(1, 0, 2)[::b, ::c] if a == 0 else pixels[::d, ::a]
