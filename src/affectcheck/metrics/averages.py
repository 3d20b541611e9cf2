"""Unweighted averages over classes.

Unweighted average recall (UAR) is the headline of speech emotion recognition, because a model that always answers the
most frequent class scores 1/C whatever the class frequencies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from affectcheck.metrics.metric import Metric
from affectcheck.metrics.rates import NO_PREDICTION, NO_TRUTH, precision, recall
from affectcheck.metrics.registry import register
from affectcheck.metrics.rules import OVER_CLASSES, mean_of
from affectcheck.tallies import Confusion

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def uar(tally: Confusion, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Unweighted average recall: mean over the declared classes of the recall.

    $$\mathrm{UAR} = \frac{1}{C} \sum_{c=1}^{C} \frac{n_{cc}}{\sum_j n_{cj}}$$

    Range: 0 to 1; higher is better; 1/C for any constant answer when every class occurs.

    Undefined when: there are no items. A declared class without items in the truth counts as 0 (rule ``zero``), and
    the number of such classes stands beside the score.

    Tally: Confusion (..., C, C).

    Signature: convention, and the rule for undefined parts.

    Args:
        tally: (..., C, C) counts.
        convention: ``paper`` averages over the declared classes, ``tables`` and ``upstream`` over the labels seen
            in truth or prediction.
        undefined: ``zero``, ``skip``, ``propagate`` or ``seen``; empty for the convention's own.

    Returns:
        (...) values.

    Raises:
        InputError: the convention or the rule is unknown.

    Source: paper 2, Table I. Its authors' library averages over the union of the labels that occur, 0/0 = 0. Balanced
        accuracy and average accuracy are other names of the same mean, and not registered again; a common library's
        balanced accuracy leaves out the classes without items in the truth (rule ``skip``).

    Example:
        Recalls 3/4 and 1; a third declared class without items lowers the mean.

        >>> from affectcheck.tallies import Confusion
        >>> float(uar(Confusion.of_counts([[3, 1], [0, 4]])))
        0.875
        >>> three = Confusion.of_counts([[3, 1, 0], [0, 4, 0], [0, 0, 0]])
        >>> round(float(uar(three)), 4), float(uar(three, undefined="skip"))
        (0.5833, 0.875)
    """
    return macro(recall(tally), tally, OVER_CLASSES.resolve(convention, undefined))


def uap(tally: Confusion, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Unweighted average precision: mean over the declared classes of the precision.

    $$\mathrm{UAP} = \frac{1}{C} \sum_{c=1}^{C} \frac{n_{cc}}{\sum_i n_{ic}}$$

    Range: 0 to 1; higher is better.

    Undefined when: there are no items. A declared class that is never predicted counts as 0 (rule ``zero``), and the
    number of such classes stands beside the score.

    Tally: Confusion (..., C, C).

    Signature: convention, and the rule for undefined parts.

    Args:
        tally: (..., C, C) counts.
        convention: ``paper`` averages over the declared classes, ``tables`` and ``upstream`` over the labels seen
            in truth or prediction.
        undefined: ``zero``, ``skip``, ``propagate`` or ``seen``; empty for the convention's own.

    Returns:
        (...) values.

    Raises:
        InputError: the convention or the rule is unknown.

    Source: paper 2, Table I. Its authors' library averages over the union of the labels that occur, 0/0 = 0.

    Example:
        Precisions 3/3 and 4/5.

        >>> from affectcheck.tallies import Confusion
        >>> float(uap(Confusion.of_counts([[3, 1], [0, 4]])))
        0.9
    """
    return macro(precision(tally), tally, OVER_CLASSES.resolve(convention, undefined))


def macro(values: Floats, tally: Confusion, rule: str) -> Floats:
    """Mean of one value a class by a rule; NaN where there are no items at all.

    Args:
        values: (..., C), NaN where undefined.
        tally: the counts they come from.
        rule: ``zero``, ``skip``, ``propagate`` or ``seen``.

    Returns:
        (...) means.
    """
    if rule == "seen":
        seen = (tally.truth_totals + tally.prediction_totals) > 0
        mean = mean_of(np.where(seen, np.nan_to_num(values), np.nan), "skip")
    else:
        mean = mean_of(values, rule)
    return np.where(tally.support > 0, mean, np.nan)


register(
    Metric(
        name="uar",
        title="unweighted average recall",
        kind="categories",
        level="overall",
        tally=Confusion,
        compute=uar,
        low=0.0,
        high=1.0,
        higher_is_better=True,
        source="paper 2, Table I",
        undefined="there are no items",
        rules=OVER_CLASSES,
        diagnosis=NO_TRUTH,
    )
)
register(
    Metric(
        name="uap",
        title="unweighted average precision",
        kind="categories",
        level="overall",
        tally=Confusion,
        compute=uap,
        low=0.0,
        high=1.0,
        higher_is_better=True,
        source="paper 2, Table I",
        undefined="there are no items",
        rules=OVER_CLASSES,
        diagnosis=NO_PREDICTION,
    )
)
