"""Metrics of action units, written out unit by unit over the items in which each is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from peers.plain import NAN, over, over_groups, share
from peers.plain_categories import calibration_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from peers.draws import Case

Values = list[float]


@dataclass(frozen=True)
class Known:
    """One unit where it is known."""

    truth: np.ndarray
    prediction: np.ndarray
    score: np.ndarray


def known(case: Case) -> list[Known]:
    found = []
    for m in range(case.truth.shape[1]):
        rows = case.truth[:, m] >= 0
        score = case.score[rows, m].astype(float)
        found.append(Known(case.truth[rows, m].astype(int), case.prediction[rows, m].astype(int), score))
    return found


def each(function: Callable[[Known], float]) -> Callable[..., Values]:
    return lambda case, rule="", convention="paper": [function(unit) for unit in known(case)]


def mean(function: Callable[[Known], float], default: str) -> Callable[..., float]:
    """Mean over units; undefined where nothing is known."""

    def value(case: Case, rule: str = default, convention: str = "paper") -> float:
        return over(each(function)(case), rule) if (case.truth >= 0).any() else NAN

    return value


def f1(unit: Known) -> float:
    hits = 2 * (unit.truth & unit.prediction).sum()
    wrong = (unit.truth != unit.prediction).sum()
    return float(hits / (hits + wrong)) if hits + wrong else NAN


def accuracy(unit: Known) -> float:
    return share(unit.truth == unit.prediction)


def recall(unit: Known) -> float:
    return share(unit.prediction[unit.truth == 1])


def precision(unit: Known) -> float:
    return share(unit.truth[unit.prediction == 1])


def matthews(unit: Known) -> float:
    if len(set(unit.truth)) < 2 or len(set(unit.prediction)) < 2:
        return NAN
    return float(np.corrcoef(unit.truth, unit.prediction)[0, 1])


def auc(unit: Known) -> float:
    present, absent = unit.score[unit.truth == 1], unit.score[unit.truth == 0]
    if not present.size or not absent.size:
        return NAN
    return float((present[:, None] > absent).mean() + (present[:, None] == absent).mean() / 2)


def average_precision(unit: Known) -> float:
    present = unit.score[unit.truth == 1]
    return float(np.mean([unit.truth[unit.score >= s].mean() for s in present])) if present.size else NAN


def calibration(unit: Known) -> float:
    return calibration_of(unit.score, unit.truth)


def emotionet(case: Case, rule: str = "zero", convention: str = "paper") -> float:
    return (mean(accuracy, "zero")(case, rule) + mean(f1, "zero")(case, rule)) / 2


def distance(rate: Callable[[Known], float], default: str) -> Callable[..., float]:
    """Largest minus smallest rate over groups, mean over units."""

    def value(case: Case, rule: str = default, convention: str = "paper") -> float:
        groups, gaps = [g for g in case.by_group if g.items and (g.truth >= 0).any()], []
        for m in range(case.truth.shape[1]):
            rates = []
            for group in groups:
                unit = known(group)[m]
                found = rate(unit)
                rates.append(0.0 if np.isnan(found) and rule == "zero" and unit.truth.size else found)
            defined = [r for r in rates if not np.isnan(r)]
            whole = len(defined) == len(rates) or rule != "propagate"
            gaps.append(max(defined) - min(defined) if len(defined) > 1 and whole else NAN)
        return over(gaps, "propagate" if rule == "propagate" else "skip")

    return value


def local_f1(case: Case, rule: str = "zero", convention: str = "paper") -> float:
    if rule == "seen" and convention != "paper":
        return over([_public(case, m) for m in range(case.truth.shape[1])], "skip")
    rule = "skip" if rule == "seen" else rule
    groups = [group for group in case.by_group if (group.truth >= 0).any()]
    return over_groups([mean(f1, "zero")(group, rule) for group in groups], rule)


def _public(case: Case, m: int) -> float:
    """Of one unit: F1 of presence if it is both present and absent, else mean over the labels seen in each group."""
    whole = known(case)[m]
    values = []
    for unit in (known(group)[m] for group in case.by_group):
        if not unit.truth.size:
            continue
        of_absence = f1(Known(1 - unit.truth, 1 - unit.prediction, unit.score))
        both = len(set(whole.truth)) == 2
        values.append(np.nan_to_num(f1(unit)) if both else over([f1(unit), of_absence], "skip"))
    return over(values, "skip")


PLAIN: dict[str, Callable[..., float | Values]] = {
    "unit_f1": mean(f1, "zero"),
    "p_au": mean(f1, "zero"),
    "unit_accuracy": mean(accuracy, "zero"),
    "unit_recall": each(recall),
    "unit_precision": each(precision),
    "unit_share": each(lambda unit: share(unit.prediction)),
    "unit_matthews": mean(matthews, "zero"),
    "emotionet": emotionet,
    "unit_auc": mean(auc, "skip"),
    "unit_ap": mean(average_precision, "skip"),
    "unit_calibration": mean(calibration, "skip"),
    "unit_local_f1": local_f1,
    "eod": distance(recall, "skip"),
    "dpd": distance(lambda unit: share(unit.prediction), "skip"),
}
