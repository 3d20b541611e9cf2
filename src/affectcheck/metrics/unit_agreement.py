"""Scores of action units that count absence as well: accuracy, the EmotioNet score, Matthews' correlation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from affectcheck.metrics.matthews import matthews
from affectcheck.metrics.metric import Metric
from affectcheck.metrics.rates import accuracy
from affectcheck.metrics.registry import register
from affectcheck.metrics.rules import OVER_UNITS
from affectcheck.metrics.unit_scores import NEVER, UNKNOWN, over_units, unit_diagnosis, unit_f1, unit_f1_parts
from affectcheck.tallies import Units

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def unit_accuracy(tally: Units, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Mean accuracy of action units: mean over the declared units of the share of items that are right.

    $$\mathrm{accuracy}^{\mathrm{AU}} = \frac{1}{M} \sum_{m=1}^{M} \frac{TP_m + TN_m}{n_m}$$

    with n_m the items in which unit m is known.

    Range: 0 to 1; higher is better. Most units are absent most of the time, so that a model that never predicts one
    has a high accuracy: read it beside the F1.

    Undefined when: no unit of any item is known. A declared unit that is unknown in every item counts as 0 (rule
    ``zero``), and the number of such units stands beside the score.

    Tally: Units (..., M, 2, 2).

    Signature: the rule for undefined units.

    Args:
        tally: (..., M, 2, 2) counts.
        convention: one of the three; the same in all.
        undefined: ``zero``, ``skip`` or ``propagate``; empty for ``zero``.

    Returns:
        (...) values.

    Raises:
        InputError: the convention or the rule is unknown.

    Source: paper 1, section I, as one half of the EmotioNet score.

    Example:
        AU1: 7 of 8 right; AU2: 2 of 4 right, and unknown in the other four.

        >>> from affectcheck.tallies import Units
        >>> float(unit_accuracy(Units.of_counts([[[4, 1], [0, 3]], [[2, 0], [2, 0]]], [0, 4])))
        0.6875
    """
    return over_units(unit_accuracy_parts(tally), tally, OVER_UNITS.resolve(convention, undefined))


def unit_accuracy_parts(tally: Units, *, convention: str = "paper", undefined: str = "") -> Floats:
    """Accuracy of each unit, (..., M); see ``unit_accuracy``."""
    OVER_UNITS.resolve(convention, undefined)
    return accuracy(tally.confusion)


def emotionet(tally: Units, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""EmotioNet score: mean of the mean accuracy and the mean F1 of action units.

    $$\mathrm{EmotioNet} = \frac{1}{2} \left( \mathrm{accuracy}^{\mathrm{AU}} + F_1^{\mathrm{AU}} \right)$$

    Range: 0 to 1; higher is better.

    Undefined when: no unit of any item is known. A declared unit without an F1 or an accuracy counts as 0 there (rule
    ``zero``), and the number of units without an F1 stands beside the score.

    Tally: Units (..., M, 2, 2).

    Signature: the rule for undefined units, which holds for both halves.

    Args:
        tally: (..., M, 2, 2) counts.
        convention: one of the three; the same in all.
        undefined: ``zero``, ``skip`` or ``propagate``; empty for ``zero``.

    Returns:
        (...) values.

    Raises:
        InputError: the convention or the rule is unknown.

    Source: paper 1, section I ("the mean between average accuracy and F1 score").

    Example:
        One unit: 7 of 8 right, F1 = 6/7, so (7/8 + 6/7) / 2.

        >>> from affectcheck.tallies import Units
        >>> round(float(emotionet(Units.of_counts([[[4, 1], [0, 3]]]))), 4)
        0.8661
    """
    both = (metric(tally, convention=convention, undefined=undefined) for metric in (unit_accuracy, unit_f1))
    return np.asarray(sum(both) / 2.0)


def unit_matthews(tally: Units, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Mean Matthews correlation coefficient of action units: mean over the declared units of the coefficient of each.

    $$\mathrm{MCC}^{\mathrm{AU}} = \frac{1}{M} \sum_{m=1}^{M} \frac{TP_m TN_m - FP_m FN_m}
    {\sqrt{(TP_m + FN_m)(TN_m + FP_m)(TP_m + FP_m)(TN_m + FN_m)}}$$

    Range: -1 to 1; higher is better; 0 is chance, however rare a unit is.

    Undefined when: no unit of any item is known. A declared unit that is always or never present, or always or never
    predicted, counts as 0 (rule ``zero``), and the number of such units stands beside the score.

    Tally: Units (..., M, 2, 2).

    Signature: the rule for undefined units.

    Args:
        tally: (..., M, 2, 2) counts.
        convention: one of the three; the same in all.
        undefined: ``zero``, ``skip`` or ``propagate``; empty for ``zero``.

    Returns:
        (...) values.

    Raises:
        InputError: the convention or the rule is unknown.

    Source: Matthews, B. W. (1975), Comparison of the predicted and observed secondary structure of T4 phage lysozyme,
        of each unit; no paper of ours uses it.

    Example:
        AU1: (3 · 4 - 1 · 0) / sqrt(3 · 5 · 4 · 4); AU2 is never predicted and counts as 0.

        >>> from affectcheck.tallies import Units
        >>> round(float(unit_matthews(Units.of_counts([[[4, 1], [0, 3]], [[6, 0], [2, 0]]]))), 4)
        0.3873
    """
    return over_units(unit_matthews_parts(tally), tally, OVER_UNITS.resolve(convention, undefined))


def unit_matthews_parts(tally: Units, *, convention: str = "paper", undefined: str = "") -> Floats:
    """Matthews correlation coefficient of each unit, (..., M); see ``unit_matthews``."""
    OVER_UNITS.resolve(convention, undefined)
    return matthews(tally.confusion)


register(
    Metric(
        name="unit_accuracy",
        title="mean accuracy of action units",
        kind="units",
        level="overall",
        tally=Units,
        compute=unit_accuracy,
        parts=unit_accuracy_parts,
        low=0.0,
        high=1.0,
        higher_is_better=True,
        source="paper 1, section I",
        undefined="no unit of any item is known",
        rules=OVER_UNITS,
        diagnosis=unit_diagnosis(unit_accuracy_parts, UNKNOWN),
    )
)
register(
    Metric(
        name="emotionet",
        title="EmotioNet score",
        kind="units",
        level="overall",
        tally=Units,
        compute=emotionet,
        low=0.0,
        high=1.0,
        higher_is_better=True,
        source="paper 1, section I",
        undefined="no unit of any item is known",
        rules=OVER_UNITS,
        diagnosis=unit_diagnosis(unit_f1_parts, NEVER),
    )
)
register(
    Metric(
        name="unit_matthews",
        title="mean Matthews correlation coefficient of action units",
        kind="units",
        level="overall",
        tally=Units,
        compute=unit_matthews,
        parts=unit_matthews_parts,
        low=-1.0,
        high=1.0,
        higher_is_better=True,
        source="Matthews (1975)",
        undefined="no unit of any item is known",
        rules=OVER_UNITS,
        diagnosis=unit_diagnosis(unit_matthews_parts, "truth or prediction is the same in every item"),
    )
)
