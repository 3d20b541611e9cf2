"""Items that a partition leaves out: those whose labels were not made by hand (paper 1, section II-B, rule v).

An item that has no label of a balanced target at all stays: it breaks no rule, and is a stratum of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from affectcheck.annotations.provenance import provenance_of
from affectcheck.digest import digest_table
from affectcheck.partitions.strata import balanced_targets

if TYPE_CHECKING:
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.partitions.options import PartitionOptions


@dataclass(frozen=True, eq=False)
class LeftOut:
    """The items that are in no set on purpose.

    Attributes:
        frame: ``item`` and ``reason``, sorted by item; an item has one reason, which names all of its offending
            targets.
    """

    frame: pl.DataFrame

    @property
    def items(self) -> pl.Series:
        """Their keys, sorted."""
        return self.frame.get_column("item")

    @property
    def reasons(self) -> dict[str, int]:
        """Items by reason, reasons sorted."""
        return dict(self.frame.group_by("reason").len().sort("reason").iter_rows())

    @property
    def digest(self) -> str:
        """Digest of which items are left out for which reason."""
        return digest_table(self.frame)


def left_out_of(table: AnnotationTable, options: PartitionOptions) -> LeftOut:
    """The items of a table that a partition with these options leaves out.

    Raises:
        UnknownNameError: a target that the table does not have.
    """
    offending = []
    for target in balanced_targets(table, options):
        made = provenance_of(table, target)
        labelled = table.frame.select(pl.any_horizontal(pl.col(target.columns).is_not_null())).to_series()
        wrong = labelled & ~made.is_in(options.provenance)
        text = pl.select(pl.when(wrong).then(pl.format("{}: {}", pl.lit(target.name), made))).to_series()
        offending.append(text.alias(target.name))
    if not offending:
        return LeftOut(pl.DataFrame(schema={"item": pl.String, "reason": pl.String}))
    reason = pl.DataFrame(offending).select(pl.concat_str(pl.all(), separator="; ", ignore_nulls=True)).to_series()
    frame = pl.DataFrame({"item": table.items, "reason": reason})
    return LeftOut(frame.filter(pl.col("reason") != "").sort("item"))
