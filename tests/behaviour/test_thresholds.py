"""The published limits follow from random models at the published sizes; ours from the sizes at hand."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

from affectcheck.behaviour import load_suites
from affectcheck.behaviour.fairness_answers import against_all
from affectcheck.behaviour.measured import Question, values_of
from affectcheck.behaviour.thresholds import drawn_differences, limits
from affectcheck.uncertainty import Simulation, bin_shares, draw_categories, draw_values

(SEX,) = load_suites(["fairness-sex"])
RULES = SEX.corrected
RECALL = next(one for one in SEX.task[0].comparison if one.metric == "recall")
SPARSE = np.array([[50, 50, 300, 600]] * 2)  # of 1000 items, as paper 2 draws the truth
GAUSSIAN = np.array([[66, 434, 434, 66]] * 2)


def recorded(draws: Any, metrics: dict[str, int]) -> dict[str, np.ndarray]:
    def question(metric: str, parts: int) -> Question:
        value = partial(values_of, metric, parts=parts, rules=RULES)
        return Question(RECALL, None, lambda tally: against_all(tally, value), (), (), 1, tuple)  # type: ignore[arg-type]

    questions = [question(metric, parts) for metric, parts in metrics.items()]
    return dict(zip(metrics, drawn_differences(questions, draws), strict=True))


def largest_of_one_group(differences: np.ndarray) -> float:
    """The published statistic: the largest difference of the first group in 1000 repetitions."""
    return float(np.nanmax(np.abs(differences[:, : differences.shape[1] // 2])))


def limits_of(kind: str, metric: str, per: str) -> float:
    return next(c.limit for c in SEX.task_of(kind).comparison if (c.metric, c.per) == (metric, per))  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("metric", "per", "parts", "published"),
    [
        ("precision", "class", 4, 0.0737),
        ("recall", "class", 4, 0.1777),
        ("uap", "set", 1, 0.0268),
        ("uar", "set", 1, 0.0538),
    ],
)
def test_published_limits_of_classes(metric: str, per: str, parts: int, published: float) -> None:
    draws = draw_categories(SPARSE, options=Simulation(1000, seed=1))
    found = largest_of_one_group(recorded(draws, {metric: parts})[metric])
    assert found == pytest.approx(published, rel=0.3)  # a maximum of 1000 has seed noise of some 15 %
    assert limits_of("categories", metric, per) == pytest.approx(published, abs=0.025)


@pytest.mark.slow
def test_published_limits_of_dimensions_and_bins() -> None:
    draws = draw_values([1000, 1000], options=Simulation(1000, seed=1))
    found = recorded(draws, {"ccc": 1, "mae": 1, "mde": 1})
    for metric, published in (("ccc", 0.0741), ("mae", 0.0127), ("mde", 0.0167)):
        assert largest_of_one_group(found[metric]) == pytest.approx(published, rel=0.3)
    draws = draw_categories(GAUSSIAN, prediction=bin_shares((0.25, 0.5, 0.75)), options=Simulation(1000, seed=1))
    found = recorded(draws, {"precision": 4, "recall": 4})
    for metric, published in (("precision", 0.0877), ("recall", 0.0821)):
        assert largest_of_one_group(found[metric]) == pytest.approx(published, rel=0.3)


def test_limits_widen_where_items_are_few_and_only_there() -> None:
    counts = np.array([[400, 400, 20, 400]] * 2)
    draws = draw_categories(counts, options=Simulation(1000, seed=1))
    drawn = recorded(draws, {"recall": 4})["recall"]
    comparison = next(c for c in SEX.task_of("categories").comparison if c.metric == "recall")  # type: ignore[union-attr]
    found = limits(drawn, np.ones(8, bool), comparison, RULES)
    values = [one.threshold.value for one in found]
    assert values[2] > 3 * values[0]
    assert values[0] == pytest.approx(values[4], rel=0.1)
    assert all(one.detectable > one.threshold.value for one in found)
    inside = (np.abs(drawn) <= np.array(values)).all(axis=1).mean()
    assert inside == pytest.approx(0.99, abs=0.002)
    alone = limits(drawn, np.arange(8) == 0, comparison, RULES)
    assert alone[0].threshold.value < values[0]  # one difference alone needs less
    assert "over 1 differences at once" in alone[0].threshold.source
