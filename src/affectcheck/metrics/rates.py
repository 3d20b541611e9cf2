"""Recall and precision: of the items of a class, how many are found; of those called it, how many are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from affectcheck.metrics.metric import Diagnosis, Metric, Names
from affectcheck.metrics.registry import register
from affectcheck.metrics.rules import NO_PARTS, ratio
from affectcheck.tallies import Confusion

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def accuracy(tally: Confusion, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Share of items that are predicted as their true class.

    $$\mathrm{accuracy} = \frac{1}{n} \sum_{c} n_{cc}$$

    Range: 0 to 1; higher is better. Dominated by the frequent classes, unlike balanced accuracy, which is ``uar``.

    Undefined when: there are no items.

    Tally: Confusion (..., C, C).

    Signature: nothing.

    Args:
        tally: (..., C, C) counts.
        convention: one of the three; the same in all.
        undefined: empty; it is no mean over parts.

    Returns:
        (...) shares.

    Raises:
        InputError: the convention is unknown, or a rule is asked for.

    Source: paper 1, section I.

    Example:
        >>> from affectcheck.tallies import Confusion
        >>> float(accuracy(Confusion.of_counts([[3, 1], [0, 4]])))
        0.875
    """
    NO_PARTS.resolve(convention, undefined)
    return ratio(tally.hits.sum(axis=-1), tally.support)


def recall(tally: Confusion, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Share of the items of a class that are predicted as it, for each class ("recall per class", RPC).

    $$\mathrm{recall}_c = \frac{n_{cc}}{\sum_j n_{cj}}$$

    Range: 0 to 1; higher is better.

    Undefined when: the class has no items in the truth.

    Tally: Confusion (..., C, C).

    Signature: nothing.

    Args:
        tally: (..., C, C) counts.
        convention: one of the three; the same in all.
        undefined: empty; each class stands for itself.

    Returns:
        (..., C) recalls.

    Raises:
        InputError: the convention is unknown, or a rule is asked for.

    Source: paper 2, Table I (recall per class).

    Example:
        >>> from affectcheck.tallies import Confusion
        >>> recall(Confusion.of_counts([[3, 1], [0, 0]])).tolist()
        [0.75, nan]
    """
    NO_PARTS.resolve(convention, undefined)
    return ratio(tally.hits, tally.truth_totals)


def precision(tally: Confusion, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Share of the items predicted as a class that are of it, for each class ("precision per class", PPC).

    $$\mathrm{precision}_c = \frac{n_{cc}}{\sum_i n_{ic}}$$

    Range: 0 to 1; higher is better.

    Undefined when: the class is never predicted.

    Tally: Confusion (..., C, C).

    Signature: nothing.

    Args:
        tally: (..., C, C) counts.
        convention: one of the three; the same in all.
        undefined: empty; each class stands for itself.

    Returns:
        (..., C) precisions.

    Raises:
        InputError: the convention is unknown, or a rule is asked for.

    Source: paper 2, Table I (precision per class).

    Example:
        >>> from affectcheck.tallies import Confusion
        >>> precision(Confusion.of_counts([[3, 0], [1, 0]])).tolist()
        [0.75, nan]
    """
    NO_PARTS.resolve(convention, undefined)
    return ratio(tally.hits, tally.prediction_totals)


def class_diagnosis(part: Callable[[Confusion], Floats], reason: str) -> Diagnosis:
    """Diagnosis of a mean over classes: one sentence for each class in which the part is undefined."""

    def reasons(tally: Confusion, names: Names) -> tuple[str, ...]:
        return tuple(f"{names.part(c)}: {reason}" if bad else "" for c, bad in enumerate(np.isnan(part(tally))))

    return Diagnosis.by_part(reasons, lambda tally: np.isnan(part(tally)))


NO_TRUTH = class_diagnosis(recall, "no items in the truth")
NO_PREDICTION = class_diagnosis(precision, "never predicted")

register(
    Metric(
        name="accuracy",
        title="accuracy",
        kind="categories",
        level="overall",
        tally=Confusion,
        compute=accuracy,
        low=0.0,
        high=1.0,
        higher_is_better=True,
        source="paper 1, section I",
        undefined="there are no items",
    )
)
register(
    Metric(
        name="recall",
        title="recall of a class",
        kind="categories",
        level="part",
        tally=Confusion,
        compute=recall,
        parts=recall,
        low=0.0,
        high=1.0,
        higher_is_better=True,
        source="paper 2, Table I",
        undefined="the class has no items in the truth",
        diagnosis=NO_TRUTH,
    )
)
register(
    Metric(
        name="precision",
        title="precision of a class",
        kind="categories",
        level="part",
        tally=Confusion,
        compute=precision,
        parts=precision,
        low=0.0,
        high=1.0,
        higher_is_better=True,
        source="paper 2, Table I",
        undefined="the class is never predicted",
        diagnosis=NO_PREDICTION,
    )
)
