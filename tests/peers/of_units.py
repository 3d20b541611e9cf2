"""Metrics of action units against scikit-learn, fairlearn and audmetric, unit by unit where each is known."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from peers.comparison import Comparison, frame, function, nothing_unknown, several
from peers.plain import NAN, over, over_groups, share
from peers.plain_units import average_precision, known, recall

if TYPE_CHECKING:
    from collections.abc import Callable

    from peers.draws import Case
    from peers.plain_units import Known


def each(name: str, *, of_scores: bool = False, **options: Any) -> Callable[[Case], list[float]]:
    """A function of one unit; NaN where it is unknown throughout."""

    def call(case: Case) -> list[float]:
        given = [(unit.truth, unit.score if of_scores else unit.prediction) for unit in known(case)]
        return [function(name)(*sides, **options) if sides[0].size else NAN for sides in given]

    return call


def mean(call: Callable[[Case], list[float]], rule: str = "zero") -> Callable[[Case], float]:
    """Mean over units; NaN where nothing is known."""
    return lambda case: over(call(case), rule) if (case.truth >= 0).any() else NAN


def multilabel(case: Case) -> Any:
    return function("sklearn.metrics.f1_score")(case.truth, case.prediction, average="macro", zero_division=0)


def _filled(rate: Callable[[Known], float]) -> Callable[[Case], list[float]]:
    """Each unit's value, 0 where it is known and has none."""
    return lambda case: [np.nan_to_num(rate(unit)) if unit.truth.size else NAN for unit in known(case)]


def difference(name: str) -> Callable[[Case], float]:
    """A distance between groups of one unit by fairlearn, mean over the units that are known somewhere."""

    @cache
    def call(case: Case) -> float:
        gaps = []
        for m, unit in enumerate(known(case)):
            group = case.group[case.truth[:, m] >= 0]
            gap = function(f"fairlearn.metrics.{name}")
            gaps.append(gap(unit.truth, unit.prediction, sensitive_features=group) if unit.truth.size else NAN)
        return over(gaps, "skip")

    return call


def _spread(rate: Callable[[Known], float]) -> Callable[[Case], float]:
    """Largest minus smallest, where a rate without items is 0, and a single group is 0 apart from itself."""

    def value(case: Case) -> float:
        gaps = []
        for m in range(case.truth.shape[1]):
            groups = [known(group)[m] for group in case.by_group]
            rates = [float(np.nan_to_num(rate(unit))) for unit in groups if unit.truth.size]
            gaps.append(max(rates) - min(rates) if rates else NAN)
        return over(gaps, "skip")

    return value


def _by_group(case: Case) -> Any:
    f1 = mean(each("sklearn.metrics.f1_score", zero_division=0))
    by_group = frame(case, f1).by_group
    return by_group.mean()


def _by_labels(case: Case) -> float:
    """The public rule of paper 1, by scikit-learn."""
    score, by_unit = function("sklearn.metrics.f1_score"), []
    for m, whole in enumerate(known(case)):
        average = "binary" if np.unique(whole.truth).size == 2 else "macro"
        groups = [known(group)[m] for group in case.by_group]
        there = [unit for unit in groups if unit.truth.size]
        by_unit.append(over_groups([score(u.truth, u.prediction, average=average, zero_division=0) for u in there], ""))
    return over(by_unit, "skip")


SK = "sklearn.metrics."
F1, ACCURACY = each(f"{SK}f1_score", zero_division=0), each(f"{SK}accuracy_score")


def _absence_too(case: Case) -> float:
    f1 = each("audmetric.fscore_per_class", labels=[0, 1], zero_division=0)
    return over([value[1] if isinstance(value, dict) else value for value in f1(case)], "zero")


EQUAL_OPPORTUNITY = difference("equal_opportunity_difference")
COMPARISONS = [
    Comparison("unit_f1", "scikit-learn `f1_score` of each unit", mean(F1)),
    Comparison("unit_f1", "scikit-learn `f1_score`, macro, multilabel", multilabel, among=nothing_unknown),
    Comparison(
        "unit_f1", "audmetric `fscore_per_class` of presence", _absence_too, among=lambda case: (case.truth >= 0).any()
    ),
    Comparison("p_au", "scikit-learn `f1_score`, macro, multilabel", multilabel, among=nothing_unknown),
    Comparison("unit_accuracy", "scikit-learn `accuracy_score` of each unit", mean(ACCURACY)),
    Comparison(
        "emotionet",
        "scikit-learn `accuracy_score` and `f1_score` of each unit",
        lambda case: (mean(ACCURACY)(case) + mean(F1)(case)) / 2,
    ),
    Comparison(
        "unit_recall", "scikit-learn `recall_score` of each unit", each(f"{SK}recall_score", zero_division=np.nan)
    ),
    Comparison(
        "unit_recall",
        "fairlearn `true_positive_rate` of each unit",
        each("fairlearn.metrics.true_positive_rate", pos_label=1),
        _filled(recall),
    ),
    Comparison(
        "unit_precision",
        "scikit-learn `precision_score` of each unit",
        each(f"{SK}precision_score", zero_division=np.nan),
    ),
    Comparison("unit_share", "fairlearn `selection_rate` of each unit", each("fairlearn.metrics.selection_rate")),
    Comparison("unit_matthews", "scikit-learn `matthews_corrcoef` of each unit", mean(each(f"{SK}matthews_corrcoef"))),
    Comparison(
        "unit_auc",
        "scikit-learn `roc_auc_score` of each unit",
        mean(each(f"{SK}roc_auc_score", of_scores=True), "skip"),
    ),
    Comparison(
        "unit_ap",
        "scikit-learn `average_precision_score` of each unit",
        mean(each(f"{SK}average_precision_score", of_scores=True), "skip"),
        mean(_filled(average_precision), "skip"),
    ),
    Comparison(
        "unit_local_f1",
        "scikit-learn `f1_score` of each unit, mean of fairlearn's `by_group`",
        _by_group,
        among=several,
    ),
    Comparison(
        "unit_local_f1",
        "scikit-learn `f1_score` of each unit and group, labels seen",
        _by_labels,
        convention="upstream",
    ),
    Comparison(
        "eod",
        "fairlearn `equal_opportunity_difference` of each unit",
        EQUAL_OPPORTUNITY,
        _spread(recall),
        among=several,
    ),
    Comparison(
        "eod",
        "fairlearn `equal_opportunity_difference` of each unit",
        EQUAL_OPPORTUNITY,
        _spread(recall),
        convention="tables",
        among=several,
    ),
    Comparison(
        "dpd",
        "fairlearn `demographic_parity_difference` of each unit",
        difference("demographic_parity_difference"),
        _spread(lambda unit: share(unit.prediction)),
        among=several,
    ),
]
