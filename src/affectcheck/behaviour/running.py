"""Carries out a plan: predictions that are missing, measurements, the random model beside them, verdicts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from affectcheck.behaviour.chance import guessed
from affectcheck.behaviour.correctness import measure_correctness
from affectcheck.behaviour.fairness import measure_fairness
from affectcheck.behaviour.judging import judge
from affectcheck.behaviour.material import gather
from affectcheck.behaviour.measured import Setting
from affectcheck.behaviour.options import SuiteOptions
from affectcheck.behaviour.robustness import Pair, measure_robustness
from affectcheck.errors import InputError
from affectcheck.predictions import predict
from affectcheck.predictions.work import NOT_APPLICABLE
from affectcheck.records import Signature, Verdict
from affectcheck.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Measured
    from affectcheck.behaviour.planning import Plan, PlannedTest
    from affectcheck.models.card import Predictor
    from affectcheck.predictions import PredictionTable


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
        prediction: predictions on the sound as recorded; made here if None.
        options: those that the plan was made with.

    Returns:
        Every comparison of every test, also of those that do not apply, in the order of the plan.

    Raises:
        InputError: the options are of another mode than the plan, or a prediction is missing and there is no model.
    """
    options = options or SuiteOptions(mode=plan.mode)
    if options.mode != plan.mode:
        raise InputError(f"a plan of mode {plan.mode!r} run with options of mode {options.mode!r}", expected="one mode")
    clean = prediction or _predict(model, table, options, "")
    perturbed = {key.key: _perturbed(key.key, plan, model, table, options) for key in plan.perturbations}
    data = f"{table.name}@{table.digest[:12]}" if table.name else table.digest[:12]
    verdicts: list[Verdict] = []
    for test in plan.tests:
        for verdict in _verdicts(test, plan, table, {"": clean, **perturbed}, options):
            signature = _signature(verdict, plan, table, clean, options)
            verdicts.append(replace(verdict, data=data, signature=str(signature)))
    return tuple(verdicts)


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
    setting = Setting(definition, test.task, definition.rules(options.mode), options)
    measured = _measure(test, plan, table, predictions, setting)
    chance = {}
    if options.baseline:
        guessing = _measure(test, plan, table, predictions, replace(setting, judged=False))
        chance = {one.key: one.value for one in guessing}
    return [judge(one, definition, options.mode, chance.get(one.key)) for one in measured]


def _measure(
    test: PlannedTest,
    plan: Plan,
    table: AnnotationTable,
    predictions: Mapping[str, PredictionTable],
    setting: Setting,
) -> list[Measured]:
    """Measurements of the model, or of the random model where the setting is not judged."""
    kind, seed = plan.target.scheme.kind, setting.options.seed
    clean = gather(table, predictions[""], plan.target, setting.task, setting.rules)
    if not setting.judged:
        clean = guessed(clean, kind, setting.rules, seed=seed)
    if test.perturbation is not None:
        made = predictions[test.perturbation.key]
        perturbed = gather(table, made, plan.target, setting.task, setting.rules)
        if not setting.judged:
            perturbed = guessed(perturbed, kind, setting.rules, seed=seed, purpose=test.perturbation.key)
        clean = replace(clean, notes=(*clean.notes, *_left_out(clean, made)))
        return measure_robustness(Pair.of(clean, perturbed), setting)
    if test.definition.groups is not None:
        return measure_fairness(clean, test.attribute, setting)
    return measure_correctness(clean, setting)


def _left_out(clean: Material, made: PredictionTable) -> Iterator[str]:
    """What has no prediction under a perturbation, in words: it is compared with nothing, and must not go unsaid."""
    known = set(clean.items)
    lost = [fault for fault in made.faults if fault.severity == "error" and fault.item in known]
    silent = sum(fault.kind == NOT_APPLICABLE for fault in lost)
    if silent:
        yield f"{silent} items whose sound was not changed are left out"
    failed = [fault for fault in lost if fault.kind != NOT_APPLICABLE]
    if failed:
        first = failed[0].message.partition("\n")[0]
        told = f"the first {failed[0].item!r}: {first}"
        yield f"{len(failed)} items without a prediction of the changed sound are left out, {told}"


def _perturbed(
    key: str, plan: Plan, model: Predictor | None, table: AnnotationTable, options: SuiteOptions
) -> PredictionTable:
    if key in options.perturbed:
        return options.perturbed[key]
    return _predict(model, table, options, key, plan)


def _predict(
    model: Predictor | None, table: AnnotationTable, options: SuiteOptions, key: str, plan: Plan | None = None
) -> PredictionTable:
    if model is None:
        what = f"predictions under {key}" if key else "predictions"
        raise InputError(
            f"{what} are needed, and there is no model to make them", expected="a model, or the predictions"
        )
    found = {one.key: one for one in plan.perturbations} if plan else {}
    return predict(model, table, options=replace(options.predict, perturbation=found.get(key)))


def _signature(
    verdict: Verdict, plan: Plan, table: AnnotationTable, prediction: PredictionTable, options: SuiteOptions
) -> Signature:
    return Signature(
        metric=verdict.metric,
        options=f"test={verdict.test},mode={verdict.mode}",
        target=plan.target.name,
        groups=verdict.place.attribute,
        data=f"{table.name}@{table.digest[:12]}",
        n=str(verdict.support),
        clusters="subject" if table.has_subjects else "item",
        resamples=str(options.resamples) if options.mode == "corrected" else "",
        seed=str(options.seed),
        model=prediction.card.name,
        version=__version__,
    )
