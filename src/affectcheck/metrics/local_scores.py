"""Local scores: a metric of each group of an attribute, averaged over the groups whatever their size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.metrics.averages import macro
from affectcheck.metrics.concordance import ccc_parts, few
from affectcheck.metrics.f_scores import f1
from affectcheck.metrics.metric import Diagnosis, Metric, Names
from affectcheck.metrics.registry import register
from affectcheck.metrics.rules import OVER_CLASSES, Rules, mean_of, mean_of_present
from affectcheck.tallies import Confusion, Moments

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

LOCAL_DIMENSIONS = Rules(
    {"paper": "skip", "tables": "propagate", "upstream": "propagate"}, ("skip", "propagate", "zero")
)


def local_f1(tally: Confusion, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Local F1: mean over the groups of an attribute of the macro F1 in each.

    $$\mathrm{Local}\ F_1 = \frac{1}{|G|\,C} \sum_{g \in G} \sum_{c=1}^{C} F_1^c(g)$$

    Range: 0 to 1; higher is better.

    Undefined when: no group has items. Groups without items are left out; a class that a group has neither in truth
    nor in prediction counts as 0 there (rule ``zero``), and the number of such cells stands beside the score.

    Tally: Confusion (..., G, C, C).

    Signature: convention, and the rule for undefined parts.

    Args:
        tally: (..., G, C, C) counts.
        convention: ``paper`` divides by the declared classes. ``tables`` and ``upstream`` average in each group over
            the labels seen there, or take the F1 of the second label alone if exactly two labels occur in the truth.
        undefined: ``zero``, ``skip``, ``propagate`` or ``seen``; empty for the convention's own.

    Returns:
        (...) values.

    Raises:
        InputError: the convention or the rule is unknown.

    Source: paper 1, Eq. 2; its public code averages over the labels of each group.

    Example:
        Group a: both classes right, F1 = 1; group b has only class 0, right: (1 + (1 + 0)/2) / 2.

        >>> from affectcheck.tallies import Confusion
        >>> float(local_f1(Confusion.of_counts([[[1, 0], [0, 1]], [[2, 0], [0, 0]]])))
        0.75
    """
    rule = OVER_CLASSES.resolve(convention, undefined)
    by_group = macro(f1(tally), tally, rule)
    if rule == "seen" and convention != "paper":
        by_group = np.where(_two_labels(tally)[..., None], _binary_f1(tally), by_group)
    return mean_of_present(by_group, tally.support > 0, rule)


def _two_labels(tally: Confusion) -> NDArray[np.bool_]:
    """(...) whether exactly two labels occur in the truth of all groups together."""
    return np.asarray((tally.pooled(-1).truth_totals > 0).sum(axis=-1) == 2)


def _binary_f1(tally: Confusion) -> Floats:
    """(..., G) F1 of the second label of the truth in each group, 0/0 counting as 0, NaN without items."""
    seen = tally.pooled(-1).truth_totals > 0
    second = seen.shape[-1] - 1 - seen[..., ::-1].argmax(axis=-1)
    values = np.nan_to_num(f1(tally))
    chosen = np.take_along_axis(values, second[..., None, None], axis=-1)[..., 0]
    return np.where(tally.support > 0, chosen, np.nan)


def local_ccc(tally: Moments, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Local CCC: mean over dimensions and over the groups of an attribute of the CCC in each.

    $$\mathrm{Local\ CCC} = \frac{1}{D\,|G|} \sum_{d=1}^{D} \sum_{g \in G} \mathrm{CCC}^d(g)$$

    Range: -1 to 1; higher is better.

    Undefined when: in any dimension no group has a CCC. A group with fewer than 2 items, or with both sides constant
    and equal, is left out of the dimension (rule ``skip``) and counted.

    Tally: Moments (..., G, D).

    Signature: convention, the rule for undefined groups, ddof.

    Args:
        tally: (..., G, D) moments.
        convention: ``tables`` and ``upstream`` take single items and 1e-8 inside rho, and one undefined group makes
            the whole undefined.
        undefined: ``skip``, ``propagate`` or ``zero``; empty for the convention's own.

    Returns:
        (...) values.

    Raises:
        InputError: the convention or the rule is unknown.

    Source: paper 1, Eq. 8.

    Example:
        Group a agrees exactly; group b has one item and is left out.

        >>> from affectcheck.tallies import Moments
        >>> tally = Moments.of([0.1, 0.2, 0.5], [0.1, 0.2, 0.7], cells=[0, 0, 1])
        >>> float(local_ccc(tally)), float(local_ccc(tally, convention="upstream")) < 0.51
        (1.0, True)
    """
    return mean_of(local_ccc_parts(tally, convention=convention, undefined=undefined), "propagate")


def local_ccc_parts(tally: Moments, *, convention: str = "paper", undefined: str = "") -> Floats:
    """Local CCC of each dimension, (..., D); see ``local_ccc``."""
    rule = LOCAL_DIMENSIONS.resolve(convention, undefined)
    values = ccc_parts(tally, convention=convention)
    present = tally.n > 0.0  # a group that nobody belongs to is no group
    if rule == "zero":
        values = np.where(present & np.isnan(values), 0.0, values)
    return mean_of_present(values, present, rule, axis=-2)


def _f1_count(tally: Confusion) -> NDArray[Any]:
    cells = np.isnan(f1(tally)).sum(axis=-1)
    return np.asarray(np.where(tally.support > 0, cells, 1).sum(axis=-1))


def _f1_sentences(tally: Confusion, names: Names) -> tuple[str, ...]:
    missing = np.isnan(f1(tally))
    sentences = []
    for g in range(tally.shape[-1]):
        if tally.support[g] == 0:
            sentences.append(f"group {names.group(g)!r} left out: no items")
        elif missing[g].any():
            classes = ", ".join(names.part(int(c)) for c in np.flatnonzero(missing[g]))
            sentences.append(f"group {names.group(g)!r}: no truth, no prediction of {classes}")
    return tuple(sentences)


def _ccc_reasons(tally: Moments, names: Names) -> tuple[str, ...]:
    """Why Local CCC of each dimension is undefined."""
    missing = np.isnan(local_ccc_parts(tally))
    return tuple(f"{names.part(d)}: no group has a CCC" if bad else "" for d, bad in enumerate(missing))


def _ccc_sentences(tally: Moments, names: Names) -> tuple[str, ...]:
    missing = np.isnan(ccc_parts(tally))
    return tuple(
        f"group {names.group(int(g))!r} left out of {names.part(int(d))}: "
        f"{few(tally[int(g)], int(d)) or 'truth and prediction are constant and equal'}"
        for g, d in np.argwhere(missing)
    )


register(
    Metric(
        name="local_f1",
        title="Local F1",
        kind="categories",
        level="disparity",
        tally=Confusion,
        compute=local_f1,
        low=0.0,
        high=1.0,
        higher_is_better=True,
        source="paper 1, Eq. 2",
        undefined="no group has items",
        rules=OVER_CLASSES,
        diagnosis=Diagnosis(_f1_count, _f1_sentences),
    )
)
register(
    Metric(
        name="local_ccc",
        title="Local CCC",
        kind="dimensions",
        level="disparity",
        tally=Moments,
        compute=local_ccc,
        parts=local_ccc_parts,
        low=-1.0,
        high=1.0,
        higher_is_better=True,
        source="paper 1, Eq. 8",
        undefined="in a dimension no group has a CCC",
        rules=LOCAL_DIMENSIONS,
        options=("ddof=0",),
        diagnosis=Diagnosis(lambda tally: np.isnan(ccc_parts(tally)).sum(axis=(-2, -1)), _ccc_sentences, _ccc_reasons),
    )
)
