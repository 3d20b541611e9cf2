"""Metrics against torchmetrics, whose numbers are fixtures: ``fixtures/make_torchmetrics.py`` writes them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from peers.comparison import REFUSED, Comparison, answered, with_zeros
from peers.kernels import written_out
from peers.of_dimensions import constant, varies
from peers.plain import NAN, over
from peers.plain_dimensions import columns, pcc_of
from peers.plain_units import auc, average_precision, known
from peers.stored import stored, stored_cases

if TYPE_CHECKING:
    from collections.abc import Callable

    from peers.draws import Case
    from peers.plain_units import Known

#: It counts in float32.
NEAR = 1e-6


def torch(
    metric: str,
    family: str,
    name: str,
    theirs: Callable[[Case], Any] | None = None,
    *,
    over_parts: bool = False,
    **options: Any,
) -> Comparison:
    """A comparison by name; a value for each dimension or unit is averaged as ours is."""
    call = stored("torchmetrics", family, name)
    rule = {"units": "skip", "dimensions": "propagate"}.get(family, "")
    function, _, how = name.partition(", ")
    return Comparison(
        metric,
        f"torchmetrics `{function}`{f', {how}' if how else ''}",
        (lambda case: _mean(call(case), rule)) if over_parts else call,
        theirs,
        cases=lambda _seed: stored_cases("torchmetrics", family),
        tolerance=NEAR,
        **options,
    )


def _mean(values: np.ndarray, rule: str) -> float:
    listed = np.ravel(values).tolist()
    return REFUSED if REFUSED in listed else over(listed, rule)


def _left_closed(confidence: np.ndarray, right: np.ndarray) -> float:
    """Calibration error with bins closed on the left, so that 1 is a bin of its own."""
    place = np.searchsorted(np.arange(16) / 15, confidence, side="right")
    total = 0.0
    for b in np.unique(place):
        inside = place == b
        total += abs(right[inside].mean() - confidence[inside].mean()) * inside.mean()
    return total


def _calibration(case: Case) -> float:
    rows = case.prediction >= 0
    score = case.score[rows]
    return _left_closed(score.max(axis=1), case.truth[rows] == case.prediction[rows])


def _of_units(function: Callable[[Known], float], rule: str = "zero") -> Callable[[Case], float]:
    return lambda case: over([function(unit) for unit in known(case)], rule)


def _pooled_matthews(case: Case) -> float:
    """Of the cells of all units together; with a constant side, something else than 0/0."""
    t, p = (np.concatenate([getattr(unit, side) for unit in known(case)]) for side in ("truth", "prediction"))
    hits = int((t == p).sum())
    misses = t.size - hits
    if not t.size:
        return 0.0
    if hits in (0, t.size):
        return 1.0 if hits else -1.0
    if np.ptp(t) == 0 or np.ptp(p) == 0:
        return float((hits - misses) / np.sqrt(t.size * hits * misses))
    return float(np.corrcoef(t, p)[0, 1])


def _with_zeros(function: Callable[[Known], float]) -> Callable[[Case], float]:
    """Mean over units, 0 where a unit has no value; a unit that is unknown throughout is refused."""

    def value(case: Case) -> float:
        units = known(case)
        if any(not unit.truth.size for unit in units):
            return REFUSED
        return over([function(unit) for unit in units], "zero")

    return value


def _sample_ccc(t: np.ndarray, p: np.ndarray) -> float:
    """Variances over n - 1, the distance of the means as it is."""
    if t.size == 0:
        return REFUSED
    if t.size < 2 or np.isnan(pcc_of(t, p)):
        return NAN
    return float(2 * np.cov(t, p)[0, 1] / (t.var(ddof=1) + p.var(ddof=1) + (t.mean() - p.mean()) ** 2))


def _by_dimension(function: Callable[[np.ndarray, np.ndarray], float]) -> Callable[[Case], float]:
    return lambda case: _mean(np.array([function(t, p) for t, p in columns(case)]), "propagate")


def _pcc(t: np.ndarray, p: np.ndarray) -> float:
    return pcc_of(t, p) if t.size else REFUSED


def _damped_spearman(t: np.ndarray, p: np.ndarray) -> float:
    """With 1e-6 added to the product of the deviations, so that a constant gives 0."""
    if not t.size:
        return NAN
    ranks = [np.array([(s < v).sum() + (s == v).sum() / 2 for v in s]) for s in (t, p)]
    covariance = np.mean((ranks[0] - ranks[0].mean()) * (ranks[1] - ranks[1].mean()))
    return float(covariance / (ranks[0].std() * ranks[1].std() + 1e-6))


def no_ties(case: Case) -> bool:
    """Which of equal scores is among the first k is nowhere said."""
    ordered = np.sort(case.score, axis=1)
    return case.answered and bool((ordered[:, 1:] > ordered[:, :-1]).all())


def _calibrations(case: Case) -> float:
    return _of_units(lambda unit: _left_closed(unit.score, unit.truth) if unit.truth.size else NAN, "skip")(case)


def _of_constants(metric: str, name: str) -> Comparison:
    """Rounding errors have no definition: what was observed is all that can be told."""
    whole = torch(metric, "dimensions", name, over_parts=True, among=constant)
    return replace(whole, peer=f"{whole.peer}, of constants", theirs=whole.call)


SEEN = {"convention": "upstream", "among": answered}
COMPARISONS = [
    torch("accuracy", "categories", "multiclass_accuracy, micro", among=answered),
    torch("recall", "categories", "multiclass_recall, none", with_zeros("recall"), among=answered),
    torch("precision", "categories", "multiclass_precision, none", with_zeros("precision"), among=answered),
    torch("f1", "categories", "multiclass_f1_score, none", with_zeros("f1"), among=answered),
    *[
        torch(name, "categories", f"multiclass_{called}, macro", theirs, **options)
        for name, called in (("uar", "recall"), ("uap", "precision"), ("f1_macro", "f1_score"))
        for theirs, options in (
            (partial(written_out, name, convention="upstream"), {"among": answered}),
            (None, SEEN),
        )
    ],
    torch("f1_weighted", "categories", "multiclass_f1_score, weighted", among=answered),
    torch("cohen_kappa", "categories", "multiclass_cohen_kappa", among=answered),
    torch("matthews", "categories", "multiclass_matthews_corrcoef", with_zeros("matthews"), among=answered),
    torch("top_2", "categories", "multiclass_accuracy, micro, top_k=2", among=no_ties),
    torch("top_3", "categories", "multiclass_accuracy, micro, top_k=3", among=no_ties),
    torch("calibration", "categories", "multiclass_calibration_error", _calibration),
    torch("unit_f1", "units", "multilabel_f1_score, macro", with_zeros("unit_f1")),
    torch("unit_accuracy", "units", "multilabel_accuracy, macro", with_zeros("unit_accuracy")),
    torch("unit_recall", "units", "multilabel_recall, none", with_zeros("unit_recall")),
    torch("unit_precision", "units", "multilabel_precision, none", with_zeros("unit_precision")),
    torch("unit_matthews", "units", "multilabel_matthews_corrcoef", _pooled_matthews),
    torch("unit_auc", "units", "multilabel_auroc, macro", _with_zeros(auc)),
    torch("unit_ap", "units", "multilabel_average_precision, macro", _with_zeros(average_precision)),
    torch("unit_calibration", "units", "binary_calibration_error", _calibrations, over_parts=True),
    torch("ccc", "dimensions", "concordance_corrcoef", _by_dimension(_sample_ccc), over_parts=True, among=varies),
    _of_constants("ccc", "concordance_corrcoef"),
    torch("pcc", "dimensions", "pearson_corrcoef", _by_dimension(_pcc), over_parts=True, among=varies),
    _of_constants("pcc", "pearson_corrcoef"),
    torch("spearman", "dimensions", "spearman_corrcoef", _by_dimension(_damped_spearman), over_parts=True),
    torch("mae", "dimensions", "mean_absolute_error", over_parts=True),
    torch("mse", "dimensions", "mean_squared_error", over_parts=True),
    torch("rmse", "dimensions", "mean_squared_error, squared=False", over_parts=True),
]
