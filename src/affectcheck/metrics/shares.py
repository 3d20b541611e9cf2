"""What a model predicts, whatever the truth: how often each class, unit or range of values, and the mean value.

By themselves these are neither good nor bad; compared between groups they are what statistical parity is about.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.metrics.metric import Diagnosis, Metric, Names
from affectcheck.metrics.registry import register
from affectcheck.metrics.rules import NO_PARTS, ratio
from affectcheck.tallies import Binned, Confusion, Moments, Units

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from affectcheck.metrics.metric import Kind
    from affectcheck.tallies import Tally

    Floats = NDArray[np.float64]

NOTHING: Final = "no items with a prediction"


def share(tally: Confusion, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Share of the predictions that are of a class, for each class.

    $$\mathrm{share}_c = \frac{\sum_i n_{ic}}{\sum_{i,j} n_{ij}}$$

    Range: 0 to 1; neither way is better.

    Undefined when: no item has a prediction. Items without one that count as wrong are in no share.

    Tally: Confusion (..., C, C).

    Signature: nothing.

    Args:
        tally: (..., C, C) counts.
        convention: one of the three; the same in all.
        undefined: empty; each class stands for itself.

    Returns:
        (..., C) shares.

    Raises:
        InputError: the convention is unknown, or a rule is asked for.

    Source: paper 2, Eq. 1, whose probabilities they are.

    Example:
        >>> from affectcheck.tallies import Confusion
        >>> share(Confusion.of_counts([[3, 1], [0, 4]])).tolist()
        [0.375, 0.625]
    """
    NO_PARTS.resolve(convention, undefined)
    totals = tally.prediction_totals
    return ratio(totals, totals.sum(axis=-1, keepdims=True))


def unit_share(tally: Units, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Share of the items in which an action unit is predicted, for each unit: its selection rate.

    $$\mathrm{share}_m = \frac{TP_m + FP_m}{n_m}$$

    with n_m the items in which the unit is known.

    Range: 0 to 1; neither way is better.

    Undefined when: the unit is unknown in every item.

    Tally: Units (..., M, 2, 2).

    Signature: nothing.

    Args:
        tally: (..., M, 2, 2) counts.
        convention: one of the three; the same in all.
        undefined: empty; each unit stands for itself.

    Returns:
        (..., M) shares.

    Raises:
        InputError: the convention is unknown, or a rule is asked for.

    Source: paper 1, Eq. 6, whose rates they are.

    Example:
        >>> from affectcheck.tallies import Units
        >>> unit_share(Units.of_counts([[[2, 1], [0, 1]]])).tolist()
        [0.5]
    """
    NO_PARTS.resolve(convention, undefined)
    return ratio(tally.predicted_positives, tally.support)


def bin_share(tally: Binned, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Share of the predictions that lie in a bin, for each bin of each dimension.

    $$\mathrm{share}_b = \frac{\sum_i n_{ib}}{\sum_{i,j} n_{ij}}$$

    over the items whose truth is known.

    Range: 0 to 1; neither way is better.

    Undefined when: there are no items in the dimension.

    Tally: Binned (..., D, K, K).

    Signature: the edges of the bins.

    Args:
        tally: (..., D, K, K) counts.
        convention: one of the three; the same in all.
        undefined: empty; each bin stands for itself.

    Returns:
        (..., D·K) shares, dimension by dimension.

    Raises:
        InputError: the convention is unknown, or a rule is asked for.

    Source: paper 2, Eq. 3 as reformulated there for single bins, of which it takes four.

    Example:
        >>> from affectcheck.tallies import Binned
        >>> bin_share(Binned.of([0.1, 0.2, 0.9, 0.6], [0.2, 0.3, 0.8, 0.9])).tolist()
        [0.25, 0.25, 0.0, 0.5]
    """
    NO_PARTS.resolve(convention, undefined)
    totals = tally.counts.sum(axis=-2)
    shares = ratio(totals, totals.sum(axis=-1, keepdims=True))
    return shares.reshape(*shares.shape[:-2], -1)


def mean(tally: Moments, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Mean prediction, for each dimension.

    $$\bar p = \frac{1}{n} \sum_i p_i$$

    over the items whose truth is known.

    Range: that of the predictions; neither way is better. In the unit of the scheme.

    Undefined when: there are no items in the dimension.

    Tally: Moments (..., D).

    Signature: nothing.

    Args:
        tally: (..., D) moments.
        convention: one of the three; the same in all.
        undefined: empty; each dimension stands for itself.

    Returns:
        (..., D) means.

    Raises:
        InputError: the convention is unknown, or a rule is asked for.

    Source: paper 2, whose shift in mean value compares it between groups.

    Example:
        >>> from affectcheck.tallies import Moments
        >>> mean(Moments.of([0.0, 1.0], [0.5, 0.25])).tolist()
        [0.375]
    """
    NO_PARTS.resolve(convention, undefined)
    return np.where(tally.n > 0, tally.mean_prediction, np.nan)


@dataclass(frozen=True)
class _Entry:
    compute: Callable[..., Floats]
    title: str
    kind: Kind
    tally: type[Tally]
    source: str
    low: float = 0.0
    high: float = 1.0


def _diagnosis(entry: _Entry) -> Diagnosis:
    def undefined(tally: Tally) -> NDArray[np.bool_]:
        return np.isnan(entry.compute(tally))

    def reasons(tally: Tally, names: Names) -> tuple[str, ...]:
        bad = undefined(tally)
        if isinstance(tally, Binned):
            told = tally.names(tuple(names.part(d) for d in range(tally.dimensions)))
        else:
            told = tuple(names.part(p) for p in range(bad.size))
        return tuple(f"{name}: {NOTHING}" if lacks else "" for name, lacks in zip(told, bad, strict=True))

    return Diagnosis.by_part(reasons, undefined)


for _entry in (
    _Entry(share, "share of the predictions", "categories", Confusion, "paper 2, Eq. 1"),
    _Entry(unit_share, "share of the items with a unit predicted", "units", Units, "paper 1, Eq. 6"),
    _Entry(bin_share, "share of the predictions in a range of values", "dimensions", Binned, "paper 2, Eq. 3"),
    _Entry(mean, "mean prediction", "dimensions", Moments, "paper 2, fairness tests", -np.inf, np.inf),
):
    register(
        Metric(
            name=_entry.compute.__name__,
            title=_entry.title,
            kind=_entry.kind,
            level="part",
            tally=_entry.tally,
            compute=_entry.compute,
            parts=_entry.compute,
            low=_entry.low,
            high=_entry.high,
            higher_is_better=None,
            source=_entry.source,
            undefined=NOTHING,
            options=("edges=0.25/0.5/0.75",) if _entry.tally is Binned else (),
            diagnosis=_diagnosis(_entry),
            naming=Binned.names if _entry.tally is Binned else None,
        )
    )
