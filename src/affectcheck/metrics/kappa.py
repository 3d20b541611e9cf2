"""Cohen's kappa: agreement beyond what the two marginal distributions would give by chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from affectcheck.metrics.metric import Diagnosis, Metric, Names
from affectcheck.metrics.registry import register
from affectcheck.metrics.rules import NO_PARTS, ratio
from affectcheck.tallies import Confusion

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def cohen_kappa(tally: Confusion, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Cohen's kappa of truth and prediction.

    $$\kappa = \frac{p_o - p_e}{1 - p_e},\quad p_o = \frac{1}{n}\sum_c n_{cc},\quad
    p_e = \frac{1}{n^2}\sum_c \Bigl(\sum_j n_{cj}\Bigr)\Bigl(\sum_i n_{ic}\Bigr)$$

    Range: -1 to 1; higher is better; 0 is chance.

    Undefined when: there are no items, or truth and prediction are one and the same class throughout (0/0).

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

    Source: Cohen, J. (1960), A coefficient of agreement for nominal scales.

    Example:
        Observed agreement 7/8, chance (4·3 + 4·5)/64 = 1/2.

        >>> from affectcheck.tallies import Confusion
        >>> float(cohen_kappa(Confusion.of_counts([[3, 1], [0, 4]])))
        0.75
    """
    NO_PARTS.resolve(convention, undefined)
    items = np.asarray(tally.support, np.float64)
    # In whole numbers, so that agreement by one class throughout is 0/0 and not a rounded quotient.
    chance = (tally.truth_totals * tally.prediction_totals).sum(axis=-1)
    return ratio(items * tally.hits.sum(axis=-1) - chance, items * items - chance)


def _constant(tally: Confusion) -> NDArray[np.int64]:
    return np.isnan(cohen_kappa(tally)).astype(np.int64)


def _sentences(tally: Confusion, names: Names) -> tuple[str, ...]:
    if not np.isnan(cohen_kappa(tally)) or tally.support == 0:
        return ()
    only = int(np.argmax(tally.truth_totals))
    return (f"truth and prediction are {names.part(only)} throughout",)


register(
    Metric(
        name="cohen_kappa",
        title="Cohen's kappa",
        kind="categories",
        level="overall",
        tally=Confusion,
        compute=cohen_kappa,
        low=-1.0,
        high=1.0,
        higher_is_better=True,
        source="Cohen (1960)",
        undefined="truth and prediction are one and the same class throughout",
        diagnosis=Diagnosis(_constant, _sentences),
    )
)
