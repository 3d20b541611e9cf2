"""Keys of clips that are numbers: tables and spreadsheets lose the zeros in front, teams add the ending of the file."""

from __future__ import annotations

from typing import Final

import polars as pl

_FORM: Final = r"^0*([0-9]{1,18})(?:\.[A-Za-z0-9]{1,4})?$"


def numbers_of(keys: pl.Series) -> pl.Series:
    """The number that each key is, without zeros in front and ending; a key of another form as it is.

    Example:
        >>> numbers_of(pl.Series(["00013", "13.mp4", "a13"])).to_list()
        ['13', '13', 'a13']
    """
    return keys.str.extract(_FORM).fill_null(keys)


def as_listed(keys: pl.Series, items: pl.Series) -> pl.Series:
    """Keys as a list writes them, where they are the same number and only one item is; others as they are.

    Example:
        >>> as_listed(pl.Series(["13.mp4", "7"]), pl.Series(["00013"])).to_list()
        ['00013', '7']
    """
    listed = pl.DataFrame({"number": numbers_of(items), "item": items}).unique("number", keep="none")
    known = dict(listed.iter_rows())
    told = numbers_of(keys).replace_strict(known, default=None, return_dtype=pl.String)
    return pl.select(pl.when(keys.is_in(items.implode())).then(keys).otherwise(told.fill_null(keys))).to_series()
