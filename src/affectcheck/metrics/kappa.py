"""Cohen's kappa: agreement beyond what the two marginal distributions would give by chance; weighted for an order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.metrics.metric import Diagnosis, Metric, Names
from affectcheck.metrics.registry import register
from affectcheck.metrics.rules import NO_PARTS, ratio
from affectcheck.tallies import Confusion

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

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


def weighted_kappa(tally: Confusion, *, weights: str | ArrayLike = "quadratic") -> Floats:
    r"""Cohen's weighted kappa: a disagreement counts by how far apart the two classes are.

    $$\kappa_w = 1 - \frac{\sum_{i,j} w_{ij} n_{ij}}{\sum_{i,j} w_{ij} n_{i\cdot} n_{\cdot j} / n}$$

    It knows the order of the classes, which no registered metric of categories does, so that it is used where a scheme
    declares one.

    Range: -1 to 1 for weights that grow with the distance; higher is better; 0 is chance.

    Undefined when: there are no items, or both sides are one and the same class throughout (0/0).

    Tally: Confusion (..., C, C). Items without an answer have no distance and are left out.

    Args:
        tally: (..., C, C) counts.
        weights: ``linear`` (|i - j|), ``quadratic`` ((i - j)²), or (C, C) disagreements of 0 or more, 0 on the
            diagonal.

    Returns:
        (...) values.

    Raises:
        UnknownNameError: other words for the weights.
        InputError: weights of another shape, below 0, or not 0 on the diagonal.

    Source: Cohen, J. (1968), Weighted kappa: nominal scale agreement with provision for scaled disagreement.

    Example:
        One of four items is off by two classes, 4 in squares; of the marginals (2, 0, 2) and (1, 0, 3), a share of
        (2 · 3 + 2 · 1) / 16 is: 1 - 1/4 / (1/2) = 1/2.

        >>> from affectcheck.tallies import Confusion
        >>> float(weighted_kappa(Confusion.of_counts([[1, 0, 1], [0, 0, 0], [0, 0, 2]])))
        0.5
    """
    apart = _disagreements(weights, tally.labels)
    counts = np.asarray(tally.counts, np.float64)
    observed = (counts * apart).sum(axis=(-2, -1)) * counts.sum(axis=(-2, -1))
    expected = np.einsum("...i,ij,...j->...", counts.sum(axis=-1), apart, counts.sum(axis=-2))
    return 1.0 - ratio(observed, expected)


def kappa_of_each(tally: Confusion) -> Floats:
    """Cohen's kappa of each class against all others together; see ``cohen_kappa``.

    Args:
        tally: (..., C, C) counts.

    Returns:
        (..., C) values, NaN where both sides name the class always or never.

    Example:
        Of four items both sides call one joy, and one side one more: 3/4 agree, of chance 1/4 · 2/4 + 3/4 · 2/4 = 1/2.

        >>> from affectcheck.tallies import Confusion
        >>> kappa_of_each(Confusion.of_counts([[1, 0, 0], [1, 1, 0], [0, 0, 1]])).round(3).tolist()
        [0.5, 0.5, 1.0]
    """
    counts = np.asarray(tally.counts, np.float64)
    both = np.diagonal(counts, axis1=-2, axis2=-1)
    first, second = counts.sum(axis=-1), counts.sum(axis=-2)
    n = counts.sum(axis=(-2, -1))[..., None]
    agreeing = n * (n - first - second + 2.0 * both)
    # In whole numbers, so that one value throughout is 0/0 and not a rounded quotient.
    chance = first * second + (n - first) * (n - second)
    return ratio(agreeing - chance, n * n - chance)


def _disagreements(weights: str | ArrayLike, labels: int) -> Floats:
    if isinstance(weights, str):
        powers = {"linear": 1, "quadratic": 2}
        if weights not in powers:
            raise UnknownNameError.of("weights of disagreements", weights, powers)
        places = np.arange(labels, dtype=np.float64)
        return np.asarray(np.abs(places[:, None] - places[None, :]) ** powers[weights])
    matrix = np.asarray(weights, np.float64)
    if matrix.shape != (labels, labels) or not (matrix >= 0.0).all() or np.diagonal(matrix).any():
        raise InputError(
            f"weights of shape {matrix.shape} for {labels} classes",
            expected="(C, C) disagreements of 0 or more, 0 where the classes agree",
        )
    return matrix


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
