"""Divergences of probabilities from shares: sums over items, and what is no distribution."""

from __future__ import annotations

import numpy as np
import pytest

from affectcheck.errors import InputError
from affectcheck.tallies import Divergences
from affectcheck.tallies.divergences import jensen_shannon_distance

NAN = float("nan")


def drawn(seed: int, n: int = 40) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    return random.multinomial(9, [0.5, 0.3, 0.2], n), random.dirichlet(np.ones(3), n)


@pytest.mark.parametrize("seed", range(4))
def test_sums_are_those_of_scipy(seed):
    from scipy.spatial.distance import jensenshannon
    from scipy.stats import entropy

    votes, chances = drawn(seed)
    shares = votes / votes.sum(axis=1, keepdims=True)
    tally = Divergences.count(votes, chances)
    own = entropy(shares, base=2, axis=1)
    assert tally.entropy == pytest.approx(own.sum(), rel=1e-12)
    assert tally.cross_entropy == pytest.approx((own + entropy(shares, chances, base=2, axis=1)).sum(), rel=1e-12)
    assert tally.jensen_shannon == pytest.approx(jensenshannon(shares, chances, base=2, axis=1).sum(), rel=1e-9)


def test_codes_are_shares_of_one():
    codes, chances = np.array([0, 2, 1]), drawn(0, 3)[1]
    one, other = Divergences.count(codes, chances), Divergences.count(np.eye(3)[codes], chances)
    for name in one.TRAILING:
        assert getattr(one, name) == getattr(other, name)


def test_parts_add_up_pool_and_are_weighted():
    votes, chances = drawn(1)
    whole, cells = Divergences.count(votes, chances), np.arange(40) % 4
    parts = Divergences.count(votes, chances, cells=cells, n_cells=4)
    merged = Divergences.count(votes[:9], chances[:9]) + Divergences.count(votes[9:], chances[9:])
    for name in whole.TRAILING:
        for found in (parts.pooled(), merged + Divergences.zero(), parts.weighted(np.ones((1, 4)))[0]):
            assert getattr(found, name) == pytest.approx(getattr(whole, name), rel=1e-12)
    assert parts.support.tolist() == [10.0] * 4


def test_a_vote_for_the_impossible_is_infinite_and_counted():
    tally = Divergences.count([[1, 1], [2, 0]], [[1.0, 0.0], [1.0, 0.0]])
    assert (float(tally.infinite), float(tally.cross_entropy), float(tally.entropy)) == (1.0, 0.0, 1.0)


def test_an_item_without_an_answer_is_counted_and_no_more():
    tally = Divergences.count([0, 1], [[NAN, NAN], [0.5, 0.5]], missing="wrong")
    assert (float(tally.n), float(tally.unanswered), float(tally.cross_entropy)) == (2.0, 1.0, 1.0)


def test_equal_distributions_are_at_no_distance():
    assert jensen_shannon_distance(np.array([0.1, 0.9]), np.array([0.1, 0.9])) == 0.0


@pytest.mark.parametrize(
    ("truth", "chances", "message"),
    [
        ([[1, 0]], [[0.5, 0.4, 0.1]], "truth of shape"),
        ([0], [0.5], "truth of shape"),
        ([2], [[0.5, 0.5]], "truth are none"),
        ([[0, 0]], [[0.5, 0.5]], "truth are none"),
        ([[-1, 2]], [[0.5, 0.5]], "truth are none"),
        ([[1, 0]], [[0.5, 0.1]], "sum to 0.6"),
        ([[1, 0]], [[NAN, NAN]], r"outside|not|nan|NaN"),
    ],
)
def test_what_is_no_distribution_is_refused(truth, chances, message):
    with pytest.raises(InputError, match=message):
        Divergences.count(truth, chances)
