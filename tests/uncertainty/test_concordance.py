"""Two rankings pair by pair: the interval holds the tau of the models, and only what is beyond doubt is decided."""

from __future__ import annotations

import numpy as np
import pytest

from affectcheck.uncertainty import Ranked, concordance, kendall_tau, orders


def ranked(answers: np.ndarray, random: np.random.Generator, *, resamples: int = 300) -> Ranked:
    items = len(answers)
    weights = random.multinomial(items, np.full(items, 1 / items), size=resamples) / items
    return Ranked(answers.mean(axis=0), weights @ answers, items)


def answered(skill: np.ndarray, items: int, random: np.random.Generator) -> np.ndarray:
    """Right or wrong of each model on items that are hard for all of them alike."""
    hard = random.normal(size=(items, 1))
    return (random.random((items, skill.size)) < 1 / (1 + np.exp(-(skill + hard)))).astype(float)


@pytest.mark.slow
@pytest.mark.parametrize(("spread", "change"), [(0.2, 0.0), (0.8, 0.0), (0.8, 0.6), (2.0, 0.0), (2.0, 1.0)])
def test_the_interval_covers_the_tau_of_the_models(spread, change):
    """Percentiles of resampled taus would not: noise pulls the observed tau to 0, and each resample pulls again."""
    random = np.random.default_rng(11)
    held, percentiles, wrong, runs = 0, 0, 0, 60
    for _ in range(runs):
        base = random.normal(size=6)
        other = np.sqrt(1 - change**2) * base + change * random.normal(size=6)
        one, two = spread * base, spread * other
        sides = ranked(answered(one, 200, random), random), ranked(answered(two, 200, random), random)
        found, true = concordance(*sides), float(kendall_tau(one, two))
        held += found.low - 1e-9 <= true <= found.high + 1e-9
        low, high = np.quantile(found.resampled, [0.025, 0.975])
        percentiles += low <= true <= high
        wrong += bool((found.decided[0] * orders(one) < 0).any() or (found.decided[1] * orders(two) < 0).any())
    assert held >= 0.95 * runs
    assert wrong <= 0.1 * runs
    if spread < 0.5:
        assert percentiles < 0.5 * runs


def test_far_models_are_decided_and_near_ones_are_not():
    random = np.random.default_rng(1)
    skill = np.array([3.0, 0.0, 0.01, -3.0])
    found = concordance(*(ranked(answered(skill, 800, random), random) for _ in range(2)))
    near = 3  # the pair of the second and third
    assert found.decided[:, [0, 1, 2, 4, 5]].min() == 1
    assert (found.decided[:, near] == 0).all()
    assert (found.low, found.high) == pytest.approx((4 / 6, 1.0))
    assert found.opposite[0] == 0.0
    assert found.ahead[:, 0].tolist() == [1.0, 1.0]
    assert 0.0 < found.opposite[near] < 1.0


def test_few_clusters_decide_nothing():
    draws = np.random.default_rng(0).normal(size=(100, 2)) * 0.01 + [0.9, 0.1]
    few, more = (Ranked(np.array([0.9, 0.1]), draws, clusters) for clusters in (4, 40))
    found = concordance(few, more)
    assert np.isnan(found.low)
    assert found.decided.tolist() == [[0], [1]]
    assert found.tau == 1.0


def test_models_that_differ_by_the_same_everywhere_are_decided():
    flat = Ranked(np.array([0.9, 0.1]), np.tile([0.9, 0.1], (50, 1)), 30)
    found = concordance(flat, flat)
    assert (found.low, found.high) == (1.0, 1.0)


def test_undefined_scores():
    draws = np.random.default_rng(0).normal(size=(100, 3)) * 0.01 + [0.9, 0.5, 0.1]
    draws[:70, 2] = np.nan
    side = Ranked(np.array([0.9, 0.5, 0.1]), draws, 30)
    found = concordance(side, side)
    assert found.decided[0].tolist() == [1, 0, 0]
    never = Ranked(np.array([0.9, np.nan, np.nan]), np.where(np.arange(3) > 0, np.nan, draws), 30)
    none = concordance(never, side)
    assert np.isnan(none.tau)
    assert np.isnan(none.low)
    assert none.ahead[0].tolist() == [0.5, 0.5, 0.5]
    assert none.undefined == 100
