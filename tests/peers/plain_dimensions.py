"""Metrics of dimensions and of raters, written out item by item."""

from __future__ import annotations

from itertools import pairwise, permutations, product
from typing import TYPE_CHECKING

import numpy as np

from peers.plain import NAN, over, over_groups, share

if TYPE_CHECKING:
    from collections.abc import Callable

    from peers.draws import Case

Values = list[float]
Side = np.ndarray
EDGES = (-0.5, 0.0, 0.5)


def columns(case: Case) -> list[tuple[Side, Side]]:
    """Truth and prediction of each dimension where the truth is known."""
    found = []
    for d in range(case.truth.shape[1]):
        rows = ~np.isnan(case.truth[:, d])
        found.append((case.truth[rows, d].astype(float), case.prediction[rows, d].astype(float)))
    return found


def mean(function: Callable[[Side, Side], float]) -> Callable[..., float]:
    def value(case: Case, rule: str = "propagate", convention: str = "paper") -> float:
        return over([function(t, p) if t.size else NAN for t, p in columns(case)], rule)

    return value


def ccc_of(t: Side, p: Side) -> float:
    if t.size < 2 or (np.ptp(t) == np.ptp(p) == 0 and t[0] == p[0]):
        return NAN
    if np.ptp(t) == 0 or np.ptp(p) == 0:
        return 0.0
    a, b = t - t.mean(), p - p.mean()
    return float(2 * (a * b).mean() / ((a * a).mean() + (b * b).mean() + (t - p).mean() ** 2))


def public_ccc_of(t: Side, p: Side) -> float:
    """With 1e-8 in the denominator of rho, and of a single item too."""
    if not t.size or (np.ptp(t) == np.ptp(p) == 0 and t[0] == p[0]):
        return NAN
    a, b = (np.zeros_like(s) if np.ptp(s) == 0 else s - s.mean() for s in (t, p))
    rho = (a * b).sum() / (np.sqrt((a * a).sum()) * np.sqrt((b * b).sum()) + 1e-8)
    deviations = np.sqrt((a * a).mean()) * np.sqrt((b * b).mean())
    return float(2 * rho * deviations / ((a * a).mean() + (b * b).mean() + (t - p).mean() ** 2))


def ccc(case: Case, rule: str = "propagate", convention: str = "paper") -> float:
    return mean(ccc_of if convention == "paper" else public_ccc_of)(case, rule)


def pcc_of(t: Side, p: Side) -> float:
    if t.size < 2 or np.ptp(t) == 0 or np.ptp(p) == 0:
        return NAN
    a, b = t - t.mean(), p - p.mean()
    return float((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum()))


def spearman_of(t: Side, p: Side) -> float:
    ranks = [(s < s[:, None]).sum(axis=1) + (s == s[:, None]).sum(axis=1) / 2 for s in (t, p)]
    return pcc_of(*ranks)


def jsd_of(t: Side, p: Side) -> float:
    edges = [round(-1 + b / 5, 1) for b in range(11)]
    shares = []
    for side in (t, p):
        inside = np.clip(side, -1, 1)
        bins = [((inside >= low) & (inside < high)).mean() for low, high in pairwise(edges)]
        bins[-1] += (inside == 1).mean()
        shares.append(np.array(bins))
    middle = (shares[0] + shares[1]) / 2
    parts = [(q[q > 0] * np.log2(q[q > 0] / middle[q > 0])).sum() for q in shares]
    return float(max(sum(parts) / 2, 0.0) ** 0.5)


def bins_of(side: Side) -> np.ndarray:
    return (side[:, None] > np.array(EDGES)).sum(axis=1)


def by_bin(function: Callable[[Side, Side, int], float]) -> Callable[..., Values]:
    def values(case: Case, rule: str = "", convention: str = "paper") -> Values:
        return [function(bins_of(t), bins_of(p), b) for t, p in columns(case) for b in range(len(EDGES) + 1)]

    return values


def local_ccc(case: Case, rule: str = "skip", convention: str = "paper") -> float:
    function = ccc_of if convention == "paper" else public_ccc_of
    by_dimension = []
    for d in range(case.truth.shape[1]):
        sides = [columns(group)[d] for group in case.by_group]
        values = [function(t, p) for t, p in sides if t.size]
        by_dimension.append(over_groups([np.nan_to_num(v) for v in values] if rule == "zero" else values, rule))
    return over(by_dimension, "propagate")


PLAIN: dict[str, Callable[..., float | Values]] = {
    "ccc": ccc,
    "p_va": lambda case, rule="propagate", convention="paper": mean(ccc_of)(case, rule),
    "pcc": mean(pcc_of),
    "p_emi": mean(pcc_of),
    "spearman": mean(spearman_of),
    "mae": mean(lambda t, p: float(np.abs(p - t).mean())),
    "mde": mean(lambda t, p: float((p - t).mean())),
    "mse": mean(lambda t, p: float(((p - t) ** 2).mean())),
    "rmse": mean(lambda t, p: float(((p - t) ** 2).mean() ** 0.5)),
    "jsd": mean(jsd_of),
    "sign_agreement": mean(lambda t, p: share(np.sign(t) == np.sign(p))),
    "mean": lambda case, rule="", convention="paper": [p.mean() if p.size else NAN for _, p in columns(case)],
    "bin_recall": by_bin(lambda t, p, b: share(p[t == b] == b)),
    "bin_precision": by_bin(lambda t, p, b: share(t[p == b] == b)),
    "bin_share": by_bin(lambda t, p, b: share(p == b)),
    "local_ccc": local_ccc,
}


def ratings(case: Case) -> list[list[int]]:
    """The ratings of each item that has at least two."""
    lists = [np.repeat(np.arange(case.labels), votes).tolist() for votes in case.truth]
    return [given for given in lists if len(given) > 1]


def alpha(apart: Callable[[float, float, list[int]], float]) -> Callable[..., float]:
    """One minus observed over expected disagreement of ordered pairs of ratings."""

    def value(case: Case, rule: str = "", convention: str = "paper") -> float:
        items = ratings(case)
        every = [rating for given in items for rating in given]
        if len(set(every)) < 2:
            return NAN
        between = {pair: apart(*pair, every) for pair in product(set(every), repeat=2)}
        n = len(every)
        observed = sum(between[pair] / (len(given) - 1) for given in items for pair in permutations(given, 2)) / n
        counts = {c: every.count(c) for c in set(every)}
        # A rating is no pair with itself, and would be no distance from itself.
        expected = sum(counts[c] * counts[k] * between[c, k] for c, k in between) / (n * (n - 1))
        return float(1 - observed / expected)

    return value


def _ordinal(c: float, k: float, every: list[int]) -> float:
    low, high = sorted((c, k))
    between = sum(low <= rating <= high for rating in every)
    return float((between - (every.count(low) + every.count(high)) / 2) ** 2) if low < high else 0.0


def fleiss_kappa(case: Case, rule: str = "", convention: str = "paper") -> float:
    items = ratings(case)
    every = [rating for given in items for rating in given]
    if len(set(every)) < 2:
        return NAN
    agree = [share([a == b for a, b in permutations(given, 2)]) for given in items]
    observed = sum(len(given) * p for given, p in zip(items, agree, strict=True)) / len(every)
    chance = sum((every.count(c) / len(every)) ** 2 for c in set(every))
    return float((observed - chance) / (1 - chance))


RATERS: dict[str, Callable[..., float | Values]] = {
    "alpha_nominal": alpha(lambda c, k, _every: float(c != k)),
    "alpha_ordinal": alpha(_ordinal),
    "alpha_interval": alpha(lambda c, k, _every: float((c - k) ** 2)),
    "alpha_ratio": alpha(lambda c, k, _every: ((c - k) / (c + k)) ** 2 if c != k else 0.0),
    "fleiss_kappa": fleiss_kappa,
}
