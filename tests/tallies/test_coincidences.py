"""Coincidences and spread of ratings: merged, weighted and refused as every tally."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.errors import InputError
from affectcheck.tallies import Coincidences, Spread

VOTES = st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=12)


def equal(first: Coincidences | Spread, second: Coincidences | Spread, **tolerance: float) -> None:
    for name in first.TRAILING:
        np.testing.assert_allclose(getattr(first, name), getattr(second, name), **tolerance)


def by_hand(votes: np.ndarray) -> np.ndarray:
    """Every ordered pair of two ratings of one item, one by one."""
    pairs = np.zeros((votes.shape[1],) * 2)
    for item in votes:
        ratings = np.repeat(np.arange(item.size), item)
        for i, one in enumerate(ratings):
            for j, other in enumerate(ratings):
                if i != j:
                    pairs[one, other] += 1 / (ratings.size - 1)
    return pairs


@given(VOTES)
def test_pairs_are_those_counted_one_by_one(votes):
    tally = Coincidences.count(votes)
    np.testing.assert_allclose(tally.pairs, by_hand(np.array(votes)), atol=1e-12)
    np.testing.assert_allclose(tally.pairs.sum(axis=-1), tally.totals, atol=1e-12)
    assert tally.support == len(votes)
    assert tally.pairable + tally.unpairable == tally.support


@given(VOTES, st.randoms(use_true_random=False))
def test_the_order_of_items_does_not_move_a_digit(votes, random):
    shuffled = votes.copy()
    random.shuffle(shuffled)
    equal(Coincidences.count(votes, most=12), Coincidences.count(shuffled, most=12), rtol=0)


@given(VOTES, st.integers(0, 12))
def test_parts_add_up_and_pool(votes, cut):
    table = np.array(votes)
    whole = Coincidences.count(table, most=12)
    equal(Coincidences.count(table[:cut]) + Coincidences.count(table[cut:], most=12), whole, atol=1e-12)
    cells = np.arange(len(votes)) % 3
    equal(Coincidences.count(table, most=12, cells=cells, n_cells=3).pooled(), whole, atol=1e-12)


def test_many_cells_are_counted_like_one():
    random = np.random.default_rng(3)
    votes, cells = random.integers(0, 3, (500, 4)), random.integers(0, 50, 500)
    tally = Coincidences.count(votes, cells=cells, n_cells=(5, 10))
    assert tally.shape == (5, 10)
    np.testing.assert_allclose(tally.reshape(-1)[7].pairs, by_hand(votes[cells == 7]), atol=1e-12)


def test_a_weight_is_a_repetition():
    votes = np.array([[2, 0, 1], [1, 1, 0], [0, 0, 3], [0, 1, 0]])
    weighted = Coincidences.count(votes, cells=range(4), most=3).weighted([[2, 0, 1, 1]])[0]
    equal(weighted, Coincidences.count(votes[[0, 0, 2, 3]], most=3), atol=1e-12)


def test_tallies_of_other_numbers_of_ratings_add_up():
    small, large = Coincidences.count([[1, 1]]), Coincidences.count([[3, 2]])
    assert (small + large).ratings.tolist() == [0, 0, 1, 0, 0, 1]
    assert (large + small).ratings.tolist() == [0, 0, 1, 0, 0, 1]
    equal(small + Coincidences.zero(labels=2, most=1), small)


@pytest.mark.parametrize(
    ("votes", "options", "message"),
    [
        ([1, 2], {}, "votes of shape"),
        ([[-1, 2]], {}, "-1 votes for value 0"),
        ([[0.5, 2.0]], {}, "votes have the type"),
        ([[1, 2]], {"values": [1.0, 1.0]}, "values 1, 1"),
        ([[1, 2]], {"values": [0.0, np.inf]}, "rising"),
        ([[1, 2]], {"values": [0.0]}, "for 2 columns"),
        ([[1, 2]], {"most": 2}, "an item with 3 ratings"),
    ],
)
def test_what_is_no_table_of_votes_is_refused(votes, options, message):
    with pytest.raises(InputError, match=message):
        Coincidences.count(votes, **options)


def test_other_values_do_not_add_up():
    with pytest.raises(InputError, match=r"0, 1, 2, 3, 4, 5, … \(7 of them\)"):
        Coincidences.zero(labels=7) + Coincidences.zero(labels=2)
    with pytest.raises(InputError, match="one list of values"):
        Coincidences.zero(labels=2, values=[0, 5]) + Coincidences.zero(labels=2)


RATINGS = st.lists(st.tuples(st.integers(0, 5), st.sampled_from([-1.0, 0.0, 0.1, 0.5, 3.0])), max_size=20)


def spread(ratings, **options) -> Spread:
    item = [code for code, _ in ratings]
    return Spread.of(item, [value for _, value in ratings], items=6, most=20, **options)


@given(RATINGS)
def test_spread_is_that_of_the_pairable_ratings(ratings):
    tally = spread(ratings)
    items = [[value for code, value in ratings if code == i] for i in range(6)]
    pairable = [np.array(values) for values in items if len(values) > 1]
    every = np.concatenate([*pairable, np.zeros(0)])
    assert tally.n == every.size
    assert tally.pairable == len(pairable)
    assert tally.unpairable == 6 - len(pairable)
    if every.size:
        assert tally.mean == pytest.approx(every.mean(), abs=1e-12)
        assert tally.squares == pytest.approx(((every - every.mean()) ** 2).sum(), abs=1e-9)
        inside = sum(((v - v.mean()) ** 2).sum() * v.size / (v.size - 1) for v in pairable)
        assert tally.within == pytest.approx(inside, abs=1e-9)
        assert (tally.squares == 0) == (every.min() == every.max())


@given(RATINGS, RATINGS)
def test_spreads_add_up_and_pool(first, second):
    both = spread([*first, *((code, value) for code, value in second)])
    apart = [(code, value) for code, value in first] + [(code + 6, value) for code, value in second]
    whole = Spread.of([c for c, _ in apart], [v for _, v in apart], items=12, most=20)
    equal(spread(first) + spread(second), whole, atol=1e-9)
    cells = [0] * 6 + [1] * 6
    parts = Spread.of([c for c, _ in apart], [v for _, v in apart], items=12, most=20, cells=cells, n_cells=2)
    equal(parts.pooled(), whole, atol=1e-9)
    equal(parts.weighted([[1, 1]])[0], whole, atol=1e-9)
    equal(spread(first) + Spread.zero(), spread(first), atol=1e-12)
    assert both.support == 6


def test_a_spread_repeated_by_a_weight():
    tally = Spread.of([0, 0, 1, 1], [0.0, 2.0, 4.0, 4.0], cells=[0, 1])
    equal(tally.weighted([[0, 3]])[0], Spread.of([0, 0, 1, 1, 2, 2], [4.0] * 6), atol=1e-12)
    assert tally.weighted([[0, 0]]).n.tolist() == [0.0]


def test_values_far_from_zero_keep_their_spread():
    tally = Spread.of([0, 0, 1, 1], np.array([0.0, 2.0, 4.0, 4.0]) + 1e8)
    assert float(tally.squares) == pytest.approx(11.0, rel=1e-6)
    assert float(tally.within) == pytest.approx(4.0, rel=1e-6)


@pytest.mark.parametrize(
    ("item", "rating", "options", "message"),
    [
        ([0, 1], [1.0], {}, "items of shape"),
        ([0, 0], [1.0, np.nan], {}, "rating nan"),
        ([0, 2], [1.0, 1.0], {"items": 2}, "item code 2"),
        ([0, 0, 0], [1.0, 1.0, 1.0], {"most": 2}, "an item with 3 ratings"),
        ([0.5], [1.0], {}, "item codes have the type"),
    ],
)
def test_what_are_no_ratings_is_refused(item, rating, options, message):
    with pytest.raises(InputError, match=message):
        Spread.of(item, rating, **options)
