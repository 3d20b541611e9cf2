"""Kendall's tau-b of two rankings of the same models, and how likely so much agreement is among unrelated rankings."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from math import factorial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.errors import InputError
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]
    Signs = NDArray[np.int8]

#: Share of the larger of two values by which equal ones may differ.
_ROUNDING: Final = 1e-9
#: Models up to whose number every order is looked at where scores are tied: 5040 orders.
_MOST_ORDERED: Final = 7
#: Pairs whose signs are held at a time: 64 MB.
_HELD: Final = 64_000_000


@dataclass(frozen=True)
class Kendall:
    """Agreement of two rankings.

    Attributes:
        tau: tau-b; NaN where it is undefined.
        p_value: two-sided, of the null that one ranking is in any order whatever the other is; NaN where undefined.
        models: models that have both scores.
        method: how the p-value was made.
        reason: why tau is undefined; empty where it is not.
    """

    tau: float
    p_value: float
    models: int
    method: str = ""
    reason: str = ""


def orders(values: ArrayLike) -> Signs:
    """Which of two models is ahead, for each pair: 1 the first, -1 the second, 0 neither, or where one is undefined.

    What differs by rounding alone is a tie.

    Args:
        values: (..., M) scores, NaN where undefined.

    Returns:
        (..., M (M - 1) / 2) signs, pairs in the order (0, 1), (0, 2), …, (1, 2), ….

    Example:
        >>> orders([0.5, 0.7, 0.1 + 0.4]).tolist()
        [-1, 0, 1]
    """
    array = np.asarray(values, np.float64)
    first, second = np.triu_indices(array.shape[-1], 1)
    left, right = array[..., first], array[..., second]
    near = _ROUNDING * np.maximum(np.abs(left), np.abs(right))
    apart = left - right
    return np.where(np.abs(apart) > near, np.sign(apart), 0.0).astype(np.int8)


def kendall_tau(first: ArrayLike, second: ArrayLike) -> Floats:
    r"""Kendall's tau-b of two sets of scores of the same models.

    $$\tau_b = \frac{C - D}{\sqrt{(P - T_1)(P - T_2)}}$$

    over the P pairs of models that have both scores: C are ordered alike, D the other way, T tied in one set.

    Range: -1 (reversed) to 1 (the same order); 0 where as many pairs are ordered alike as the other way.

    Undefined when: fewer than two models have both scores, or all of them are tied in one set.

    Args:
        first: (..., M) scores, higher being ahead; NaN where undefined.
        second: (..., M) others, higher being ahead too.

    Returns:
        (...) values, NaN where undefined.

    Source: Kendall, M. G. (1945), The treatment of ties in ranking problems.

    Example:
        Of three pairs two are ordered alike and one the other way: (2 - 1) / 3.

        >>> round(float(kendall_tau([3, 2, 1], [3, 1, 2])), 3)
        0.333
    """
    one, two = np.broadcast_arrays(np.asarray(first, np.float64), np.asarray(second, np.float64))
    if one.shape[-1] < 2:
        return np.full(one.shape[:-1], np.nan)
    both = ~np.isnan(one) & ~np.isnan(two)
    one, two = np.where(both, one, np.nan), np.where(both, two, np.nan)
    return _tau(one, two)


def _tau(one: Floats, two: Floats) -> Floats:
    models = one.shape[-1]
    rows = max(1, _HELD // (8 * models * (models - 1)))
    flat = [array.reshape(-1, models) for array in (one, two)]
    found = np.empty(flat[0].shape[0])
    for start in range(0, len(found), rows):
        part = slice(start, start + rows)
        left, right = (orders(array[part]) for array in flat)
        alike = (left * right).sum(axis=-1, dtype=np.int64)
        untied = np.sqrt((left != 0).sum(axis=-1) * (right != 0).sum(axis=-1, dtype=np.float64))
        found[part] = np.divide(alike, untied, out=np.full(len(alike), np.nan), where=untied > 0)
    return found.reshape(one.shape[:-1])


def kendall(first: ArrayLike, second: ArrayLike, *, draws: int = 10_000, seed: int = 0) -> Kendall:
    """Kendall's tau-b with a p-value, for scores that come without the items behind them.

    The null says that one ranking tells nothing of the other: every order of the models is as likely. Without ties its
    distribution is known exactly (SciPy); with ties all orders are looked at where there are few, else random ones.
    A small p-value says that the two rankings have something in common, a large one does not say that they differ.

    Args:
        first: (M,) scores, higher being ahead; NaN where undefined.
        second: (M,) others, higher being ahead too.
        draws: random orders, at most, where scores are tied.
        seed: of the draws.

    Example:
        The seven published models of AffectNet-8 whose rank before and after its new partition paper 1 states (section
        III-A: POSTER++, MT-EffNet, DAN, MA-Net, EmoGCN, EAC, DACL): the two rankings have next to nothing in common.

        >>> found = kendall([-1, -2, -3, -4, -5, -6, -7], [-1, -4, -6, -7, -2, -5, -3])
        >>> round(found.tau, 3), round(found.p_value, 2), found.method
        (0.143, 0.77, 'exact')
    """
    one, two = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if one.shape != two.shape or one.ndim != 1:
        raise InputError(f"scores of shapes {one.shape} and {two.shape}", expected="one score a model, twice")
    known = ~np.isnan(one) & ~np.isnan(two)
    one, two = one[known], two[known]
    tau, models = float(kendall_tau(one, two)), int(known.sum())
    reason = undefined_reason(one, two)
    if reason:
        return Kendall(np.nan, np.nan, models, "", reason)
    if (orders(one) != 0).all() and (orders(two) != 0).all():
        return Kendall(tau, float(_exact(one, two)), models, "exact")
    return _permuted(one, two, tau, draws, seed)


def undefined_reason(first: Floats, second: Floats) -> str:
    """Why two sets of defined scores have no tau; empty where they have."""
    if first.size < 2:
        return f"{first.size} {'model has' if first.size == 1 else 'models have'} both scores: a ranking takes two"
    tied = [not orders(values).any() for values in (first, second)]
    if any(tied):
        where = "both sets" if all(tied) else "the first set" if tied[0] else "the second set"
        return f"all models are tied in {where}"
    return ""


def _exact(one: Floats, two: Floats) -> Any:
    from scipy.stats import kendalltau  # noqa: PLC0415  # importing affectcheck must not load SciPy

    return kendalltau(one, two, method="exact").pvalue


def _permuted(one: Floats, two: Floats, tau: float, draws: int, seed: int) -> Kendall:
    """Of tied scores: over every order of few models, or random orders of many."""
    size = one.size
    if size <= _MOST_ORDERED:
        every = np.array(list(permutations(range(size))))
        hits = (np.abs(kendall_tau(one, two[every])) >= abs(tau) - _ROUNDING).sum()
        return Kendall(tau, float(hits / factorial(size)), size, f"all {factorial(size)} orders")
    random = rng(seed, "orders of models")
    drawn = random.permuted(np.tile(two, (draws, 1)), axis=1)
    hits = (np.abs(kendall_tau(one, drawn)) >= abs(tau) - _ROUNDING).sum()
    return Kendall(tau, float((1 + hits) / (1 + draws)), size, f"{draws} random orders")
