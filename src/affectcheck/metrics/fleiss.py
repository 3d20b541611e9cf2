"""Fleiss' kappa: agreement of several interchangeable raters on classes, beyond chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from affectcheck.metrics.alpha import UNDEFINED, diagnosis_of
from affectcheck.metrics.metric import Metric
from affectcheck.metrics.registry import register
from affectcheck.metrics.rules import NO_PARTS, ratio
from affectcheck.tallies.coincidences import Coincidences

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def fleiss_kappa(tally: Coincidences, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Fleiss' kappa of several raters.

    $$\kappa = \frac{\bar P - \bar P_e}{1 - \bar P_e},\quad \bar P = \frac{1}{n} \sum_i m_i P_i,\quad
    \bar P_e = \sum_c \Bigl(\frac{n_c}{n}\Bigr)^2$$

    $P_i$ is the share of the pairs of ratings of item i that agree, $m_i$ its number of ratings, $n = \sum_i m_i$.
    Where every item has the same number of ratings, that is Fleiss' own formula; where numbers differ, each rating
    weighs the same (an item counts by its number of ratings), which the source does not define. Items with one
    rating have no pair and are left out.

    Range: -1 to 1; higher is better; 0 is chance. Unlike alpha, chance draws with replacement, so that kappa is
    below alpha by (1 - alpha) / (n - 1).

    Undefined when: no item has two ratings, or all ratings are one value (0/0: nothing could have disagreed).

    Tally: Coincidences (..., C, C).

    Signature: that items weigh by their number of ratings.

    Args:
        tally: (..., C, C) coincidences.
        convention: one of the three; the same in all.
        undefined: empty; it is no mean over parts.

    Returns:
        (...) values.

    Raises:
        InputError: the convention is unknown, or a rule is asked for.

    Source: Fleiss, J. L. (1971), Measuring nominal scale agreement among many raters.

    Example:
        Two raters, two items: agreement 1/2, chance (3/4)² + (1/4)² = 5/8, (1/2 - 5/8) / (3/8) = -1/3.

        >>> from affectcheck.tallies import Coincidences
        >>> round(float(fleiss_kappa(Coincidences.count([[2, 0], [1, 1]]))), 12)
        -0.333333333333
    """
    NO_PARTS.resolve(convention, undefined)
    totals = np.asarray(tally.totals, np.float64)
    n = totals.sum(axis=-1)
    agreeing = np.diagonal(tally.pairs, axis1=-2, axis2=-1).sum(axis=-1)
    # In whole numbers, so that one value throughout is 0/0 and not a rounded quotient.
    chance = (totals * totals).sum(axis=-1)
    return ratio(n * agreeing - chance, n * n - chance)


def fleiss_kappa_parts(tally: Coincidences, *, convention: str = "paper", undefined: str = "") -> Floats:
    """Fleiss' kappa of each class against all others together, (..., C); see ``fleiss_kappa``."""
    NO_PARTS.resolve(convention, undefined)
    totals = np.asarray(tally.totals, np.float64)
    n = totals.sum(axis=-1, keepdims=True)
    own = np.diagonal(tally.pairs, axis1=-2, axis2=-1)
    return np.asarray(1.0 - n * ratio(totals - own, totals * (n - totals)))


register(
    Metric(
        name="fleiss_kappa",
        title="Fleiss' kappa",
        kind="raters",
        level="overall",
        tally=Coincidences,
        compute=fleiss_kappa,
        parts=fleiss_kappa_parts,
        low=-1.0,
        high=1.0,
        higher_is_better=True,
        source="Fleiss (1971)",
        undefined=UNDEFINED,
        options=("weight=ratings",),
        diagnosis=diagnosis_of(fleiss_kappa, fleiss_kappa_parts),
    )
)
