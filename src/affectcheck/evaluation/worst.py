"""What is known of the worst group's score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from affectcheck.annotations.listing import plural
from affectcheck.evaluation.uncertain import Certainty
from affectcheck.metrics import METRICS, worst_group

if TYPE_CHECKING:
    from affectcheck.evaluation.disparity import Between
    from affectcheck.evaluation.uncertain import Uncertainty


def of_worst(uncertainty: Uncertainty, found: Between, part: int | None = None) -> Certainty:
    """Which group is worst, and how bad the worst of groups dealt out at random is.

    It was chosen by its value, so that resampling it as if it had been named before would promise too much: it has no
    interval. A metric without a direction has no worse end either, and so no noise floor.
    """
    base = METRICS.get(found.of.metric.base)
    place = int(worst_group(base, found.tally, part=part, convention=found.of.convention))
    items = int(np.rint(np.max(np.asarray(found.tally[place].support))))
    note = f"group {found.names[place]!r}, the worst of {len(found.kept)}: {plural(items, 'item')}"
    if base.higher_is_better is None:
        return Certainty(notes=(note,))
    floor = uncertainty.floor(found.of, found.attribute, found.kept, part)
    return Certainty(None, floor.floor, (note, *floor.notes))
