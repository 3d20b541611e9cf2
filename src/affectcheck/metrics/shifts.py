"""Shifts: how each group of an attribute differs from all groups together (paper 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from affectcheck.metrics.metric import Metric
    from affectcheck.tallies import Tally


def to_combined(
    metric: Metric, tally: Tally, *, per_part: bool = False, convention: str = "paper", undefined: str = ""
) -> NDArray[np.float64]:
    r"""Value of a metric M in each group minus its value over the combined set of all groups.

    $$\Delta_M(g) = M(g) - M(\textstyle\bigcup_{g'} g')$$

    The group is part of the combined set, as in paper 2: the larger it is, the nearer the two are bound to be, so that
    of two groups the smaller shows the larger shift. Whether the combined set is all items or a balanced draw of them
    is decided by who makes the tallies.

    Range: minus to plus the width of M's range; 0 where the group scores as all together do. Positive where the group
    scores higher, whether that is better or not.

    Undefined when: M is undefined in the group or in the combined set.

    Tally: that of M, with a group axis directly before its trailing axes.

    Signature: the fields of M, and how the combined set was made.

    Args:
        metric: an overall metric, or one of parts.
        tally: (..., G) tallies.
        per_part: compare each class, unit or dimension by itself; always so for a metric of parts.
        convention: ``paper``, ``tables`` or ``upstream``, as for M.
        undefined: rule for undefined parts, as for M.

    Returns:
        (..., G) differences; with parts (..., G, P).

    Raises:
        InputError: M has no definition in the convention, or does not know the rule.

    Source: paper 2, section II-C: every fairness test compares a group to the combined set. With ``share`` and
        ``bin_share`` it is the paper's "relative difference" per class and per bin, with ``mean`` its shift in mean.

    Example:
        One group is always right, the other, of the same size, half the time: 1 and .5 against .75.

        >>> from affectcheck.metrics import METRICS
        >>> from affectcheck.tallies import Confusion
        >>> tally = Confusion.of_counts([[[2, 0], [0, 2]], [[1, 1], [1, 1]]])
        >>> to_combined(METRICS.get("uar"), tally).tolist()
        [0.25, -0.25]
    """
    parts = per_part or metric.level == "part"
    compute = metric.parts if parts and metric.parts is not None else metric.compute
    groups = compute(tally, convention=convention, undefined=undefined)
    together = compute(tally.pooled(-1), convention=convention, undefined=undefined)
    return np.asarray(groups - np.expand_dims(together, -2 if parts else -1), np.float64)
