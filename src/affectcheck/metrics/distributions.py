"""Predicted probabilities against the shares of the truth: votes where several raters gave them, else one class an item."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from affectcheck.metrics.metric import Diagnosis, Metric, Names
from affectcheck.metrics.registry import register
from affectcheck.metrics.rules import NO_PARTS, ratio
from affectcheck.tallies.divergences import Divergences

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def cross_entropy(tally: Divergences, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Cross-entropy of the predicted probabilities under the shares of the truth, in bits; mean over items.

    $$H(v, p) = -\frac{1}{n} \sum_i \sum_c v_{ic} \log_2 p_{ic}$$

    with the share $v_{ic}$ of the votes for class c of item i (1 for the class of a single label) and its predicted
    probability $p_{ic}$.

    Range: 0 and more; lower is better. With votes it cannot fall below their own entropy.

    Undefined when: there are no items with probabilities, or a class that has a share in the truth has the probability
    0: no floor is put under probabilities, since its height would be the score. An item without a prediction is left
    out, and their number stands beside the score.

    Tally: Divergences (...).

    Signature: the base of the logarithm.

    Args:
        tally: (...) sums.
        convention: one of the three; the same in all.
        undefined: empty; it is no mean over parts.

    Returns:
        (...) values.

    Raises:
        InputError: the convention is unknown, or a rule is asked for.

    Source: common; votes as its truth in Barsoum, E. et al. (2016), Training deep networks for facial expression
        recognition with crowd-sourced label distribution, Eq. 5.

    Example:
        One item, votes 1 and 1, probabilities 1/4 and 3/4: (2 + log2(4/3)) / 2.

        >>> from affectcheck.tallies import Divergences
        >>> round(float(cross_entropy(Divergences.count([[1, 1]], [[0.25, 0.75]]))), 6)
        1.207519
    """
    NO_PARTS.resolve(convention, undefined)
    mean = ratio(tally.cross_entropy, tally.n - tally.unanswered)
    return np.where(tally.infinite > 0.0, np.nan, mean)


def soft_jsd(tally: Divergences, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Jensen-Shannon distance of the predicted probabilities from the shares of the truth; mean over items.

    $$\mathrm{JSD} = \frac{1}{n} \sum_i \sqrt{\tfrac12 \sum_c v_{ic} \log_2 \tfrac{v_{ic}}{m_{ic}}
    + \tfrac12 \sum_c p_{ic} \log_2 \tfrac{p_{ic}}{m_{ic}}},\quad m_{ic} = \tfrac12 (v_{ic} + p_{ic})$$

    with the share $v_{ic}$ of the votes for class c of item i (1 for the class of a single label) and its predicted
    probability $p_{ic}$. Unlike ``jsd``, which compares the distributions of a whole set, it compares item by item.

    Range: 0 to 1; lower is better.

    Undefined when: there are no items with probabilities. An item without a prediction is left out, and their number
    stands beside the score.

    Tally: Divergences (...).

    Signature: the base of the logarithm, and that it is the distance.

    Args:
        tally: (...) sums.
        convention: one of the three; the same in all.
        undefined: empty; it is no mean over parts.

    Returns:
        (...) values.

    Raises:
        InputError: the convention is unknown, or a rule is asked for.

    Source: the distance of paper 2's correctness tests, item by item.

    Example:
        Votes for the first class alone, probabilities 1/2 and 1/2: the divergence is (log2(4/3) + 1/2 · log2(2/3) + 1/2
        · 1) / 2 = 0.311278.

        >>> from affectcheck.tallies import Divergences
        >>> round(float(soft_jsd(Divergences.count([[3, 0]], [[0.5, 0.5]]))) ** 2, 6)
        0.311278
    """
    NO_PARTS.resolve(convention, undefined)
    return ratio(tally.jensen_shannon, tally.n - tally.unanswered)


def _left_out(tally: Divergences) -> tuple[str, ...]:
    number = int(tally.unanswered)
    return (f"{number} items without probabilities: left out",) if number else ()


def _surprises(tally: Divergences, _names: Names) -> tuple[str, ...]:
    number = int(tally.infinite)
    told = f"{number} items in which a class that has a share of the truth has the probability 0"
    return (*((told,) if number else ()), *_left_out(tally))


register(
    Metric(
        name="cross_entropy",
        title="cross-entropy",
        kind="categories",
        level="overall",
        tally=Divergences,
        compute=cross_entropy,
        low=0.0,
        high=np.inf,
        higher_is_better=False,
        source="common",
        undefined="no item has probabilities, or a class with a share of the truth has the probability 0",
        options=("base=2",),
        diagnosis=Diagnosis(lambda tally: tally.infinite + tally.unanswered, _surprises),
    )
)
register(
    Metric(
        name="soft_jsd",
        title="Jensen-Shannon distance of probabilities",
        kind="categories",
        level="overall",
        tally=Divergences,
        compute=soft_jsd,
        low=0.0,
        high=1.0,
        higher_is_better=False,
        source="paper 2, section II-B, item by item",
        undefined="no item has probabilities",
        options=("base=2", "distance"),
        diagnosis=Diagnosis(lambda tally: tally.unanswered, lambda tally, _names: _left_out(tally)),
    )
)
