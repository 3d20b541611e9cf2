"""F1 scores: the harmonic mean of precision and recall, for each class and averaged over classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from affectcheck.metrics.averages import macro
from affectcheck.metrics.metric import Metric
from affectcheck.metrics.rates import class_diagnosis
from affectcheck.metrics.registry import register
from affectcheck.metrics.rules import NO_PARTS, OVER_CLASSES, ratio
from affectcheck.tallies import Confusion

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def f1(tally: Confusion, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""F1 of each class.

    $$F_1^c = \frac{2 n_{cc}}{\sum_j n_{cj} + \sum_i n_{ic}} = \frac{2 TP}{2 TP + FP + FN}$$

    Range: 0 to 1; higher is better.

    Undefined when: the class occurs neither in the truth nor in the predictions.

    Tally: Confusion (..., C, C).

    Signature: nothing.

    Args:
        tally: (..., C, C) counts.
        convention: one of the three; the same in all.
        undefined: empty; each class stands for itself.

    Returns:
        (..., C) values.

    Raises:
        InputError: the convention is unknown, or a rule is asked for.

    Source: paper 3, Eq. 4.

    Example:
        Class 0: TP 3, FP 0, FN 1, so 6/7. Class 2 does not occur.

        >>> from affectcheck.tallies import Confusion
        >>> f1(Confusion.of_counts([[3, 1, 0], [0, 4, 0], [0, 0, 0]])).round(4).tolist()
        [0.8571, 0.8889, nan]
    """
    NO_PARTS.resolve(convention, undefined)
    return ratio(2 * tally.hits, tally.truth_totals + tally.prediction_totals)


def f1_macro(tally: Confusion, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Macro F1: mean of the F1 of the declared classes.

    $$F_1^{\mathrm{macro}} = \frac{1}{C} \sum_{c=1}^{C} F_1^c$$

    Range: 0 to 1; higher is better.

    Undefined when: there are no items. A declared class that occurs neither in truth nor in predictions counts as 0
    (rule ``zero``), and the number of such classes stands beside the score.

    Tally: Confusion (..., C, C).

    Signature: convention, and the rule for undefined parts.

    Args:
        tally: (..., C, C) counts.
        convention: ``paper`` divides by the declared number of classes, ``tables`` and ``upstream`` by the number of
            labels seen in truth or prediction.
        undefined: ``zero``, ``skip``, ``propagate`` or ``seen``; empty for the convention's own.

    Returns:
        (...) values.

    Raises:
        InputError: the convention or the rule is unknown.

    Source: paper 1, Eq. 1; paper 3, Eq. 3 and 6, which divide by 8 and 7 whatever the data hold.

    Example:
        Two of three declared classes occur: (6/7 + 8/9 + 0) / 3, or / 2 where only those seen count.

        >>> from affectcheck.tallies import Confusion
        >>> tally = Confusion.of_counts([[3, 1, 0], [0, 4, 0], [0, 0, 0]])
        >>> round(float(f1_macro(tally)), 4), round(float(f1_macro(tally, convention="upstream")), 4)
        (0.582, 0.873)
    """
    return macro(f1(tally), tally, OVER_CLASSES.resolve(convention, undefined))


def f1_weighted(tally: Confusion, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Mean of the F1 of the classes, weighted by their number of items in the truth.

    $$F_1^{\mathrm{weighted}} = \frac{1}{n} \sum_{c} n_c F_1^c,\quad n_c = \sum_j n_{cj}$$

    Range: 0 to 1; higher is better. Dominated by the frequent classes.

    Undefined when: there are no items. A class without items in the truth has the weight 0.

    Tally: Confusion (..., C, C).

    Signature: nothing.

    Args:
        tally: (..., C, C) counts.
        convention: one of the three; the same in all.
        undefined: empty; an undefined F1 always has the weight 0.

    Returns:
        (...) values.

    Raises:
        InputError: the convention is unknown, or a rule is asked for.

    Source: the support-weighted average of common libraries; no paper of ours uses it.

    Example:
        (4 · 6/7 + 4 · 8/9) / 8.

        >>> from affectcheck.tallies import Confusion
        >>> round(float(f1_weighted(Confusion.of_counts([[3, 1], [0, 4]]))), 4)
        0.873
    """
    NO_PARTS.resolve(convention, undefined)
    weights = tally.truth_totals
    return ratio((np.nan_to_num(f1(tally)) * weights).sum(axis=-1), tally.support)


_ABSENT = class_diagnosis(f1, "no truth, no prediction")

register(
    Metric(
        name="f1",
        title="F1 of a class",
        kind="categories",
        level="part",
        tally=Confusion,
        compute=f1,
        parts=f1,
        low=0.0,
        high=1.0,
        higher_is_better=True,
        source="paper 3, Eq. 4",
        undefined="the class occurs neither in the truth nor in the predictions",
        diagnosis=_ABSENT,
    )
)
register(
    Metric(
        name="f1_macro",
        title="macro F1",
        kind="categories",
        level="overall",
        tally=Confusion,
        compute=f1_macro,
        low=0.0,
        high=1.0,
        higher_is_better=True,
        source="paper 1, Eq. 1; paper 3, Eq. 3 and 6",
        undefined="there are no items",
        rules=OVER_CLASSES,
        diagnosis=_ABSENT,
    )
)
register(
    Metric(
        name="f1_weighted",
        title="weighted F1",
        kind="categories",
        level="overall",
        tally=Confusion,
        compute=f1_weighted,
        low=0.0,
        high=1.0,
        higher_is_better=True,
        source="common libraries",
        undefined="there are no items",
    )
)
