"""Correctness tests: does the model recognise the classes, do its values agree with the annotated ones?

Classification and regression are measured here; consistency, distribution, speakers and temporal behaviour each in a
module of their own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.behaviour.consistency import measure_consistency
from affectcheck.behaviour.distribution import measure_distribution
from affectcheck.behaviour.intervals import with_intervals
from affectcheck.behaviour.measured import Measured, Question, class_tally, reasons_of, value_tally, values_of
from affectcheck.behaviour.speaker_average import measure_speaker_average
from affectcheck.behaviour.speaker_ranking import measure_speaker_ranking
from affectcheck.behaviour.temporal import measure_temporal
from affectcheck.behaviour.units import as_values, known, unit_tally
from affectcheck.records import Place

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.behaviour.definition import Comparison
    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Setting
    from affectcheck.tallies import Tally


def measure_correctness(material: Material, setting: Setting) -> list[Measured]:
    """Values of every comparison of a correctness test.

    Args:
        material: truth and prediction; for consistency, codes of the annotated classes and values of the dimensions.
        setting: test, task, rules and options.
    """
    kind = setting.definition.kind
    if setting.task.kind == "units" and kind in _AVERAGED:
        material = as_values(material)
    return _KINDS.get(kind, _measure)(material, setting)


def _measure(material: Material, setting: Setting) -> list[Measured]:
    """Classification or regression, by what is predicted."""
    if setting.task.kind == "categories":
        return _classes(material.labelled(), setting)
    if setting.task.kind == "units":
        return _units(material.without(~known(material), "items of which no tested unit is annotated"), setting)
    dimensions = (material.dimension(index).known() for index in range(len(material.parts)))
    return [found for one in dimensions for found in _values(one, setting)]


def _classes(material: Material, setting: Setting) -> list[Measured]:
    supports = np.bincount(material.truth, minlength=len(material.parts)).tolist()
    present = tuple(part for part, n in zip(material.parts, supports, strict=True) if n)
    absent = tuple(part for part in material.parts if part not in present)
    tested = material.only(present)
    tally = class_tally(tested, setting.rules, tested.clusters, (tested.n_clusters,))
    questions = []
    for comparison in setting.task.comparison:
        question = _question(comparison, tally, tested, setting)
        if comparison.per == "class":
            places = tuple(Place(part=part) for part in present)
            numbers = tuple(n for n in supports if n)
            question = replace(question, places=places, supports=numbers, minimum=setting.rules.minimum_per_class)
        questions.append(question)
    untested = [
        Measured(comparison, Place(part=part), reason="no items of this class")
        for comparison in setting.task.comparison
        if comparison.per == "class"
        for part in absent
    ]
    return with_intervals(questions, tested, setting) + untested


def _units(material: Material, setting: Setting) -> list[Measured]:
    """A unit counts by the items in which it is present; what is unknown of it is left out of it alone."""
    tally = unit_tally(material, material.clusters, (material.n_clusters,))
    present = tuple(np.sum(material.truth == 1, axis=0).tolist())
    questions = []
    for comparison in setting.task.comparison:
        question = _question(comparison, tally, material, setting)
        if comparison.per == "unit":
            places = tuple(Place(part=part) for part in material.parts)
            question = replace(question, places=places, supports=present, minimum=setting.rules.minimum_per_class)
        questions.append(question)
    return with_intervals(questions, material, setting)


def _values(material: Material, setting: Setting) -> list[Measured]:
    tally = value_tally(material, material.clusters, (material.n_clusters,))
    questions = [_question(comparison, tally, material, setting) for comparison in setting.task.comparison]
    place = Place(part=material.parts[0])
    return with_intervals([replace(question, places=(place,)) for question in questions], material, setting)


def _question(comparison: Comparison, tally: Tally, material: Material, setting: Setting) -> Question:
    """The metric of all items; undefined values are explained by the metric itself."""
    parts = len(material.parts)
    return Question(
        comparison,
        tally,
        statistic=lambda one: values_of(comparison.metric, one, parts, setting.rules),
        places=(Place(),),
        supports=(material.size,),
        minimum=setting.rules.minimum_per_group,
        reasons=lambda: reasons_of(comparison.metric, tally.pooled(0), material.parts),
    )


#: Kinds that take a unit for a dimension of 0 and 1: means of it are shares.
_AVERAGED: Final = frozenset({"distribution", "speaker average", "speaker ranking", "temporal behaviour"})
_KINDS: Final[dict[str, Callable[[Material, Setting], list[Measured]]]] = {
    "consistency": measure_consistency,
    "distribution": measure_distribution,
    "speaker average": measure_speaker_average,
    "speaker ranking": measure_speaker_ranking,
    "temporal behaviour": measure_temporal,
}
