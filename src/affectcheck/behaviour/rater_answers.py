"""Raters in the model's place: their answers to the items of a table, as the material of a test."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.behaviour.coding import answer_codes, truth_codes, unit_range
from affectcheck.behaviour.material import UNKNOWN, Material, round_predictions, tested_parts
from affectcheck.behaviour.rater_units import of_units
from affectcheck.errors import InputError
from affectcheck.evaluation.rater_rows import of_the_others
from affectcheck.schemes import CategoryScheme, UnitScheme, fold
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from affectcheck.annotations.ratings import Ratings
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.behaviour.definition import Rules, Task
    from affectcheck.schemes import Target

#: Items that a rater needs to be one of those whose mean is taken.
LEAST_ITEMS: Final = 10


@dataclass(frozen=True, eq=False)
class Rated:
    """Items with their ratings, each rating in the coding of the material.

    Attributes:
        material: every rated item with its label; predictions are put in later.
        item: (r,) row of the material that each rating is of, ascending.
        answer: (r,) codes, (r, D) values on [0, 1], or (r, M) presence of units; of one item in ascending order.
        others: (r,), (r, D) or (r, M): what the other raters of the item say, as a truth.
        rater: (r,) code of the rater, -1 where raters have no names.
        raters: their names.
        rules: those of the mode.
    """

    material: Material
    item: NDArray[np.int64]
    answer: NDArray[Any]
    others: NDArray[Any]
    rater: NDArray[np.int64]
    raters: tuple[str, ...]
    rules: Rules

    @classmethod
    def of(cls, ratings: Ratings, table: AnnotationTable, target: Target, task: Task, rules: Rules) -> Rated:
        """The ratings of a table's items; ratings of other items are left out.

        Args:
            ratings: what raters said.
            table: the items, with what is taken as the truth.
            target: what of the table is rated.
            task: which classes or dimensions are tested.
            rules: those of the mode.

        Raises:
            InputError: raters and table share no classes, dimensions or units, or no item of the table has ratings.
        """
        scheme, given = target.scheme, ratings.of_items(table.items)
        parts = tested_parts(scheme, ratings.parts, task, rules)
        if not parts or ratings.is_categories != isinstance(scheme, CategoryScheme):
            raise InputError(f"ratings of {', '.join(ratings.parts)}", expected=f"ratings of {target.name!r}")
        if isinstance(scheme, CategoryScheme):
            said = _of_classes(given, table, target.name, scheme, parts)
        elif isinstance(scheme, UnitScheme):
            said = of_units(given, table, parts)
        else:
            said = _of_values(given, table, scheme, parts)
        material, item, answer, others, rater = said
        return cls(material, item, answer, others, rater, given.raters, rules)._of_rated_items()

    def drawn(self, number: int, *, seed: int, left_out: bool = False) -> Material:
        """A rater drawn for each item, by the seed, the draw and the item's key.

        Args:
            number: of the draw.
            seed: the run's seed.
            left_out: whether the other raters of the item are the truth, instead of its label.
        """
        sizes = np.bincount(self.item, minlength=self.material.size)
        rank = np.argsort(np.argsort(np.array(self.material.items)))
        share = rng(seed, "rater in the model's place", number).random(self.material.size)[rank]
        chosen = np.cumsum(sizes) - sizes + np.floor(share * sizes).astype(np.int64)
        truth = self.others[chosen] if left_out else self.material.truth
        return replace(self.material, truth=truth, prediction=self._said(self.answer[chosen]))

    def by_rater(self) -> Iterator[Material]:
        """Each rater with enough items, on the items that he rated.

        Raises:
            InputError: raters have no names, or none has enough items.
        """
        if not self.raters:
            raise InputError("ratings of raters without names", expected="a column that names the rater")
        numbers = np.bincount(self.rater, minlength=len(self.raters))
        if numbers.max() < LEAST_ITEMS:
            raise InputError(f"raters of up to {numbers.max()} items", expected=f"a rater of at least {LEAST_ITEMS}")
        for code in np.flatnonzero(numbers >= LEAST_ITEMS):
            own = self.rater == code
            yield replace(self.material.take(self.item[own]), prediction=self._said(self.answer[own]))

    def _said(self, answer: NDArray[Any]) -> NDArray[Any]:
        of_values = np.issubdtype(answer.dtype, np.floating)
        return round_predictions(answer, self.rules) if of_values else answer

    def _of_rated_items(self) -> Rated:
        kept, item = np.unique(self.item, return_inverse=True)
        if not kept.size:
            raise InputError("no item of the table has ratings", expected="ratings with the keys of the table's items")
        without = self.material.size - kept.size
        note = f"{without} items without ratings are left out"
        material = self.material.take(kept).noted(note if without else "")
        return replace(self, material=material, item=item.astype(np.int64))


def _of_classes(
    given: Ratings, table: AnnotationTable, name: str, scheme: CategoryScheme, parts: tuple[str, ...]
) -> tuple[Any, ...]:
    """Material, and of every rating its item, class, what the others say, and its rater."""
    codes, others = answer_codes(scheme, given.parts, parts), of_the_others(given)
    coded = np.array([codes[label] for label in given.parts], np.int64)
    answer, told = coded[given.values], np.where(others >= 0, coded[others], UNKNOWN)
    told = np.where(told < len(parts), told, UNKNOWN)
    truth = truth_codes(table.frame.get_column(name), parts)
    material = Material(table.frame, truth, truth, parts, len(given.parts) - len(parts), notes=given.notes)
    rows = np.lexsort((told, answer, given.item))
    return material, given.item[rows], answer[rows], told[rows], given.rater[rows]


def _of_values(given: Ratings, table: AnnotationTable, scheme: Any, parts: tuple[str, ...]) -> tuple[Any, ...]:
    """The same of dimensions; a rating that leaves one of them out is none."""
    columns = [[fold(one) for one in given.parts].index(fold(part)) for part in parts]
    own: Any = given.target.scheme
    answer, told = (unit_range(one[:, columns], own.low, own.high) for one in (given.values, of_the_others(given)))
    annotated = table.frame.select(parts).fill_null(float("nan")).to_numpy().astype(np.float64)
    truth = unit_range(annotated, scheme.low, scheme.high)
    material = Material(table.frame, truth, truth, parts, notes=given.notes)
    rows = np.lexsort((*told.T, *answer.T, given.item))
    rows = rows[~np.isnan(answer[rows]).any(axis=1)]
    return material, given.item[rows], answer[rows], told[rows], given.rater[rows]
