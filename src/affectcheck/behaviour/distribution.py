"""Distribution: are predictions distributed as the truth is, whatever item has which?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.behaviour.histograms import distance, edges_of, histogram_tally, outside_note
from affectcheck.behaviour.intervals import with_intervals
from affectcheck.behaviour.measured import Measured, Question, value_tally, values_of
from affectcheck.metrics.rules import ratio
from affectcheck.records import Place
from affectcheck.tallies import Confusion

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from affectcheck.behaviour.definition import Comparison
    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Setting
    from affectcheck.tallies import Tally


def measure_distribution(material: Material, setting: Setting) -> list[Measured]:
    """Share of each class, or mean and histogram of each dimension: predictions against the truth."""
    if setting.task.kind == "categories":
        return _classes(material.labelled(), setting)
    dimensions = (material.dimension(index).known() for index in range(len(material.parts)))
    return [found for one in dimensions for found in _values(one, setting)]


def _classes(material: Material, setting: Setting) -> list[Measured]:
    """Classes that are neither annotated nor predicted are not compared."""
    classes = len(material.parts)
    tally = Confusion.count(
        material.truth,
        material.prediction,
        labels=classes + material.others,
        cells=material.clusters,
        n_cells=material.n_clusters,
    )
    seen = np.isin(np.arange(classes), np.concatenate([material.truth, material.prediction]))
    kept = np.flatnonzero(seen)

    def differences(one: Any) -> NDArray[np.float64]:
        """Share among the predictions minus share among the truth, of the classes that are seen."""
        items = one.counts.sum(axis=(-2, -1))[..., None]
        predicted, true = one.counts.sum(axis=-2), one.counts.sum(axis=-1)
        return ratio((predicted - true)[..., kept], items)

    questions = [
        _question(comparison, tally, differences, [Place(part=material.parts[code]) for code in kept], setting)
        for comparison in setting.task.comparison
    ]
    questions = [replace(one, supports=(material.size,) * len(kept)) for one in questions]
    unseen = [
        Measured(comparison, Place(part=material.parts[code]), reason="neither annotated nor predicted")
        for comparison in setting.task.comparison
        for code in np.flatnonzero(~seen)
    ]
    return (with_intervals(questions, material, setting) if len(kept) else []) + unseen


def _values(material: Material, setting: Setting) -> list[Measured]:
    """One tally for the mean, another for the histogram: each metric is answered from its own."""
    found: list[Measured] = []
    edges = edges_of(setting.task.histogram_edges, setting.rules)
    for comparison in setting.task.comparison:
        noted, tally, statistic = material, _moments(material), _mean_difference(setting)
        if comparison.metric == "jsd":
            sides = material.truth, material.prediction
            tally, statistic = histogram_tally(*sides, edges, setting.rules, material.clusters), distance
            noted = material.noted(*outside_note(*sides, edges, setting.rules))
        question = _question(comparison, tally, statistic, [Place(part=material.parts[0])], setting)
        found += with_intervals([replace(question, supports=(material.size,))], noted, setting)
    return found


def _moments(material: Material) -> Tally:
    return value_tally(material, material.clusters, (material.n_clusters,))


def _mean_difference(setting: Setting) -> Callable[[Tally], NDArray[np.float64]]:
    """The mean of the predictions minus that of the truth is the mean directional error."""
    return lambda one: values_of("mde", one, 1, setting.rules)


def _question(
    comparison: Comparison,
    tally: Tally,
    statistic: Callable[[Tally], NDArray[np.float64]],
    places: list[Place],
    setting: Setting,
) -> Question:
    lacking = "no items" if comparison.metric != "jsd" else "truth or prediction has no value within the histogram"
    return Question(
        comparison,
        tally,
        statistic,
        tuple(places),
        (0,) * len(places),
        setting.rules.minimum_per_group,
        lambda: (lacking,) * len(places),
    )
