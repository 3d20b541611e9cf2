"""F1, recall and precision of action units: each unit is a two-class problem over the items where it is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from affectcheck.metrics.f_scores import f1
from affectcheck.metrics.metric import Diagnosis, Metric, Names
from affectcheck.metrics.rates import precision, recall
from affectcheck.metrics.registry import register
from affectcheck.metrics.rules import NO_PARTS, OVER_UNITS, mean_of
from affectcheck.tallies import Units

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

#: The second of the two classes, absent and present.
PRESENT = 1
#: Why a unit has no value, in words.
UNKNOWN = "unknown in every item"
NEVER = "never present, never predicted"


def unit_f1(tally: Units, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Global F1 of action units: mean over the declared units of the F1 of each.

    $$F_1^{\mathrm{AU}} = \frac{1}{M} \sum_{m=1}^{M} \frac{2 TP_m}{2 TP_m + FP_m + FN_m}$$

    over the items in which the unit is known; what is unknown of a unit is left out of that unit alone.

    Range: 0 to 1; higher is better.

    Undefined when: no unit of any item is known. A declared unit that is neither present nor predicted in any item
    where it is known counts as 0 (rule ``zero``), and the number of such units stands beside the score.

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

    Source: paper 3, Eq. 5, which divides by the declared 12; paper 1, Global F1 of AUs. A 0/0 counts as 0 in its
        authors' public code as well.

    Example:
        AU1: TP 3, FP 1, FN 0, so 6/7; AU2 never occurs and is never predicted: (6/7 + 0) / 2.

        >>> from affectcheck.tallies import Units
        >>> tally = Units.of_counts([[[4, 1], [0, 3]], [[8, 0], [0, 0]]])
        >>> round(float(unit_f1(tally)), 4), round(float(unit_f1(tally, undefined="skip")), 4)
        (0.4286, 0.8571)
    """
    return over_units(unit_f1_parts(tally), tally, OVER_UNITS.resolve(convention, undefined))


def unit_f1_parts(tally: Units, *, convention: str = "paper", undefined: str = "") -> Floats:
    """F1 of each unit, (..., M); see ``unit_f1``."""
    OVER_UNITS.resolve(convention, undefined)
    return f1(tally.confusion)[..., PRESENT]


def unit_recall(tally: Units, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Recall of each action unit: of the items in which it is present, the share in which it is predicted.

    $$\mathrm{recall}_m = \frac{TP_m}{TP_m + FN_m}$$

    Range: 0 to 1; higher is better.

    Undefined when: the unit is present in no item.

    Tally: Units (..., M, 2, 2).

    Signature: nothing.

    Args:
        tally: (..., M, 2, 2) counts.
        convention: one of the three; the same in all.
        undefined: empty; each unit stands for itself.

    Returns:
        (..., M) values.

    Raises:
        InputError: the convention is unknown, or a rule is asked for.

    Source: the true positive rate of paper 1, Eq. 5.

    Example:
        >>> from affectcheck.tallies import Units
        >>> unit_recall(Units.of_counts([[[4, 1], [1, 3]], [[7, 1], [0, 0]]])).tolist()
        [0.75, nan]
    """
    NO_PARTS.resolve(convention, undefined)
    return recall(tally.confusion)[..., PRESENT]


def unit_precision(tally: Units, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Precision of each action unit: of the items in which it is predicted, the share in which it is present.

    $$\mathrm{precision}_m = \frac{TP_m}{TP_m + FP_m}$$

    Range: 0 to 1; higher is better.

    Undefined when: the unit is predicted in no item where it is known.

    Tally: Units (..., M, 2, 2).

    Signature: nothing.

    Args:
        tally: (..., M, 2, 2) counts.
        convention: one of the three; the same in all.
        undefined: empty; each unit stands for itself.

    Returns:
        (..., M) values.

    Raises:
        InputError: the convention is unknown, or a rule is asked for.

    Source: paper 3, Eq. 4, of which it is one side.

    Example:
        >>> from affectcheck.tallies import Units
        >>> unit_precision(Units.of_counts([[[4, 1], [1, 3]], [[7, 0], [1, 0]]])).tolist()
        [0.75, nan]
    """
    NO_PARTS.resolve(convention, undefined)
    return precision(tally.confusion)[..., PRESENT]


def over_units(values: Floats, tally: Units, rule: str) -> Floats:
    """Mean of one value a unit by a rule; NaN where no unit of any item is known.

    Args:
        values: (..., M), NaN where undefined.
        tally: the counts they come from.
        rule: ``zero``, ``skip`` or ``propagate``.

    Returns:
        (...) means.
    """
    return np.where(occupied(tally), mean_of(values, rule), np.nan)


def occupied(tally: Units) -> NDArray[np.bool_]:
    """(...) whether any unit of any item is known; a group where none is has no items for any metric."""
    return np.asarray((tally.support > 0).any(axis=-1))


def unit_diagnosis(part: Callable[[Units], Floats], reason: str) -> Diagnosis:
    """Diagnosis of a mean over units: one sentence for each unit in which the part is undefined."""

    def reasons(tally: Units, names: Names) -> tuple[str, ...]:
        known = tally.support > 0
        return tuple(
            "" if not bad else f"{names.part(m)}: {reason if known[m] else UNKNOWN}"
            for m, bad in enumerate(np.isnan(part(tally)))
        )

    return Diagnosis.by_part(reasons, lambda tally: np.isnan(part(tally)))


def group_lacks(tally: Units, missing: NDArray[np.bool_], reason: str, names: Names) -> tuple[str, ...]:
    """One sentence for each group with items that lacks units, naming them with the group's number of known items.

    Args:
        tally: (G, M, 2, 2) counts.
        missing: (G, M) where a value is undefined.
        reason: why, where the unit is known in the group; ``never present``.
        names: of units and groups.
    """
    support, sentences = tally.support, []
    for g in np.flatnonzero(occupied(tally) & missing.any(axis=-1)):
        known = [
            f"{names.part(int(m))} (n = {int(support[g, m])})" for m in np.flatnonzero(missing[g] & (support[g] > 0))
        ]
        unknown = [names.part(int(m)) for m in np.flatnonzero(missing[g] & (support[g] == 0))]
        told = [f"{', '.join(units)} {why}" for units, why in ((known, reason), (unknown, UNKNOWN)) if units]
        sentences.append(f"group {names.group(int(g))!r}: {'; '.join(told)}")
    return tuple(sentences)


register(
    Metric(
        name="unit_f1",
        title="mean F1 of action units",
        kind="units",
        level="overall",
        tally=Units,
        compute=unit_f1,
        parts=unit_f1_parts,
        low=0.0,
        high=1.0,
        higher_is_better=True,
        source="paper 3, Eq. 5; paper 1, Global F1 of AUs",
        undefined="no unit of any item is known",
        rules=OVER_UNITS,
        diagnosis=unit_diagnosis(unit_f1_parts, NEVER),
    )
)
register(
    Metric(
        name="unit_recall",
        title="recall of an action unit",
        kind="units",
        level="part",
        tally=Units,
        compute=unit_recall,
        parts=unit_recall,
        low=0.0,
        high=1.0,
        higher_is_better=True,
        source="paper 1, Eq. 5",
        undefined="the unit is present in no item",
        diagnosis=unit_diagnosis(unit_recall, "never present"),
    )
)
register(
    Metric(
        name="unit_precision",
        title="precision of an action unit",
        kind="units",
        level="part",
        tally=Units,
        compute=unit_precision,
        parts=unit_precision,
        low=0.0,
        high=1.0,
        higher_is_better=True,
        source="paper 3, Eq. 4",
        undefined="the unit is predicted in no item where it is known",
        diagnosis=unit_diagnosis(unit_precision, "never predicted"),
    )
)
