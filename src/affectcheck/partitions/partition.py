"""The fair protocol's partition: whole subjects to sets, balanced over labels and every group (paper 1, II-B)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.partitions.balance import Assigned, Balance, balance_of
from affectcheck.partitions.cells import divide_items
from affectcheck.partitions.exact import MOST_UNITS, can_enumerate, enumerate_all, prove_if_promising
from affectcheck.partitions.options import PartitionOptions
from affectcheck.partitions.search import Candidate, Problem, near, search, starts_for
from affectcheck.partitions.strata import strata_of
from affectcheck.partitions.units import units_of

if TYPE_CHECKING:
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.partitions.strata import Strata
    from affectcheck.partitions.units import Units

_SHORTLIST: Final = 20  # near-optimal assignments that seeds choose from
_SINGLE: Final = 200  # from so many units on, units of one item each are divided as joint cells
_FEW: Final = 3  # with fewer units a set, the second best is another thing altogether: seeds choose among equals
_SHARED_SEARCH: Final = 130  # up to so many units, all seeds choose from one search; beyond, each has its own


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
    sets, notes = assign(strata, units, options)
    names = np.array(options.names)
    frame = pl.DataFrame({"item": ordered.items, "part": pl.Series(names[sets].tolist(), dtype=pl.String)})
    report = balance_of(strata, Assigned(sets, units.codes, options.names, options.ratios))
    notes = (*units.notes, *notes, *(f"unsplittable: {rare}" for rare in report.unsplittable))
    return Partition(frame, options, report, table.name, table.digest, notes)


def assign(strata: Strata, units: Units, options: PartitionOptions) -> tuple[np.ndarray, tuple[str, ...]]:
    """Set of each item, and notes on how it was found."""
    ratios = np.array(options.ratios)
    if units.count == strata.height and units.count > _SINGLE:
        _, first = np.unique(strata.cells, return_index=True)
        return divide_items(strata.cells, strata.members(first), ratios, options.seed), ()
    problem = Problem(strata.counts(units.codes, units.count), ratios)
    shortlist, notes = _shortlist(problem, options)
    chosen = shortlist[options.seed % len(shortlist)]
    if len(shortlist) < _SHORTLIST and problem.units <= _SHARED_SEARCH:
        notes = (*notes, f"assignments within the tolerance: {len(shortlist)}; seeds repeat after so many")
    return np.array(chosen.assignment)[units.codes], notes


def _shortlist(problem: Problem, options: PartitionOptions) -> tuple[tuple[Candidate, ...], tuple[str, ...]]:
    """Near-optimal assignments, best first: a seed takes the one of its number, counted round."""
    shared = problem.units <= _SHARED_SEARCH
    frozen = (problem.counts.tobytes(), problem.counts.shape, options.ratios)
    candidates, notes = _candidates(*frozen, seed=0 if shared else options.seed)
    most = _SHORTLIST if shared else 1
    tolerance = options.tolerance_pp / 100 if problem.units >= _FEW * problem.sets else 0.0
    return tuple(near(candidates, tolerance, most)), notes


@lru_cache(maxsize=16)
def _candidates(
    counts: bytes, shape: tuple[int, ...], ratios: tuple[float, ...], *, seed: int
) -> tuple[tuple[Candidate, ...], tuple[str, ...]]:
    """All that the search finds; remembered, as seeds of one table choose from the same."""
    problem = Problem(np.frombuffer(counts, dtype=np.int64).reshape(shape), np.array(ratios))
    if can_enumerate(problem):
        return enumerate_all(problem, most=_SHORTLIST), ("every assignment was looked at: the best is the optimum",)
    found = set(search(problem, seed=seed, starts=starts_for(problem.units)))
    if problem.units > MOST_UNITS:
        return tuple(sorted(found)), ()
    proof = prove_if_promising(problem, min(found))
    if proof.candidate is not None:
        found.add(proof.candidate)
    best = 100 * min(found).cost
    known = "proven optimal" if proof.proven else f"the optimum is at least {100 * proof.bound:.3f}"
    return tuple(sorted(found)), (f"best mean deviation found: {best:.3f} percentage points, {known}",)


def _require_enough(units: Units, options: PartitionOptions, data: str) -> None:
    sets = len(options.names)
    if units.count < sets:
        raise InputError(
            f"{sets} sets of {units.count} {units.noun} cannot all hold one",
            where=data,
            expected=f"at least {sets} {units.noun}, or fewer sets",
            cause="a subject is in one set only, so that no set knows a person of another",
        )
