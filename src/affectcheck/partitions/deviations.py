"""How far a partition is from its protocol, from counts alone: so that a published one is measured as one's own is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.partitions.counted import is_protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from affectcheck.partitions.counted import Division, Statistics

#: The fair protocol (paper 1, section II-B, iii).
PROTOCOL: Final = (0.55, 0.15, 0.30)


@dataclass(frozen=True)
class Deviations:
    """Deviations of one partition, as fractions, over every value and set.

    Attributes:
        share_max, share_mean: |share of a value in a set − its share of all sets|.
        allocation_max, allocation_mean: |share of a value's items that are in a set − the set's target|.
        size: largest |share of all items in a set − target|.
        smallest: smallest count of a value in a set.
        empty: cells (value by set) without an item.
        cells: of how many.
        worst: column and value of the largest deviation of an allocation, and its set.
        targets: of the sets, in order.
    """

    share_max: float
    share_mean: float
    allocation_max: float
    allocation_mean: float
    size: float
    smallest: int
    empty: int
    cells: int
    worst: tuple[str, str, str]
    targets: tuple[float, ...]


def deviations(
    statistics: Statistics, division: Division, *, skip: Collection[tuple[str, str]] = ()
) -> Deviations | None:
    """Measure one partition.

    The targets are those that the partition was made for; else, of three sets, 55-15-30; else the sets' own sizes,
    so that only labels and groups count. A value that every item has, such as the only age group, is no value but
    the size again, and passed over, as are columns that a source does not give for every set.

    Args:
        statistics: the counts.
        division: one of its partitions.
        skip: columns and values that are not measured, such as those that too few subjects hold.

    Returns:
        The deviations; None where there are fewer than two sets or nothing to measure.
    """
    sets = division.real
    sizes = np.array([statistics.sizes(division.name).get(name, 0) for name in sets], dtype=np.float64)
    named = [one for one in _values(statistics, division, sizes) if one[0] not in skip]
    if len(sets) < 2 or not named or not sizes.sum():
        return None
    targets = _targets(division, sizes)
    counts = np.array([count for _, count in named])
    totals = counts.sum(axis=1, keepdims=True)
    share = np.abs(counts / np.maximum(sizes, 1) - totals / sizes.sum())
    allocation = np.abs(counts / totals - targets)
    value, part = np.unravel_index(allocation.argmax(), allocation.shape)
    return Deviations(
        float(share.max()),
        float(share.mean()),
        float(allocation.max()),
        float(allocation.mean()),
        float(np.abs(sizes / sizes.sum() - targets).max()),
        int(counts.min()),
        int((counts == 0).sum()),
        counts.size,
        (*named[value][0], sets[part]),
        tuple(float(target) for target in targets),
    )


def unsplittable(statistics: Statistics, division: Division) -> frozenset[tuple[str, str]]:
    """Columns and values that cannot be in every set: fewer subjects hold them than there are sets.

    Where nobody says whose items these are, items count as subjects do.
    """
    inside = statistics.frame.filter(pl.col("partition") == division.name, pl.col("set").is_in(division.real))
    holders = pl.coalesce("subjects", "count").sum()
    rare = (
        inside.group_by("column", "value").agg(holders.alias("holders")).filter(pl.col("holders") < len(division.real))
    )
    return frozenset(rare.select("column", "value").iter_rows())


def regions(statistics: Statistics) -> frozenset[tuple[str, str]]:
    """Columns and values of regions: many, small, and measured apart."""
    names = [column.name for column in statistics.columns if column.role == "region"]
    return frozenset((name, value) for name in names for value in statistics.values(name))


def _targets(division: Division, sizes: np.ndarray) -> np.ndarray:
    if division.ratios:
        return np.array(division.ratios)
    return np.array(PROTOCOL) if is_protocol(division.real) else sizes / sizes.sum()


def _values(
    statistics: Statistics, division: Division, sizes: np.ndarray
) -> Iterator[tuple[tuple[str, str], np.ndarray]]:
    for column in statistics.columns:
        if column.role == "size":
            continue
        found = statistics.counts(division.name, column.name)
        for value in statistics.values(column.name):
            cells = [found.get((name, value)) for name in division.real]
            if None in cells:
                continue
            counts = np.array(cells, dtype=np.float64)
            if counts.sum() and not np.array_equal(counts, sizes):
                yield (column.name, value), counts
