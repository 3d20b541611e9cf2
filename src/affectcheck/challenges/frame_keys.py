"""Keys of frames: ``<video>/<number>.jpg``, whatever the zeros in front and whichever kind of picture."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias, overload

import polars as pl

from affectcheck.annotations.listing import name_list, plural
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

FORM: Final = r"^(.+)/([0-9]{1,9})(?:\.(?:jpg|jpeg|png|JPG|JPEG|PNG))?$"
_SHOWN: Final = 5
#: Where a row stands, by its number from 0.
Place: TypeAlias = Callable[[int], str]


def split_frames(keys: pl.Series, *, first: int, where: str, place: Place | None = None) -> pl.DataFrame:
    """Video and number of each frame.

    Args:
        keys: (n,) String.
        first: number of a video's first frame.
        where: the file, for messages.
        place: tells where a row stands, such as file and line, where that is known.

    Returns:
        ``item`` (as this package writes it), ``video`` and ``number``, in the order of the keys.

    Raises:
        InputError: keys of another form, or frames before the first.

    Example:
        >>> split_frames(pl.Series(["a/1.png"]), first=1, where="").rows()
        [('a/00001.jpg', 'a', 1)]
    """
    found = pl.select(video=keys.str.extract(FORM, 1), number=keys.str.extract(FORM, 2).cast(pl.Int64))
    rows = found["video"].is_null().arg_true()
    if len(rows):
        wrong = keys.gather(rows)
        raise InputError(
            f"{plural(len(wrong), 'key')} of another form: {name_list(wrong.head(_SHOWN).str.slice(0, 60))}",
            where=place(int(rows[0])) if place else where,
            expected="<video>/<number of the frame>.jpg, such as video61/00001.jpg",
            cause=_cause(wrong),
            code="E_WRONG_KEYS",
        )
    rows = (found["number"] < first).arg_true()
    if len(rows):
        raise InputError(
            f"{plural(len(rows), 'frame')} before the first: {name_list(keys.gather(rows[:_SHOWN]))}",
            where=place(int(rows[0])) if place else where,
            expected=f"frames counted from {first}",
            cause="a loop that counts from 0; every frame would be one off",
            code="E_FIRST_FRAME",
        )
    return found.select(_item(), "video", "number")


def _cause(wrong: pl.Series) -> str:
    if wrong.str.contains("/", literal=True).any():
        return ""
    if wrong.str.contains("\\", literal=True).any():
        return "paths of Windows, with \\ for /"
    return "names of videos without their frames"


def _item() -> pl.Expr:
    return pl.format("{}/{}.jpg", pl.col("video"), pl.col("number").cast(pl.String).str.zfill(5)).alias("item")


class FrameNames(Sequence[str]):
    """Names of frames as this package writes them, made when they are asked for, however many there are."""

    def __init__(self, keys: pl.Series) -> None:
        """Of keys as they were written; others stay what they are."""
        self._keys = keys

    def __len__(self) -> int:
        """How many there are."""
        return len(self._keys)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        """One, or some."""
        return [_name(key) for key in self._keys[place]] if isinstance(place, slice) else _name(self._keys[place])

    def __iter__(self) -> Iterator[str]:
        """One after the other."""
        return map(_name, self._keys)


def _name(key: str) -> str:
    found = re.match(FORM, key)
    return f"{found[1]}/{int(found[2]):05}.jpg" if found else key
