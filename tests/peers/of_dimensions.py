"""Metrics of dimensions against scikit-learn, SciPy, fairlearn and audmetric, where the truth is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from peers.comparison import REFUSED, Comparison, frame, function
from peers.plain import NAN, over
from peers.plain_dimensions import EDGES, columns, pcc_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from peers.draws import Case

Side = np.ndarray


def mean(call: Callable[[Side, Side], float]) -> Callable[[Case], float]:
    """Mean over dimensions of a function of truth and prediction, in the type that they have."""

    def value(case: Case) -> float:
        found = []
        for d in range(case.truth.shape[1]):
            rows = ~np.isnan(case.truth[:, d])
            found.append(call(case.truth[rows, d], case.prediction[rows, d]) if rows.any() else NAN)
        return over(found, "propagate")

    return value


def named(name: str, **options: Any) -> Callable[[Case], float]:
    return mean(lambda t, p: function(name)(t, p, **options))


def statistic(name: str) -> Callable[[Case], float]:
    return mean(lambda t, p: function(f"scipy.stats.{name}")(t, p).statistic)


def _ccc_by_rounding(t: Side, p: Side) -> float:
    """A mean that is rounded leaves a constant a variance."""
    if t.size < 2:
        return NAN
    a, b = p - np.mean(p), t - np.mean(t)
    below = np.dot(a, a) + np.dot(b, b) + p.size * (np.mean(p) - np.mean(t)) ** 2
    return NAN if below == 0 else float(2 * np.dot(a, b) / below)


def _pcc_by_rounding(t: Side, p: Side) -> float:
    if t.size < 2 or p.std() == 0:
        return NAN
    return float(np.corrcoef(p, t)[0, 1])


def _refused_of_one(case: Case) -> float:
    return REFUSED if case.items < 2 else over([pcc_of(t, p) if t.size else NAN for t, p in columns(case)], "propagate")


def _binned(name: str) -> Callable[[Case], list[float]]:
    """A scikit-learn function of bins as classes, dimension by dimension."""

    def call(case: Case) -> list[float]:
        found: list[float] = []
        for t, p in columns(case):
            sides = [np.digitize(side, EDGES, right=True) for side in (t, p)]
            every = {"labels": range(len(EDGES) + 1), "average": None, "zero_division": np.nan}
            found += list(function(f"sklearn.metrics.{name}")(*sides, **every)) if t.size else [NAN] * 4
        return found

    return call


def _bin_rates(case: Case) -> list[float]:
    rate = function("fairlearn.metrics.selection_rate")
    bins = [np.digitize(p, EDGES, right=True) for _, p in columns(case)]
    return [rate(b, b, pos_label=k) if b.size else NAN for b in bins for k in range(len(EDGES) + 1)]


def _histograms(case: Case) -> float:
    def distance(t: Side, p: Side) -> float:
        counts = [np.histogram(side, 10, (-1, 1))[0] for side in (t, p)]
        return function("scipy.spatial.distance.jensenshannon")(*counts, base=2)

    return mean(distance)(case)


def _without_outside(case: Case) -> float:
    """Values outside the range are in no bin."""

    def distance(t: Side, p: Side) -> float:
        if not all(((side >= -1) & (side <= 1)).any() for side in (t, p)):
            return NAN
        shares = []
        for side in (t, p):
            inside = side[(side >= -1) & (side <= 1)].astype(float)
            place = np.minimum(np.searchsorted(np.arange(-8, 10, 2) / 10, inside, side="right"), 9)
            shares.append(np.bincount(place, minlength=10) / inside.size)
        middle = (shares[0] + shares[1]) / 2
        parts = [(q[q > 0] * np.log2(q[q > 0] / middle[q > 0])).sum() for q in shares]
        return float(max(sum(parts) / 2, 0.0) ** 0.5)

    return mean(distance)(case)


def _mean_predictions(case: Case) -> list[float]:
    value = function("fairlearn.metrics.mean_prediction")
    return [value(t, p) if t.size else NAN for t, p in columns(case)]


def _difference_of_means(case: Case) -> float:
    value = function("fairlearn.metrics.mean_prediction")
    return mean(lambda t, p: value(t, p) - value(t, t))(case)


def _local(case: Case) -> float:
    """Mean of the groups, dimension by dimension."""
    ccc = function("audmetric.concordance_cc")

    def by_group(d: int) -> float:
        def of_group(group: Case) -> float:
            return ccc(*columns(group)[d])

        return frame(case, of_group).by_group.mean()

    return over([by_group(d) for d in range(case.truth.shape[1])], "propagate")


def varies(case: Case) -> bool:
    """Whether no side is constant."""
    return all(side.size < 2 or np.ptp(side) > 0 for pair in columns(case) for side in pair)


def constant(case: Case) -> bool:
    return not varies(case)


def groups_vary(case: Case) -> bool:
    """Whether no group has a constant side but for single items."""
    return case.items > 1 and all(varies(group) for group in case.by_group)


CCC, PCC = named("audmetric.concordance_cc"), named("audmetric.pearson_cc")
MAE, MSE = named("audmetric.mean_absolute_error"), named("audmetric.mean_squared_error")
OF_CONSTANTS = ", of constants"
COMPARISONS = [
    Comparison("ccc", "audmetric `concordance_cc`", CCC, among=varies),
    Comparison(
        "ccc",
        f"audmetric `concordance_cc`{OF_CONSTANTS}",
        CCC,
        mean(_ccc_by_rounding),
        among=constant,
    ),
    Comparison("p_va", "audmetric `concordance_cc`", CCC, among=varies),
    Comparison("local_ccc", "audmetric `concordance_cc`, mean of fairlearn's `by_group`", _local, among=groups_vary),
    Comparison("pcc", "SciPy `pearsonr`", statistic("pearsonr"), _refused_of_one, tolerance=1e-6),
    Comparison("pcc", "audmetric `pearson_cc`", PCC, among=varies),
    Comparison("pcc", f"audmetric `pearson_cc`{OF_CONSTANTS}", PCC, mean(_pcc_by_rounding), among=constant),
    Comparison("p_emi", "SciPy `pearsonr`", statistic("pearsonr"), _refused_of_one, tolerance=1e-6),
    Comparison("spearman", "SciPy `spearmanr`", statistic("spearmanr")),
    Comparison("mae", "scikit-learn `mean_absolute_error`", named("sklearn.metrics.mean_absolute_error")),
    Comparison("mae", "audmetric `mean_absolute_error`", MAE),
    Comparison("mse", "scikit-learn `mean_squared_error`", named("sklearn.metrics.mean_squared_error")),
    Comparison("mse", "audmetric `mean_squared_error`", MSE),
    Comparison("rmse", "scikit-learn `root_mean_squared_error`", named("sklearn.metrics.root_mean_squared_error")),
    Comparison("mde", "fairlearn `mean_prediction` less that of the truth", _difference_of_means),
    Comparison("mean", "fairlearn `mean_prediction`", _mean_predictions),
    Comparison(
        "sign_agreement",
        "scikit-learn `accuracy_score` of signs",
        mean(lambda t, p: function("sklearn.metrics.accuracy_score")(np.sign(t), np.sign(p))),
    ),
    Comparison("bin_recall", "scikit-learn `recall_score` of bins", _binned("recall_score")),
    Comparison("bin_precision", "scikit-learn `precision_score` of bins", _binned("precision_score")),
    Comparison("bin_share", "fairlearn `selection_rate` of bins", _bin_rates),
    Comparison("jsd", "SciPy `jensenshannon` of NumPy's `histogram`", _histograms, _without_outside),
]
