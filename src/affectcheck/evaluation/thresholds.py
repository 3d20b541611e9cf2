"""Thresholds of action units, chosen where it is allowed: on validation data, by the score that will be reported."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal, get_args

import numpy as np

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.evaluation.deciding import NATURAL, Thresholds, decisions, labels_digest, thresholds_for
from affectcheck.evaluation.options import EvaluationOptions
from affectcheck.evaluation.stepping import align_after_steps
from affectcheck.metrics import METRICS
from affectcheck.tallies import Units

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.evaluation.alignment import Aligned
    from affectcheck.predictions import PredictionTable

__all__ = ["GRID", "Rule", "Thresholds", "choose_thresholds", "decisions", "threshold_curve", "thresholds_for"]

Rule = Literal["per-unit", "common"]
#: .10, .15 … .90: the grid of paper 1's public code, of probabilities.
GRID: Final = tuple(round(0.05 * step, 2) for step in range(2, 19))
#: Two thresholds whose scores differ by less are tied: sums of F1 differ in their last bits by the order of adding.
TIE: Final = 1e-12


def choose_thresholds(
    truth: AnnotationTable,
    prediction: PredictionTable,
    *,
    rule: Rule = "per-unit",
    grid: Sequence[float] = GRID,
    options: EvaluationOptions | None = None,
) -> Thresholds:
    """Choose the thresholds that score best on validation data; the lowest of those that tie.

    Never to be called with the data that are scored afterwards: the best threshold in hindsight is no result.

    Args:
        truth: annotations of the validation data.
        prediction: what the same model predicted for them: probabilities, logits, or scores between 0 and 1.
        rule: ``per-unit`` takes for each unit the threshold of its best F1; ``common`` takes one for all, that of the
            best macro F1 over the declared units, an undefined F1 counting as 0.
        grid: the thresholds to choose from, as probabilities; those of logits are taken at the logits of these.
        options: target, steps, and the rule for missing predictions; the same as of the scores that the thresholds
            are for.

    Returns:
        A threshold for every unit, and how it was chosen. A unit of which the validation data show no positive has
        nothing to be chosen by: it keeps the threshold of its kind of score, which a note says.

    Raises:
        InputError: labels, another kind of prediction, scores outside 0 to 1, a grid without values; the two tables
            do not belong together.
        UnknownNameError: no such rule.
    """
    if rule not in get_args(Rule):
        raise UnknownNameError.of("rule for thresholds", rule, get_args(Rule))
    points = _grid(grid)
    told = options or EvaluationOptions()
    target = truth.target(told.target)
    _require_scores(target.name, target.scheme.kind, prediction)
    aligned = align_after_steps(truth, prediction, replace(told, thresholds=0.5))
    scores = _scores(aligned)
    on_scale = np.log(points / (1.0 - points)) if aligned.output == "logit" else points
    curve = threshold_curve(aligned.truth, scores, on_scale)
    seen = curve[0].positives > 0
    how = f"{'per unit' if rule == 'per-unit' else 'common'} by F1 on {truth.name}@{truth.digest[:12]}"
    how += "" if tuple(points) == GRID else f" from {','.join(f'{point:g}' for point in points)}"
    if rule == "common":
        best = np.full(len(aligned.parts), _lowest_best(METRICS.get("unit_f1").compute(curve)))
        return Thresholds(_by_unit(aligned, on_scale[best]), how, chosen_on=labels_digest(truth, target))
    per_unit = METRICS.get("unit_f1").parts
    values = np.nan_to_num(per_unit(curve), nan=0.0) if per_unit is not None else np.empty(0)
    chosen = on_scale[[_lowest_best(values[:, m]) for m in range(values.shape[1])]]
    chosen = np.where(seen, chosen, NATURAL.get(aligned.output, 0.5))
    notes = tuple(
        f"threshold of {unit}: no positive of it in the validation data, so {chosen[m]:g} is kept"
        for m, unit in enumerate(aligned.parts)
        if not seen[m]
    )
    return Thresholds(_by_unit(aligned, chosen), how, notes, labels_digest(truth, target))


def threshold_curve(truth: np.ndarray, scores: np.ndarray, grid: np.ndarray) -> Units:
    """Counts of every unit at every threshold, in one pass over the scores.

    Args:
        truth: (n, M) 1 present, 0 absent, -1 unknown.
        scores: (n, M) finite.
        grid: (T,) thresholds in ascending order.

    Returns:
        Tally (T,) of M units.

    Example:
        >>> curve = threshold_curve(np.array([[1], [0]]), np.array([[0.6], [0.4]]), np.array([0.3, 0.5]))
        >>> curve.hits.tolist(), curve.predicted_positives.tolist()
        ([[1], [1]], [[2], [1]])
    """
    steps, units = grid.size, truth.shape[1]
    counts = np.empty((steps, units, 2, 2), np.int64)
    for m in range(units):
        known = truth[:, m] >= 0
        reached = np.searchsorted(grid, scores[known, m], side="right")
        for label in (0, 1):
            by_step = np.bincount(reached[truth[known, m] == label], minlength=steps + 1)
            below = np.cumsum(by_step)[:-1]
            counts[:, m, label, 0], counts[:, m, label, 1] = below, by_step.sum() - below
    return Units.of_counts(counts, np.broadcast_to((truth < 0).sum(axis=0), (steps, units)))


def _grid(grid: Sequence[float]) -> np.ndarray:
    points = np.unique(np.asarray(grid, np.float64))
    if points.size == 0 or not ((points > 0.0) & (points < 1.0)).all():
        raise InputError(
            f"thresholds to choose from: {', '.join(f'{point:g}' for point in points) or 'none'}",
            expected="numbers between 0 and 1, both ends left out",
        )
    return points


def _require_scores(target: str, kind: str, prediction: PredictionTable) -> None:
    if kind != "units" or prediction.card.output == "label":
        raise InputError(
            f"no thresholds can be chosen for {target!r}",
            expected="scores of action units",
            cause=f"a target of {kind}" if kind != "units" else "labels, which are decided already",
        )


def _scores(aligned: Aligned) -> np.ndarray:
    if aligned.scores is None:
        raise InputError(f"no scores to choose thresholds by: {aligned.no_scores}", expected="scores of action units")
    if aligned.output == "score" and ((aligned.scores < 0.0) | (aligned.scores > 1.0)).any():
        raise InputError(
            "scores of the validation data lie outside 0 to 1, where thresholds are chosen from",
            expected="probabilities, logits declared as such, or stated thresholds",
            cause="scores on a scale of their own",
        )
    return aligned.scores


def _lowest_best(values: np.ndarray) -> int:
    return int(np.argmax(values >= values.max() - TIE))


def _by_unit(aligned: Aligned, chosen: np.ndarray) -> dict[str, float]:
    return {unit: float(value) for unit, value in zip(aligned.parts, chosen, strict=True)}
