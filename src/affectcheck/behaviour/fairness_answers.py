"""Differences between groups with their thresholds, noise floors and the smallest difference that would be found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.behaviour.detectable import found_beyond
from affectcheck.behaviour.fairness_floors import floors_of, level_of
from affectcheck.behaviour.thresholds import limits
from affectcheck.records import Threshold

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Measured, Question, Setting
    from affectcheck.behaviour.thresholds import Limit
    from affectcheck.records import NoiseFloor
    from affectcheck.tallies import Tally

    Null = Callable[[], Sequence[NDArray[np.float64]]]


def against_all(tally: Tally, value: Callable[[Tally], NDArray[np.float64]]) -> NDArray[np.float64]:
    """(..., G x P) a value of each group minus that of all groups together (the group among them).

    Args:
        tally: (..., G), the groups on the last leading axis.
        value: tally to (..., P).
    """
    groups, together = value(tally), value(tally.pooled(-1))
    return np.asarray((groups - together[..., None, :]).reshape(*groups.shape[:-2], -1))


def levels_of(tally: Tally, value: Callable[[Tally], NDArray[np.float64]]) -> tuple[float, ...]:
    """For each group and part, the value of all groups together; as ``against_all`` of clusters (S, G) otherwise."""
    return tuple(np.tile(value(tally.pooled(0).pooled(-1)), tally.shape[1]).tolist())


def answered(questions: Sequence[Question], material: Material, setting: Setting, null: Null) -> list[Measured]:
    """Answers to questions about one tally of clusters by groups.

    Args:
        questions: what is asked.
        material: the items.
        setting: rules of the mode, and whether the answers are judged.
        null: for each question what random models show, (R, K); asked only where it is needed.
    """
    answers = [question.answers(material.notes) for question in questions]
    measured = [one for answer in answers for one in answer]
    judged = [np.array([one.value is not None for one in answer]) for answer in answers]
    if not setting.judged or not np.concatenate([*judged, np.zeros(1, bool)]).any():
        return measured
    bounds = [
        limit
        for question, rows, drawn in zip(questions, judged, null(), strict=True)
        for limit in limits(drawn, rows, question.comparison, setting.rules)
    ]
    measured = [_limited(one, limit) for one, limit in zip(measured, bounds, strict=True)]
    told = np.array([one.value is not None for one in measured])
    if not setting.rules.intervals or not told.any():
        return measured
    floors, spread = floors_of(questions, told, material, setting)
    limited = [one.threshold.value if one.threshold else one.comparison.limit for one in measured]
    beyond = _beyond(questions, floors, spread, limited)
    return [_floored(*each) for each in zip(measured, floors, beyond, strict=True)]


def answered_by_dealing(questions: Sequence[Question], material: Material, setting: Setting) -> list[Measured]:
    """Answers whose thresholds are what groups show that are dealt out at random over clusters.

    No model that guesses stands for them: what is compared hangs on how often this model's predictions change at all.
    """
    measured = [one for question in questions for one in question.answers(material.notes)]
    told = np.array([one.value is not None for one in measured], bool)
    if not setting.judged or not told.any():
        return measured
    floors, spread = floors_of(questions, told, material, setting)
    level = level_of(setting)
    beyond = _beyond(questions, floors, spread, [0.0] * len(measured))
    return [_dealt(*each, level) for each in zip(measured, floors, beyond, strict=True)]


def _beyond(
    questions: Sequence[Question],
    floors: Sequence[NoiseFloor | None],
    spread: NDArray[np.float64],
    limited: Sequence[float],
) -> list[float | None]:
    """The smallest difference that would be found at each place of all questions."""
    places = [(question, index) for question in questions for index in range(len(question.places))]
    return [
        found_beyond(*place, floor, *bounds)
        for place, floor, *bounds in zip(places, floors, spread.tolist(), limited, strict=True)
    ]


def _dealt(one: Measured, floor: NoiseFloor | None, beyond: float | None, level: float) -> Measured:
    if one.value is None:
        return one
    if floor is None:
        return replace(one, value=None, reason="too few clusters to deal groups out over")
    if floor.quantile == 0.0 and one.value == 0.0:
        return replace(one, value=None, reason="nothing changes in any group, so nothing could show")
    limit, source = one.comparison.limit, one.comparison.source
    told = f"{level:.4g} quantile, {floor.method}; stated limit {limit:g} ({source})"
    return replace(one, threshold=Threshold(floor.quantile, one.comparison.rule, told), detectable=beyond)


def _floored(one: Measured, floor: NoiseFloor | None, beyond: float | None) -> Measured:
    """With its noise floor, which a difference must exceed as well before it is found."""
    if one.value is None or floor is None:
        return one
    return replace(one, floor=floor, detectable=None if one.detectable is None else beyond)


def _limited(one: Measured, limit: Limit) -> Measured:
    """With its threshold; groups that cannot differ, and do not, are not compared."""
    if one.value is None:
        return one
    if limit.fixed and one.value == 0.0:
        return replace(one, value=None, reason="no random model differs between groups here, so nothing could show")
    return replace(one, threshold=limit.threshold, detectable=limit.detectable)
