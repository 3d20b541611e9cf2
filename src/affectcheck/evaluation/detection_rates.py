"""How often a face detector finds the face of an annotated picture, overall and by group.

Each picture is taken to show one face at least; a set whose pictures may show none has no such rate. Intervals are
Wilson's, for pictures that are independent of each other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.annotations.listing import plural
from affectcheck.errors import InputError
from affectcheck.evaluation.grouping import attribute
from affectcheck.uncertainty import wilson

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.evaluation.grouping import Attribute

#: Columns of the rates, in their order.
COLUMNS: Final = ("attribute", "group", "pictures", "found", "rate", "low", "high")


@dataclass(frozen=True, eq=False)
class DetectionRates:
    """Rates of one detector on one data set.

    Attributes:
        frame: one row a group (``COLUMNS``); the first row, of no attribute, is all pictures together.
        unread: items whose picture could not be decoded or is not there; they are in no rate.
        notes: what is in no rate, or in no group, with its items.
        items: of the rates, one row each: ``item``, ``found``, and for each attribute its group, null for none.
    """

    frame: pl.DataFrame
    unread: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    items: pl.DataFrame = field(default_factory=pl.DataFrame)


def detection_rates(
    table: AnnotationTable, found: Mapping[str, bool | None], *, by: Sequence[str] = (), level: float = 0.95
) -> DetectionRates:
    """Count the pictures in which a face was found.

    Args:
        table: the annotated pictures.
        found: item to whether a face was found in its picture; None where it cannot be decoded.
        by: group columns, several joined by ``*`` for their crossings.
        level: nominal coverage of the intervals.

    Returns:
        The rates; of crossed groups each stands for itself, whatever its size: the interval tells how little it says.

    Raises:
        UnknownNameError: no such group column.
        InputError: no picture could be decoded.
    """
    said = pl.Series("found", [found.get(item) for item in table.items.to_list()], dtype=pl.Boolean)
    unread = tuple(table.items.filter(said.is_null()))
    frame = table.frame.filter(said.is_not_null())
    if not frame.height:
        raise InputError("no picture could be decoded", expected="pictures, where the data set says that they are")
    hits = said.drop_nulls().to_numpy()
    rows = [_rows("", ("",), np.zeros(frame.height, np.int64), hits, level)]
    notes = [f"in no rate, as there is no picture that can be decoded: {plural(len(unread), 'item')}"] * bool(unread)
    items = pl.DataFrame({"item": frame.get_column("item"), "found": hits})
    for name in by:
        divided = attribute(table, frame, name, minimum_support=0)
        rows.append(_rows(divided.name, divided.groups, divided.codes, hits, level))
        notes += _left_out(divided)
        groups = pl.Series(name, [divided.groups[code] if code >= 0 else None for code in divided.codes], pl.String)
        items = items.with_columns(groups)
    return DetectionRates(pl.concat(rows), unread, tuple(notes), items)


def _rows(name: str, groups: tuple[str, ...], codes: np.ndarray, hits: np.ndarray, level: float) -> pl.DataFrame:
    counted = codes >= 0
    pictures = np.bincount(codes[counted], minlength=len(groups))
    times = np.bincount(codes[counted & hits], minlength=len(groups))
    share = wilson(times, pictures, level=level)
    values = ([name] * len(groups), groups, pictures, times, share.value, share.low, share.high)
    return pl.DataFrame(dict(zip(COLUMNS, values, strict=True)))


def _left_out(divided: Attribute) -> list[str]:
    told = [f"{value} ({count})" for value, count in divided.excluded.items() if count]
    return [f"{divided.name}: no group of their own: {', '.join(told)}"] if told else []
