"""How well scores of action units rank the items in which they are present before the others, at no threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.metrics.calibration import OVER_SCORED_UNITS
from affectcheck.metrics.metric import Diagnosis, Metric, Names
from affectcheck.metrics.registry import register
from affectcheck.metrics.rules import mean_of, ratio
from affectcheck.tallies import Sample
from affectcheck.tallies.ranked import running

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def unit_auc(tally: Sample, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Area under the receiver operating characteristic: mean over action units of that of each.

    $$\mathrm{AUC}_m = \frac{1}{n_+ n_-} \sum_{i \in +} \sum_{j \in -} \Bigl( [s_i > s_j] + \tfrac12 [s_i = s_j] \Bigr)$$

    the probability that an item in which the unit is present scores higher than one in which it is absent; equal
    scores count half, as mid-ranks do.

    Range: 0 to 1; higher is better; 1/2 for scores at random. Blind to how rare a unit is and to any threshold: read
    unit_ap beside it.

    Undefined when: no unit is both present and absent among the items in which it is known. A unit that is not is left
    out (rule ``skip``), and the number of such units stands beside the score.

    Tally: Sample (..., M).

    Signature: the rule for undefined units.

    Args:
        tally: (...) items with M units.
        convention: one of the three; the same in all.
        undefined: ``skip`` or ``propagate``; empty for ``skip``.

    Returns:
        (...) values.

    Raises:
        InputError: the convention or the rule is unknown.

    Source: Hanley, J. A. and McNeil, B. J. (1982), The meaning and use of the area under a receiver operating
        characteristic (ROC) curve.

    Example:
        Present at .9 and .4, absent at .4 and .1: of four pairs three are right and one is equal.

        >>> from affectcheck.tallies import Sample
        >>> float(unit_auc(Sample.of_units([1, 1, 0, 0], [0.9, 0.4, 0.4, 0.1])))
        0.875
    """
    return mean_of(unit_auc_parts(tally), OVER_SCORED_UNITS.resolve(convention, undefined))


def unit_auc_parts(tally: Sample, *, convention: str = "paper", undefined: str = "") -> Floats:
    """AUC of each unit, (..., M); see ``unit_auc``."""
    OVER_SCORED_UNITS.resolve(convention, undefined)
    return tally.each(_Area.of)


def unit_ap(tally: Sample, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Average precision: mean over action units of the precision at each item in which the unit is present.

    $$\mathrm{AP}_m = \sum_k (R_k - R_{k-1})\, P_k$$

    with R_k and P_k recall and precision where every item that scores at least the k-th highest score counts as
    predicted. Steps are not interpolated.

    Range: 0 to 1; higher is better; for scores at random about the share of items in which the unit is present, so
    that a rare unit scores low by chance.

    Undefined when: no unit is present in any item. A unit that is never present is left out (rule ``skip``), and the
    number of such units stands beside the score.

    Tally: Sample (..., M).

    Signature: the rule for undefined units.

    Args:
        tally: (...) items with M units.
        convention: one of the three; the same in all.
        undefined: ``skip`` or ``propagate``; empty for ``skip``.

    Returns:
        (...) values.

    Raises:
        InputError: the convention or the rule is unknown.

    Source: the step definition of scikit-learn's average_precision_score, which gives 0 for a unit that is never
        present.

    Example:
        Present at .9 and .4, absent at .5: precisions 1 and 2/3 at the two.

        >>> from affectcheck.tallies import Sample
        >>> round(float(unit_ap(Sample.of_units([1, 1, 0], [0.9, 0.4, 0.5]))), 4)
        0.8333
    """
    return mean_of(unit_ap_parts(tally), OVER_SCORED_UNITS.resolve(convention, undefined))


def unit_ap_parts(tally: Sample, *, convention: str = "paper", undefined: str = "") -> Floats:
    """Average precision of each unit, (..., M); see ``unit_ap``."""
    OVER_SCORED_UNITS.resolve(convention, undefined)
    return tally.each(_AveragePrecision.of)


@dataclass(frozen=True, eq=False)
class _Area:
    """AUC: for each present item, the absent ones below it, those of an equal score half."""

    orders: tuple[NDArray[np.intp], ...]
    below: NDArray[np.intp]
    upto: NDArray[np.intp]

    @classmethod
    def of(cls, truth: NDArray[Any], score: NDArray[Any]) -> _Area:
        present, absent = (np.flatnonzero(truth == side) for side in (1, 0))
        absent = absent[np.argsort(score[absent], kind="stable")]
        # The search walks along the scores where they are sorted, which spares the cache.
        present = present[np.argsort(score[present], kind="stable")]
        below, upto = (np.searchsorted(score[absent], score[present], side=side) for side in ("left", "right"))
        return cls((present, absent), below, below if np.array_equal(below, upto) else upto)

    def values(self, weights: Sequence[Floats]) -> Floats:
        present, absent = weights
        total = running(absent)
        above = np.einsum("ki,ki->k", present, total.take(self.below, axis=1))
        above += above if self.below is self.upto else np.einsum("ki,ki->k", present, total.take(self.upto, axis=1))
        return ratio(above, 2.0 * present.sum(axis=1) * total[:, -1])


@dataclass(frozen=True, eq=False)
class _AveragePrecision:
    """Average precision: for each present item, the present and the absent ones that score at least as high."""

    orders: tuple[NDArray[np.intp], ...]
    hits: NDArray[np.intp]
    alarms: NDArray[np.intp]

    @classmethod
    def of(cls, truth: NDArray[Any], score: NDArray[Any]) -> _AveragePrecision:
        sides = [np.flatnonzero(truth == side) for side in (1, 0)]
        # From the highest score down.
        present, absent = (side[np.argsort(score[side], kind="stable")[::-1]] for side in sides)
        hits, alarms = (
            side.size - np.searchsorted(score[side][::-1], score[present], side="left") for side in (present, absent)
        )
        return cls((present, absent), hits, alarms)

    def values(self, weights: Sequence[Floats]) -> Floats:
        present, absent = weights
        found, false = running(present), running(absent)
        hits = found.take(self.hits, axis=1)
        called = hits + false.take(self.alarms, axis=1)
        # Where nothing is called so far nothing was found, and the term is 0.
        precision = np.divide(hits, called, out=np.zeros_like(hits), where=called > 0.0)
        return ratio(np.einsum("ki,ki->k", present, precision), found[:, -1])


def _diagnosis(part: Callable[[Sample], Floats], *, both: bool) -> Diagnosis:
    """One sentence for each unit in which the part is undefined."""

    def reasons(tally: Sample, names: Names) -> tuple[str, ...]:
        support, present = tally.support, tally.counted(lambda truth: np.asarray(truth == 1))
        told = []
        for m, bad in enumerate(np.isnan(part(tally))):
            why = "unknown in every item" if support[m] == 0 else "always present" if present[m] else "never present"
            told.append(f"{names.part(m)}: {why}" if bad else "")
        return tuple(told)

    return Diagnosis.by_part(reasons, lambda tally: _undefined(tally, both=both))


def _undefined(tally: Sample, *, both: bool) -> NDArray[np.bool_]:
    """(..., M) where a unit is never present, or never absent if both are wanted; no item is sorted for it."""
    present = tally.counted(lambda truth: np.asarray(truth == 1))
    never = present == 0
    return np.asarray(never | (tally.support == present) if both else never)


for _metric, _parts, _title, _source, _both in (
    (unit_auc, unit_auc_parts, "area under the ROC curve of action units", "Hanley and McNeil (1982)", True),
    (unit_ap, unit_ap_parts, "average precision of action units", "scikit-learn, average_precision_score", False),
):
    register(
        Metric(
            name=_metric.__name__,
            title=_title,
            kind="units",
            level="overall",
            tally=Sample,
            compute=_metric,
            parts=_parts,
            low=0.0,
            high=1.0,
            higher_is_better=True,
            source=_source,
            undefined="no unit is both present and absent" if _both else "no unit is present in any item",
            rules=OVER_SCORED_UNITS,
            diagnosis=_diagnosis(_parts, both=_both),
        )
    )
