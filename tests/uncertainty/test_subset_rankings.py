"""Rankings by smaller test sets, and by sets that are dealt anew."""

from __future__ import annotations

import numpy as np
import pytest

from affectcheck.uncertainty import Subsetting, memberships, rankings_by_size, redealt
from affectcheck.uncertainty.subset_rankings import sizes_of

SKILL = np.linspace(0.8, 0.3, 5)


def board(clusters: int = 80, items: int = 5) -> np.ndarray:
    return np.random.default_rng(4).binomial(items, SKILL, size=(clusters, 5)) / items


def scores(values: np.ndarray):
    return lambda weights: (weights @ values) / np.maximum(weights.sum(axis=1, keepdims=True), 1)


def test_a_larger_test_set_keeps_more_of_the_ranking():
    values = board()
    found = rankings_by_size(scores(values), 80, values.mean(axis=0), Subsetting(300, 1))
    assert [at.size for at in found] == [8, 16, 28, 40, 56, 68]
    taus = [at.tau for at in found]
    assert taus == sorted(taus)
    assert found[0].between < found[0].tau
    assert found[-1].winner > 0.95
    assert np.isnan(found[-1].between)
    assert all(at.low <= at.tau <= at.high for at in found[:3])
    assert found == rankings_by_size(scores(values), 80, values.mean(axis=0), Subsetting(300, 1))


def test_small_test_sets_have_no_sizes():
    assert sizes_of(5) == ()
    assert rankings_by_size(scores(board(5)), 5, SKILL) == ()


def test_tied_winners_share_the_first_place():
    values = np.ones((40, 3))
    found = rankings_by_size(scores(values), 40, np.array([1.0, 1.0, 0.5]), Subsetting(20))
    assert found[0].winner == pytest.approx(2 / 3)
    assert np.isnan(found[0].tau)
    assert found[0].draws == 0


def test_sets_dealt_anew_have_the_sizes_of_the_sets():
    dealt = memberships(3, 7, draws=50, seed=2)
    assert dealt.shape == (50, 10)
    assert (dealt.sum(axis=1) == 3).all()
    assert (dealt != dealt[0]).any()


def test_undefined_taus_say_nothing():
    assert np.isnan(redealt(np.nan, np.array([0.5])).p_value)
    assert redealt(0.5, np.array([np.nan, 0.4])).p_value == 1.0
    assert np.isnan(redealt(0.5, np.array([np.nan])).mean)
