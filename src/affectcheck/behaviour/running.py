"""Carries out a plan: predictions that are missing, measurements, the random model beside them, verdicts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from affectcheck.behaviour.judging import judge, rounded
from affectcheck.behaviour.measured import Setting
from affectcheck.behaviour.measuring import Case
from affectcheck.behaviour.options import SuiteOptions
from affectcheck.behaviour.pitch_groups import add_pitch
from affectcheck.behaviour.predicting import CLEAN, cautions, predictions_of
from affectcheck.errors import InputError
from affectcheck.records import Signature, Verdict
from affectcheck.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.behaviour.planning import Plan, PlannedTest
    from affectcheck.models.card import Predictor
    from affectcheck.predictions import PredictionTable
    from affectcheck.records import Fault


@dataclass(frozen=True, eq=False)
class Examined:
    """What came of a plan.

    Attributes:
        verdicts: every comparison of every test, in the order of the plan.
        predictions: what they rest on, by key of the perturbation; the empty key is the media as they are.
        table: the items, with what was measured on them.
    """

    verdicts: tuple[Verdict, ...]
    predictions: Mapping[str, PredictionTable] = field(default_factory=dict)
    table: AnnotationTable | None = None

    @property
    def cautions(self) -> tuple[Fault, ...]:
        """What the predictions under perturbations are to be taken with, such as values out of the declared range."""
        return cautions(self.predictions)


def run(
    plan: Plan,
    model: Predictor | None,
    table: AnnotationTable,
    prediction: PredictionTable | None = None,
    options: SuiteOptions | None = None,
) -> tuple[Verdict, ...]:
    """Carry out a plan.

    Args:
        plan: what ``plan`` returned for this model and table.
        model: the model; None if every prediction that the plan needs is given.
        table: the annotated items.
        prediction: predictions on the media as they are; made here if None.
        options: those that the plan was made with.

    Returns:
        Every comparison of every test, also of those that do not apply, in the order of the plan.

    Raises:
        InputError: the options are of another mode than the plan, or a prediction is missing and there is no model.
    """
    return examine(plan, model, table, prediction, options).verdicts


def examine(
    plan: Plan,
    model: Predictor | None,
    table: AnnotationTable,
    prediction: PredictionTable | None = None,
    options: SuiteOptions | None = None,
) -> Examined:
    """Carry out a plan and keep what the verdicts rest on; as ``run`` otherwise."""
    options = options or SuiteOptions(mode=plan.mode, reruns=plan.reruns)
    if options.mode != plan.mode:
        raise InputError(f"a plan of mode {plan.mode!r} run with options of mode {options.mode!r}", expected="one mode")
    predictions = predictions_of(plan, model, table, prediction, options)
    if plan.measures_pitch:
        table = add_pitch(table, cache=options.predict.cache, workers=options.predict.workers)
    verdicts = [
        replace(
            verdict, data=_named(table), signature=str(_signature(verdict, test, table, predictions[CLEAN], options))
        )
        for test in plan.tests
        for verdict in _verdicts(test, plan, table, predictions, options)
    ]
    return Examined(tuple(verdicts), predictions, table)


def _verdicts(
    test: PlannedTest,
    plan: Plan,
    table: AnnotationTable,
    predictions: Mapping[str, PredictionTable],
    options: SuiteOptions,
) -> list[Verdict]:
    definition = test.definition
    if test.task is None or not test.applies:
        return [Verdict(definition.name, definition.family, "all", "not applicable", test.reason, mode=options.mode)]
    rules = definition.rules(options.mode)
    setting = Setting(definition, test.task, rules, options, families=plan.families if rules.shared_error else 1)
    case = Case(test, table, predictions, setting)
    measured = case.measured()
    chance = {one.key: one.value for one in case.random()} if options.baseline else {}
    drawn = [{one.key: one for one in case.again(number)} for number in range(1, plan.reruns + 1)]
    found = []
    for one in measured:
        others = [rounded(again[one.key].value, one.comparison.metric, rules) for again in drawn if one.key in again]
        verdict = judge(one, definition, options.mode, chance.get(one.key))
        found.append(_with_reruns(verdict, tuple(value for value in others if value is not None)))
    return found


def _with_reruns(verdict: Verdict, values: tuple[float, ...]) -> Verdict:
    """With the values on other draws, and how many of them fall on the other side of the limit."""
    if not values or verdict.value is None or verdict.threshold is None:
        return verdict
    met = verdict.threshold.met_by(verdict.value)
    flips = sum(verdict.threshold.met_by(value) != met for value in values)
    told = f"{flips} of {len(values)} other draws of the perturbation fall on the other side of the limit"
    return replace(verdict, reruns=values, notes=(*verdict.notes, *([told] if flips else [])))


def _named(table: AnnotationTable) -> str:
    return f"{table.name}@{table.digest[:12]}" if table.name else table.digest[:12]


def _signature(
    verdict: Verdict, test: PlannedTest, table: AnnotationTable, prediction: PredictionTable, options: SuiteOptions
) -> Signature:
    return Signature(
        metric=verdict.metric,
        options=f"test={verdict.test},mode={verdict.mode}",
        target=test.target.name if test.target else "",
        groups=verdict.place.attribute,
        data=_named(table),
        n=str(verdict.support),
        clusters="subject" if table.has_subjects else "item",
        resamples=str(options.resamples) if options.mode == "corrected" else "",
        seed=str(options.seed),
        model=prediction.card.name,
        version=__version__,
    )
