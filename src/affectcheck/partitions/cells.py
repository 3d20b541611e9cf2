"""Items without subjects: joint cells are divided among the sets, and lots decide which items of a cell go where.

A joint cell holds the items that agree in every label and group. Its share of each set is rounded down or up, so
that every label and group comes as near as it can to its target, and so that a cell with at least as many items as
there are sets is in every set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.partitions.fragments import present_codes
from affectcheck.partitions.polishing import polish
from affectcheck.partitions.rounding import Cells, deal, facts_of
from affectcheck.partitions.solution import Solution
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from affectcheck.partitions.options import PartitionOptions
    from affectcheck.partitions.strata import Strata

_EQUAL: Final = 1e-9


def divide(strata: Strata, options: PartitionOptions, fixed: np.ndarray | None = None) -> Solution:
    """Set of each item, for items that stand alone.

    Args:
        strata: of a table sorted by item.
        options: the protocol, the seed and the budget.
        fixed: (n,) set that an item must be in; -1 where it is free.

    Returns:
        The solution. Its cost and bound are those of labels, groups and the size; that joint cells are whole items
        too is not in the bound.
    """
    settled = np.full(strata.height, -1) if fixed is None else fixed
    cells = cells_of(strata, np.array(options.ratios), settled)
    ledger = deal(cells, options.seed)
    late = polish(ledger, options.budget, options.seed)
    facts = facts_of(ledger)
    proven = facts.cost <= facts.bound + _EQUAL
    known = "proven optimal" if proven else f"the optimum is at least {100 * facts.bound:.4f}"
    notes = [
        f"{len(cells.counts)} joint cells of {strata.height} items; mean deviation {100 * facts.cost:.4f} percentage "
        f"points, {known}"
    ]
    if late:
        notes.append("the search was ended by the clock: another run may end elsewhere")
    sets = _drawn(strata.cells, ledger.amounts - cells.given, settled, options.seed)
    return Solution(sets, facts.cost, facts.bound, proven, not late, tuple(notes))


def cells_of(strata: Strata, ratios: np.ndarray, settled: np.ndarray) -> Cells:
    """The joint cells of strata, with every stratum that each lies in.

    Args:
        strata: of a table sorted by item.
        ratios: (K,) target shares.
        settled: (n,) set that an item must be in; -1 where it is free.
    """
    first = strata.first
    sets, none = len(ratios), -1
    values = [column.codes[first] for column in strata.columns] + [np.zeros(len(first), dtype=np.int64)]
    blocks = [values, _together(strata), [np.arange(len(first))]]
    codes, ends, start = [], [], 0
    for block in blocks:
        for local in block:
            codes.append(np.where(local >= 0, local + start, none))
            start += int(local.max()) + 1
        ends.append(start)
    flat = np.stack(codes, axis=1)
    flat[flat == none] = start
    held = settled >= 0
    given = np.bincount(strata.cells[held] * sets + settled[held], minlength=len(first) * sets)
    counts = np.bincount(strata.cells)
    return Cells(counts, given.reshape(-1, sets).astype(np.int64), flat, start, ends[0], ends[1] - ends[0], ratios)


def _together(strata: Strata) -> list[np.ndarray]:
    """(C,) codes of values taken together that are more than one joint cell: each of several labels by all groups.

    Of many labels, such as action units, hardly two items agree in all; those that share one are what can be balanced.
    """
    first = strata.first
    labels = [column.codes[first] for column in strata.columns if not column.group]
    groups = [column.codes[first] for column in strata.columns if column.group]
    if len(labels) < 2 or not groups:
        return []
    joint = np.zeros(len(first), dtype=np.int64)
    for codes in groups:
        joint = _crossed(joint, codes)
    crossed = [joint]
    for codes in labels:
        held = codes >= 0
        crossed.append(np.full(len(first), -1))
        crossed[-1][held] = _crossed(joint[held], codes[held])
    return crossed


def _crossed(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """(n,) code of two codes taken together, without gaps."""
    width = int(other.max()) + 1
    return present_codes(one * width + other, (int(one.max()) + 1) * width)[0]


def _drawn(cell_of: np.ndarray, amounts: np.ndarray, settled: np.ndarray, seed: int) -> np.ndarray:
    """(n,) set of each item: settled, or by lot among the free items of its cell."""
    found = settled.astype(np.int64).copy()
    free = np.flatnonzero(settled < 0)
    lot = rng(seed, "partition items").random(len(cell_of))[free]
    order = free[np.lexsort((lot, cell_of[free]))]
    places = np.tile(np.arange(amounts.shape[1]), len(amounts))
    found[order] = np.repeat(places, amounts.reshape(-1))
    return found
