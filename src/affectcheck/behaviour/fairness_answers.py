"""Differences between groups with their thresholds, noise floors and the smallest difference that would be found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from affectcheck.behaviour.fairness_floors import floors_of
from affectcheck.behaviour.thresholds import limits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Measured, Question, Setting
    from affectcheck.behaviour.thresholds import Limit
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
    floors = floors_of(questions, told, material, setting)
    return [
        one if one.value is None else replace(one, floor=floor) for one, floor in zip(measured, floors, strict=True)
    ]


def _limited(one: Measured, limit: Limit) -> Measured:
    """With its threshold; groups that cannot differ, and do not, are not compared."""
    if one.value is None:
        return one
    if limit.fixed and one.value == 0.0:
        return replace(one, value=None, reason="no random model differs between groups here, so nothing could show")
    return replace(one, threshold=limit.threshold, detectable=limit.detectable)
