"""What is known before a partition is made: what is left out and kept, who belongs together, what cannot be split."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from affectcheck.annotations.listing import plural
from affectcheck.errors import InputError
from affectcheck.partitions.balance import Rare
from affectcheck.partitions.keeping import fixed_of, kept_of
from affectcheck.partitions.left_out import left_out_of
from affectcheck.partitions.options import PartitionOptions
from affectcheck.partitions.scrutiny import doubts_of
from affectcheck.partitions.strata import strata_of
from affectcheck.partitions.units import units_of

if TYPE_CHECKING:
    import numpy as np

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.partitions.keeping import Kept
    from affectcheck.partitions.left_out import LeftOut
    from affectcheck.partitions.strata import Strata
    from affectcheck.partitions.units import Units


@dataclass(frozen=True, eq=False)
class Prepared:
    """A table that is ready to be divided.

    Attributes:
        table: sorted by item, without what is left out.
        options: how to divide it.
        units: what must stay together.
        strata: what is balanced.
        left_out: items that are in no set.
        kept: items whose sets are given; None where none are.
        fixed: (n,) set that an item must be in, -1 where it is free; None where all are.
        data_digest: digest of the whole table.
        notes: what had to be decided so far.
    """

    table: AnnotationTable
    options: PartitionOptions
    units: Units
    strata: Strata
    left_out: LeftOut
    kept: Kept | None = None
    fixed: np.ndarray | None = None
    data_digest: str = ""
    notes: tuple[str, ...] = ()

    @property
    def unsplittable(self) -> tuple[Rare, ...]:
        """Values held by fewer units than there are sets: no partition has them in every set."""
        holders = (self.strata.counts(self.units.codes, self.units.count)[:, :-1] > 0).sum(axis=0)
        sets = len(self.options.names)
        rows = zip(self.strata.values, holders.tolist(), strict=True)
        return tuple(Rare(column, value, units, ()) for (column, value), units in rows if units < sets)


def prepare(table: AnnotationTable, *, options: PartitionOptions | None = None, keep: object = None) -> Prepared:
    """Find out all that can be known before the work starts, and refuse what cannot be divided.

    Args:
        table: what to divide.
        options: the protocol and its options; the fair protocol's 55-15-30 if None.
        keep: any table of ``item`` and ``part`` of items that stay where they are.

    Raises:
        InputError: as ``partition`` does.
        UnknownNameError: as ``partition`` does.
    """
    options = options or PartitionOptions()
    ordered = replace(table, frame=table.frame.sort("item"))
    left_out = left_out_of(ordered, options)
    inside = ordered.filter(~pl.col("item").is_in(left_out.items.implode()))
    _require_items(inside, left_out, options)
    units = units_of(inside.frame, options)
    _require_enough(units, options, table.name)
    doubts = doubts_of(inside, units, options)
    kept = None if keep is None else kept_of(keep, inside.items, options)
    fixed = None if kept is None else fixed_of(kept, inside.items, units, options)
    notes = (*_left_out_notes(left_out), *units.notes, *doubts, *_kept_notes(kept, fixed))
    return Prepared(inside, options, units, strata_of(inside, options), left_out, kept, fixed, table.digest, notes)


def _require_items(inside: AnnotationTable, left_out: LeftOut, options: PartitionOptions) -> None:
    if not inside.height:
        told = "; ".join(f"{reason} ({count})" for reason, count in left_out.reasons.items())
        raise InputError(
            f"nothing is left to divide: no label is {' or '.join(options.provenance)}: {told}",
            where=inside.name,
            expected=f"labels that are {' or '.join(options.provenance)}; or provenance (--provenance) that allows others",
            cause="the protocol uses manual labels only",
        )


def _require_enough(units: Units, options: PartitionOptions, data: str) -> None:
    sets = len(options.names)
    if units.count < sets:
        raise InputError(
            f"too few {units.noun} for {sets} sets: {units.count}",
            where=data,
            expected=f"at least {sets} {units.noun}, or fewer sets",
            cause="a subject is in one set only, so that no set knows a person of another",
        )


def _left_out_notes(left_out: LeftOut) -> list[str]:
    return [f"left out: {plural(n, 'item')}, {why}" for why, n in left_out.reasons.items()]


def _kept_notes(kept: Kept | None, fixed: np.ndarray | None) -> list[str]:
    if kept is None or fixed is None:
        return []
    followed = int((fixed >= 0).sum()) - kept.count
    notes = [
        f"kept where they were: {plural(kept.count, 'item')}; placed anew: {plural(int((fixed < 0).sum()), 'item')}"
    ]
    if followed:
        notes.append(f"{plural(followed, 'item')} of kept subjects go with them")
    if kept.gone:
        notes.append(f"{plural(kept.gone, 'item')} to keep: the table has them no longer, or they are left out")
    return notes
