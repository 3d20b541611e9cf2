"""The fair protocol's partition: whole subjects to sets, balanced over labels and every group (paper 1, II-B)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.partitions.assigning import assign
from affectcheck.partitions.balance import Assigned, Balance, balance_of
from affectcheck.partitions.options import PartitionOptions
from affectcheck.partitions.strata import strata_of
from affectcheck.partitions.units import units_of

if TYPE_CHECKING:
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.partitions.units import Units


@dataclass(frozen=True, eq=False)
class Partition:
    """Which set every item is in.

    Attributes:
        frame: ``item`` and ``part``, sorted by item.
        options: what was asked for.
        report: how well it came out.
        data: name of the data set.
        data_digest: digest of the table.
        notes: what had to be decided, and how good the result is known to be.
    """

    frame: pl.DataFrame
    options: PartitionOptions
    report: Balance
    data: str = ""
    data_digest: str = ""
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the sets."""
        return self.options.names

    def items(self, part: str) -> pl.Series:
        """The items of a set, sorted.

        Raises:
            UnknownNameError: no such set.
        """
        if part not in self.names:
            raise UnknownNameError.of("set of the partition", part, self.names)
        return self.frame.filter(pl.col("part") == part).get_column("item")

    def table(self, table: AnnotationTable, part: str) -> AnnotationTable:
        """The rows of a set, in table order.

        Raises:
            UnknownNameError: no such set, or a table that lacks its items.
        """
        return table.select(self.items(part))

    def labelled(self, table: AnnotationTable) -> AnnotationTable:
        """The table with this partition in its column ``partition``; null for items that it does not name."""
        given = self.frame.rename({"part": "partition"})
        frame = table.frame.drop("partition", strict=False).join(given, on="item", how="left", maintain_order="left")
        return replace(table, frame=frame)


def partition(table: AnnotationTable, *, options: PartitionOptions | None = None) -> Partition:
    """Divide a table into sets, subject-independently and balanced.

    Whole subjects go to one set. Labels and every group attribute keep, in every set, the share that the protocol
    gives the set; for dimensions, the regions of 0.2 by 0.2 do. Every value that enough subjects hold is in every
    set, where that is possible. The result depends on the table's content and the options alone, not on the order
    of its rows; another seed gives another partition of nearly the same balance.

    Args:
        table: what to divide.
        options: the protocol and its options; the fair protocol's 55-15-30 if None.

    Returns:
        The partition, with its balance.

    Raises:
        InputError: the table does not say whose items these are, or has fewer subjects than there are sets.
        UnknownNameError: a target or group that the table does not have.
    """
    options = options or PartitionOptions()
    ordered = replace(table, frame=table.frame.sort("item"))
    units = units_of(ordered.frame, options)
    _require_enough(units, options, table.name)
    strata = strata_of(ordered, options)
    solution = assign(strata, units, options)
    names = np.array(options.names)
    frame = pl.DataFrame({"item": ordered.items, "part": pl.Series(names[solution.sets].tolist(), dtype=pl.String)})
    report = balance_of(strata, Assigned(solution.sets, units.codes, options.names, options.ratios))
    notes = (*units.notes, *solution.notes, *(f"unsplittable: {rare}" for rare in report.unsplittable))
    return Partition(frame, options, report, table.name, table.digest, notes)


def _require_enough(units: Units, options: PartitionOptions, data: str) -> None:
    sets = len(options.names)
    if units.count < sets:
        raise InputError(
            f"{sets} sets of {units.count} {units.noun} cannot all hold one",
            where=data,
            expected=f"at least {sets} {units.noun}, or fewer sets",
            cause="a subject is in one set only, so that no set knows a person of another",
        )
