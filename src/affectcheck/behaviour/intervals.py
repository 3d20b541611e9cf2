"""What a support can decide: intervals over clusters, and the noise floor of groups dealt out at random."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.records import NoiseFloor
from affectcheck.uncertainty import Permuting, Resampling, noise_floor, resample

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
        notes = (f"no interval: {lacking}; the value alone decides, for these items only",) if lacking else ()
        bounded.append(replace(one, interval=intervals.interval(*first, index), notes=(*one.notes, *notes)))
    return bounded


def floors_of(
    questions: Sequence[Question], scales: NDArray[np.float64], material: Material, setting: Setting
) -> list[NoiseFloor | None]:
    """How large the differences are when groups are dealt out over clusters anew, with this very model.

    Of every deal the largest difference is kept, in units of its scale, so that a model that treats all groups alike
    stays within all floors of the questions at once with the probability that the options state.

    Args:
        questions: put to one tally of clusters by groups.
        scales: (K,) unit of each difference; 0 where it is not judged.
        material: the items.
        setting: number of deals, seed and level.

    Returns:
        A floor for each of the K places, None where there is none.
    """
    judged = scales > 0
    units = np.where(judged, scales, 1.0)

    def largest(dealt: Tally) -> NDArray[np.float64]:
        sizes = np.abs(_side_by_side(questions, dealt)) / units
        return np.asarray(np.where(judged & ~np.isnan(sizes), sizes, 0.0).max(axis=-1))

    options = setting.options
    permuting = Permuting(options.resamples, options.seed, options.level, material.unit)
    floor = noise_floor(questions[0].tally, largest, permuting).floor()
    if floor is None:
        return [None] * len(scales)
    method = f"{floor.method}; over {int(judged.sum())} differences at once"
    return [
        NoiseFloor(floor.mean * scale, floor.quantile * scale, floor.draws, method) if scale else None
        for scale in scales.tolist()
    ]


def _side_by_side(questions: Sequence[Question], tally: Tally) -> NDArray[np.float64]:
    """The values of all questions along the last axis."""
    return np.concatenate([question.statistic(tally) for question in questions], axis=-1)
