"""One-hot tracks whose teams write the number of the class: a header of all classes, rows of a key and one number.

It is met among submissions of compound expressions. The number is the place of the class in the file's own header,
counted from 0; a row of another form is no such file, and is told as any other.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import polars as pl

from affectcheck.annotations.listing import plural
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.challenges.lines import Source


def numbered_rows(lines: bytes, order: Sequence[int], source: Source) -> pl.DataFrame | None:
    """The cells of such a file as a one-hot table; None where the rows are of another form.

    Args:
        lines: the file.
        order: place in the header of the key's column, which must be the first, and of each class of the track.
        source: the file, for messages.

    Raises:
        InputError: a number that no class has.
    """
    body = lines[lines.index(b"\n") + 1 :]
    while len(source.blank) and b"\n\n" in body:
        body = body.replace(b"\n\n", b"\n")
    body = body.lstrip(b"\n")
    rows = body.count(b"\n")
    if order[0] != 0 or not rows or body.count(b",") != rows:
        return None
    schema = {"key": pl.String, "number": pl.Int64}
    try:
        found = pl.read_csv(BytesIO(body), has_header=False, schema=schema, quote_char=None, infer_schema=False)
    except pl.exceptions.PolarsError:
        return None
    if found.null_count().sum_horizontal().item():
        return None
    numbers = found.get_column("number")
    wrong = (~numbers.is_between(0, len(order) - 2)).arg_true()
    if len(wrong):
        raise InputError(
            f"{plural(len(wrong), 'class number')} out of range, {numbers[wrong[0]]}",
            where=source.place(wrong[0]),
            expected=f"0 to {len(order) - 2}, the place of the class in the header; or one-hot rows",
            cause="classes that are counted from 1" if numbers[wrong[0]] == len(order) - 1 else "",
            code="E_OUT_OF_RANGE",
        )
    classes = [(numbers == place - 1).cast(pl.Int8).alias(f"class {place}") for place in order[1:]]
    return pl.DataFrame([found.get_column("key"), *classes])
