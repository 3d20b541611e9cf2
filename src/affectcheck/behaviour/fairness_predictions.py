"""Group predictions: what is predicted for each group against what is predicted for all, without any labels."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.behaviour.fairness_answers import against_all, answered
from affectcheck.behaviour.fairness_balance import first_of_each
from affectcheck.behaviour.fairness_support import admit, minimum_of_bin, not_applicable, pool_of
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
    from affectcheck.behaviour.fairness_support import Admitted
    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Measured, Setting


def measure_predictions(material: Material, attribute: str, setting: Setting) -> list[Measured]:
    """Differences of the predictions of every group to those of all groups together."""
    admitted = admit(Grouped.of(material, attribute), setting)
    classes = setting.task.kind == "categories"
    if admitted.reason:
        parts = ("",) if classes else material.parts
        return [one for part in parts for one in not_applicable(admitted.grouped, setting, admitted.reason, part)]
    grouped = admitted.grouped.take(first_of_each(pool_of(admitted.grouped, setting)))
    return (
        _Predictions(grouped, setting).classes(admitted) if classes else _Predictions(grouped, setting).values(admitted)
    )


class _Predictions:
    """Predictions of groups. What random models show is the same for every dimension, and drawn once.

    Args:
        grouped: the items.
        setting: test, task, rules and options.
    """

    def __init__(self, grouped: Grouped, setting: Setting) -> None:
        self.grouped, self.setting = grouped, setting
        self.simulation = Simulation(setting.rules.repetitions, setting.options.seed)
        self.null = cache(self._null)

    def classes(self, admitted: Admitted) -> list[Measured]:
        """Shares of the classes."""
        material = self.grouped.material
        number = len(material.parts) + material.others
        tally = self._codes(material.prediction, number)
        comparisons = [one for one in self.setting.task.comparison if one.per == "class"]
        supports = self._repeated(self.grouped.sizes, len(material.parts))
        questions = [self._question(one, tally, material.parts, supports) for one in comparisons]
        shares = np.full(number, 1.0 / number)

        def null() -> list[NDArray[np.float64]]:
            return drawn_differences(questions, drawn_codes(self.grouped.sizes, shares, self.simulation))

        return answered(questions, material, self.setting, null) + admitted.untold(self.setting)

    def values(self, admitted: Admitted) -> list[Measured]:
        """Mean values and shares of the bins, of each dimension."""
        found: list[Measured] = []
        for index, name in enumerate(self.grouped.material.parts):
            for per in ("set", "bin"):
                material, questions = self._of_dimension(index, per)
                found += answered(questions, material, self.setting, partial(self.null, per))
            found += admitted.untold(self.setting, name)
        return found

    def _of_dimension(self, index: int, per: str) -> tuple[Material, list[Question]]:
        material, edges = self.grouped.material.dimension(index), self.setting.task.bin_edges
        comparisons = [one for one in self.setting.task.comparison if one.per == per]
        if per == "set":
            supports = tuple(self.grouped.sizes.tolist())
            tally = Totals.of_values(material.prediction, *self._cells())
            return material, [self._question(one, tally, material.parts, supports) for one in comparisons]
        codes = bins_of(material.prediction, edges)
        together = np.bincount(codes, minlength=len(edges) + 1)
        minimum = max(1, minimum_of_bin(self.setting.rules, int(self.grouped.sizes.min())))
        supports = tuple(together.tolist()) * len(self.grouped.names)
        parts = tuple(f"{material.parts[0]} {name}" for name in bin_names(edges))
        tally = self._codes(codes, len(edges) + 1)
        return material, [self._question(one, tally, parts, supports, minimum) for one in comparisons]

    def _null(self, per: str) -> list[NDArray[np.float64]]:
        """What random models show of means or of shares of bins."""
        _, questions = self._of_dimension(0, per)
        return drawn_differences(questions, self._draws(per))

    def _draws(self, per: str) -> Iterator[Totals]:
        if per == "set":
            return drawn_values(self.grouped.sizes, self.simulation)
        shares = bin_shares(tuple(self.setting.task.bin_edges), self.simulation)
        return drawn_codes(self.grouped.sizes, shares, self.simulation)

    def _question(
        self, comparison: Comparison, tally: Totals, parts: tuple[str, ...], supports: tuple[int, ...], minimum: int = 1
    ) -> Question:
        places = tuple(Place(self.grouped.attribute, name, part) for name in self.grouped.names for part in parts)

        def shares(one: Any) -> NDArray[np.float64]:
            return np.asarray(one.means(len(parts)))

        def differences(one: Any) -> NDArray[np.float64]:
            return against_all(one, shares)

        return Question(comparison, tally, differences, places, supports, minimum, lambda: ("",) * len(places))

    def _codes(self, codes: NDArray[np.int64], number: int) -> Totals:
        cells, shape = self._cells()
        return Totals.of_codes(codes, number, cells, shape)

    def _cells(self) -> tuple[NDArray[np.int64], tuple[int, int]]:
        material, groups = self.grouped.material, len(self.grouped.names)
        return material.clusters * groups + self.grouped.codes, (material.n_clusters, groups)

    @staticmethod
    def _repeated(sizes: NDArray[np.int64], parts: int) -> tuple[int, ...]:
        return tuple(np.repeat(sizes, parts).tolist())
