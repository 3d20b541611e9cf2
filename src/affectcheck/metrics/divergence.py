"""Distance between the distributions of truth and prediction, whatever item has which value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from affectcheck.metrics.concordance import few
from affectcheck.metrics.metric import Diagnosis, Metric, Names
from affectcheck.metrics.registry import register
from affectcheck.metrics.rules import OVER_DIMENSIONS, mean_of, ratio
from affectcheck.tallies import Histogram
from affectcheck.tallies.divergences import jensen_shannon_distance

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]


def jsd(tally: Histogram, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Jensen-Shannon distance of the histograms of truth and prediction, averaged over dimensions.

    $$\mathrm{JSD} = \sqrt{\tfrac12 \sum_b P_b \log_2 \tfrac{P_b}{M_b} + \tfrac12 \sum_b Q_b \log_2 \tfrac{Q_b}{M_b}},
    \quad M = \tfrac12 (P + Q)$$

    P and Q are the shares of truth and prediction in equal bins of the declared range, the last bin closed; a value
    outside the range counts in the outermost bin and is counted as outside.

    Range: 0 (equal histograms) to 1 (no bin in common); lower is better.

    Undefined when: there are no items in any one dimension.

    Tally: Histogram (..., D, bins).

    Signature: the rule for undefined dimensions, the bins and their range, base 2, and that it is the distance.

    Args:
        tally: (..., D, bins) counts.
        convention: one of the three; the same in all.
        undefined: ``propagate``, ``skip`` or ``zero``.

    Returns:
        (...) distances.

    Raises:
        InputError: the convention or the rule is unknown.

    Source: paper 2, section on correctness (10 bins); its public code has 9, with everything above .9 lost.

    Example:
        P = (1/2, 1/2, 0) and Q = (0, 1/2, 1/2): the divergence is 1/2.

        >>> from affectcheck.tallies import Histogram, Range
        >>> tally = Histogram.of([0.0, 0.5], [0.5, 1.0], on=Range(bins=3))
        >>> round(float(jsd(tally)) ** 2, 12)
        0.5
    """
    return mean_of(jsd_parts(tally), OVER_DIMENSIONS.resolve(convention, undefined))


def jsd_parts(tally: Histogram, *, convention: str = "paper", undefined: str = "") -> Floats:
    """Jensen-Shannon distance of each dimension, (..., D); see ``jsd``."""
    OVER_DIMENSIONS.resolve(convention, undefined)
    return jensen_shannon(tally.truth, tally.prediction)


def jensen_shannon(first: ArrayLike, second: ArrayLike) -> Floats:
    """Root of the base-2 Jensen-Shannon divergence of two histograms along the last axis.

    Args:
        first: (..., bins) counts or shares, not negative.
        second: the same.

    Returns:
        (...) distances in 0 … 1; NaN where either has no counts.

    Example:
        >>> round(float(jensen_shannon([5, 5, 0], [0, 5, 5])), 12)
        0.707106781187
    """
    shares = [ratio(np.asarray(h), np.sum(h, axis=-1, keepdims=True)) for h in (first, second)]
    return jensen_shannon_distance(*shares)


def _reasons(tally: Histogram, names: Names) -> tuple[str, ...]:
    return tuple(f"{names.part(d)}: {few(tally, d)}" if n == 0 else "" for d, n in enumerate(tally.support))


register(
    Metric(
        name="jsd",
        title="Jensen-Shannon distance",
        kind="dimensions",
        level="overall",
        tally=Histogram,
        compute=jsd,
        parts=jsd_parts,
        low=0.0,
        high=1.0,
        higher_is_better=False,
        source="paper 2, Table I",
        undefined="no items in a dimension",
        rules=OVER_DIMENSIONS,
        options=("bins=10", "range=0/1", "base=2", "distance"),
        diagnosis=Diagnosis.by_part(_reasons, lambda tally: tally.support == 0),
    )
)
