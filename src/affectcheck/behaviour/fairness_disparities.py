"""One number for all groups of an attribute: the distances between groups and the local scores of paper 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.behaviour.measured import Question
from affectcheck.metrics import METRICS
from affectcheck.records import Place
from affectcheck.tallies import Confusion

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from affectcheck.behaviour.definition import Comparison
    from affectcheck.behaviour.groups import Grouped
    from affectcheck.behaviour.totals import Totals
    from affectcheck.tallies import Tally

#: Local scores, which are judged by what they are less than the score of all items together.
LOCAL: Final[Mapping[str, str]] = {"local_f1": "f1_macro", "unit_local_f1": "unit_f1", "local_ccc": "ccc"}


def disparity(comparison: Comparison, tally: Tally, grouped: Grouped, part: str = "") -> Question:
    """A distance between groups, or a local score minus the score of all items.

    Args:
        comparison: one that is taken per attribute.
        tally: (clusters, G), counts of categories or units, or moments of one dimension.
        grouped: the items.
        part: the dimension.
    """
    metric = comparison.metric

    def value(one: Tally) -> NDArray[np.float64]:
        found = METRICS.get(metric).compute(one, convention="paper")
        if metric in LOCAL:
            found = found - METRICS.get(LOCAL[metric]).compute(one.pooled(-1), convention="paper")
        return np.asarray(found)[..., None]

    def reasons() -> tuple[str, ...]:
        return (METRICS.get(metric).reason(tally.pooled(0), grouped.material.parts, grouped.names),)

    place = Place(grouped.attribute, "", part)
    unsigned = metric not in LOCAL
    return Question(comparison, tally, value, (place,), (grouped.material.size,), 1, reasons, unsigned)


def selection_of_totals(tally: Any) -> NDArray[np.float64]:
    """(..., 1) demographic parity difference of what is predicted, where no truth is known (paper 1, Eq. 6).

    Args:
        tally: Totals (..., G) of units.
    """
    shares = tally.means()
    return np.asarray((shares.max(axis=-2) - shares.min(axis=-2)).mean(axis=-1, keepdims=True))


def parity_of_totals(tally: Any) -> NDArray[np.float64]:
    """(..., 1) statistical parity of what is predicted, where no truth is known.

    Args:
        tally: Totals (..., G) of classes.
    """
    totals: Totals = tally
    classes = totals.sums.shape[-1]
    counts = np.zeros((*totals.sums.shape, classes), totals.sums.dtype)
    counts[..., 0, :] = totals.sums  # truth plays no part, so that any row will do
    found = METRICS.get("sp").compute(Confusion(counts, np.zeros(counts.shape[:-1], np.int64)), convention="paper")
    return np.asarray(found)[..., None]
