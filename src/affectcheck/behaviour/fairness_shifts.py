"""Group shifts: how far a second column moves predictions in each group, against how far it does on average.

shift(l, s) = value on the items of group l with value s, minus value on all items of group l; judged is
shift(l, s) minus the mean over groups of shift(., s) (paper 2, Eqs. 5 to 8).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from affectcheck.behaviour.fairness_answers import answered
from affectcheck.behaviour.fairness_balance import first_of_each
from affectcheck.behaviour.fairness_support import Admitted, admit, minimum_of_bin, not_applicable, pool_of
from affectcheck.behaviour.groups import Grouped
from affectcheck.behaviour.measured import Question, bin_names, bins_of
from affectcheck.behaviour.thresholds import drawn_differences
from affectcheck.behaviour.totals import Totals
from affectcheck.behaviour.totals_of_chance import drawn_codes, drawn_values
from affectcheck.records import Place
from affectcheck.uncertainty import Simulation, bin_shares

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from affectcheck.behaviour.definition import Comparison
    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Measured, Setting


def measure_shifts(material: Material, attribute: str, setting: Setting) -> list[Measured]:
    """Shifts of every group against the mean shift of all groups, for each value of the second column."""
    within = Grouped.of(material, setting.definition.groups.within if setting.definition.groups else "")
    admitted = admit(Grouped.of(within.material, attribute), setting)
    parts = ("",) if setting.task.kind == "categories" else material.parts
    if admitted.reason:
        return [one for part in parts for one in not_applicable(admitted.grouped, setting, admitted.reason, part)]
    sampled = admitted.grouped.take(first_of_each(pool_of(admitted.grouped, setting)))
    crossed, admitted = _crossed(Crossed.of(sampled, within.attribute), admitted, setting)
    if admitted.reason:
        return [one for part in parts for one in not_applicable(admitted.grouped, setting, admitted.reason, part)]
    shifts = _Shifts(crossed, setting)
    found = shifts.classes() if setting.task.kind == "categories" else shifts.values()
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
        """Items whose value is known."""
        values = grouped.material.frame.get_column(column).cast(pl.String).to_list()
        names = tuple(sorted(set(values)))
        return cls(grouped, names, np.array([names.index(value) for value in values], np.int64))

    @property
    def sizes(self) -> NDArray[np.int64]:
        """(L, S) items of each cell."""
        return self.grouped.counts(self.codes, len(self.values))

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
            refused[name] = f"{number} items of {_column(setting)} {value}, the test takes at least {least}"
    kept = tuple(name for name in crossed.grouped.names if name not in refused)
    if len(kept) < 2:
        return crossed, replace(admitted, reason="; ".join(f"{name}: {why}" for name, why in refused.items()))
    return crossed.only(kept), replace(admitted, refused=refused)


def _column(setting: Setting) -> str:
    return setting.definition.groups.within if setting.definition.groups else ""


class _Shifts:
    """Shifts of predictions. What random models show is the same for every dimension, and drawn once.

    Args:
        crossed: the items by group and value.
        setting: test, task, rules and options.
    """

    def __init__(self, crossed: Crossed, setting: Setting) -> None:
        self.crossed, self.setting = crossed, setting
        self.grouped, self.material = crossed.grouped, crossed.grouped.material
        self.simulation = Simulation(setting.rules.repetitions, setting.options.seed)
        self.null = cache(self._null)

    def classes(self) -> list[Measured]:
        """Shifts of the shares of classes."""
        number = len(self.material.parts) + self.material.others
        cells, shape = self._cells()
        tally = Totals.of_codes(self.material.prediction, number, cells, shape)
        names = tuple(f"{part} {value}" for value in self.crossed.values for part in self.material.parts)
        supports = tuple(np.repeat(self.crossed.sizes.ravel(), len(self.material.parts)).tolist())
        questions = [
            self._question(one, tally, names, supports) for one in self.setting.task.comparison if one.per == "class"
        ]
        shares = np.full(number, 1.0 / number)

        def null() -> list[NDArray[np.float64]]:
            return drawn_differences(questions, drawn_codes(self.crossed.sizes, shares, self.simulation))

        return answered(questions, self.material, self.setting, null)

    def values(self) -> list[Measured]:
        """Shifts of the mean and of the shares of bins, of each dimension."""
        found: list[Measured] = []
        for index in range(len(self.material.parts)):
            for per in ("set", "bin"):
                material, questions = self._of_dimension(index, per)
                found += answered(questions, material, self.setting, partial(self.null, per))
        return found

    def _of_dimension(self, index: int, per: str) -> tuple[Material, list[Question]]:
        material, edges = self.material.dimension(index), self.setting.task.bin_edges
        comparisons = [one for one in self.setting.task.comparison if one.per == per]
        cells, shape = self._cells()
        dimension, values = material.parts[0], self.crossed.values
        if per == "set":
            tally, minimum = Totals.of_values(material.prediction, cells, shape), 1
            names = tuple(f"{dimension} {value}" for value in values)
            supports = tuple(self.crossed.sizes.ravel().tolist())
        else:
            codes = bins_of(material.prediction, edges)
            tally = Totals.of_codes(codes, len(edges) + 1, cells, shape)
            names = tuple(f"{dimension} {name} {value}" for value in values for name in bin_names(edges))
            together = tally.pooled(0).pooled(0).sums
            supports = tuple(together.ravel().tolist()) * len(self.grouped.names)
            minimum = max(1, minimum_of_bin(self.setting.rules, int(self.crossed.sizes.min())))
        return material, [self._question(one, tally, names, supports, minimum) for one in comparisons]

    def _null(self, per: str) -> list[NDArray[np.float64]]:
        """What random models show of means or of shares of bins."""
        _, questions = self._of_dimension(0, per)
        return drawn_differences(questions, self._draws(per))

    def _draws(self, per: str) -> Iterator[Totals]:
        if per == "set":
            return drawn_values(self.crossed.sizes, self.simulation)
        shares = bin_shares(tuple(self.setting.task.bin_edges), self.simulation)
        return drawn_codes(self.crossed.sizes, shares, self.simulation)

    def _question(
        self, comparison: Comparison, tally: Totals, parts: tuple[str, ...], supports: tuple[int, ...], minimum: int = 1
    ) -> Question:
        """Parts are those of one group: every value of the second column, and within it every class or bin."""
        places = tuple(Place(self.grouped.attribute, name, part) for name in self.grouped.names for part in parts)
        shown = len(parts) // len(self.crossed.values)
        return Question(
            comparison, tally, lambda one: shifts(one, shown), places, supports, minimum, lambda: ("",) * len(places)
        )

    def _cells(self) -> tuple[NDArray[np.int64], tuple[int, int, int]]:
        groups, values = len(self.grouped.names), len(self.crossed.values)
        cells = (self.material.clusters * groups + self.grouped.codes) * values + self.crossed.codes
        return cells, (self.material.n_clusters, groups, values)


def shifts(tally: Any, parts: int) -> NDArray[np.float64]:
    """(..., L x S x P) shift of each group minus the mean shift of all groups.

    Args:
        tally: totals (..., L, S) by group and value.
        parts: the first parts are shown.

    Example:
        Two groups, two values; one group moves, the other does not.

        >>> tally = Totals(np.full((2, 2), 10), np.array([[[2.0], [8.0]], [[5.0], [5.0]]]))
        >>> shifts(tally, 1).round(2).tolist()
        [-0.15, 0.15, 0.15, -0.15]
    """
    moved = tally.means(parts) - tally.pooled(-1).means(parts)[..., None, :]
    apart = moved - moved.mean(axis=-3, keepdims=True)
    return np.asarray(apart.reshape(*apart.shape[:-3], -1))
