"""Group differences on all items, without sets of equal truth: for what the frequency of the classes does not move.

The recall of a class does not hang on how many items of it there are, so that no item needs to be left out; precision
and shares do, and are compared on sets of equal truth.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.behaviour.fairness_answers import against_all, answered, levels_of
from affectcheck.behaviour.fairness_disparities import disparity
from affectcheck.behaviour.measured import Question, by_part, class_tally
from affectcheck.behaviour.thresholds import drawn_differences, simulation_of
from affectcheck.records import Place
from affectcheck.uncertainty import draw_categories

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from affectcheck.behaviour.definition import Comparison
    from affectcheck.behaviour.groups import Grouped
    from affectcheck.behaviour.measured import Measured, Setting
    from affectcheck.tallies import Tally


def compare_whole(grouped: Grouped, setting: Setting) -> list[Measured]:
    """Recall of each class and their mean in every group minus that of all groups, and distances between groups.

    A class counts in a group that has enough items of it, and in the mean where every group has.

    Args:
        grouped: labelled items of the groups that are compared.
        setting: test, task, rules and options.
    """
    material, n_groups, least = grouped.material, len(grouped.names), setting.rules.minimum_per_class
    counts = grouped.counts(material.truth, len(material.parts))
    cells = material.clusters * n_groups + grouped.codes
    tally = class_tally(material, setting.rules, cells, (material.n_clusters, n_groups))
    common = np.flatnonzero(counts.min(axis=0) >= least)
    questions = []
    for comparison in setting.task.comparison:
        if comparison.per == "attribute":
            questions.append(disparity(comparison, tally, grouped))
        elif comparison.per == "class":
            supports = tuple(counts.ravel().tolist())
            question = _recalls(comparison, tally, grouped, np.arange(len(material.parts)))
            questions.append(replace(question, supports=supports, minimum=max(1, least)))
        else:
            questions.append(_mean_recall(comparison, tally, grouped, common))

    def null() -> list[NDArray[np.float64]]:
        return drawn_differences(questions, draw_categories(counts, options=simulation_of(setting)))

    noted = _noted(grouped, common, least)
    return answered(questions, noted.material, setting, null)


def _recalls(comparison: Comparison, tally: Tally, grouped: Grouped, parts: NDArray[np.int64]) -> Question:
    names = grouped.material.parts
    places = tuple(Place(grouped.attribute, group, names[code]) for group in grouped.names for code in parts)

    def value(one: Tally) -> NDArray[np.float64]:
        return by_part(comparison.metric, one)[..., parts]

    unsupported = ("",) * len(places)  # every value that has its support is defined
    found = Question(comparison, tally, lambda one: against_all(one, value), places, (), 1, lambda: unsupported)
    return replace(found, levels=levels_of(tally, value))


def _mean_recall(comparison: Comparison, tally: Tally, grouped: Grouped, common: NDArray[np.int64]) -> Question:
    """The mean over the classes that every group has enough of; undefined where there are fewer than two."""

    def value(one: Tally) -> NDArray[np.float64]:
        recalls = by_part("recall", one)[..., common]
        return recalls.mean(axis=-1, keepdims=True) if len(common) > 1 else np.full((*recalls.shape[:-1], 1), np.nan)

    places = tuple(Place(grouped.attribute, group) for group in grouped.names)
    supports = tuple(grouped.sizes.tolist())
    lacking = ("fewer than two classes have enough items in every group",) * len(places)
    found = Question(comparison, tally, lambda one: against_all(one, value), places, supports, 1, lambda: lacking)
    return replace(found, levels=levels_of(tally, value))


def _noted(grouped: Grouped, common: NDArray[np.int64], least: int) -> Grouped:
    """With the classes that are in no mean."""
    absent = [part for code, part in enumerate(grouped.material.parts) if code not in common]
    told = (
        f"classes of which a group has fewer than {least} items are in no mean: {', '.join(absent)}" if absent else ""
    )
    return replace(grouped, material=grouped.material.noted(told))
