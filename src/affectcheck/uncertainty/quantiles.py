"""Quantiles of the normal and of Student's t distribution; SciPy is loaded when one is first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

#: Share of their spread by which equal values may differ.
_ROUNDING = 1e-9


def _special() -> Any:
    from scipy import special  # noqa: PLC0415  # importing affectcheck must not load SciPy

    return special


def normal_cdf(x: ArrayLike) -> Floats:
    """Probability that a standard normal value is at most x."""
    return np.asarray(_special().ndtr(x), np.float64)


def normal_quantile(p: ArrayLike) -> Floats:
    """Quantile of the standard normal distribution.

    Example:
        >>> round(float(normal_quantile(0.975)), 6)
        1.959964
    """
    return np.asarray(_special().ndtri(p), np.float64)


def t_quantile(p: ArrayLike, degrees: ArrayLike) -> Floats:
    """Quantile of Student's t with any positive degrees of freedom.

    Example:
        >>> round(float(t_quantile(0.975, 4)), 3)
        2.776
    """
    return np.asarray(_special().stdtrit(degrees, p), np.float64)


def t_cdf(x: ArrayLike, degrees: ArrayLike) -> Floats:
    """Probability that Student's t is at most x."""
    return np.asarray(_special().stdtr(degrees, x), np.float64)


def tolerance_rank(number: ArrayLike, share: float, certainty: float) -> NDArray[np.intp]:
    """Which of n ordered draws bounds a quantile of their distribution from above (Wilks 1941).

    Args:
        number: (...) n.
        share: the quantile, such as 0.95.
        certainty: probability that the draw of this rank is not below the quantile.

    Returns:
        (...) the smallest such rank, from 1; n where n draws are too few for any.

    Example:
        With 59 draws the largest bounds the 95 % quantile with a certainty of 95 %, with 58 it does not.

        >>> tolerance_rank([58, 59, 1000], 0.95, 0.95).tolist()
        [58, 59, 962]
    """
    n = np.asarray(number, np.float64)
    # P(rank r bounds it) = P(Binomial(n, share) <= r - 1); the inverse is not whole, and NaN where n is 0.
    below = np.ceil(np.nan_to_num(_special().bdtrik(certainty, n, share)) - 1e-9)
    return np.asarray(np.minimum(below + 1.0, n), np.intp)


def drawn_quantile(values: ArrayLike, quantile: float) -> float:
    """The smallest of some draws that at least this share of them do not exceed.

    Args:
        values: (n,) draws, at least one.
        quantile: the share; 1 for the largest draw.

    Example:
        >>> drawn_quantile([0.3, 0.1, 0.2, 0.4], 0.5), drawn_quantile([0.3, 0.1], 1.0)
        (0.2, 0.3)
    """
    ordered = np.sort(np.asarray(values, np.float64))
    return float(ordered[max(0, int(np.ceil(quantile * ordered.size)) - 1)])


def chi_square_quantile(p: float, degrees: float) -> float:
    """Quantile of the chi-square distribution.

    Example:
        >>> round(chi_square_quantile(0.95, 1), 3)
        3.841
    """
    return float(_special().chdtri(degrees, 1.0 - p))


def beta_quantile(p: ArrayLike, a: float, b: float) -> Floats:
    """Quantile of the beta distribution on 0 … 1.

    Example:
        >>> float(beta_quantile(0.25, 1.0, 1.0))
        0.25
    """
    return np.asarray(_special().betaincinv(a, b, p), np.float64)


def noncentral_t_cdf(x: ArrayLike, degrees: ArrayLike, centre: ArrayLike) -> Floats:
    """Probability that a noncentral t is at most x.

    Example:
        >>> round(float(noncentral_t_cdf(2.0, 10.0, 2.0)), 3)
        0.481
    """
    found = np.asarray(_special().nctdtr(degrees, centre, x), np.float64)
    # So far out in a tail that SciPy has no number for it.
    return np.where(np.isnan(found), np.where(np.asarray(x) < np.asarray(centre), 0.0, 1.0), found)


def share_below(values: NDArray[Any], point: NDArray[Any]) -> NDArray[np.float64]:
    """Share of the values (B, ...) below a point (...), NaN left out; .5 where there is none.

    Ties count half, so that a discrete statistic is not taken for a biased one. What differs by rounding alone is a tie,
    so that shares and their differences are the same on every machine.

    Example:
        >>> share_below(np.array([[1.0], [2.0], [2.0], [np.nan]]), np.array([2.0])).round(3).tolist()
        [0.667]
        >>> share_below(np.array([[0.1 + 0.2], [0.3], [0.5]]), np.array([0.3])).round(3).tolist()
        [0.333]
    """
    known = ~np.isnan(values)
    number = known.sum(axis=0)
    high = np.where(known, values, -np.inf).max(axis=0, initial=-np.inf)
    low = np.where(known, values, np.inf).min(axis=0, initial=np.inf)
    near = _ROUNDING * np.where(number > 0, high - low, 0.0) + np.spacing(np.abs(point))
    below = (values < point - near).sum(axis=0) + 0.5 * (np.abs(values - point) <= near).sum(axis=0)
    return np.where(number > 0, below / np.maximum(number, 1), 0.5)
