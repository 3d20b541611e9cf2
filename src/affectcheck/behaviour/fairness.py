"""Fairness tests: each group against all groups together, on sets of equal truth.

A failure says that a difference was found. A pass says that none was detected at this support, and how small a one
would have been.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.behaviour.groups import Grouped, too_few
from affectcheck.behaviour.intervals import floors_of
from affectcheck.behaviour.measured import (
    Measured,
    Question,
    bin_names,
    bin_tally,
    bins_of,
    class_tally,
    reasons_of,
    value_tally,
    values_of,
)
from affectcheck.behaviour.thresholds import Recorder, limits
from affectcheck.evaluation.balance import Pool, balance_classes, balance_values
from affectcheck.records import Place
from affectcheck.uncertainty import Simulation, simulate_bins, simulate_categories, simulate_dimensions

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from affectcheck.behaviour.definition import Comparison, Rules
    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Setting
    from affectcheck.behaviour.thresholds import Simulate
    from affectcheck.tallies import Tally

#: Share of values in the lowest quarter of the range under paper 2's random model (Eq. 4).
LOWEST_BIN: Final = NormalDist(0.5, 1 / 6).cdf(0.25)


def measure_fairness(material: Material, attribute: str, setting: Setting) -> list[Measured]:
    """Differences of every group to all groups together, for each class or dimension."""
    if setting.task.kind == "categories":
        return _classes(Grouped.of(material.labelled(), attribute), setting)
    found: list[Measured] = []
    for index in range(len(material.parts)):
        found += _values(Grouped.of(material.dimension(index).known(), attribute), setting)
    return found


def minimum_of_bin(rules: Rules, per_group: int) -> int:
    """Items that a bin takes: the number stated, or that expected in the lowest bin (paper 2, Eq. 4).

    The number is that of the items of one group, as in the published results; half a unit goes to the even number.
    """
    return rules.minimum_per_bin if isinstance(rules.minimum_per_bin, int) else round(LOWEST_BIN * per_group)


def _classes(grouped: Grouped, setting: Setting) -> list[Measured]:
    reason = too_few(grouped, setting.rules)
    if reason:
        return _not_applicable(grouped, setting, reason)
    material, parts = grouped.material, grouped.material.parts
    enough = grouped.counts(material.truth, len(parts)).min(axis=0) >= setting.rules.minimum_per_class
    tested = tuple(part for part, keep in zip(parts, enough, strict=True) if keep)
    if len(tested) < 2:
        least = setting.rules.minimum_per_class
        return _not_applicable(grouped, setting, f"fewer than two classes have {least} items in every group")
    left = replace(grouped, material=material.only(tested))
    left = left.take(left.material.truth >= 0, _dropped(parts, tested, setting.rules))
    pool = _pool(left, setting)
    balanced = left.take(balance_classes(pool, len(tested)))
    reason = too_few(balanced, setting.rules)
    if reason:
        return _not_applicable(balanced, setting, f"after balancing by class, {reason}")
    absent = tuple(part for part in parts if part not in tested)
    return _compare_classes(balanced, setting) + _untested(absent, balanced, setting)


def _values(grouped: Grouped, setting: Setting) -> list[Measured]:
    reason = too_few(grouped, setting.rules)
    if reason:
        return _not_applicable(grouped, setting, reason)
    balanced = grouped.take(balance_values(_pool(grouped, setting)))
    return _compare_values(balanced, setting)


def _compare_classes(balanced: Grouped, setting: Setting) -> list[Measured]:
    material, n_groups = balanced.material, len(balanced.names)
    cells = material.clusters * n_groups + balanced.codes
    tally = class_tally(material, setting.rules, cells, (material.n_clusters, n_groups))
    counts = balanced.counts(material.truth, len(material.parts))
    questions = []
    for comparison in setting.task.comparison:
        by_class = comparison.per == "class"
        question = _difference(comparison, tally, balanced, setting, material.parts if by_class else ("",))
        supports = counts.ravel() if by_class else balanced.sizes
        questions.append(replace(question, supports=tuple(supports.tolist())))
    simulation = Simulation(setting.rules.repetitions, setting.options.seed)
    return _answers(questions, balanced, setting, partial(simulate_categories, counts, options=simulation))


def _compare_values(balanced: Grouped, setting: Setting) -> list[Measured]:
    material, n_groups = balanced.material, len(balanced.names)
    cells, shape = material.clusters * n_groups + balanced.codes, (material.n_clusters, n_groups)
    dimension, edges = material.parts[0], setting.task.bin_edges
    simulation = Simulation(setting.rules.repetitions, setting.options.seed)
    moments = value_tally(material, cells, shape)
    questions = [
        replace(
            _difference(comparison, moments, balanced, setting, (dimension,)),
            supports=tuple(balanced.sizes.tolist()),
        )
        for comparison in setting.task.comparison
        if comparison.per == "set"
    ]
    truth = [material.truth[balanced.codes == g] for g in range(n_groups)]
    simulate = partial(simulate_dimensions, balanced.sizes.tolist(), truth=truth, options=simulation)
    found = _answers(questions, balanced, setting, simulate)
    by_bin = [one for one in setting.task.comparison if one.per == "bin"]
    if not by_bin:
        return found
    binned = bin_tally(material, edges, cells, shape)
    counts = balanced.counts(bins_of(material.truth, edges), len(edges) + 1)
    parts = tuple(f"{dimension} {name}" for name in bin_names(edges))
    minimum = max(1, minimum_of_bin(setting.rules, int(balanced.sizes.min())))
    supports = tuple(counts.ravel().tolist())
    questions = [
        replace(_difference(one, binned, balanced, setting, parts), supports=supports, minimum=minimum)
        for one in by_bin
    ]
    simulate = partial(simulate_bins, counts, edges=edges, options=simulation)
    return found + _answers(questions, balanced, setting, simulate)


def _answers(questions: list[Question], balanced: Grouped, setting: Setting, simulate: Simulate) -> list[Measured]:
    """Answers to questions about one tally, with threshold and noise floor where the mode wants them."""
    answers = [question.answers(balanced.material.notes) for question in questions]
    if not setting.judged or not setting.rules.intervals or not questions:
        return [one for answer in answers for one in answer]
    recorder = Recorder([_of_groups(question, setting) for question in questions])
    simulate(recorder)
    judged = [np.array([one.value is not None for one in answer]) for answer in answers]
    bounds = [
        limit
        for question, rows, drawn in zip(questions, judged, recorder.differences(), strict=True)
        for limit in limits(drawn, rows, question.comparison, setting.rules)
    ]
    floors = floors_of(questions, np.concatenate(judged), balanced.material, setting)
    measured = [one for answer in answers for one in answer]
    return [
        replace(one, threshold=limit.threshold, detectable=limit.detectable, floor=floor)
        if one.value is not None and one.comparison.threshold == "simulated"
        else one
        for one, limit, floor in zip(measured, bounds, floors, strict=True)
    ]


def _of_groups(question: Question, setting: Setting) -> Callable[[Tally], NDArray[np.float64]]:
    """The metric itself over groups, of which the simulation takes the differences."""
    metric, parts = question.comparison.metric, len(question.places)
    return lambda tally: values_of(metric, tally, parts, setting.rules)


def _difference(
    comparison: Comparison, tally: Tally, balanced: Grouped, setting: Setting, parts: tuple[str, ...]
) -> Question:
    """A metric of each group minus that of all groups together (the group among them)."""
    places = tuple(Place(balanced.attribute, group, part) for group in balanced.names for part in parts)

    def differences(one: Tally) -> NDArray[np.float64]:
        groups = values_of(comparison.metric, one, len(parts), setting.rules)
        together = values_of(comparison.metric, one.pooled(-1), len(parts), setting.rules)
        return (groups - together[..., None, :]).reshape(*groups.shape[:-2], -1)

    def reasons() -> tuple[str, ...]:
        pooled = tally.pooled(0)
        of_groups = [reasons_of(comparison.metric, pooled[g], parts) for g in range(len(balanced.names))]
        together = reasons_of(comparison.metric, pooled.pooled(-1), parts)
        return tuple(why or of_all for group in of_groups for why, of_all in zip(group, together, strict=True))

    return Question(comparison, tally, differences, places, (), 1, reasons)


def _not_applicable(grouped: Grouped, setting: Setting, reason: str) -> list[Measured]:
    """One entry for each comparison; with the group that is too small as far as it is known."""
    part = grouped.material.parts[0] if setting.task.kind == "dimensions" else ""
    support = int(grouped.sizes.min()) if len(grouped.names) else 0
    place = Place(grouped.attribute, "", part)
    minimum = setting.rules.minimum_per_group
    return [
        Measured(one, place, None, reason, support, minimum, notes=grouped.material.notes)
        for one in setting.task.comparison
    ]


def _untested(absent: tuple[str, ...], balanced: Grouped, setting: Setting) -> list[Measured]:
    reason = f"fewer than {setting.rules.minimum_per_class} items in one of the groups"
    return [
        Measured(one, Place(balanced.attribute, "", part), None, reason, 0, setting.rules.minimum_per_class)
        for one in setting.task.comparison
        if one.per == "class"
        for part in absent
    ]


def _dropped(parts: tuple[str, ...], tested: tuple[str, ...], rules: Rules) -> str:
    gone = [part for part in parts if part not in tested]
    return (
        f"classes with fewer than {rules.minimum_per_class} items in a group are left out: {', '.join(gone)}"
        if gone
        else ""
    )


def _pool(grouped: Grouped, setting: Setting) -> Pool:
    material = grouped.material
    limit = setting.rules.items_per_group
    return Pool(material.items, material.truth, grouped.codes, len(grouped.names), setting.options.seed, limit)
