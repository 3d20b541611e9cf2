"""What a support can decide: intervals over clusters, noise floors, and thresholds for the real sizes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.uncertainty import Resampling, resample

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from affectcheck.behaviour.fairness import Grouped
    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Measured, Question, Setting
    from affectcheck.tallies import Tally


def with_intervals(question: Question, material: Material, setting: Setting) -> list[Measured]:
    """The answers to a question, with intervals over clusters where the mode wants them."""
    found = question.answers(material.notes)
    if not setting.judged or not setting.rules.intervals or not any(one.value is not None for one in found):
        return found
    options = setting.options
    resampling = Resampling(options.resamples, options.seed, options.level, unit=material.unit)
    axes = question.tally.shape[1:]

    def kept(tally: Tally) -> NDArray[Any]:
        # Intervals are given for statistics that keep every axis of the tally: one that compares along an axis
        # repeats its value there.
        values = question.statistic(tally)
        wide = values.reshape(*values.shape[:-1], *[1] * len(axes), values.shape[-1])
        return np.broadcast_to(wide, (*values.shape[:-1], *axes, values.shape[-1]))

    intervals = resample(question.tally, resampling).intervals(kept)
    first = (0,) * len(axes)
    bounded = []
    for index, one in enumerate(found):
        interval = None if one.value is None else intervals.interval(*first, index)
        lacking = f"no interval: {intervals.reason(*first, index)}; the value alone decides, for these items only"
        notes = one.notes if interval or one.value is None else (*one.notes, lacking)
        bounded.append(replace(one, interval=interval, notes=notes))
    return bounded


def with_floor(question: Question, grouped: Grouped, setting: Setting) -> list[Measured]:
    """The answers to a question about groups, with noise floor and simulated threshold where the mode wants them."""
    return question.answers(grouped.material.notes)
