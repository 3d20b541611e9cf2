"""How many clusters stand behind each value of a statistic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from affectcheck.tallies import Tally
    from affectcheck.uncertainty.bootstrap import Statistic


def clusters_behind(
    statistic: Statistic,
    point: Tally,
    shape: tuple[int, ...],
    clusters: NDArray[Any],
    by_part: NDArray[Any] | None = None,
) -> NDArray[np.int64]:
    """Clusters at each place of a statistic; where it compares groups, those of the group that has fewest.

    Args:
        statistic: a function of a tally over its leading axes, which it may reduce.
        point: (...) the tally of all items.
        shape: that of the statistic's values.
        clusters: (...) clusters that hold items.
        by_part: (..., parts) clusters that hold items of each unit or dimension; None where these are not told apart.

    Returns:
        Numbers of that shape.

    Example:
        Recall keeps both groups, and has a value for each class; a gap of two groups has the clusters of the second.

        >>> from affectcheck.metrics import METRICS
        >>> from affectcheck.tallies import Confusion
        >>> tally = Confusion.of_counts([[[9, 1], [0, 5]], [[3, 0], [1, 2]]])
        >>> clusters_behind(METRICS.get("recall").compute, tally, (2, 2), np.array([7, 4])).tolist()
        [[7, 7], [4, 4]]
        >>> clusters_behind(METRICS.get("uar_gap").compute, tally, (), np.array([7, 4])).tolist()
        4
    """
    kept, lead = kept_axes(statistic, point, shape), clusters.ndim
    told_apart = by_part is not None and by_part.shape[lead:] == shape[kept:]
    numbers = by_part if by_part is not None and told_apart else clusters
    compared = np.reshape(numbers, (*numbers.shape[:kept], -1, *numbers.shape[lead:]))
    fewest = np.where(compared > 0, compared, np.iinfo(np.int64).max).min(axis=kept)
    number = np.where((compared > 0).any(axis=kept), fewest, 0)
    return np.broadcast_to(np.reshape(number, (*number.shape, *[1] * (len(shape) - number.ndim))), shape)


def kept_axes(statistic: Statistic, point: Tally, shape: tuple[int, ...]) -> int:
    """Leading axes (groups) that a statistic keeps: it is longer there with one more group.

    Lengths alone do not tell groups from parts, of which there may be as many.

    Example:
        Two groups and two dimensions: the CCC of a dimension is one of a group, Local CCC is not.

        >>> from affectcheck.metrics import METRICS
        >>> from affectcheck.tallies import Moments
        >>> tally = Moments.zero(dimensions=2, shape=(2,))
        >>> [kept_axes(METRICS.get(name).parts, tally, shape) for name, shape in (("ccc", (2, 2)), ("local_ccc", (2,)))]
        [1, 0]
    """
    lead, kept = point.shape, 0
    while kept < min(len(lead), len(shape)) and shape[kept] == lead[kept]:
        more = point[(*[slice(None)] * kept, [*range(lead[kept]), lead[kept] - 1])]
        if np.shape(statistic(more))[kept] == lead[kept]:
            break
        kept += 1
    return kept
