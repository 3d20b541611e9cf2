"""The predictions that a plan takes: on the media as they are and on every perturbed version, each made once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.annotations.listing import plural
from affectcheck.errors import InputError
from affectcheck.predictions import predict_sets
from affectcheck.predictions.outcomes import MEDIA_CAUTION, NOT_APPLICABLE
from affectcheck.records import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.augmentations import AnyPerturbation
    from affectcheck.behaviour.medium import Medium
    from affectcheck.behaviour.options import SuiteOptions
    from affectcheck.behaviour.planning import Plan
    from affectcheck.models.card import Predictor
    from affectcheck.predictions import PredictionTable

#: Key of the predictions on sound or pictures as they are.
CLEAN: Final = ""


def predictions_of(
    plan: Plan,
    model: Predictor | None,
    table: AnnotationTable,
    prediction: PredictionTable | None,
    options: SuiteOptions,
) -> dict[str, PredictionTable]:
    """Every prediction set of a plan by the key of its perturbation; those that are given are not made again.

    Sets of the same items are made together, so that each item is decoded once for all of them.

    Raises:
        InputError: a set is needed, and there is no model to make it.
    """
    found = {CLEAN: prediction} if prediction is not None else {}
    found |= {one.key: options.perturbed[one.key] for one in plan.perturbations if one.key in options.perturbed}
    lacking: list[AnyPerturbation | None] = [] if prediction is not None else [None]
    lacking += [one for one in plan.perturbations if one.key not in found]
    if not lacking:
        return found
    if model is None:
        what = f"predictions under {lacking[-1].key}" if lacking[-1] else "predictions"
        raise InputError(
            f"{what} are needed, and there is no model to make them", expected="a model, or the predictions"
        )
    for items, sets in _by_items(plan, lacking).items():
        chosen = table if items is None else table.select(sorted(items))
        found |= predict_sets(model, chosen, sets, options=options.predict)
    return found


def _by_items(
    plan: Plan, lacking: list[AnyPerturbation | None]
) -> Mapping[frozenset[str] | None, list[AnyPerturbation | None]]:
    groups: dict[frozenset[str] | None, list[AnyPerturbation | None]] = {}
    for one in lacking:
        groups.setdefault(None if one is None else plan.items_of(one.key), []).append(one)
    return groups


def cautions(predictions: Mapping[str, PredictionTable]) -> tuple[Fault, ...]:
    """What the predictions under perturbations are to be taken with, one fault for each set and kind.

    The sets share their items with the predictions on the media as they are, whose own faults are listed one by one;
    here the number stands, and the first item. What is noted of a medium as it is, is not told again for each change.

    Args:
        predictions: by key of the perturbation.
    """
    found = []
    clean = predictions[CLEAN].faults if CLEAN in predictions else ()
    told_already = {fault for fault in clean if fault.kind == MEDIA_CAUTION}
    for key, made in predictions.items():
        faults = () if key == CLEAN else made.faults
        warned = [fault for fault in faults if fault.severity == "warning" and fault not in told_already]
        for kind in dict.fromkeys(fault.kind for fault in warned):
            of_kind = [fault for fault in warned if fault.kind == kind]
            first = of_kind[0]
            told = f"{first.message}; so {len(of_kind)} of {made.height} predictions under {key}"
            found.append(Fault(first.item, kind, told, "warning"))
    return tuple(found)


def left_out(known: set[str], made: PredictionTable, medium: Medium) -> Iterator[str]:
    """What has no prediction under a perturbation, in words: it is compared with nothing, and must not go unsaid.

    Args:
        known: the items that have one without it.
        made: the predictions under the perturbation.
        medium: what it changes.
    """
    lost = [fault for fault in made.faults if fault.severity == "error" and fault.item in known]
    silent = sum(fault.kind == NOT_APPLICABLE for fault in lost)
    if silent:
        yield f"{plural(silent, 'item')} whose {medium.name} {medium.were} not changed {'is' if silent == 1 else 'are'} left out"
    failed = [fault for fault in lost if fault.kind != NOT_APPLICABLE]
    if failed:
        first = failed[0].message.partition("\n")[0]
        told = f"the first {failed[0].item!r}: {first}"
        are = "is" if len(failed) == 1 else "are"
        yield f"{plural(len(failed), 'item')} without a prediction of the changed {medium.name} {are} left out, {told}"
