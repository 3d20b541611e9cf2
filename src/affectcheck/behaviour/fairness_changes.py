"""What a perturbation changes of each item: the one number whose means over groups are compared.

| metric | number of an item | mean over |
|---|---|---|
| ``unchanged`` | 1 where the prediction stays, else 0; of units the share that stay | items |
| ``mean`` | value after minus value before | items |
| ``mae`` | size of the error after minus that before | items with a label |
| ``uar`` | 1 where the change makes the answer right, -1 where it makes it wrong, else 0 | items of each class, then classes |
| ``unit_uar`` | the same of each unit | items with, and items without, each unit, then all of these |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.behaviour.robustness import Pair, unchanged
from affectcheck.behaviour.totals import Totals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from affectcheck.behaviour.definition import Comparison, Rules
    from affectcheck.behaviour.fairness_columns import Cells, Column

#: What is compared without labels.
UNLABELLED: Final = ("unchanged", "mean")


@dataclass(frozen=True, eq=False)
class Changes:
    """Numbers of items, some of which count in several strata.

    Attributes:
        metric: what is compared.
        kept: (n,) which of all items count.
        rows: (m,) place of each number among all items.
        strata: (m,) what is averaged by itself: the class, or the unit and whether it is present.
        values: (m,) the numbers.
        number: of strata.
    """

    metric: str
    kept: NDArray[np.bool_]
    rows: NDArray[np.int64]
    strata: NDArray[np.int64]
    values: NDArray[np.float64]
    number: int = 1

    @classmethod
    def of(cls, comparison: Comparison, pair: Pair) -> Changes:
        """The numbers that a comparison takes.

        Args:
            comparison: of what groups differ in.
            pair: all items before and after, of one dimension where values are predicted.
        """
        metric, before, after = comparison.metric, pair.clean, pair.perturbed
        every = np.ones(before.size, bool)
        if metric == "unchanged":
            stays = unchanged(pair, comparison)
            return cls._alike(metric, every, stays.reshape(len(stays), -1).mean(axis=1))
        if metric == "mean":
            return cls._alike(metric, every, after.prediction - before.prediction)
        if metric == "mae":
            errors = [np.abs(one.prediction - before.truth) for one in (after, before)]
            return cls._alike(metric, ~np.isnan(before.truth), errors[0] - errors[1])
        right = [(one.prediction == before.truth).astype(np.int64) for one in (after, before)]
        known, turned = before.truth >= 0, right[0] - right[1]
        if metric == "uar":
            rows = np.flatnonzero(known)
            return cls(metric, known, rows, before.truth[rows], turned[rows].astype(np.float64), len(before.parts))
        rows, unit = np.nonzero(known)
        strata = unit * 2 + before.truth[rows, unit]
        values = turned[rows, unit].astype(np.float64)
        some = np.asarray(known.any(axis=1))
        return cls(metric, some, rows, strata.astype(np.int64), values, 2 * len(before.parts))

    @classmethod
    def _alike(cls, metric: str, kept: NDArray[np.bool_], values: NDArray[np.floating]) -> Changes:
        rows = np.flatnonzero(kept)
        return cls(metric, kept, rows, np.zeros(len(rows), np.int64), values[rows].astype(np.float64))

    def tally(self, cells: Cells, clusters: NDArray[np.int64], n_clusters: int) -> Totals:
        """(clusters, cells, strata) numbers of items and sums of their numbers.

        Args:
            cells: where items are counted.
            clusters: (n,) of all items.
            n_clusters: how many there are.
        """
        among = np.full(len(self.kept), -1, np.int64)
        among[cells.rows] = cells.codes
        inside = among[self.rows] >= 0
        rows = self.rows[inside]
        places = (clusters[rows] * len(cells) + among[rows]) * self.number + self.strata[inside]
        return Totals.of_values(self.values[inside], places, (n_clusters, len(cells), self.number))

    def levels(self, together: float) -> tuple[float, ...]:
        """What the spread of a difference hangs on: the share that stays, or that turns right or wrong; else nothing.

        Args:
            together: the mean of all groups.
        """
        if self.metric == "unchanged":
            return (together,)
        return (float(np.abs(self.values).mean()),) if self.metric in ("uar", "unit_uar") else ()

    def common(self, column: Column, rules: Rules) -> NDArray[np.int64]:
        """The strata that every group of a column has enough items of; of units, with both of theirs."""
        least = rules.minimum_per_class if self.metric in ("uar", "unit_uar") else rules.minimum_per_group
        fewest = self._counts(column).min(axis=0)
        if self.metric == "unit_uar":
            fewest = fewest.reshape(-1, 2).min(axis=1).repeat(2)
        return np.flatnonzero(fewest >= max(1, least))

    def lacking(self, column: Column, rules: Rules) -> str:
        """Why groups of a column cannot be compared; empty if they can."""
        if not self.kept[column.rows].any():
            return "no labels of what the model predicts"
        found, least = len(self.common(column, rules)), rules.minimum_per_class
        if self.metric == "uar":
            return "" if found > 1 else f"fewer than two classes have {least} labelled items in every group"
        if self.metric == "unit_uar":
            return "" if found else f"no unit is both present and absent in {least} labelled items of every group"
        return "" if found else f"fewer than {rules.minimum_per_group} labelled items in one of the groups"

    def _counts(self, column: Column) -> NDArray[np.int64]:
        """(G, strata) items."""
        groups = column.among(len(self.kept))[self.rows]
        inside = groups >= 0
        flat = groups[inside] * self.number + self.strata[inside]
        number = len(column.grouped.names)
        return np.bincount(flat, minlength=number * self.number).reshape(number, self.number)
