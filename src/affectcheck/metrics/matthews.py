"""Matthews correlation coefficient of any number of classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.metrics.metric import Diagnosis, Metric, Names
from affectcheck.metrics.registry import register
from affectcheck.metrics.rules import NO_PARTS
from affectcheck.tallies import Confusion

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def matthews(tally: Confusion, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Matthews correlation coefficient: the correlation of truth and prediction as indicators of their classes.

    $$R = \frac{n \sum_c n_{cc} - \sum_c t_c p_c}{\sqrt{n^2 - \sum_c t_c^2}\,\sqrt{n^2 - \sum_c p_c^2}},\quad
    t_c = \sum_j n_{cj},\ p_c = \sum_i n_{ic}$$

    Items without a prediction are a predicted class of their own, which is never right.

    Range: -1 to 1; higher is better; 0 is chance. With more than two classes the lowest value depends on the truth.

    Undefined when: there are no items, or the truth or the prediction is one class throughout (0/0).

    Tally: Confusion (..., C, C).

    Signature: nothing.

    Args:
        tally: (..., C, C) counts.
        convention: one of the three; the same in all.
        undefined: empty; it is no mean over parts.

    Returns:
        (...) values.

    Raises:
        InputError: the convention is unknown, or a rule is asked for.

    Source: Gorodkin, J. (2004), Comparing two K-category assignments by a K-category correlation coefficient.
        A common library gives 0 where a side is constant, which is undefined here: no correlation was measured.

    Example:
        (8·7 - 32) / sqrt((64 - 32) · (64 - 34)), with t = (4, 4) and p = (3, 5).

        >>> from affectcheck.tallies import Confusion
        >>> round(float(matthews(Confusion.of_counts([[3, 1], [0, 4]]))), 4)
        0.7746
        >>> float(matthews(Confusion.of_counts([[3, 0], [1, 0]])))
        nan
    """
    NO_PARTS.resolve(convention, undefined)
    items = np.asarray(tally.support, np.float64)
    of_truth, of_prediction = _spreads(tally)
    # In whole numbers, so that a constant side is 0/0 and not a rounded quotient.
    above = items * tally.hits.sum(axis=-1) - (tally.truth_totals * tally.prediction_totals).sum(axis=-1)
    below = np.sqrt(of_truth * of_prediction)
    known = (of_truth > 0.0) & (of_prediction > 0.0)
    value = np.divide(above, below, out=np.full(known.shape, np.nan), where=known)
    return np.asarray(np.clip(value, -1.0, 1.0))


def _spreads(tally: Confusion) -> tuple[Floats, Floats]:
    """Pairs of items that differ in truth, and in prediction; 0 where a side is constant."""
    items = np.asarray(tally.support, np.float64)
    predicted = (tally.prediction_totals**2).sum(axis=-1) + tally.unanswered.sum(axis=-1) ** 2
    return items * items - (tally.truth_totals**2).sum(axis=-1), items * items - predicted


def _constant(tally: Confusion) -> NDArray[Any]:
    return np.isnan(matthews(tally)).astype(np.int64)


def _sentences(tally: Confusion, names: Names) -> tuple[str, ...]:
    if tally.support == 0:
        return ()
    sides = (
        ("truth", tally.truth_totals, 0),
        ("prediction", tally.prediction_totals, tally.unanswered.sum(axis=-1)),
    )
    found = []
    for (side, totals, unanswered), pairs in zip(sides, _spreads(tally), strict=True):
        if pairs == 0:
            only = "missing" if unanswered else names.part(int(np.argmax(totals)))
            found.append(f"the {side} is {only} throughout")
    return tuple(found)


register(
    Metric(
        name="matthews",
        title="Matthews correlation coefficient",
        kind="categories",
        level="overall",
        tally=Confusion,
        compute=matthews,
        low=-1.0,
        high=1.0,
        higher_is_better=True,
        source="Gorodkin (2004)",
        undefined="the truth or the prediction is one class throughout",
        diagnosis=Diagnosis(_constant, _sentences),
    )
)
