"""Group shifts: how far a second column moves predictions in each group, against how far it does on average.

shift(l, s) = value on the items of group l with value s, minus value on all items of group l; judged is
shift(l, s) minus the mean over groups of shift(., s) (paper 2, Eqs. 5 to 8).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from affectcheck.annotations.listing import plural
from affectcheck.behaviour.fairness_balance import first_of_each
from affectcheck.behaviour.fairness_support import Admitted, admit, not_applicable, pool_of
from affectcheck.behaviour.fairness_unlabelled import Cells, UnlabelledComparisons
from affectcheck.behaviour.groups import Grouped, listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Measured, Setting


def measure_shifts(material: Material, attribute: str, setting: Setting) -> list[Measured]:
    """Shifts of every group against the mean shift of all groups, for each value of the second column."""
    within = Grouped.of(material, _column(setting))
    admitted = admit(Grouped.of(within.material, attribute), setting)
    parts = ("",) if setting.task.kind == "categories" else material.parts
    if admitted.reason:
        return [one for part in parts for one in not_applicable(admitted.grouped, setting, admitted.reason, part)]
    sampled = admitted.grouped.take(first_of_each(pool_of(admitted.grouped, setting)))
    crossed, admitted = _crossed(Crossed.of(sampled, within.attribute), admitted, setting)
    if admitted.reason:
        return [one for part in parts for one in not_applicable(admitted.grouped, setting, admitted.reason, part)]
    comparisons = UnlabelledComparisons(crossed.cells, setting)
    if setting.task.kind == "categories":
        found = comparisons.classes()
    else:
        found = [one for index in range(len(parts)) for one in comparisons.dimension(index)]
    return found + [one for part in parts for one in admitted.untold(setting, part)]


@dataclass(frozen=True, eq=False)
class Crossed:
    """Items by group and by value of a second column.

    Attributes:
        grouped: the items by group.
        values: the values of the second column, sorted.
        codes: (n,) value of each item.
    """

    grouped: Grouped
    values: tuple[str, ...]
    codes: NDArray[np.int64]

    @classmethod
    def of(cls, grouped: Grouped, column: str) -> Crossed:
        """Of items whose value is known."""
        values = grouped.material.frame.get_column(column).cast(pl.String).to_list()
        names = tuple(sorted(set(values)))
        return cls(grouped, names, np.array([names.index(value) for value in values], np.int64))

    @property
    def sizes(self) -> NDArray[np.int64]:
        """(L, S) items of each cell."""
        return self.grouped.counts(self.codes, len(self.values))

    @property
    def cells(self) -> Cells:
        """The items by group and value, to be compared by their shifts."""
        codes = self.grouped.codes * len(self.values) + self.codes
        return Cells(self.grouped, codes, self.sizes, shifts, self.values)

    def only(self, groups: tuple[str, ...]) -> Crossed:
        """The items of some groups."""
        kept = np.isin(np.array(self.grouped.names)[self.grouped.codes], groups)
        return replace(self, grouped=self.grouped.only(groups), codes=self.codes[kept])


def _crossed(crossed: Crossed, admitted: Admitted, setting: Setting) -> tuple[Crossed, Admitted]:
    """Leave out the groups that have too few items of a value."""
    least = max(1, setting.rules.minimum_per_class)
    if len(crossed.values) < 2:
        return crossed, replace(admitted, reason=f"fewer than two values of {_column(setting)}")
    refused = dict(admitted.refused)
    for name, sizes in zip(crossed.grouped.names, crossed.sizes.tolist(), strict=True):
        value, number = min(zip(crossed.values, sizes, strict=True), key=lambda one: one[1])
        if number < least:
            refused[name] = f"{plural(number, 'item')} of {_column(setting)} {value}, the test takes at least {least}"
    kept = tuple(name for name in crossed.grouped.names if name not in refused)
    if len(kept) < 2:
        return crossed, replace(admitted, reason=listed((f"{name}: {why}" for name, why in refused.items()), "; "))
    return crossed.only(kept), replace(admitted, refused=refused)


def _column(setting: Setting) -> str:
    return setting.definition.groups.within if setting.definition.groups else ""


def shifts(tally: Any, parts: int) -> NDArray[np.float64]:
    """(..., L x S x P) shift of each group minus the mean shift of all groups.

    Args:
        tally: totals (..., L, S) by group and value.
        parts: the first parts are shown.

    Example:
        Two groups, two values; one group moves, the other does not.

        >>> from affectcheck.behaviour.totals import Totals
        >>> tally = Totals(np.full((2, 2), 10), np.array([[[2.0], [8.0]], [[5.0], [5.0]]]))
        >>> shifts(tally, 1).round(2).tolist()
        [-0.15, 0.15, 0.15, -0.15]
    """
    moved = tally.means(parts) - tally.pooled(-1).means(parts)[..., None, :]
    apart = moved - moved.mean(axis=-3, keepdims=True)
    return np.asarray(apart.reshape(*apart.shape[:-3], -1))
