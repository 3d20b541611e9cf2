"""Where published counts contradict each other: values that do not add up, and items that come from nowhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.partitions.counted import Described, Division, Statistics

Kind = Literal["sum", "total", "fewer", "impossible"]


@dataclass(frozen=True)
class Inconsistency:
    """Two published numbers that should be one.

    Attributes:
        kind: ``sum``: the values of a column do not add up to the size of the set. ``total``: two partitions of one
            database have different numbers of items. ``fewer``: a value lost items, no more than the partition left
            out. ``impossible``: a value gained items, or lost more than the partition left out.
        place: where: partition, set and column; or column and value.
        found: what is printed.
        expected: what it should be.
    """

    kind: Kind
    place: str
    found: int
    expected: int

    @property
    def key(self) -> str:
        """How notes name it, such as ``sum original/train gender`` or ``fewer AU1``."""
        return f"{self.kind} {self.place}".rstrip()

    def __str__(self) -> str:
        """One line for people."""
        gap = self.found - self.expected
        told = {
            "sum": f"{self.place}: the values add up to {self.found:,}, the set has {self.expected:,}",
            "total": f"{self.found:,} items after, {self.expected:,} before",
            "fewer": f"{self.place}: {self.found:,} items after, {self.expected:,} before",
            "impossible": f"{self.place}: {self.found:,} items after, {self.expected:,} before: more than was left out"
            if gap < 0
            else f"{self.place}: {self.found:,} items after, {self.expected:,} before: more than there were",
        }
        return f"{told[self.kind]} ({gap:+,})"


def inconsistencies(statistics: Statistics) -> tuple[Inconsistency, ...]:
    """Everything that does not add up, by comparing each column with the sizes, and each partition with the first.

    Only partitions that count the same things are compared.
    """
    found = [one for division in statistics.divisions for one in _sums(statistics, division)]
    first, *others = statistics.divisions
    for division in others:
        if division.unit == first.unit:
            found += _changes(statistics, first, division)
    return tuple(found)


def _sums(statistics: Statistics, division: Division) -> Iterator[Inconsistency]:
    sizes = statistics.sizes(division.name)
    for column in statistics.columns:
        counts = statistics.counts(division.name, column.name)
        if column.role not in {"group", "label"} or not counts:
            continue
        for part in division.sets:
            total = sum(count for (where, _), count in counts.items() if where == part)
            if total != sizes[part]:
                yield Inconsistency("sum", f"{division.name}/{part} {column.name}", total, sizes[part])


def _changes(statistics: Statistics, before: Division, after: Division) -> Iterator[Inconsistency]:
    old, new = (sum(statistics.sizes(division.name).values()) for division in (before, after))
    if old != new:
        yield Inconsistency("total", "", new, old)
    for column in statistics.columns:
        if column.role == "size":
            continue
        was, now = (_totals(statistics, division, column) for division in (before, after))
        for value in was:
            gap = now[value] - was[value]
            if gap:
                kind: Kind = "fewer" if new - old <= gap < 0 else "impossible"
                place = column.name if column.role == "unit" else f"{column.name}={value}"
                yield Inconsistency(kind, place, now[value], was[value])


def _totals(statistics: Statistics, division: Division, column: Described) -> dict[str, int]:
    totals: dict[str, int] = {}
    for (_, value), count in statistics.counts(division.name, column.name).items():
        totals[value] = totals.get(value, 0) + count
    return totals
