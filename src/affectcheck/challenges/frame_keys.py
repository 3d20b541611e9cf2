"""Keys of frames: ``<video>/<number>.jpg``, whatever the zeros in front and whichever kind of picture."""

from __future__ import annotations

from typing import Final

import polars as pl

from affectcheck.annotations.listing import name_list, plural
from affectcheck.errors import InputError

_FORM: Final = r"^(.+)/([0-9]{1,9})(?:\.(?:jpg|jpeg|png|JPG|JPEG|PNG))?$"
_SHOWN: Final = 5


def split_frames(keys: pl.Series, *, first: int, where: str) -> pl.DataFrame:
    """Video and number of each frame.

    Args:
        keys: (n,) String.
        first: number of a video's first frame.
        where: the file, for messages.

    Returns:
        ``item`` (as this package writes it), ``video`` and ``number``, in the order of the keys.

    Raises:
        InputError: keys of another form, or frames before the first.

    Example:
        >>> split_frames(pl.Series(["a/1.png"]), first=1, where="").rows()
        [('a/00001.jpg', 'a', 1)]
    """
    found = pl.select(video=keys.str.extract(_FORM, 1), number=keys.str.extract(_FORM, 2).cast(pl.Int64))
    wrong = keys.filter(found["video"].is_null())
    if len(wrong):
        raise InputError(
            f"{plural(len(wrong), 'key')} of another form: {name_list(wrong.head(_SHOWN).str.slice(0, 60))}",
            where=where,
            expected="<video>/<number of the frame>.jpg, such as video61/00001.jpg",
            cause="names of videos without their frames" if not wrong.str.contains("/").any() else "",
            code="E_WRONG_KEYS",
        )
    early = keys.filter(found["number"] < first)
    if len(early):
        raise InputError(
            f"{plural(len(early), 'frame')} before the first: {name_list(early.head(_SHOWN))}",
            where=where,
            expected=f"frames counted from {first}",
            cause="a loop that counts from 0; every frame would be one off",
            code="E_FIRST_FRAME",
        )
    return found.select(_item(), "video", "number")


def _item() -> pl.Expr:
    return pl.format("{}/{}.jpg", pl.col("video"), pl.col("number").cast(pl.String).str.zfill(5)).alias("item")
