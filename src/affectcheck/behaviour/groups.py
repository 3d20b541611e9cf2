"""Who is compared: items by the group that they belong to, and whether there are enough of each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from affectcheck.schemes import UNKNOWN_GROUPS, fold

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from affectcheck.behaviour.definition import Rules
    from affectcheck.behaviour.material import Material


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
        known = np.array([value is not None and fold(value) not in UNKNOWN_GROUPS for value in values], bool)
        kept = material.take(known)
        left_out = material.size - kept.size
        note = f"{left_out} items without a known {attribute} are left out"
        groups = [value for value, keep in zip(values, known, strict=True) if keep]
        names = tuple(sorted(set(groups)))
        codes = np.array([names.index(group) for group in groups], np.int64)
        return cls(replace(kept, notes=(*kept.notes, *([note] if left_out else []))), attribute, names, codes)

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
        kept = self.material.take(places)
        notes = (*kept.notes, *([note] if note else []))
        return replace(self, material=replace(kept, notes=notes), codes=self.codes[places])

    def subjects(self) -> NDArray[np.int64]:
        """Subjects of each group; its items where subjects are not known."""
        return np.array([len(np.unique(self.material.clusters[self.codes == g])) for g in range(len(self.names))])


def too_few(grouped: Grouped, rules: Rules) -> str:
    """Why the groups cannot be compared; empty if they can."""
    if len(grouped.names) < 2:
        return f"{len(grouped.names)} group of known {grouped.attribute}, a comparison takes two"
    sizes = dict(zip(grouped.names, grouped.sizes.tolist(), strict=True))
    small = {name: n for name, n in sizes.items() if n < rules.minimum_per_group}
    if small:
        named = ", ".join(f"{name} has {n} items" for name, n in small.items())
        return f"{named}, the test takes at least {rules.minimum_per_group} a group"
    if grouped.material.unit == "subject":
        few = [
            name
            for name, n in zip(grouped.names, grouped.subjects(), strict=True)
            if n < rules.minimum_subjects_per_group
        ]
        if few:
            return f"{', '.join(few)}: fewer than {rules.minimum_subjects_per_group} subjects"
    return ""
