"""What a test measures of a model, and the same of the random model beside it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from affectcheck.behaviour.chance import guessed
from affectcheck.behaviour.column_bins import with_groups
from affectcheck.behaviour.correctness import measure_correctness
from affectcheck.behaviour.fairness import measure_fairness
from affectcheck.behaviour.fairness_robustness import measure_group_changes
from affectcheck.behaviour.gathering import gather_for
from affectcheck.behaviour.measured import Setting
from affectcheck.behaviour.medium import medium_of
from affectcheck.behaviour.options import SuiteOptions
from affectcheck.behaviour.predicting import CLEAN, left_out
from affectcheck.behaviour.prototypes import DERIVED, derived
from affectcheck.behaviour.recordings import measure_recordings
from affectcheck.behaviour.robustness import Pair, measure_robustness

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.behaviour.definition import Mode
    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Measured
    from affectcheck.behaviour.planning import PlannedTest
    from affectcheck.behaviour.running import Examined
    from affectcheck.predictions import PredictionTable


@dataclass(frozen=True, eq=False)
class Case:
    """A planned test with all that it is measured on.

    Attributes:
        test: the test.
        table: the items.
        predictions: by key of the perturbation; the empty key is the media as they are.
        setting: task, rules and options.
    """

    test: PlannedTest
    table: AnnotationTable
    predictions: Mapping[str, PredictionTable]
    setting: Setting

    def measured(self) -> list[Measured]:
        """Every comparison, of the model; of the random model where the setting is not judged."""
        if self.test.perturbation is not None:
            return self._changes(self._pair(self.test.perturbation.key), self.setting)
        material = self._material(CLEAN)
        if self.setting.definition.kind == "recording":
            return measure_recordings(material, self.setting)
        groups = self.setting.definition.groups
        if groups is not None:
            found = with_groups(material.frame, groups, self.test.attribute)
            grouped = replace(material, frame=found.frame).noted(*found.notes)
            return measure_fairness(grouped, found.attribute, self.setting)
        return measure_correctness(material, self.setting)

    def random(self) -> list[Measured]:
        """The same comparisons of the random model, without intervals."""
        return replace(self, setting=replace(self.setting, judged=False)).measured()

    def again(self, number: int) -> list[Measured]:
        """The same comparisons on other draws of the perturbation, without intervals."""
        drawn = self.test.drawn_again(number)
        if drawn is None or drawn.key not in self.predictions:
            return []
        return self._changes(self.changed(drawn.key), replace(self.setting, judged=False))

    def _changes(self, pair: Pair, setting: Setting) -> list[Measured]:
        """What a perturbation changes, of all items or of each group beside all."""
        groups = setting.definition.groups
        if groups is None:
            return measure_robustness(pair, setting)
        found: list[Measured] = []
        for block in self.test.blocks:
            rows = [with_groups(pair.clean.frame, groups, attribute) for attribute in block]
            found += measure_group_changes(pair, rows, setting)
        return found

    def changed(self, key: str) -> Pair:
        """The items before and after, with the predictions of the model.

        Args:
            key: of the perturbation.
        """
        return self._pair(key, guess=False)

    def _pair(self, key: str, *, guess: bool = True) -> Pair:
        before = self._material(reference_key(self.test), guess=guess)
        after = self._material(key, guess=guess)
        known = set(self.predictions[CLEAN].frame.get_column("item"))
        missing = left_out(known, self.predictions[key], medium_of(self.test.definition))
        meant = getattr(self.test.perturbation.augmentation, "meant", "") if self.test.perturbation else ""
        return Pair.of(before.noted(*missing, meant), after)

    def material(self) -> Material:
        """The items with the predictions of the model on the media as they are."""
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


def case_of(test: PlannedTest, examined: Examined, mode: Mode) -> Case | None:
    """A test that was run, to look again at what was measured; None where nothing was.

    Args:
        test: the test.
        examined: what came of its plan.
        mode: of the plan.
    """
    if examined.table is None or test.task is None:
        return None
    definition = test.definition
    setting = Setting(definition, test.task, definition.rules(mode), SuiteOptions(mode=mode))
    return Case(test, examined.table, examined.predictions, setting)


def reference_key(test: PlannedTest) -> str:
    """Key of the predictions that those under a perturbation are compared with."""
    return test.reference.key if test.reference else CLEAN
