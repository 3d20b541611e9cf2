"""Distances between groups in action units: equal opportunity (EOD) and demographic parity (DPD) differences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.metrics.gaps import spread
from affectcheck.metrics.metric import Diagnosis, Metric, Names
from affectcheck.metrics.parity import group_sentences
from affectcheck.metrics.registry import register
from affectcheck.metrics.rules import Rules, mean_of, ratio
from affectcheck.metrics.unit_scores import UNKNOWN, group_lacks, occupied, unit_recall
from affectcheck.tallies import Units

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

#: EOD is not in the public code of paper 1.
OPPORTUNITY_OF_UNITS = Rules({"paper": "skip", "tables": "zero"}, ("skip", "zero", "propagate"))
PARITY_OF_UNITS = Rules({"paper": "skip", "tables": "skip", "upstream": "skip"}, ("skip", "propagate"), distinct=False)


def eod(tally: Units, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Equal opportunity difference: largest minus smallest recall of a unit over the groups, averaged over units.

    $$\mathrm{EOD} = \frac{1}{|U|} \sum_{m \in U} \left( \max_{g} \mathrm{TPR}_m(g) - \min_{g} \mathrm{TPR}_m(g)
    \right),\quad \mathrm{TPR}_m(g) = \frac{TP_m(g)}{TP_m(g) + FN_m(g)}$$

    over the groups in which the unit is present, with U the units that are present in two groups or more.

    Range: 0 (equal treatment) to 1; lower is better. Biased upwards by sampling, the more so the rarer a unit: read it
    beside its noise floor.

    Undefined when: no unit is present in two groups. A group in which a unit is never present is left out of that unit
    (rule ``skip``), a unit with fewer than two groups left is left out of the mean, and both are counted.

    Tally: Units (..., G, M, 2, 2).

    Signature: convention, and the rule for a group in which a unit is never present.

    Args:
        tally: (..., G, M, 2, 2) counts.
        convention: ``paper`` leaves out what has no recall; ``tables`` takes the recall of a group in which a unit is
            never present as 0. There is no ``upstream``.
        undefined: ``skip``, ``zero`` or ``propagate``; empty for the convention's own. What is unknown throughout a
            group is left out by ``zero`` too.

    Returns:
        (...) values.

    Raises:
        InputError: the convention or the rule is unknown, or the convention is ``upstream``.

    Source: paper 1, Eq. 5, which leaves 0/0 open. ``tables`` is inferred: a common library's recall is 0 there.

    Example:
        Group a has AU1 in 2 items and finds both, group b never has it; AU2 is found in 1 of 2 and in 2 of 2 items.

        >>> from affectcheck.tallies import Units
        >>> tally = Units.of_counts([[[[2, 0], [0, 2]], [[2, 0], [1, 1]]], [[[3, 1], [0, 0]], [[2, 0], [0, 2]]]])
        >>> float(eod(tally)), float(eod(tally, convention="tables"))
        (0.5, 0.75)
    """
    rule = OPPORTUNITY_OF_UNITS.resolve(convention, undefined)
    return mean_of(_gaps(unit_recall(tally), tally, rule), "propagate" if rule == "propagate" else "skip")


def eod_parts(tally: Units, *, convention: str = "paper", undefined: str = "") -> Floats:
    """Largest minus smallest recall of each unit, (..., M); see ``eod``."""
    return _gaps(unit_recall(tally), tally, OPPORTUNITY_OF_UNITS.resolve(convention, undefined))


def dpd(tally: Units, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Demographic parity difference: largest minus smallest share predicted of a unit, averaged over units.

    $$\mathrm{DPD} = \frac{1}{|U|} \sum_{m \in U} \left( \max_{g} r_m(g) - \min_{g} r_m(g) \right),\quad
    r_m(g) = \frac{TP_m(g) + FP_m(g)}{n_m(g)}$$

    with n_m(g) the items of group g in which unit m is known, and U the units known in two groups or more. Truth plays
    no other part: groups in which a unit is present more often differ by right.

    Range: 0 to 1; lower is better. Biased upwards by sampling: read it beside its noise floor.

    Undefined when: no unit is known in two groups. A group in which a unit is unknown in every item is left out of
    that unit (rule ``skip``), a unit with fewer than two groups left is left out of the mean, and both are counted.

    Tally: Units (..., G, M, 2, 2).

    Signature: the rule for a group in which a unit is unknown.

    Args:
        tally: (..., G, M, 2, 2) counts.
        convention: one of the three; the same in all.
        undefined: ``skip`` or ``propagate``; empty for ``skip``.

    Returns:
        (...) values.

    Raises:
        InputError: the convention or the rule is unknown.

    Source: paper 1, Eq. 6. Its formula counts all items of a group, its public code those in which the unit is known,
        which is taken.

    Example:
        Predicted in 2 of 4 items of group a and 3 of 4 of group b.

        >>> from affectcheck.tallies import Units
        >>> float(dpd(Units.of_counts([[[[2, 1], [0, 1]]], [[[1, 1], [0, 2]]]])))
        0.25
    """
    rule = PARITY_OF_UNITS.resolve(convention, undefined)
    return mean_of(_gaps(_selection(tally), tally, rule), "propagate" if rule == "propagate" else "skip")


def dpd_parts(tally: Units, *, convention: str = "paper", undefined: str = "") -> Floats:
    """Largest minus smallest share predicted of each unit, (..., M); see ``dpd``."""
    return _gaps(_selection(tally), tally, PARITY_OF_UNITS.resolve(convention, undefined))


def _selection(tally: Units) -> Floats:
    """(..., G, M) share of the known items in which a unit is predicted."""
    return ratio(tally.predicted_positives, tally.support)


def _gaps(rates: Floats, tally: Units, rule: str) -> Floats:
    """(..., M) largest minus smallest rate of each unit over the groups (..., G, M), NaN with fewer than two."""
    missing, known = np.isnan(rates), tally.support > 0
    if rule == "zero":
        rates = np.where(missing & known, 0.0, rates)
    gaps = spread(rates, axis=-2)
    if rule == "propagate":
        return np.where((missing & occupied(tally)[..., None]).any(axis=-2), np.nan, gaps)
    return gaps


def _diagnosis(rates: Callable[[Units], Floats], reason: str) -> Diagnosis:
    """Of rates (..., G, M): those that are undefined in a group with items, groups without, and units left out."""

    def count(tally: Units) -> NDArray[Any]:
        values, present = rates(tally), occupied(tally)
        cells = (np.isnan(values) & present[..., None]).sum(axis=(-2, -1))
        return np.asarray(cells + (~present).sum(axis=-1) + np.isnan(spread(values, axis=-2)).sum(axis=-1))

    def sentences(tally: Units, names: Names) -> tuple[str, ...]:
        values, present = rates(tally), occupied(tally)
        alone = np.flatnonzero(np.isnan(spread(values, axis=-2)))
        told = [*group_sentences(present, names), *group_lacks(tally, np.isnan(values), reason, names)]
        if alone.size and present.sum() >= 2:
            told.append(f"left out, with fewer than two groups: {', '.join(names.part(int(m)) for m in alone)}")
        return tuple(told)

    def reasons(tally: Units, names: Names) -> tuple[str, ...]:
        groups = (~np.isnan(rates(tally))).sum(axis=-2)
        return tuple(
            "" if k >= 2 else f"{names.part(m)}: defined in {k} of {tally.shape[-1]} groups"
            for m, k in enumerate(groups)
        )

    return Diagnosis(count, sentences, reasons)


register(
    Metric(
        name="eod",
        title="equal opportunity difference",
        kind="units",
        level="disparity",
        tally=Units,
        compute=eod,
        parts=eod_parts,
        low=0.0,
        high=1.0,
        higher_is_better=False,
        source="paper 1, Eq. 5",
        undefined="no unit is present in two groups",
        rules=OPPORTUNITY_OF_UNITS,
        diagnosis=_diagnosis(unit_recall, "never present"),
        limit_in=("paper", "tables"),
    )
)
register(
    Metric(
        name="dpd",
        title="demographic parity difference",
        kind="units",
        level="disparity",
        tally=Units,
        compute=dpd,
        parts=dpd_parts,
        low=0.0,
        high=1.0,
        higher_is_better=False,
        source="paper 1, Eq. 6",
        undefined="no unit is known in two groups",
        rules=PARITY_OF_UNITS,
        diagnosis=_diagnosis(_selection, UNKNOWN),
        limit_in=("paper", "tables", "upstream"),
    )
)
