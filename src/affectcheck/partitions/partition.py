"""The fair protocol's partition: whole subjects to sets, balanced over labels and every group (paper 1, II-B)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from affectcheck.errors import AffectcheckError, UnknownNameError
from affectcheck.partitions.assigning import assign
from affectcheck.partitions.balance import Assigned, Balance, balance_of
from affectcheck.partitions.preparing import Prepared, prepare

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.partitions.keeping import Kept
    from affectcheck.partitions.options import PartitionOptions


@dataclass(frozen=True, eq=False)
class Partition:
    """Which set every item is in.

    Attributes:
        frame: ``item`` and ``part``, sorted by item; items that are left out are not in it.
        options: what was asked for.
        report: how well it came out.
        data: name of the data set.
        data_digest: digest of the table, with what is left out.
        data_notes: what its reader had to say, such as items that it left out, counted.
        notes: what had to be decided, and how good the result is known to be.
        cost: mean deviation over sets, strata and the size that the search ended with, as a fraction.
        bound: no partition that keeps what was kept and covers as much has a lower cost; None where that was not
            computed.
        proven: whether the cost meets the bound.
        reproducible: False if a clock ended the search, so that another run may end elsewhere.
        left_out: reason to number of items that are in no set on purpose.
        left_out_digest: digest of which items these are; empty where nobody wrote it down.
        kept: items whose sets were given; None where none were.
    """

    frame: pl.DataFrame
    options: PartitionOptions
    report: Balance
    data: str = ""
    data_digest: str = ""
    notes: tuple[str, ...] = ()
    cost: float | None = None
    bound: float | None = None
    proven: bool = False
    reproducible: bool = True
    left_out: Mapping[str, int] = field(default_factory=dict)
    left_out_digest: str = ""
    kept: Kept | None = None
    data_notes: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the sets."""
        return self.options.names

    @property
    def gap(self) -> float | None:
        """By how much the cost is above the bound, as a share of the bound; None where no bound, or none above 0, is known.

        So the cost is at most so much above that of the best possible partition. 0 where it is proven optimal.
        """
        if self.cost is None or self.bound is None:
            return None
        if self.cost <= self.bound:
            return 0.0
        return (self.cost - self.bound) / self.bound if self.bound > 0 else None

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


def partition(table: AnnotationTable, *, options: PartitionOptions | None = None, keep: object = None) -> Partition:
    """Divide a table into sets, subject-independently and balanced.

    Whole subjects go to one set. Labels and every group attribute keep, in every set, the share that the protocol
    gives the set; for dimensions, the regions of 0.2 by 0.2 do. Every value that enough subjects hold is in every
    set, where that is possible. Items whose balanced labels were not made by hand are left out and counted. The
    result depends on the table's content and the options alone, not on the order of its rows. It is the best that is
    found, whatever the seed, which chooses among equals; with ``tolerance_pp`` also among those that are nearly so.

    Args:
        table: what to divide.
        options: the protocol and its options; the fair protocol's 55-15-30 if None.
        keep: any table of ``item`` and ``part`` of items that stay where they are, such as the ``frame`` of an earlier
            partition; new items of a kept subject follow it, all others are placed so that the whole is balanced.

    Returns:
        The partition, with its balance.

    Raises:
        InputError: the table does not say whose items these are, has fewer subjects than there are sets, or
            contradicts itself; or what is kept has a subject in two sets.
        UnknownNameError: a target or group that the table does not have, or a set to keep that the partition lacks.
    """
    return divide(prepare(table, options=options, keep=keep))


def divide(prepared: Prepared) -> Partition:
    """Carry out what was prepared.

    Raises:
        AffectcheckError: the search moved what is kept, which would be a fault of ours.
    """
    options, units, strata = prepared.options, prepared.units, prepared.strata
    solution = assign(strata, units, options, prepared.fixed)
    moved = 0 if prepared.fixed is None else int(((prepared.fixed >= 0) & (solution.sets != prepared.fixed)).sum())
    if moved:
        raise AffectcheckError(f"{moved} kept items were moved", cause="a fault of the search, not of the data")
    names = np.array(options.names)
    items = prepared.table.items
    frame = pl.DataFrame({"item": items, "part": pl.Series(names[solution.sets].tolist(), dtype=pl.String)})
    report = balance_of(strata, Assigned(solution.sets, units.codes, options.names, options.ratios))
    notes = (*prepared.notes, *solution.notes, *(f"unsplittable: {rare}" for rare in report.unsplittable))
    return Partition(
        frame=frame,
        options=options,
        report=report,
        data=prepared.table.name,
        data_digest=prepared.data_digest,
        notes=notes,
        cost=solution.cost,
        bound=solution.bound,
        proven=solution.proven,
        reproducible=solution.reproducible,
        left_out=prepared.left_out.reasons,
        left_out_digest=prepared.left_out.digest,
        kept=prepared.kept,
        data_notes=prepared.table.notes,
    )
