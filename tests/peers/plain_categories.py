"""Metrics of categories, written out item by item."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from peers.plain import NAN, over, over_groups, share

if TYPE_CHECKING:
    from collections.abc import Callable

    from peers.draws import Case

Values = list[float]


def accuracy(case: Case, rule: str = "", convention: str = "paper") -> float:
    return share(case.truth == case.prediction)


def recall(case: Case, rule: str = "", convention: str = "paper") -> Values:
    return [share(case.prediction[case.truth == c] == c) for c in range(case.labels)]


def precision(case: Case, rule: str = "", convention: str = "paper") -> Values:
    return [share(case.truth[case.prediction == c] == c) for c in range(case.labels)]


def f1(case: Case, rule: str = "", convention: str = "paper") -> Values:
    found = []
    for c in range(case.labels):
        true, called = case.truth == c, case.prediction == c
        wrong = (true & ~called).sum() + (called & ~true).sum()
        both = 2 * (true & called).sum()
        found.append(float(both / (both + wrong)) if both + wrong else NAN)
    return found


def shares(case: Case, rule: str = "", convention: str = "paper") -> Values:
    answered = case.prediction[case.prediction >= 0]
    return [share(answered == c) for c in range(case.labels)]


def macro(parts: Callable[[Case], Values]) -> Callable[..., float]:
    def mean(case: Case, rule: str = "zero", convention: str = "paper") -> float:
        if not case.items:
            return NAN
        values = parts(case)
        if rule != "seen":
            return over(values, rule)
        occurs = set(case.truth.tolist()) | set(case.prediction.tolist())
        return over([values[c] for c in range(case.labels) if c in occurs], "zero")

    return mean


def f1_weighted(case: Case, rule: str = "", convention: str = "paper") -> float:
    values = f1(case)
    return sum(values[c] for c in case.truth) / case.items if case.items else NAN


def cohen_kappa(case: Case, rule: str = "", convention: str = "paper") -> float:
    if not case.items or len(set(case.truth.tolist()) | set(case.prediction.tolist())) == 1:
        return NAN
    chance = sum(share(case.truth == c) * share(case.prediction == c) for c in range(case.labels))
    return (accuracy(case) - chance) / (1 - chance)


def matthews(case: Case, rule: str = "", convention: str = "paper") -> float:
    """Correlation of indicators, the classes side by side, no answer being a class."""
    sides = [case.truth.astype(int), case.prediction.astype(int)]
    if not case.items or any(len(set(side.tolist())) == 1 for side in sides):
        return NAN
    x, y = (np.eye(case.labels + 1)[side] for side in sides)
    x, y = x - x.mean(axis=0), y - y.mean(axis=0)
    return float((x * y).sum() / np.sqrt((x * x).sum() * (y * y).sum()))


def top(k: int) -> Callable[..., float]:
    def hit(case: Case, rule: str = "", convention: str = "paper") -> float:
        if k >= case.labels:
            return NAN
        hits = []
        for truth, score in zip(case.truth, case.score, strict=True):
            order = sorted(range(case.labels), key=lambda c: (-score[c], c))
            hits.append(not np.isnan(score).any() and truth in order[:k])
        return share(hits)

    return hit


def calibration_of(confidence: np.ndarray, right: np.ndarray, bins: int = 15) -> float:
    """Bins closed on the right, the first on both sides."""
    total, edges = 0.0, [b / bins for b in range(bins + 1)]
    for b in range(bins):
        inside = (confidence <= edges[b + 1]) & ((confidence > edges[b]) | (b == 0))
        if inside.any():
            total += inside.sum() * abs(right[inside].mean() - confidence[inside].mean())
    return float(total / confidence.size) if confidence.size else NAN


def calibration(case: Case, rule: str = "", convention: str = "paper") -> float:
    rows = case.prediction >= 0
    confidence = case.score[rows].astype(float).max(axis=1) if rows.any() else np.empty(0)
    return calibration_of(confidence, case.truth[rows] == case.prediction[rows])


def _answered(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """Truth, and probabilities that add up to 1."""
    rows = case.prediction >= 0
    score = case.score[rows].astype(float)
    return case.truth[rows].astype(int), score / score.sum(axis=1, keepdims=True)


def cross_entropy(case: Case, rule: str = "", convention: str = "paper") -> float:
    truth, score = _answered(case)
    own = score[np.arange(truth.size), truth]
    return float(-np.log2(own).mean()) if truth.size and (own > 0).all() else NAN


def soft_jsd(case: Case, rule: str = "", convention: str = "paper") -> float:
    distances = []
    for truth, p in zip(*_answered(case), strict=True):
        v = np.eye(case.labels)[truth]
        middle = (v + p) / 2
        parts = [(q[q > 0] * np.log2(q[q > 0] / middle[q > 0])).sum() for q in (v, p)]
        distances.append(max(sum(parts) / 2, 0.0) ** 0.5)
    return float(np.mean(distances)) if distances else NAN


def eop(case: Case, rule: str = "common-rows", convention: str = "paper") -> float:
    groups = [group for group in case.by_group if group.items]
    scale, distances = case.labels if convention == "paper" else 2, []
    for one, other in combinations(groups, 2):
        rows = []
        for c in range(case.labels):
            p, q = (_row(group, c) for group in (one, other))
            if rule == "uniform":
                p, q = (np.full(case.labels, 1 / case.labels) if np.isnan(r).all() else r for r in (p, q))
            rows.append(float(np.abs(p - q).sum()))
        distances.append(over(rows, "propagate" if rule == "propagate" else "skip") / scale)
    return over_groups(distances, rule)


def _row(case: Case, c: int) -> np.ndarray:
    called = case.prediction[case.truth == c]
    return np.array([share(called == j) for j in range(case.labels)])


def sp(case: Case, rule: str = "", convention: str = "paper") -> float:
    rates = [[share(g.prediction == c) for c in range(case.labels)] for g in case.by_group if g.items]
    scale = case.labels if convention == "paper" else 2
    return over_groups(
        [sum(abs(a - b) for a, b in zip(p, q, strict=True)) / scale for p, q in combinations(rates, 2)], ""
    )


def local_f1(case: Case, rule: str = "zero", convention: str = "paper") -> float:
    groups = [group for group in case.by_group if group.items]
    labels = sorted(set(case.truth.tolist()))
    if rule == "seen" and convention != "paper" and len(labels) == 2:
        return over_groups([np.nan_to_num(f1(group)[labels[1]]) for group in groups], rule)
    return over_groups([macro(f1)(group, rule) for group in groups], rule)


PLAIN: dict[str, Callable[..., float | Values]] = {
    "accuracy": accuracy,
    "recall": recall,
    "precision": precision,
    "f1": f1,
    "share": shares,
    "uar": macro(recall),
    "uap": macro(precision),
    "f1_macro": macro(f1),
    "p_expr": macro(f1),
    "p_ce": macro(f1),
    "f1_weighted": f1_weighted,
    "cohen_kappa": cohen_kappa,
    "matthews": matthews,
    "top_2": top(2),
    "top_3": top(3),
    "top_5": top(5),
    "calibration": calibration,
    "cross_entropy": cross_entropy,
    "soft_jsd": soft_jsd,
    "eop": eop,
    "sp": sp,
    "local_f1": local_f1,
}
