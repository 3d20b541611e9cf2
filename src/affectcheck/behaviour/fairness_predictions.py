"""Group predictions: what is predicted for each group against what is predicted for all, without any labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.behaviour.fairness_answers import against_all
from affectcheck.behaviour.fairness_balance import first_of_each
from affectcheck.behaviour.fairness_support import admit, not_applicable, pool_of
from affectcheck.behaviour.fairness_unlabelled import Cells, UnlabelledComparisons
from affectcheck.behaviour.groups import Grouped

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Measured, Setting


def measure_predictions(material: Material, attribute: str, setting: Setting) -> list[Measured]:
    """Differences of the predictions of every group to those of all groups together."""
    admitted = admit(Grouped.of(material, attribute), setting)
    kind = setting.task.kind
    parts = material.parts if kind == "dimensions" else ("",)
    if admitted.reason:
        return [
            one
            for part in parts
            for one in (
                *not_applicable(admitted.grouped, setting, admitted.reason, part),
                *admitted.untold(setting, part),
            )
        ]
    grouped = admitted.grouped.take(first_of_each(pool_of(admitted.grouped, setting)))
    comparisons = UnlabelledComparisons(Cells(grouped, grouped.codes, grouped.sizes, _to_all), setting)
    if kind != "dimensions":
        found = comparisons.classes() if kind == "categories" else comparisons.units()
        return found + admitted.untold(setting)
    found = []
    for index, part in enumerate(parts):
        found += comparisons.dimension(index) + admitted.untold(setting, part)
    return found


def _to_all(tally: Any, parts: int) -> NDArray[np.float64]:
    return against_all(tally, lambda one: np.asarray(one.means(parts)))  # type: ignore[attr-defined]  # totals
