"""What is predicted for groups, without labels: shares of classes and bins and mean values, each by cell."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.behaviour.fairness_answers import answered
from affectcheck.behaviour.fairness_disparities import parity_of_totals, selection_of_totals
from affectcheck.behaviour.fairness_support import minimum_of_bin
from affectcheck.behaviour.measured import Question, bin_names, bins_of
from affectcheck.behaviour.thresholds import drawn_differences, simulation_of
from affectcheck.behaviour.totals import Totals
from affectcheck.behaviour.totals_of_chance import drawn_codes, drawn_presence, drawn_values
from affectcheck.records import Place
from affectcheck.uncertainty import bin_shares

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from affectcheck.behaviour.definition import Comparison
    from affectcheck.behaviour.groups import Grouped
    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Measured, Setting


@dataclass(frozen=True, eq=False)
class Cells:
    """Items in the cells that are compared: groups, or groups by the values of a second column.

    Attributes:
        grouped: the items by group.
        codes: (n,) cell of each item.
        sizes: (G,) or (G, S) items of each cell.
        difference: totals with these axes last, and how many of their parts are shown, to (..., K) differences.
        values: the values of the second column; none for groups alone.
    """

    grouped: Grouped
    codes: NDArray[np.int64]
    sizes: NDArray[np.int64]
    difference: Callable[[Any, int], NDArray[np.float64]]
    values: tuple[str, ...] = ()


class UnlabelledComparisons:
    """The comparisons of a test. What random models show is the same for every dimension, and drawn once.

    Args:
        cells: the items by cell.
        setting: test, task, rules and options.
    """

    def __init__(self, cells: Cells, setting: Setting) -> None:
        self.cells, self.setting = cells, setting
        self.material = cells.grouped.material
        self.simulation = simulation_of(setting)
        self.null = cache(self._null)

    def classes(self) -> list[Measured]:
        """Differences of the shares of classes."""
        parts, sizes = self.material.parts, self.cells.sizes
        number = len(parts) + self.material.others
        tally = Totals.of_codes(self.material.prediction, number, *self._places())
        supports = tuple(np.repeat(sizes.ravel(), len(parts)).tolist())
        questions = [self._question(one, tally, parts, supports) for one in self._comparisons("class")]
        questions += [self._distance(one, tally, parity_of_totals) for one in self._comparisons("attribute")]
        shares = np.full(number, 1.0 / number)

        def null() -> list[NDArray[np.float64]]:
            return drawn_differences(questions, drawn_codes(sizes, shares, self.simulation))

        return answered(questions, self.material, self.setting, null)

    def units(self) -> list[Measured]:
        """Differences of the shares of items in which each unit is found."""
        parts, sizes = self.material.parts, self.cells.sizes
        tally = Totals.of_units(self.material.prediction, *self._places())
        supports = tuple(np.repeat(sizes.ravel(), len(parts)).tolist())
        questions = [self._question(one, tally, parts, supports) for one in self._comparisons("unit")]
        questions += [self._distance(one, tally, selection_of_totals) for one in self._comparisons("attribute")]

        def null() -> list[NDArray[np.float64]]:
            return drawn_differences(questions, drawn_presence(sizes, len(parts), self.simulation))

        return answered(questions, self.material, self.setting, null)

    def dimension(self, index: int) -> list[Measured]:
        """Differences of the mean and of the shares of bins of one dimension."""
        found: list[Measured] = []
        for per in ("set", "bin"):
            material, questions = self._of_dimension(index, per)
            found += answered(questions, material, self.setting, partial(self.null, per))
        return found

    def _of_dimension(self, index: int, per: str) -> tuple[Material, list[Question]]:
        material, edges, sizes = self.material.dimension(index), self.setting.task.bin_edges, self.cells.sizes
        comparisons = self._comparisons(per)
        if per == "set":
            tally = Totals.of_values(material.prediction, *self._places())
            supports = tuple(sizes.ravel().tolist())
            return material, [self._question(one, tally, material.parts, supports) for one in comparisons]
        tally = Totals.of_codes(bins_of(material.prediction, edges), len(edges) + 1, *self._places())
        together = tally.pooled(0).pooled(0).sums
        supports = tuple(together.ravel().tolist()) * len(sizes)
        minimum = max(1, minimum_of_bin(self.setting.rules, int(sizes.min())))
        parts = tuple(f"{material.parts[0]} {name}" for name in bin_names(edges))
        return material, [self._question(one, tally, parts, supports, minimum) for one in comparisons]

    def _null(self, per: str) -> list[NDArray[np.float64]]:
        """What random models show of means or of shares of bins."""
        _, questions = self._of_dimension(0, per)
        return drawn_differences(questions, self._draws(per))

    def _draws(self, per: str) -> Iterator[Totals]:
        if per == "set":
            return drawn_values(self.cells.sizes, self.simulation)
        shares = bin_shares(tuple(self.setting.task.bin_edges), self.simulation)
        return drawn_codes(self.cells.sizes, shares, self.simulation)

    def _distance(
        self, comparison: Comparison, tally: Totals, distance: Callable[[Any], NDArray[np.float64]]
    ) -> Question:
        """The distance between all groups."""
        place, size = Place(self.cells.grouped.attribute), self.material.size
        return Question(comparison, tally, distance, (place,), (size,), 1, lambda: ("",), unsigned=True)

    def _comparisons(self, per: str) -> list[Comparison]:
        return [one for one in self.setting.task.comparison if one.per == per]

    def _question(
        self, comparison: Comparison, tally: Totals, parts: tuple[str, ...], supports: tuple[int, ...], minimum: int = 1
    ) -> Question:
        """Parts are classes, bins or the dimension; with a second column, each of them is there for every value."""
        cells = self.cells
        named = tuple(f"{part} {value}" for value in cells.values for part in parts) or parts
        places = tuple(Place(cells.grouped.attribute, name, part) for name in cells.grouped.names for part in named)

        def difference(one: Any) -> NDArray[np.float64]:
            return cells.difference(one, len(parts))

        together = tally.pooled(0)
        while together.shape:
            together = together.pooled(-1)
        levels = tuple(np.tile(together.means(len(parts)), len(places) // len(parts)).tolist())
        unsupported = ("",) * len(places)
        found = Question(comparison, tally, difference, places, supports, minimum, lambda: unsupported)
        return replace(found, levels=levels)

    def _places(self) -> tuple[NDArray[np.int64], tuple[int, ...]]:
        """(n,) cell of each item by cluster, and the shape of all of them."""
        sizes = self.cells.sizes
        return self.material.clusters * sizes.size + self.cells.codes, (self.material.n_clusters, *sizes.shape)
