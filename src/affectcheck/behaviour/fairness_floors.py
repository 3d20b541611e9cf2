"""How large differences between groups are when groups are dealt out over clusters anew, with this very model."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.behaviour.fairness_sizes import sized
from affectcheck.behaviour.simultaneous import simultaneous
from affectcheck.uncertainty import Grouped, Permuting, items_of, noise_floor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Question, Setting
    from affectcheck.records import NoiseFloor
    from affectcheck.tallies import Tally

#: Deals where no intervals are asked for: without a floor, every chance difference beyond a threshold would fail.
DEALS: Final = 1000
#: Deals beyond a floor, at least, where the error is shared: fewer would leave the floor to one of them.
TAIL: Final = 3


def floors_of(
    questions: Sequence[Question], judged: NDArray[np.bool_], material: Material, setting: Setting
) -> tuple[list[NoiseFloor | None], NDArray[np.float64]]:
    """Noise floors of differences.

    The floors are simultaneous: a model that treats all groups alike stays within all of them at once with the
    probability that the options state as level.

    Args:
        questions: put to one tally of clusters by groups, with any further axes.
        judged: (K,) which of the differences are judged.
        material: the items.
        setting: number of deals, seed and level; families of differences that share the error share it evenly.

    Returns:
        A floor for each of the K places, None where there is none; and the spread of each difference over the deals.
    """
    deals: list[NDArray[np.float64]] = []
    resized = sized(questions[0].tally.pooled(0), setting)

    def sizes(dealt: Tally) -> NDArray[np.float64]:
        at_size = resized(dealt)
        deals.append(np.concatenate([question.statistic(at_size) for question in questions], axis=-1))
        return np.abs(deals[-1])

    options = setting.options
    level = level_of(setting)
    number = max(options.resamples or DEALS, math.ceil(TAIL / (1.0 - level)) if setting.families > 1 else 0)
    permuting = Permuting(number, options.seed, level, material.unit)
    single = noise_floor(_by_group(questions[0].tally), sizes, permuting)
    unsigned = [question.unsigned for question in questions for _ in question.places]
    drawn = np.concatenate(deals)
    # The real groups are one deal more: counted among them, a shared error as small as this is kept exactly.
    kept = min(1.0, level * (len(drawn) + 1) / len(drawn)) if setting.families > 1 else level
    joint = simultaneous(drawn, judged, kept, np.array(unsigned, bool))
    shared = f", of {setting.families} families that share the error" if setting.families > 1 else ""
    floors: list[NoiseFloor | None] = []
    for index, bound in enumerate(joint.bounds.tolist()):
        floor = None if np.isnan(bound) else single.floor(index)
        method = f"{single.method}; over {joint.family} differences at once{shared}"
        floors.append(floor and replace(floor, quantile=bound, method=method))
    return floors, joint.spread


def level_of(setting: Setting) -> float:
    """Probability that all differences of one family are kept: where families share the error, each has its part."""
    return 1.0 - (1.0 - setting.options.level) / setting.families


def _by_group(tally: Tally) -> Tally | Grouped[Any]:
    """Tallies by cluster and group; what lies within a group is dealt out with it."""
    if len(tally.shape) == 2:
        return tally
    held = items_of(tally)
    cluster, group = np.nonzero(held.reshape(*held.shape[:2], -1).sum(axis=-1) > 0)
    return Grouped(tally[cluster, group], cluster, group, tally.shape[1], tally.shape[0])
