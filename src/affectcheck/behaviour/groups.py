"""Who is compared: items by the group that they belong to, and whether there are enough of each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from affectcheck.annotations.listing import plural
from affectcheck.schemes import UNKNOWN_GROUPS, fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from affectcheck.behaviour.definition import Rules
    from affectcheck.behaviour.material import Material


#: Groups that a sentence names; a column such as the age in years may have hundreds.
_NAMED: Final = 5


def listed(words: Iterable[str], between: str = ", ") -> str:
    """The first of some words, and how many more there are.

    Example:
        >>> listed("abcdefg")
        'a, b, c, d, e and 2 more'
    """
    every = tuple(words)
    more = f" and {len(every) - _NAMED} more" if len(every) > _NAMED else ""
    return between.join(every[:_NAMED]) + more


@dataclass(frozen=True, eq=False)
class Grouped:
    """Items of known group.

    Attributes:
        material: the items.
        attribute: the group column.
        names: the groups, sorted.
        codes: (n,) group of each item.
    """

    material: Material
    attribute: str
    names: tuple[str, ...]
    codes: NDArray[np.int64]

    @classmethod
    def of(cls, material: Material, attribute: str) -> Grouped:
        """The items whose group is known; the others are counted in the notes."""
        values = material.frame.get_column(attribute).cast(pl.String).to_list()
        unknown = np.array([value is None or fold(value) in UNKNOWN_GROUPS for value in values], bool)
        groups = [value for value, left_out in zip(values, unknown, strict=True) if not left_out]
        names = tuple(sorted(set(groups)))
        codes = np.array([names.index(group) for group in groups], np.int64)
        return cls(material.without(unknown, f"items without a known {attribute}"), attribute, names, codes)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Items of each group."""
        return np.bincount(self.codes, minlength=len(self.names))

    def counts(self, codes: NDArray[Any], number: int) -> NDArray[np.int64]:
        """(G, number) items of each group with each code."""
        flat = np.bincount(self.codes * number + codes, minlength=len(self.names) * number)
        return flat.reshape(len(self.names), number)

    def take(self, rows: NDArray[Any], note: str = "") -> Grouped:
        """Some of the items."""
        places = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
        return replace(self, material=self.material.take(places).noted(note), codes=self.codes[places])

    def only(self, names: tuple[str, ...]) -> Grouped:
        """The items of some of the groups."""
        places = [self.names.index(name) for name in names]
        renumbered = np.full(len(self.names), -1, np.int64)
        renumbered[places] = np.arange(len(places))
        kept = np.flatnonzero(renumbered[self.codes] >= 0)
        return replace(self.take(kept), names=names, codes=renumbered[self.codes[kept]])

    def subjects(self) -> NDArray[np.int64]:
        """Subjects of each group; its items where subjects are not known."""
        return np.array([len(np.unique(self.material.clusters[self.codes == g])) for g in range(len(self.names))])


def lacking(grouped: Grouped, rules: Rules, minimum_subjects: Mapping[str, Mapping[str, int]]) -> dict[str, str]:
    """Groups that cannot be compared, and why.

    Args:
        grouped: the items.
        rules: least items and subjects of a group.
        minimum_subjects: for columns and values of theirs, the least number of subjects of each that a group takes.
    """
    found: dict[str, str] = {}
    known = grouped.material.unit == "subject"
    for name, items, subjects in zip(grouped.names, grouped.sizes.tolist(), grouped.subjects().tolist(), strict=True):
        if items < rules.minimum_per_group:
            found[name] = f"{plural(items, 'item')}, the test takes at least {rules.minimum_per_group} a group"
        elif known and subjects < rules.minimum_subjects_per_group:
            found[name] = (
                f"{plural(subjects, 'subject')}, the test takes at least {rules.minimum_subjects_per_group} a group"
            )
    if known:
        for name, reason in _few_of_a_kind(grouped, minimum_subjects):
            found.setdefault(name, reason)
    return dict(sorted(found.items()))


def _few_of_a_kind(grouped: Grouped, wanted: Mapping[str, Mapping[str, int]]) -> Iterator[tuple[str, str]]:
    frame = grouped.material.frame
    for column, least in wanted.items():
        if column not in frame.columns:
            continue
        values = np.array([fold(one or "") for one in frame.get_column(column).cast(pl.String)])
        for value, number in least.items():
            of_kind = values == fold(value)
            for code, name in enumerate(grouped.names):
                seen = len(np.unique(grouped.material.clusters[of_kind & (grouped.codes == code)]))
                if seen < number:
                    yield (
                        name,
                        f"{plural(seen, 'subject')} of {column} {value}, the test takes at least {number} a group",
                    )


def too_few(grouped: Grouped, rules: Rules) -> str:
    """Why the groups cannot be compared; empty if they can."""
    if len(grouped.names) < 2:
        told = "1 group" if grouped.names else "no groups"
        return f"{told} of known {grouped.attribute}, a comparison takes two"
    sizes = dict(zip(grouped.names, grouped.sizes.tolist(), strict=True))
    small = {name: n for name, n in sizes.items() if n < rules.minimum_per_group}
    if small:
        named = listed(f"{name} has {plural(n, 'item')}" for name, n in small.items())
        return f"{named}, the test takes at least {rules.minimum_per_group} a group"
    if grouped.material.unit == "subject":
        few = [
            name
            for name, n in zip(grouped.names, grouped.subjects(), strict=True)
            if n < rules.minimum_subjects_per_group
        ]
        if few:
            return f"{listed(few)}: fewer than {rules.minimum_subjects_per_group} subjects"
    return ""
