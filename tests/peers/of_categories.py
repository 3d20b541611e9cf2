"""Metrics of categories against scikit-learn, fairlearn, audmetric and SciPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from peers import draws
from peers.comparison import Comparison, answered, frame, function, several, with_zeros
from peers.plain import NAN, over, over_groups, share
from peers.plain_categories import PLAIN, _answered

if TYPE_CHECKING:
    from collections.abc import Callable

    from peers.draws import Case


def learn(name: str, *, every: bool = True, **options: Any) -> Callable[[Case], Any]:
    """A scikit-learn function of labels, told all declared ones or left to find them."""

    def call(case: Case) -> Any:
        labels = {"labels": range(case.labels)} if every else {}
        return function(f"sklearn.metrics.{name}")(case.truth, case.prediction, **labels, **options)

    return call


def aud(name: str, **options: Any) -> Callable[[Case], Any]:
    """An audmetric function of labels; one that gives a value a class is told all declared ones."""

    def call(case: Case) -> Any:
        labels = {"labels": list(range(case.labels))} if name.endswith("_per_class") else {}
        found = function(f"audmetric.{name}")(case.truth, case.prediction, **labels, **options)
        return list(found.values()) if isinstance(found, dict) else found

    return call


def _rates(case: Case) -> Any:
    rate = function("fairlearn.metrics.selection_rate")
    return [rate(case.truth, case.prediction, pos_label=c) for c in range(case.labels)]


def _log_loss(case: Case) -> Any:
    truth, score = _answered(case)
    return function("sklearn.metrics.log_loss")(truth, score, labels=range(case.labels)) / np.log(2)


def _clipped(case: Case) -> float:
    truth, score = _answered(case)
    least = np.finfo(float).eps
    return float(-np.log2(np.clip(score[np.arange(truth.size), truth], least, 1 - least)).mean())


def _jensen_shannon(case: Case) -> Any:
    distance = function("scipy.spatial.distance.jensenshannon")
    truth, score = _answered(case)
    return np.mean([distance(np.eye(case.labels)[t], p, base=2) for t, p in zip(truth, score, strict=True)])


def _top(k: int, labels: int = 0) -> Comparison:
    def call(case: Case) -> Any:
        return function("sklearn.metrics.top_k_accuracy_score")(case.truth, case.score, k=k, labels=range(case.labels))

    def theirs(case: Case) -> float:
        hits = []
        for truth, score in zip(case.truth, case.score, strict=True):
            order = sorted(range(case.labels), key=lambda c: (-score[c], -c))
            hits.append(truth in order[:k])
        return share(hits)

    peer = f"scikit-learn `top_k_accuracy_score`{f', {labels} classes' if labels else ''}"
    cases = (lambda seed: draws.categories(seed, labels)) if labels else None
    return Comparison(f"top_{k}", peer, call, theirs, among=answered, cases=cases)


def _odds(case: Case) -> Any:
    difference = function("fairlearn.metrics.equalized_odds_difference")
    return difference(case.truth, case.prediction, sensitive_features=case.group, agg="mean")


def _plain_odds(case: Case) -> float:
    """Mean of the differences of two rates, a rate without items counting as 0."""
    groups = [group for group in case.by_group if group.items]
    rates = np.array([[np.nan_to_num(share(g.prediction[g.truth == c] == 1)) for c in (0, 1)] for g in groups])
    return float(np.ptp(rates, axis=0).mean())


def _bias(reduction: Callable[[Any], float]) -> Callable[[Case], Any]:
    def call(case: Case) -> Any:
        bias = function("audmetric.unweighted_average_bias")
        recall = __import__("audmetric").recall_per_class
        labels = list(range(case.labels))
        return bias(case.truth, case.prediction, case.group, labels, metric=recall, reduction=reduction)

    return call


def _spread_of_recalls(case: Case) -> float:
    by_group = np.array([PLAIN["recall"](group) for group in case.by_group if group.items])
    columns = [column[~np.isnan(column)] for column in by_group.T]
    return over([float(np.std(column)) if column.size > 1 else NAN for column in columns], "skip")


def _parity(case: Case) -> Any:
    difference = function("fairlearn.metrics.demographic_parity_difference")
    return difference(case.truth, case.prediction, sensitive_features=case.group)


def _by_labels(case: Case) -> float:
    """The public rule of paper 1, by scikit-learn."""
    score, labels = function("sklearn.metrics.f1_score"), np.unique(case.truth)
    groups = [group for group in case.by_group if group.items]
    if labels.size == 2 and set(case.prediction) <= set(labels):
        return over_groups([score(g.truth, g.prediction, pos_label=labels[1], zero_division=0) for g in groups], "")
    if labels.size == 2:
        only = {"labels": labels[1:], "average": "macro", "zero_division": 0}
        return over_groups([score(g.truth, g.prediction, **only) for g in groups], "")
    return over_groups([score(g.truth, g.prediction, average="macro", zero_division=0) for g in groups], "")


def _binary_pairs(seed: int) -> tuple[Case, ...]:
    return tuple(case for case in draws.pairs(seed) if several(case))


UNDEFINED, ZERO = {"zero_division": np.nan}, {"zero_division": 0}
SEEN = {"convention": "upstream", "among": answered}
TWO = {"convention": "tables", "cases": _binary_pairs}

COMPARISONS = [
    Comparison("accuracy", "scikit-learn `accuracy_score`", learn("accuracy_score", every=False)),
    Comparison("accuracy", "audmetric `accuracy`", aud("accuracy")),
    Comparison("recall", "scikit-learn `recall_score`, each label", learn("recall_score", average=None, **UNDEFINED)),
    Comparison("recall", "audmetric `recall_per_class`", aud("recall_per_class", **UNDEFINED), among=answered),
    Comparison(
        "precision", "scikit-learn `precision_score`, each label", learn("precision_score", average=None, **UNDEFINED)
    ),
    Comparison("precision", "audmetric `precision_per_class`", aud("precision_per_class", **UNDEFINED), among=answered),
    Comparison("f1", "scikit-learn `f1_score`, each label", learn("f1_score", average=None, **UNDEFINED)),
    Comparison("f1", "audmetric `fscore_per_class`", aud("fscore_per_class", **UNDEFINED), among=answered),
    Comparison(
        "share",
        "fairlearn `selection_rate` of each class",
        _rates,
        lambda case: [share(case.prediction == c) for c in range(case.labels)],
    ),
    Comparison("uar", "scikit-learn `recall_score`, macro, all labels", learn("recall_score", average="macro", **ZERO)),
    Comparison(
        "uar",
        "scikit-learn `balanced_accuracy_score`",
        learn("balanced_accuracy_score", every=False),
        undefined="skip",
    ),
    Comparison(
        "uar",
        "scikit-learn `recall_score`, macro, labels seen",
        learn("recall_score", every=False, average="macro", **ZERO),
        **SEEN,
    ),
    Comparison("uar", "audmetric `unweighted_average_recall`", aud("unweighted_average_recall", **ZERO), **SEEN),
    Comparison(
        "uap", "scikit-learn `precision_score`, macro, all labels", learn("precision_score", average="macro", **ZERO)
    ),
    Comparison("uap", "audmetric `unweighted_average_precision`", aud("unweighted_average_precision", **ZERO), **SEEN),
    Comparison("f1_macro", "scikit-learn `f1_score`, macro, all labels", learn("f1_score", average="macro", **ZERO)),
    Comparison(
        "f1_macro",
        "scikit-learn `f1_score`, macro, labels seen",
        learn("f1_score", every=False, average="macro", **ZERO),
        **SEEN,
    ),
    Comparison("f1_macro", "audmetric `unweighted_average_fscore`", aud("unweighted_average_fscore", **ZERO), **SEEN),
    Comparison("p_expr", "scikit-learn `f1_score`, macro, all labels", learn("f1_score", average="macro", **ZERO)),
    Comparison("p_ce", "scikit-learn `f1_score`, macro, all labels", learn("f1_score", average="macro", **ZERO)),
    Comparison("f1_weighted", "scikit-learn `f1_score`, weighted", learn("f1_score", average="weighted", **ZERO)),
    Comparison("cohen_kappa", "scikit-learn `cohen_kappa_score`", learn("cohen_kappa_score", every=False)),
    Comparison(
        "matthews",
        "scikit-learn `matthews_corrcoef`",
        learn("matthews_corrcoef", every=False),
        with_zeros("matthews"),
    ),
    _top(2),
    _top(3),
    _top(5),
    _top(5, 5),
    Comparison("cross_entropy", "scikit-learn `log_loss`, in bits", _log_loss, _clipped),
    Comparison("soft_jsd", "SciPy `jensenshannon` of each item", _jensen_shannon),
    Comparison(
        "eop", "fairlearn `equalized_odds_difference`, mean", _odds, _plain_odds, undefined="common-rows", **TWO
    ),
    Comparison("eop", "audmetric `unweighted_average_bias` of recall", _bias(np.ptp), undefined="common-rows", **TWO),
    Comparison(
        "eop", "audmetric `unweighted_average_bias` of recall", _bias(np.std), _spread_of_recalls, among=answered
    ),
    Comparison(
        "sp",
        "fairlearn `demographic_parity_difference`",
        _parity,
        with_zeros("sp", convention="tables"),
        **TWO,
    ),
    Comparison(
        "local_f1",
        "scikit-learn `f1_score`, macro, all labels, mean of fairlearn's `by_group`",
        lambda case: frame(case, learn("f1_score", average="macro", **ZERO)).by_group.mean(),
        among=several,
    ),
    Comparison("local_f1", "scikit-learn `f1_score` of each group, labels seen", _by_labels, **SEEN),
]
