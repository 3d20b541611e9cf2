"""Fairness tests: each group against all groups together, on sets of equal truth.

A failure says that a difference was found. A pass says that none was detected at this support, and how small a one
would have been.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from affectcheck.behaviour.balance import Pool, balance_classes, balance_values
from affectcheck.behaviour.intervals import with_floor
from affectcheck.behaviour.measured import (
    Measured,
    Question,
    bin_names,
    bin_tally,
    bins_of,
    class_tally,
    reasons_of,
    value_tally,
    values_of,
)
from affectcheck.records import Place
from affectcheck.schemes import UNKNOWN_GROUPS, fold

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from affectcheck.behaviour.definition import Comparison, Rules
    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Setting
    from affectcheck.tallies import Tally

#: Share of values in the lowest quarter of the range under paper 2's random model (Eq. 4).
LOWEST_BIN: Final = NormalDist(0.5, 1 / 6).cdf(0.25)


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

    def take(self, rows: NDArray[Any], note: str = "") -> Grouped:
        """Some of the items."""
        places = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
        kept = self.material.take(places)
        notes = (*kept.notes, *([note] if note else []))
        return replace(self, material=replace(kept, notes=notes), codes=self.codes[places])

    def subjects(self) -> NDArray[np.int64]:
        """Subjects of each group; its items where subjects are not known."""
        return np.array([len(np.unique(self.material.clusters[self.codes == g])) for g in range(len(self.names))])


def measure_fairness(material: Material, attribute: str, setting: Setting) -> list[Measured]:
    """Differences of every group to all groups together, for each class or dimension."""
    if setting.task.kind == "categories":
        return _classes(Grouped.of(material.labelled(), attribute), setting)
    found: list[Measured] = []
    for index in range(len(material.parts)):
        found += _values(Grouped.of(material.dimension(index).known(), attribute), setting)
    return found


def minimum_of_bin(rules: Rules, per_group: int) -> int:
    """Items that a bin takes: the number stated, or that expected in the lowest bin (paper 2, Eq. 4).

    The number is that of the items of one group, as in the published results; half a unit goes to the even number.
    """
    return rules.minimum_per_bin if isinstance(rules.minimum_per_bin, int) else round(LOWEST_BIN * per_group)


def _classes(grouped: Grouped, setting: Setting) -> list[Measured]:
    reason = _too_few(grouped, setting.rules)
    if reason:
        return _not_applicable(grouped, setting, reason)
    material, parts = grouped.material, grouped.material.parts
    counts = np.array([np.bincount(material.truth[grouped.codes == g], minlength=len(parts)) for g in _range(grouped)])
    enough = counts.min(axis=0) >= setting.rules.minimum_per_class
    tested = tuple(part for part, keep in zip(parts, enough, strict=True) if keep)
    if len(tested) < 2:
        least = setting.rules.minimum_per_class
        return _not_applicable(grouped, setting, f"fewer than two classes have {least} items in every group")
    left = replace(grouped, material=material.only(tested))
    left = left.take(left.material.truth >= 0, _dropped(parts, tested, setting.rules))
    pool = _pool(left, setting)
    balanced = left.take(balance_classes(pool, len(tested)))
    reason = _too_few(balanced, setting.rules)
    if reason:
        return _not_applicable(balanced, setting, f"after balancing by class, {reason}")
    absent = tuple(part for part in parts if part not in tested)
    return _compare_classes(balanced, setting) + _untested(absent, balanced, setting)


def _values(grouped: Grouped, setting: Setting) -> list[Measured]:
    reason = _too_few(grouped, setting.rules)
    if reason:
        return _not_applicable(grouped, setting, reason)
    balanced = grouped.take(balance_values(_pool(grouped, setting)))
    return _compare_values(balanced, setting)


def _compare_classes(balanced: Grouped, setting: Setting) -> list[Measured]:
    material, n_groups = balanced.material, len(balanced.names)
    cells = material.clusters * n_groups + balanced.codes
    tally = class_tally(material, setting.rules, cells, (material.n_clusters, n_groups))
    per_class = np.array(
        [np.bincount(material.truth[balanced.codes == g], minlength=len(material.parts)) for g in _range(balanced)]
    )
    found: list[Measured] = []
    for comparison in setting.task.comparison:
        by_class = comparison.per == "class"
        supports = per_class.ravel() if by_class else balanced.sizes
        parts = material.parts if by_class else ("",)
        question = _difference(comparison, tally, balanced, setting, parts)
        question = replace(question, supports=tuple(supports.tolist()))
        found += with_floor(question, balanced, setting)
    return found


def _compare_values(balanced: Grouped, setting: Setting) -> list[Measured]:
    material, n_groups = balanced.material, len(balanced.names)
    cells, shape = material.clusters * n_groups + balanced.codes, (material.n_clusters, n_groups)
    dimension, edges = material.parts[0], setting.task.bin_edges
    moments = value_tally(material, cells, shape)
    binned = bin_tally(material, edges, cells, shape) if edges else None
    found: list[Measured] = []
    for comparison in setting.task.comparison:
        if comparison.per != "bin":
            question = _difference(comparison, moments, balanced, setting, (dimension,))
            supports = tuple(balanced.sizes.tolist())
            found += with_floor(replace(question, supports=supports), balanced, setting)
        elif binned is not None:
            parts = tuple(f"{dimension} {name}" for name in bin_names(edges))
            question = _difference(comparison, binned, balanced, setting, parts)
            found += with_floor(_per_bin(question, balanced, setting), balanced, setting)
    return found


def _per_bin(question: Question, balanced: Grouped, setting: Setting) -> Question:
    """Supports of the bins: the true values in it, of the group; too few of all together count as well."""
    bins = bins_of(balanced.material.truth, setting.task.bin_edges)
    number = len(setting.task.bin_edges) + 1
    counts = np.array([np.bincount(bins[balanced.codes == g], minlength=number) for g in _range(balanced)])
    minimum = minimum_of_bin(setting.rules, int(balanced.sizes.min()))
    return replace(question, supports=tuple(counts.ravel().tolist()), minimum=max(minimum, 1))


def _difference(
    comparison: Comparison, tally: Tally, balanced: Grouped, setting: Setting, parts: tuple[str, ...]
) -> Question:
    """A metric of each group minus that of all groups together (the group among them)."""
    places = tuple(Place(balanced.attribute, group, part) for group in balanced.names for part in parts)

    def differences(one: Tally) -> NDArray[np.float64]:
        groups = values_of(comparison.metric, one, len(parts), setting.rules)
        together = values_of(comparison.metric, one.pooled(-1), len(parts), setting.rules)
        return (groups - together[..., None, :]).reshape(*groups.shape[:-2], -1)

    def reasons() -> tuple[str, ...]:
        pooled = tally.pooled(0)
        of_groups = [reasons_of(comparison.metric, pooled[g], parts) for g in _range(balanced)]
        together = reasons_of(comparison.metric, pooled.pooled(-1), parts)
        return tuple(why or all_ for group in of_groups for why, all_ in zip(group, together, strict=True))

    return Question(comparison, tally, differences, places, (), 1, reasons)


def _too_few(grouped: Grouped, rules: Rules) -> str:
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


def _not_applicable(grouped: Grouped, setting: Setting, reason: str) -> list[Measured]:
    """One entry for each comparison; with the group that is too small as far as it is known."""
    part = grouped.material.parts[0] if setting.task.kind == "dimensions" else ""
    support = int(grouped.sizes.min()) if len(grouped.names) else 0
    place = Place(grouped.attribute, "", part)
    minimum = setting.rules.minimum_per_group
    return [
        Measured(one, place, None, reason, support, minimum, notes=grouped.material.notes)
        for one in setting.task.comparison
    ]


def _untested(absent: tuple[str, ...], balanced: Grouped, setting: Setting) -> list[Measured]:
    reason = f"fewer than {setting.rules.minimum_per_class} items in one of the groups"
    return [
        Measured(one, Place(balanced.attribute, "", part), None, reason, 0, setting.rules.minimum_per_class)
        for one in setting.task.comparison
        if one.per == "class"
        for part in absent
    ]


def _dropped(parts: tuple[str, ...], tested: tuple[str, ...], rules: Rules) -> str:
    gone = [part for part in parts if part not in tested]
    return (
        f"classes with fewer than {rules.minimum_per_class} items in a group are left out: {', '.join(gone)}"
        if gone
        else ""
    )


def _pool(grouped: Grouped, setting: Setting) -> Pool:
    material = grouped.material
    limit = setting.rules.items_per_group
    return Pool(material.items, material.truth, grouped.codes, len(grouped.names), setting.options.seed, limit)


def _range(grouped: Grouped) -> range:
    return range(len(grouped.names))
