"""Distribution: are predictions distributed as the truth is, whatever item has which?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

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

    _Answer: TypeAlias = tuple[Tally, Callable[[Any], NDArray[np.float64]]]


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

    places = [Place(part=material.parts[code]) for code in kept]
    questions = [
        _question(comparison, (tally, differences), places, material, setting) for comparison in setting.task.comparison
    ]
    unseen = [
        Measured(comparison, Place(part=material.parts[code]), reason="neither annotated nor predicted")
        for comparison in setting.task.comparison
        for code in np.flatnonzero(~seen)
    ]
    return (with_intervals(questions, material, setting) if len(kept) else []) + unseen


def _values(material: Material, setting: Setting) -> list[Measured]:
    """One tally for the mean, another for the histogram: each metric is answered from its own."""

    def difference(one: Tally) -> NDArray[np.float64]:
        """The mean of the predictions minus that of the truth is the mean directional error."""
        return values_of("mde", one, 1, setting.rules)

    found: list[Measured] = []
    edges = edges_of(setting.task.histogram_edges, setting.rules)
    sides, places = (material.truth, material.prediction), [Place(part=material.parts[0])]
    for comparison in setting.task.comparison:
        if comparison.metric == "jsd":
            answer: _Answer = histogram_tally(*sides, edges, setting.rules, material.clusters), distance
            noted = material.noted(*outside_note(*sides, edges, setting.rules))
        else:
            answer, noted = (value_tally(material, material.clusters, (material.n_clusters,)), difference), material
        found += with_intervals([_question(comparison, answer, places, material, setting)], noted, setting)
    return found


def _question(
    comparison: Comparison, answer: _Answer, places: list[Place], material: Material, setting: Setting
) -> Question:
    """Of all items, whatever the place; ``answer`` is a tally and the statistic that gives its values."""
    lacking = "no items" if comparison.metric != "jsd" else "truth or prediction has no value within the histogram"
    return Question(
        comparison,
        *answer,
        places=tuple(places),
        supports=(material.size,) * len(places),
        minimum=setting.rules.minimum_per_group,
        reasons=lambda: (lacking,) * len(places),
    )
