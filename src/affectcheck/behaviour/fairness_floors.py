"""How large differences between groups are when groups are dealt out over clusters anew, with this very model."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

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


def floors_of(
    questions: Sequence[Question], judged: NDArray[np.bool_], material: Material, setting: Setting
) -> list[NoiseFloor | None]:
    """Noise floors of differences.

    The floors are simultaneous: a model that treats all groups alike stays within all of them at once with the
    probability that the options state as level.

    Args:
        questions: put to one tally of clusters by groups, with any further axes.
        judged: (K,) which of the differences are judged.
        material: the items.
        setting: number of deals, seed and level.

    Returns:
        A floor for each of the K places, None where there is none.
    """
    deals: list[NDArray[np.float64]] = []

    def sizes(dealt: Tally) -> NDArray[np.float64]:
        deals.append(np.concatenate([question.statistic(dealt) for question in questions], axis=-1))
        return np.abs(deals[-1])

    options = setting.options
    permuting = Permuting(options.resamples or DEALS, options.seed, options.level, material.unit)
    single = noise_floor(_by_group(questions[0].tally), sizes, permuting)
    joint = simultaneous(np.concatenate(deals), judged, options.level)
    floors: list[NoiseFloor | None] = []
    for index, bound in enumerate(joint.bounds.tolist()):
        floor = None if np.isnan(bound) else single.floor(index)
        method = f"{single.method}; over {joint.family} differences at once"
        floors.append(floor and replace(floor, quantile=bound, method=method))
    return floors


def _by_group(tally: Tally) -> Tally | Grouped[Any]:
    """Tallies by cluster and group; what lies within a group is dealt out with it."""
    if len(tally.shape) == 2:
        return tally
    held = items_of(tally)
    cluster, group = np.nonzero(held.reshape(*held.shape[:2], -1).sum(axis=-1) > 0)
    return Grouped(tally[cluster, group], cluster, group, tally.shape[1], tally.shape[0])
