"""What a support can decide: intervals over clusters."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.uncertainty import Resampling, resample

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Measured, Question, Setting
    from affectcheck.tallies import Tally


def with_intervals(questions: Sequence[Question], material: Material, setting: Setting) -> list[Measured]:
    """The answers to questions put to one tally, with intervals over clusters where the mode wants them."""
    found = [one for question in questions for one in question.answers(material.notes)]
    if not setting.judged or not setting.rules.intervals or all(one.value is None for one in found):
        return found
    options = setting.options
    if not options.resamples:
        return [one if one.value is None else _alone(one, "none was asked for") for one in found]
    tally = questions[0].tally
    axes = tally.shape[1:]

    def kept(resampled: Tally) -> NDArray[Any]:
        # Intervals are given for statistics that keep every axis of the tally: one that compares along an axis
        # repeats its value there.
        values = _side_by_side(questions, resampled)
        wide = values.reshape(*values.shape[:-1], *[1] * len(axes), values.shape[-1])
        return np.broadcast_to(wide, (*values.shape[:-1], *axes, values.shape[-1]))

    resampling = Resampling(options.resamples, options.seed, options.level, unit=material.unit)
    intervals = resample(tally, resampling).intervals(kept)
    first = (0,) * len(axes)
    bounded = []
    for index, one in enumerate(found):
        if one.value is None:
            bounded.append(one)
            continue
        lacking = intervals.reason(*first, index)
        bounded.append(replace(_alone(one, lacking), interval=intervals.interval(*first, index)))
    return bounded


def _alone(one: Measured, lacking: str) -> Measured:
    """With a note where there is no interval."""
    note = f"no interval: {lacking}; the value alone decides, for these items only"
    return replace(one, notes=(*one.notes, note)) if lacking else one


def _side_by_side(questions: Sequence[Question], tally: Tally) -> NDArray[np.float64]:
    """The values of all questions along the last axis."""
    return np.concatenate([question.statistic(tally) for question in questions], axis=-1)
