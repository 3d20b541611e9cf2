"""A partition under audit: the items that are in a set, and everything that the rules look at, counted once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from affectcheck.errors import InputError
from affectcheck.partitions.adequacy import adequacy_of
from affectcheck.partitions.balance import Assigned, Balance, balance_of
from affectcheck.partitions.distances import Counted, distances_of
from affectcheck.partitions.fragments import Fragments, blocks_of
from affectcheck.partitions.given_sets import Given, given_sets
from affectcheck.partitions.joint_cells import joint_of
from affectcheck.partitions.options import COLUMN, NONE
from affectcheck.partitions.shifts import shifts_of
from affectcheck.partitions.strata import Strata, balanced_targets, strata_of
from affectcheck.partitions.units import Units, units_of

if TYPE_CHECKING:
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.partitions.audit_options import AuditOptions
    from affectcheck.partitions.partition import Partition


@dataclass(frozen=True, eq=False)
class Case:
    """What is judged.

    Attributes:
        whole: the table, sorted by item.
        table: its items that are in a set.
        given: the partition.
        sets: (n,) place of the set of each item of ``table``.
        strata: what should be distributed alike.
        subjects: whose items these are; None where there are no subjects.
        units: (n,) what chance deals out as one: subjects; without them items, or what shares a recording.
        options: against what it is judged.
    """

    whole: AnnotationTable
    table: AnnotationTable
    given: Given
    sets: np.ndarray
    strata: Strata
    subjects: Units | None
    units: np.ndarray
    options: AuditOptions

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the sets."""
        return self.given.names

    @cached_property
    def placed(self) -> pl.DataFrame:
        """``item`` and ``part`` of the items that are in a set."""
        return pl.DataFrame({"item": self.table.items, "part": self.given.parts.drop_nulls()})

    @cached_property
    def fragments(self) -> Fragments:
        """Units by set."""
        return Fragments.of(self.units, self.sets, len(self.names))

    @cached_property
    def counted(self) -> Counted:
        """Strata by fragment."""
        found = self.fragments
        codes, size = (self.sets, len(self.names)) if found.alone else (found.codes, found.count)
        return Counted(found, self.strata.counts(codes, size), blocks_of(self.strata, self.table), self.names)

    @cached_property
    def balance(self) -> Balance:
        """Every set by every value."""
        return balance_of(self.strata, Assigned(self.sets, self.units, self.names, self.given.ratios))

    @cached_property
    def distances(self) -> pl.DataFrame:
        """Distances between distributions, and by chance."""
        return distances_of(self.counted, self.options.chance)

    @cached_property
    def shifts(self) -> pl.DataFrame:
        """Means and standard deviations of dimensions."""
        targets = balanced_targets(self.table, self.options.partition)
        return shifts_of(self.table.frame, targets, self.fragments, self.names, self.options.chance)

    @cached_property
    def joint(self) -> pl.DataFrame:
        """Joint cells of labels and groups."""
        return joint_of(self.strata, self.table, self.fragments, self.names)

    @cached_property
    def adequacy(self) -> pl.DataFrame:
        """Widths of intervals by support."""
        return adequacy_of(self.counted, self.given.ratios, self.options.adequacy)

    @cached_property
    def reference(self) -> int:
        """The set that others are compared with: training, or the first."""
        return max(self.given.meaning("train"), 0)


def case_of(table: AnnotationTable, given: Partition | pl.DataFrame | None, options: AuditOptions) -> Case:
    """Find out which item is where and whose it is.

    Raises:
        InputError: there is no partition, or no item is in it.
    """
    items = table.items
    ordered = table if items.is_sorted() else replace(table, frame=table.frame.sort("item"))
    found = given_sets(ordered, given, options.partition)
    inside = replace(ordered, frame=ordered.frame.filter(found.parts.is_not_null()))
    sets = found.parts.drop_nulls().cast(pl.Enum(found.names)).to_physical().to_numpy().astype(np.int64)
    subjects = _subjects(inside, options)
    units = _units(inside, options) if subjects is None else subjects.codes
    strata = strata_of(inside, options.partition)
    return Case(ordered, inside, found, sets, strata, subjects, units, options)


def _subjects(table: AnnotationTable, options: AuditOptions) -> Units | None:
    """Subjects alone, whatever else should stay together; None where nobody says who is seen."""
    wanted = options.partition
    if wanted.subjects == NONE or (wanted.subjects == COLUMN and not table.has_subjects):
        return None
    return units_of(table.frame, replace(wanted, together=()))


def _units(table: AnnotationTable, options: AuditOptions) -> np.ndarray:
    """Without subjects: items, or what shares a recording, which is not dealt out item by item."""
    try:
        return units_of(table.frame, replace(options.partition, subjects=NONE)).codes
    except InputError:  # a column that should keep items together and is not there
        return np.arange(table.height)
