"""Group differences: metrics of each group against those of all groups together, on sets of equal truth.

A test of classes without ``[balance]`` takes all items, for what their frequencies do not move.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from affectcheck.behaviour.fairness_answers import against_all, answered, levels_of
from affectcheck.behaviour.fairness_balance import equal_classes
from affectcheck.behaviour.fairness_disparities import disparity
from affectcheck.behaviour.fairness_support import admit, minimum_of_bin, not_applicable, pool_of
from affectcheck.behaviour.fairness_units import compare_units
from affectcheck.behaviour.fairness_whole import compare_whole
from affectcheck.behaviour.groups import Grouped, too_few
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
from affectcheck.behaviour.thresholds import drawn_differences, simulation_of
from affectcheck.behaviour.units import known
from affectcheck.evaluation.balance import balance_values
from affectcheck.records import Place
from affectcheck.uncertainty import bin_shares, draw_categories, draw_values

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from affectcheck.behaviour.definition import Comparison, Rules
    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Setting
    from affectcheck.tallies import Tally


def measure_differences(material: Material, attribute: str, setting: Setting) -> list[Measured]:
    """Differences of every group to all groups together, for each class or dimension."""
    if setting.task.kind == "categories":
        return _classes(Grouped.of(material.labelled(), attribute), setting)
    if setting.task.kind == "units":
        return _units(Grouped.of(material.take(known(material)), attribute), setting)
    found: list[Measured] = []
    for index in range(len(material.parts)):
        found += _values(Grouped.of(material.dimension(index).known(), attribute), setting)
    return found


def _classes(whole: Grouped, setting: Setting) -> list[Measured]:
    admitted = admit(whole, setting)
    grouped, rules = admitted.grouped, setting.rules
    if admitted.reason:
        return not_applicable(grouped, setting, admitted.reason) + admitted.untold(setting)
    if setting.definition.balance is None:
        return compare_whole(grouped, setting) + admitted.untold(setting)
    material, parts = grouped.material, grouped.material.parts
    enough = grouped.counts(material.truth, len(parts)).min(axis=0) >= rules.minimum_per_class
    tested = tuple(part for part, keep in zip(parts, enough, strict=True) if keep)
    if len(tested) < 2:
        least = rules.minimum_per_class
        return not_applicable(grouped, setting, f"fewer than two classes have {least} items in every group")
    left = replace(grouped, material=material.only(tested))
    left = left.take(left.material.truth >= 0, _dropped(parts, tested, rules))
    balanced = left.take(equal_classes(pool_of(left, setting), len(tested)))
    reason = too_few(balanced, rules)
    if reason:
        return not_applicable(balanced, setting, f"after balancing by class, {reason}")
    absent = tuple(part for part in parts if part not in tested)
    return _compare_classes(balanced, setting) + _untested(absent, balanced, setting) + admitted.untold(setting)


def _units(whole: Grouped, setting: Setting) -> list[Measured]:
    admitted = admit(whole, setting)
    if admitted.reason:
        return not_applicable(admitted.grouped, setting, admitted.reason) + admitted.untold(setting)
    return compare_units(admitted.grouped, setting) + admitted.untold(setting)


def _values(whole: Grouped, setting: Setting) -> list[Measured]:
    dimension = whole.material.parts[0]
    admitted = admit(whole, setting)
    if admitted.reason:
        left = admitted.untold(setting, dimension)
        return not_applicable(admitted.grouped, setting, admitted.reason, dimension) + left
    balanced = admitted.grouped.take(balance_values(pool_of(admitted.grouped, setting)))
    found = _compare_values(balanced, setting) + _compare_bins(balanced, setting)
    return found + admitted.untold(setting, dimension)


def _compare_classes(balanced: Grouped, setting: Setting) -> list[Measured]:
    material, n_groups = balanced.material, len(balanced.names)
    cells = material.clusters * n_groups + balanced.codes
    tally = class_tally(material, setting.rules, cells, (material.n_clusters, n_groups))
    counts = balanced.counts(material.truth, len(material.parts))
    questions = []
    for comparison in setting.task.comparison:
        if comparison.per == "attribute":
            questions.append(disparity(comparison, tally, balanced))
            continue
        by_class = comparison.per == "class"
        question = _difference(comparison, tally, balanced, setting, material.parts if by_class else ("",))
        supports = counts.ravel() if by_class else balanced.sizes
        questions.append(replace(question, supports=tuple(supports.tolist())))

    def null() -> list[NDArray[np.float64]]:
        return drawn_differences(questions, draw_categories(counts, options=simulation_of(setting)))

    return answered(questions, material, setting, null)


def _compare_values(balanced: Grouped, setting: Setting) -> list[Measured]:
    material, n_groups = balanced.material, len(balanced.names)
    tally = value_tally(material, material.clusters * n_groups + balanced.codes, (material.n_clusters, n_groups))
    sizes, dimension = balanced.sizes.tolist(), material.parts[0]
    questions = [
        replace(_difference(one, tally, balanced, setting, (dimension,)), supports=tuple(sizes))
        for one in setting.task.comparison
        if one.per == "set"
    ]
    locals_ = [one for one in setting.task.comparison if one.per == "attribute"]
    questions += [disparity(one, tally, balanced, dimension) for one in locals_]

    def null() -> list[NDArray[np.float64]]:
        truth = [material.truth[balanced.codes == g] for g in range(n_groups)]
        return drawn_differences(questions, draw_values(sizes, truth=truth, options=simulation_of(setting)))

    return answered(questions, material, setting, null)


def _compare_bins(balanced: Grouped, setting: Setting) -> list[Measured]:
    """A bin takes enough true values in the group, and so has enough in all groups together."""
    material, n_groups, edges = balanced.material, len(balanced.names), setting.task.bin_edges
    cells = material.clusters * n_groups + balanced.codes
    binned = bin_tally(material, edges, cells, (material.n_clusters, n_groups))
    counts = balanced.counts(bins_of(material.truth, edges), len(edges) + 1)
    parts = tuple(f"{material.parts[0]} {name}" for name in bin_names(edges))
    minimum = max(1, minimum_of_bin(setting.rules, int(balanced.sizes.min())))
    supports = tuple(counts.ravel().tolist())
    questions = [
        replace(_difference(one, binned, balanced, setting, parts), supports=supports, minimum=minimum)
        for one in setting.task.comparison
        if one.per == "bin"
    ]

    def null() -> list[NDArray[np.float64]]:
        options = simulation_of(setting)
        shares = bin_shares(tuple(edges), options)
        return drawn_differences(questions, draw_categories(counts, prediction=shares, options=options))

    return answered(questions, material, setting, null)


def _difference(
    comparison: Comparison, tally: Tally, balanced: Grouped, setting: Setting, parts: tuple[str, ...]
) -> Question:
    """A metric of each group minus that of all groups together."""
    places = tuple(Place(balanced.attribute, group, part) for group in balanced.names for part in parts)
    metric = comparison.metric

    def value(one: Tally) -> NDArray[np.float64]:
        return values_of(metric, one, len(parts), setting.rules)

    def reasons() -> tuple[str, ...]:
        pooled = tally.pooled(0)
        of_groups = [reasons_of(metric, pooled[g], parts) for g in range(len(balanced.names))]
        together = reasons_of(metric, pooled.pooled(-1), parts)
        return tuple(why or of_all for group in of_groups for why, of_all in zip(group, together, strict=True))

    levels = levels_of(tally, value)
    return Question(comparison, tally, lambda one: against_all(one, value), places, (), 1, reasons, levels=levels)


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
