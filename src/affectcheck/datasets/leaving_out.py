"""Rows of a list that are no items: left out one reason after the other, and counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from affectcheck.annotations.listing import plural
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl


@dataclass(frozen=True, eq=False)
class Kept:
    """What is left of a list.

    Attributes:
        frame: the rows kept.
        notes: how many rows were left out, or lack something, for which reason.
    """

    frame: pl.DataFrame
    notes: tuple[str, ...] = ()


def leave_out(frame: pl.DataFrame, reasons: Mapping[str, pl.Expr], *, where: str = "") -> Kept:
    """Leave out the rows that meet a condition; a row that meets several counts for the first.

    Args:
        frame: the list.
        reasons: what such rows are, with the condition; null is not met.
        where: the list, for messages.

    Raises:
        InputError: no row is left; the message has all reasons.
    """
    notes: list[str] = []
    for words, condition in reasons.items():
        rest = frame.filter(~condition.fill_null(value=False))
        if rest.height < frame.height:
            notes.append(f"left out {plural(frame.height - rest.height, 'row')} {words}")
        frame = rest
    if notes and not frame.height:
        raise InputError(f"no item is left: {'; '.join(notes)}", where=where, expected="at least one item")
    return Kept(frame, tuple(notes))


def without_repeats(frame: pl.DataFrame, key: str, labels: Sequence[str], *, noun: str) -> Kept:
    """One row an item: a row that repeats another goes, and all rows of an item that contradict each other go.

    Args:
        frame: the list.
        key: the column that names the item.
        labels: columns in which rows of one item have to agree, its set among them.
        noun: what an item is, in the plural.
    """
    alike = frame.unique([key, *labels], keep="first", maintain_order=True)
    repeated = alike.get_column(key).is_duplicated()
    kept = alike.filter(~repeated)
    notes = []
    if alike.height < frame.height:
        notes.append(f"left out {plural(frame.height - alike.height, 'row')} that repeat another, labels and all")
    if repeated.any():
        several = alike.filter(repeated).get_column(key)
        notes.append(
            f"left out {len(several)} rows of {several.n_unique()} {noun} that are listed with different labels or in "
            f"different sets, such as {several[0]}"
        )
    return Kept(kept, tuple(notes))
