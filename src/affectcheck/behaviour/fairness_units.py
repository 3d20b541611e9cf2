"""Group differences in action units: recall of each, and the distances between groups of paper 1.

Shares and F1 hang on how often a unit occurs; so each group is given the frequencies of all groups by weights, which
leaves no item out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.behaviour.fairness_answers import against_all, answered, levels_of
from affectcheck.behaviour.fairness_disparities import LOCAL
from affectcheck.behaviour.measured import Question
from affectcheck.behaviour.thresholds import drawn_differences, simulation_of
from affectcheck.behaviour.units import drawn_units, unit_tally, with_equal_truth
from affectcheck.metrics import METRICS
from affectcheck.records import Place
from affectcheck.tallies import Units

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from affectcheck.behaviour.definition import Comparison
    from affectcheck.behaviour.groups import Grouped
    from affectcheck.behaviour.measured import Measured, Setting
    from affectcheck.tallies import Tally

    Floats = NDArray[np.float64]

#: Distances that take groups of equal truth; those of recall take any.
_EQUAL: Final = ("dpd", "unit_local_f1")


def compare_units(grouped: Grouped, setting: Setting) -> list[Measured]:
    """Recall of each unit in every group minus that of all groups, and distances between groups.

    A unit counts in a group in which it is present often enough; in distances, where it is in every group, and absent
    as often.

    Args:
        grouped: items of the groups that are compared, of which some unit is annotated.
        setting: test, task, rules and options.
    """
    material, n_groups, least = grouped.material, len(grouped.names), max(1, setting.rules.minimum_per_class)
    cells = material.clusters * n_groups + grouped.codes
    tally = unit_tally(material, cells, (material.n_clusters, n_groups))
    counts = np.asarray(tally.pooled(0).counts.sum(axis=-1), np.int64)
    common = np.flatnonzero((counts >= least).all(axis=(0, 2)))
    questions = []
    for comparison in setting.task.comparison:
        if comparison.per == "attribute":
            questions.append(_distance(comparison, tally, grouped, common))
        else:
            present = tuple(counts[..., 1].ravel().tolist())
            questions.append(_recall(comparison, tally, grouped, (present, least)))

    def null() -> list[Floats]:
        return drawn_differences(questions, drawn_units(counts, simulation_of(setting)))

    return answered(questions, material, setting, null)


def _recall(comparison: Comparison, tally: Units, grouped: Grouped, supported: tuple[tuple[int, ...], int]) -> Question:
    """``supported``: items of each group in which each unit is present, and how many that takes."""
    places = tuple(Place(grouped.attribute, group, unit) for group in grouped.names for unit in grouped.material.parts)
    compute = METRICS.get(comparison.metric).compute

    def value(one: Tally) -> Floats:
        return np.asarray(compute(one, convention="paper"))

    unsupported = ("",) * len(places)  # every value that has its support is defined
    found = Question(comparison, tally, lambda one: against_all(one, value), places, *supported, lambda: unsupported)
    return replace(found, levels=levels_of(tally, value))


def _distance(comparison: Comparison, tally: Units, grouped: Grouped, common: NDArray[np.int64]) -> Question:
    metric = comparison.metric

    def value(one: Any) -> Floats:
        kept = Units(one.counts[..., common, :, :], one.unknown[..., common])
        weighted = with_equal_truth(kept) if metric in _EQUAL else kept
        found = np.asarray(METRICS.get(metric).compute(weighted, convention="paper"))
        if metric in LOCAL:
            found = found - METRICS.get(LOCAL[metric]).compute(weighted.pooled(-1), convention="paper")
        return found[..., None] if len(common) else np.full((*one.shape[:-1], 1), np.nan)

    place, size = (Place(grouped.attribute),), (grouped.material.size,)
    lacking = ("no unit is present and absent often enough in every group",)
    return Question(comparison, tally, value, place, size, 1, lambda: lacking, unsigned=metric not in LOCAL)
