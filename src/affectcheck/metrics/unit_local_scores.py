"""Local F1 of action units: the F1 of each group of an attribute, averaged over the groups whatever their size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.metrics.local_scores import local_f1
from affectcheck.metrics.metric import Diagnosis, Metric, Names
from affectcheck.metrics.registry import register
from affectcheck.metrics.rules import OVER_CLASSES, mean_of, mean_of_present
from affectcheck.metrics.unit_scores import NEVER, group_lacks, occupied, over_units, unit_f1_parts
from affectcheck.tallies import Confusion, Units

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def unit_local_f1(tally: Units, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Local F1 of action units: mean over the groups of an attribute of the mean F1 in each.

    $$\mathrm{Local}\ F_1^{\mathrm{AU}} = \frac{1}{|G|\,M} \sum_{g \in G} \sum_{m=1}^{M} F_1^m(g)$$

    Range: 0 to 1; higher is better.

    Undefined when: no unit of any item of any group is known. Groups without items are left out; a unit that is
    neither present nor predicted in a group counts as 0 there (rule ``zero``), and the number of such cells stands
    beside the score.

    Tally: Units (..., G, M, 2, 2).

    Signature: convention, and the rule for undefined parts.

    Args:
        tally: (..., G, M, 2, 2) counts.
        convention: ``paper`` divides by the declared units in every group. ``tables`` and ``upstream`` take unit by
            unit the Local F1 over the groups in which it is known: the F1 of presence if both labels occur in the
            truth of the unit, and else the mean over the labels seen in a group, of absence too, so that a unit that
            is never present scores 1 where it is never predicted.
        undefined: ``zero``, ``skip``, ``propagate`` or ``seen``; empty for the convention's own. In ``paper``,
            ``seen`` is ``skip``, since a unit is seen where it has an F1.

    Returns:
        (...) values.

    Raises:
        InputError: the convention or the rule is unknown.

    Source: paper 1, Local F1 of AUs, "similarly to" its Eq. 2; its public code averages over the labels of each group.

    Example:
        One unit. Group a finds it, F1 = 1; group b neither has nor predicts it and counts as 0.

        >>> from affectcheck.tallies import Units
        >>> tally = Units.of_counts([[[[1, 0], [0, 1]]], [[[2, 0], [0, 0]]]])
        >>> float(unit_local_f1(tally)), float(unit_local_f1(tally, undefined="skip"))
        (0.5, 1.0)
    """
    rule = OVER_CLASSES.resolve(convention, undefined)
    if rule == "seen" and convention != "paper":
        return mean_of(_by_labels(tally, convention), "skip")
    by_group = over_units(unit_f1_parts(tally), tally, "skip" if rule == "seen" else rule)
    return mean_of_present(by_group, occupied(tally), rule)


def unit_local_f1_parts(tally: Units, *, convention: str = "paper", undefined: str = "") -> Floats:
    """Local F1 of each unit, (..., M); see ``unit_local_f1``."""
    rule = OVER_CLASSES.resolve(convention, undefined)
    if rule == "seen" and convention != "paper":
        return _by_labels(tally, convention)
    values, present = unit_f1_parts(tally), occupied(tally)[..., None]
    if rule == "zero":
        values = np.where(present, np.nan_to_num(values), np.nan)
    return mean_of_present(values, present, rule, axis=-2)


def _by_labels(tally: Units, convention: str) -> Floats:
    """(..., M) Local F1 of the two labels of each unit, as of a task of two classes."""
    by_unit = tally.confusion
    # Groups go last, as Local F1 takes them; units become one more leading axis.
    counts, unanswered = np.swapaxes(by_unit.counts, -4, -3), np.swapaxes(by_unit.unanswered, -3, -2)
    return local_f1(Confusion(counts, unanswered), convention=convention)


def _count(tally: Units) -> NDArray[Any]:
    cells = np.isnan(unit_f1_parts(tally)).sum(axis=-1)
    return np.asarray(np.where(occupied(tally), cells, 1).sum(axis=-1))


def _sentences(tally: Units, names: Names) -> tuple[str, ...]:
    empty = [f"group {names.group(int(g))!r} left out: no items" for g in np.flatnonzero(~occupied(tally))]
    return (*empty, *group_lacks(tally, np.isnan(unit_f1_parts(tally)), NEVER, names))


def _reasons(tally: Units, names: Names) -> tuple[str, ...]:
    """Why Local F1 of each unit is undefined."""
    missing = np.isnan(unit_local_f1_parts(tally))
    return tuple(f"{names.part(m)}: no group has items" if bad else "" for m, bad in enumerate(missing))


register(
    Metric(
        name="unit_local_f1",
        title="Local F1 of action units",
        kind="units",
        level="disparity",
        tally=Units,
        compute=unit_local_f1,
        parts=unit_local_f1_parts,
        low=0.0,
        high=1.0,
        higher_is_better=True,
        source="paper 1, Local F1 of AUs and Eq. 2",
        undefined="no unit of any item of any group is known",
        rules=OVER_CLASSES,
        diagnosis=Diagnosis(_count, _sentences, _reasons),
    )
)
