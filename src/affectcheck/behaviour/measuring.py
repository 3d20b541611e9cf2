"""What a test measures of a model, and the same of the random model beside it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from affectcheck.behaviour.chance import guessed
from affectcheck.behaviour.column_bins import with_bins
from affectcheck.behaviour.correctness import measure_correctness
from affectcheck.behaviour.fairness import measure_fairness
from affectcheck.behaviour.gathering import gather_for
from affectcheck.behaviour.predicting import CLEAN, left_out
from affectcheck.behaviour.prototypes import DERIVED, derived
from affectcheck.behaviour.recordings import measure_recordings
from affectcheck.behaviour.robustness import Pair, measure_robustness

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Measured, Setting
    from affectcheck.behaviour.planning import PlannedTest
    from affectcheck.behaviour.requirements import Groups
    from affectcheck.predictions import PredictionTable


@dataclass(frozen=True, eq=False)
class Case:
    """A planned test with all that it is measured on.

    Attributes:
        test: the test.
        table: the items.
        predictions: by key of the perturbation; the empty key is the sound as recorded.
        setting: task, rules and options.
    """

    test: PlannedTest
    table: AnnotationTable
    predictions: Mapping[str, PredictionTable]
    setting: Setting

    def measured(self) -> list[Measured]:
        """Every comparison, of the model; of the random model where the setting is not judged."""
        if self.test.perturbation is not None:
            return measure_robustness(self._pair(self.test.perturbation.key), self.setting)
        material = self._material(CLEAN)
        if self.setting.definition.kind == "recording":
            return measure_recordings(material, self.setting)
        groups = self.setting.definition.groups
        if groups is not None:
            grouped, attribute = with_groups(material, groups, self.test.attribute)
            return measure_fairness(grouped, attribute, self.setting)
        return measure_correctness(material, self.setting)

    def random(self) -> list[Measured]:
        """The same comparisons of the random model, without intervals."""
        return replace(self, setting=replace(self.setting, judged=False)).measured()

    def again(self, number: int) -> list[Measured]:
        """The same comparisons on other draws of the perturbation, without intervals."""
        drawn = self.test.drawn_again(number)
        if drawn is None or drawn.key not in self.predictions:
            return []
        return measure_robustness(self._pair(drawn.key, guess=False), replace(self.setting, judged=False))

    def _pair(self, key: str, *, guess: bool = True) -> Pair:
        before = self._material(self.test.reference.key if self.test.reference else CLEAN, guess=guess)
        after = self._material(key, guess=guess)
        known = set(self.predictions[CLEAN].frame.get_column("item"))
        return Pair.of(before.noted(*left_out(known, self.predictions[key])), after)

    def material(self) -> Material:
        """The items with the predictions of the model on the sound as recorded."""
        return self._material(CLEAN, guess=False)

    def _material(self, key: str, *, guess: bool = True) -> Material:
        target, rules = self.test.target, self.setting.rules
        prediction, task = self.predictions[key], self.setting.task
        made = derived(prediction, task) if prediction.card.kind != task.kind else prediction
        found = gather_for(self.setting.definition, self._items(), made, target, rules=rules)
        found = found if made is prediction else found.noted(DERIVED)
        if self.setting.judged or not guess:
            return found
        kind = self.setting.task.kind
        return guessed(found, kind, rules, seed=self.setting.options.seed, purpose=key)

    def _items(self) -> AnnotationTable:
        return self.table if self.test.items is None else self.table.select(list(self.test.items))


def with_groups(material: Material, groups: Groups, attribute: str) -> tuple[Material, str]:
    """The material with the column that holds the groups of a test, and that column's name.

    Bins of a number become names; merged values get one name; values that the test does not compare become unknown.
    """
    if groups.bins is not None:
        binned = with_bins(material.frame, groups.bins)
        return replace(material, frame=binned.frame).noted(*binned.notes), binned.attribute
    if not groups.merged and not groups.values:
        return material, attribute
    column = pl.col(attribute).cast(pl.String).replace(dict(groups.merged))
    kept = pl.when(column.is_in(groups.values)).then(column) if groups.values else column
    return replace(material, frame=material.frame.with_columns(kept.alias(attribute))), attribute
