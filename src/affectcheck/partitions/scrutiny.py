"""Doubts about a table's subjects: file names in their place, two spellings, two genders, one that holds nearly all.

A contradiction that must be a mistake is an error; what may be right is a note, which the manifest keeps.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.annotations.listing import name_list, plural
from affectcheck.errors import InputError
from affectcheck.partitions.units import UNKNOWN
from affectcheck.schemes import UNKNOWN_GROUPS, fold

if TYPE_CHECKING:
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.partitions.options import PartitionOptions
    from affectcheck.partitions.units import Units

_FEW: Final = 20  # with fewer items, one an item may well be right
_SHOWN: Final = 20
_ITEMS: Final = 3  # of each value of a subject
_FIXED: Final = frozenset({"ethnicity", "gender", "race", "sex"})  # a person has one, as annotated
_GROWING: Final = frozenset({"age"})  # a person grows older between recordings


def doubts_of(table: AnnotationTable, units: Units, options: PartitionOptions) -> tuple[str, ...]:
    """What a reader of the partition must know of the table's subjects.

    Args:
        table: sorted by item.
        units: its units.
        options: which groups are balanced, and whether contradictions are allowed.

    Raises:
        InputError: a subject has two genders, sexes or races.
    """
    notes = [*_dominant(table, units, options)]
    if units.subjects:
        notes += _file_names(units)
        notes += _spellings(units)
        notes += _contradictions(table, units, options)
    return tuple(notes)


def _dominant(table: AnnotationTable, units: Units, options: PartitionOptions) -> list[str]:
    """One unit that holds more than half of all items, and what sizes that leaves."""
    sizes = np.bincount(units.codes)
    largest = int(sizes.argmax())
    share = sizes[largest] / table.height
    if share <= 0.5:
        return []
    first = int(np.argmax(units.codes == largest))
    who = f"subject {units.subjects[first]!r}" if units.subjects else f"what belongs to item {table.items[first]!r}"
    note = f"{who} holds {share:.1%} of all items"
    ratios = np.array(options.ratios)
    if share <= ratios.max():
        return [note]
    rest = np.delete(ratios, ratios.argmax())
    best = np.insert((1 - share) * rest / rest.sum(), ratios.argmax(), share)
    sets = ", ".join(f"{name} {size:.1%}" for name, size in zip(options.names, best, strict=True))
    return [f"{note}, more than any set should; the sizes of the sets can at best be about {sets}"]


def _file_names(units: Units) -> list[str]:
    items = len(units.subjects)
    if items < _FEW or len(set(units.subjects)) < items:
        return []
    return [
        f"every subject has one item ({items} of each): the subjects may be file names, so that nothing keeps one "
        "person out of two sets; if no two items show the same person, state it by subjects='none'"
    ]


def _spellings(units: Units) -> list[str]:
    """Subjects that differ in case and blanks alone."""
    spellings: dict[str, list[str]] = {}
    for name in sorted(set(units.subjects)):
        spellings.setdefault(fold(name), []).append(name)
    several = [" and ".join(map(repr, names)) for names in spellings.values() if len(names) > 1]
    if not several:
        return []
    more = f", and {len(several) - _SHOWN} more" if len(several) > _SHOWN else ""
    return [
        f"{plural(len(several), 'subject')} may be spelt in two ways, and count as two: "
        f"{', '.join(several[:_SHOWN])}{more}"
    ]


def _contradictions(table: AnnotationTable, units: Units, options: PartitionOptions) -> list[str]:
    balanced = table.groups if options.groups is None else options.groups
    notes, faults = [], []
    for group in table.groups:
        words = set(re.findall(r"[a-z]+", group.casefold()))
        found = _several(table, units, group) if words & (_FIXED | _GROWING) else []
        if not found:
            continue
        if words & _FIXED and group in balanced and not options.allow_contradictions:
            faults += [f"\n  {one.line(group)}" for one in found]
        else:
            notes.append(
                f"{plural(len(found), 'subject')} of several values of {group}, of which each item counts by its own, "
                f"such as {found[0].subject!r}: {name_list(found[0].values, shown=3)}"
            )
    if faults:
        more = f"\n  and {len(faults) - _SHOWN} more" if len(faults) > _SHOWN else ""
        raise InputError(
            f"{plural(len(faults), 'subject')} with contradicting demographics:{''.join(faults[:_SHOWN])}{more}",
            where=table.name,
            expected="one value a subject; allow_contradictions (--allow-contradictions) to let each item count by its own",
            cause="one name for two persons, values annotated image by image, or a column that is no subject",
        )
    return notes


@dataclass(frozen=True)
class _Several:
    """A subject of several values.

    Attributes:
        subject: its name.
        values: those that it has, sorted.
        items: the first items of each.
        sizes: how many items of each.
    """

    subject: str
    values: tuple[str, ...]
    items: tuple[tuple[str, ...], ...]
    sizes: tuple[int, ...]

    def line(self, group: str) -> str:
        told = [
            f"{value} ({plural(size, 'item')}: {name_list(items)}{', …' if size > len(items) else ''})"
            for value, items, size in zip(self.values, self.items, self.sizes, strict=True)
        ]
        return f"subject {self.subject!r}: {group} is {'; '.join(told)}"


def _several(table: AnnotationTable, units: Units, group: str) -> list[_Several]:
    """Subjects of two values or more, sorted; unknown values contradict nothing."""
    column = table.frame.get_column(group).cast(pl.String)
    known = [value for value in column.drop_nulls().unique() if fold(value) not in UNKNOWN_GROUPS]
    rows = pl.DataFrame({"subject": units.subjects, "value": column, "item": table.items})
    rows = rows.filter(pl.col("value").is_in(known), pl.col("subject") != UNKNOWN)
    by_value = rows.group_by("subject", "value").agg(pl.col("item").sort().head(_ITEMS), pl.len().alias("size"))
    found = by_value.filter(pl.len().over("subject") > 1).sort("subject", "value")
    found = found.group_by("subject", maintain_order=True).agg("value", "item", "size")
    return [
        _Several(subject, tuple(values), tuple(map(tuple, items)), tuple(sizes))
        for subject, values, items, sizes in found.iter_rows()
    ]
