"""Recall and precision in a range of values of a dimension: where on its scale a model works."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.metrics.metric import Diagnosis, Metric, Names
from affectcheck.metrics.registry import register
from affectcheck.metrics.rules import NO_PARTS, ratio
from affectcheck.tallies import Binned

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def bin_recall(tally: Binned, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Share of the items whose truth lies in a bin that are predicted in it, for each bin of each dimension.

    $$\mathrm{recall}_b = \frac{n_{bb}}{\sum_j n_{bj}}$$

    Range: 0 to 1; higher is better. A prediction just across an edge is as wrong as any: read it beside the MAE.

    Undefined when: the bin has no items in the truth.

    Tally: Binned (..., D, K, K).

    Signature: the edges of the bins.

    Args:
        tally: (..., D, K, K) counts.
        convention: one of the three; the same in all.
        undefined: empty; each bin stands for itself.

    Returns:
        (..., D·K) values, dimension by dimension.

    Raises:
        InputError: the convention is unknown, or a rule is asked for.

    Source: paper 2, recall per bin of its fairness tests, with four bins closed on the right.

    Example:
        Truths .1, .2 and .9, predicted as .2, .3 and .8.

        >>> from affectcheck.tallies import Binned
        >>> bin_recall(Binned.of([0.1, 0.2, 0.9], [0.2, 0.3, 0.8])).tolist()
        [0.5, nan, nan, 1.0]
    """
    NO_PARTS.resolve(convention, undefined)
    return _flat(ratio(_hits(tally), tally.counts.sum(axis=-1)))


def bin_precision(tally: Binned, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Share of the items predicted in a bin whose truth lies in it, for each bin of each dimension.

    $$\mathrm{precision}_b = \frac{n_{bb}}{\sum_i n_{ib}}$$

    Range: 0 to 1; higher is better.

    Undefined when: no item is predicted in the bin.

    Tally: Binned (..., D, K, K).

    Signature: the edges of the bins.

    Args:
        tally: (..., D, K, K) counts.
        convention: one of the three; the same in all.
        undefined: empty; each bin stands for itself.

    Returns:
        (..., D·K) values, dimension by dimension.

    Raises:
        InputError: the convention is unknown, or a rule is asked for.

    Source: paper 2, precision per bin of its fairness tests, with four bins closed on the right.

    Example:
        Truths .1, .2 and .9, predicted as .2, .3 and .8.

        >>> from affectcheck.tallies import Binned
        >>> bin_precision(Binned.of([0.1, 0.2, 0.9], [0.2, 0.3, 0.8])).tolist()
        [1.0, 0.0, nan, 1.0]
    """
    NO_PARTS.resolve(convention, undefined)
    return _flat(ratio(_hits(tally), tally.counts.sum(axis=-2)))


def _hits(tally: Binned) -> NDArray[Any]:
    return np.diagonal(tally.counts, axis1=-2, axis2=-1)


def _flat(values: Floats) -> Floats:
    """(..., D, K) as (..., D·K)."""
    return values.reshape(*values.shape[:-2], -1)


def _diagnosis(compute: Callable[[Binned], Floats], reason: str) -> Diagnosis:
    def reasons(tally: Binned, names: Names) -> tuple[str, ...]:
        told = tally.names(tuple(names.part(d) for d in range(tally.dimensions)))
        return tuple(
            f"{name}: {reason}" if bad else "" for name, bad in zip(told, np.isnan(compute(tally)), strict=True)
        )

    return Diagnosis.by_part(reasons, lambda tally: np.isnan(compute(tally)))


for _compute, _title, _reason in (
    (bin_recall, "recall of a range of values", "no items in the truth"),
    (bin_precision, "precision of a range of values", "never predicted"),
):
    register(
        Metric(
            name=_compute.__name__,
            title=_title,
            kind="dimensions",
            level="part",
            tally=Binned,
            compute=_compute,
            parts=_compute,
            low=0.0,
            high=1.0,
            higher_is_better=True,
            source="paper 2, fairness tests",
            undefined=f"the bin: {_reason}",
            options=("edges=0.25/0.5/0.75",),
            diagnosis=_diagnosis(_compute, _reason),
            naming=Binned.names,
        )
    )
