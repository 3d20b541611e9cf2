"""Keys of segments: whole microseconds, so that two files that mean one segment write one key.

Seconds arrive as text, floats or time spans, with digits that depend on the program they went through: 2.5225,
2.5224999 and 2.52250000001 are one time. They are rounded to one microsecond, half to even, from the decimal digits
as written (a float from its shortest decimal form), never cut off. Two samples at 48 kHz are 20.8 microseconds
apart, so different samples stay different keys.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, InvalidOperation
from typing import Final

import numpy as np
import polars as pl

from affectcheck.annotations.listing import rows_by_value, value_lines
from affectcheck.errors import InputError

MICROSECONDS: Final = 1_000_000
_SEGMENT: Final = re.compile(r"#(\d+)-(\d*)$")
_NEAR_HALF: Final = 1e-3  # of a microsecond: there a float product may round to the other side
_EXACT_BELOW: Final = 1e9  # seconds: beyond, a float product no longer resolves a fraction of a microsecond


def seconds_to_us(value: str | float | Decimal, *, where: str = "") -> int:
    """Seconds as whole microseconds, rounded half to even on the decimal digits.

    Args:
        value: decimal text, an integer, a float (read by its shortest decimal form) or a Decimal.
        where: stands in front of an error.

    Raises:
        InputError: no finite number, or a negative one.

    Example:
        >>> [seconds_to_us(text) for text in ("2.5225", "2.5224999", "0.100020833", "0.0000005")]
        [2522500, 2522500, 100021, 0]
        >>> seconds_to_us(0.1 + 0.2)
        300000
    """
    text = value.strip() if isinstance(value, str) else value if isinstance(value, Decimal) else repr(float(value))
    try:
        seconds = Decimal(text)
        us = int((seconds * MICROSECONDS).to_integral_value(rounding=ROUND_HALF_EVEN))
    except (InvalidOperation, ValueError, OverflowError) as error:
        raise InputError(
            f"not a time in seconds: {value!r}",
            where=where,
            expected="a number such as 2.5225",
            cause=_cause(str(value)),
        ) from error
    if seconds < 0:
        raise InputError(f"a negative time: {value!r}", where=where, expected="seconds from the start of the media")
    return us


def _cause(text: str) -> str:
    if re.fullmatch(r"\s*\d+,\d+\s*", text):
        return "a decimal comma; write a point"
    return "hours, minutes and seconds; write seconds alone" if ":" in text else ""


def seconds_column(column: pl.Series, where: str = "") -> pl.Series:
    """A column of seconds (text, numbers or time spans) as whole microseconds; empty cells stay null.

    Raises:
        InputError: a cell is no time; every such cell is listed.
    """
    if column.dtype == pl.Duration:
        return _round_nanoseconds(column)
    if column.dtype.is_integer() or column.dtype == pl.Null:
        return column.cast(pl.Int64) * MICROSECONDS
    if column.dtype.is_float():
        column = column.cast(pl.Float64)
        quick = _quick(column)
        if quick is not None:
            return quick
    text = column.cast(pl.String)
    text = text.str.strip_chars().replace("", None)
    table: dict[str, int] = {}
    wrong: dict[str, InputError] = {}
    for value in text.drop_nulls().unique(maintain_order=True):
        try:
            table[value] = seconds_to_us(value)
        except InputError as error:
            wrong[value] = error
    if wrong:
        found = rows_by_value(text, text.is_in(list(wrong)))
        raise InputError(
            f"column {column.name!r} has cells that are no time in seconds:{value_lines(found)}",
            where=where,
            expected="numbers such as 2.5225, not negative, or an empty cell",
            cause=next(iter(wrong.values())).cause,
        )
    return text.replace_strict(table, return_dtype=pl.Int64)


def _quick(column: pl.Series) -> pl.Series | None:
    """By float product where that is sure to give the decimal rounding, else None."""
    product = column.fill_null(0.0).to_numpy() * MICROSECONDS
    if not (np.isfinite(product).all() and (product >= 0).all() and (product < _EXACT_BELOW * MICROSECONDS).all()):
        return None
    if (np.abs(product - np.floor(product) - 0.5) < _NEAR_HALF).any():
        return None
    us = pl.Series(column.name, np.rint(product).astype(np.int64))
    return us.set(column.is_null(), None) if column.null_count() else us


def _round_nanoseconds(column: pl.Series) -> pl.Series:
    whole = column.dt.total_nanoseconds()
    us, rest = whole // 1000, whole % 1000
    up = (rest > 500) | ((rest == 500) & (us % 2 == 1))
    return us + up.cast(pl.Int64)


@dataclass(frozen=True)
class Segment:
    """What a key names.

    Attributes:
        media: path of the media file.
        start_us, end_us: the segment; None where it begins or ends with the file.
    """

    media: str
    start_us: int | None = None
    end_us: int | None = None


def segment_key(media: str, start_us: int | None = None, end_us: int | None = None) -> str:
    """The key of a segment: the path alone for a whole file, else the path and the two times.

    Raises:
        InputError: the path itself ends like a segment, so that a key could be read in two ways.

    Example:
        >>> segment_key("a.wav"), segment_key("a.wav", 300_000, 1_000_000), segment_key("a.wav", 5)
        ('a.wav', 'a.wav#300000-1000000', 'a.wav#5-')
    """
    if _SEGMENT.search(media):
        raise InputError(f"the media path {media!r} ends like a segment", expected="a name without #NUMBER-NUMBER")
    if start_us is None and end_us is None:
        return media
    return f"{media}#{start_us or 0}-{'' if end_us is None else end_us}"


def split_key(key: str) -> Segment:
    """The segment that a key names; the inverse of ``segment_key``, where a missing start reads as 0.

    Example:
        >>> split_key("a.wav#300000-1000000")
        Segment(media='a.wav', start_us=300000, end_us=1000000)
    """
    found = _SEGMENT.search(key)
    if found is None:
        return Segment(key)
    start, end = found.groups()
    return Segment(key[: found.start()], int(start), int(end) if end else None)


def segment_keys(media: pl.Series, start_us: pl.Series | None = None, end_us: pl.Series | None = None) -> pl.Series:
    """``segment_key`` of every row."""
    nothing = [None] * len(media)
    rows = zip(media, nothing if start_us is None else start_us, nothing if end_us is None else end_us, strict=True)
    return pl.Series("item", [segment_key(*row) for row in rows], dtype=pl.String)
